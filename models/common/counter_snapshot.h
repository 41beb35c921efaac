// The counters of an engine's causes, as its contract describes them: which register has which.
#pragma once

#include <vector>

#include "models/common/attribution.h"
#include "rtl/common/engine_description.h"
#include "rtl/common/register_bank.h"

namespace presil {

class CounterSnapshot {
 public:
  explicit CounterSnapshot(const presil_engine_description& engine) : m_engine(engine) {
    for (uint32_t i = 0; i < engine.counter_count; ++i) {
      const presil_counter_description& c = engine.counters[i];
      const Cause cause = c.cause == nullptr ? Cause::kCount : cause_of(c.cause);
      if (cause != Cause::kCount) m_counters.push_back({c.offset, cause});
    }
  }

  /// Into the block of counters of the engine's queue `index`; what counts no cause is not touched.
  void write(RegisterBank& bank, const Attribution& cycles, unsigned index = 0) const {
    const uint32_t block = m_engine.counters_offset + index * m_engine.counters_pitch;
    for (const Counter& c : m_counters) {
      const auto value = static_cast<uint64_t>(cycles[c.cause]);
      bank.set(block + c.offset, static_cast<uint32_t>(value));
      bank.set(block + c.offset + 4, static_cast<uint32_t>(value >> 32));
    }
  }

 private:
  struct Counter {
    uint32_t offset;
    Cause cause;
  };
  const presil_engine_description& m_engine;
  std::vector<Counter> m_counters;
};

}  // namespace presil
