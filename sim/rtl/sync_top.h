// The pins of the Verilated sync (rtl/sync/sync.sv) as plain values. What Verilator makes is
// hidden here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rtl/soc/address_map.h"
#include "rtl/sync/sync.h"
#include "sim/rtl/lite_pins.h"
#include "sim/rtl/waveform.h"

namespace presil::rtl {

struct SyncPins {
  static constexpr unsigned kPorts = PRESIL_SYNC_WAIT_PORT_COUNT, kQueues = PRESIL_LINKED_QUEUES;
  struct Signal {
    bool valid = false;
    uint8_t id = 0;
    uint16_t add = 0;
  };
  /// Of a wait port; of a barrier: a range of one counter.
  struct Wait {
    bool valid = false;
    uint8_t id = 0;
    uint32_t value = 0;
  };
  struct In {
    LitePins cfg;
    std::array<Signal, kQueues> signals;
    std::array<Wait, kPorts> waits;
    std::array<Wait, kQueues> barriers;
  } in;
  struct Out {
    bool irq = false;
    std::array<bool, kPorts> met{};
    std::array<uint8_t, kPorts> signaller{};  ///< enum presil_engine_kind
    std::array<bool, kQueues> barrier_met{};
    LiteAnswer answer;
  } out;
};

class SyncTop {
 public:
  virtual ~SyncTop() = default;
  SyncPins pins;

  /// pins.in to the block, combinational settling, the block to pins.out.
  virtual void settle() = 0;
  /// The rising edge, with what settled last.
  virtual void edge() = 0;
  /// Of a counter that exists.
  virtual uint32_t counter(unsigned id) const = 0;
  virtual unsigned counters() const = 0;
  /// All that it holds, without pins.
  virtual std::vector<uint8_t> state() = 0;
  virtual void set_state(const std::vector<uint8_t>& state) = 0;
  /// An assertion of the RTL has failed; it said so on standard output.
  virtual bool failed() const = 0;
  /// Of all its signals; nullptr in a build without waveforms.
  virtual std::unique_ptr<Waveform> waveform(const std::string& file) = 0;
};

/// In reset, then out of it, all inputs 0.
/// @param seed of the state that reset does not set
std::unique_ptr<SyncTop> make_sync_top(uint32_t seed);

}  // namespace presil::rtl
