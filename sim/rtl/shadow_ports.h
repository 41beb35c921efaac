// What a model in the shadow of its RTL is put on: the counters of the tile, of which it sees the
// same levels in the same cycles; memory that it does not need, as it computes no values.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

#include "models/common/ports.h"
#include "models/common/timeline.h"
#include "sim/rtl/queue_events.h"

namespace presil::rtl {

/// A queue's links: what it asks is answered when the tile's counters are, what it signals goes to
/// the comparison and nowhere else.
class ShadowCounters : public CounterPort {
 public:
  /// @param counters the tile's; only looked at
  ShadowCounters(Timeline& timeline, CounterPort& counters, QueueEvents& events)
      : m_timeline(timeline), m_counters(counters), m_events(events) {}
  bool met(uint8_t id, uint32_t value) const override { return m_counters.met(id, value); }
  void when_met(uint8_t queue, uint8_t port, uint8_t id, uint32_t value,
                std::function<void(Cycle)> then) override;
  void withdraw(uint8_t, uint8_t port) override { m_asks[port] = {}; }
  void signal(Cycle when, uint8_t id, uint16_t add) override {
    m_events.model_signalled(id, add, when);
  }
  /// One of the tile's has changed.
  void changed(uint8_t id);

 private:
  struct Ask {
    uint8_t id = 0;
    uint32_t value = 0;
    std::function<void(Cycle)> then;
  };
  Timeline& m_timeline;
  CounterPort& m_counters;
  QueueEvents& m_events;
  std::array<Ask, 4> m_asks;
};

struct NoMemory : BytePort {
  uint8_t* bytes_at(uint64_t, size_t) override { return nullptr; }
};

}  // namespace presil::rtl
