// The pins that every engine with one queue has in RTL, as plain values: registers, an AXI4 read
// master for jobs and commands, the links of sync, the interrupt, the end of a command.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "sim/rtl/lite_pins.h"
#include "sim/rtl/read_bridge.h"
#include "sim/rtl/waveform.h"

namespace presil::rtl {

struct QueuePins {
  static constexpr unsigned kMostWaits = 4;  ///< PRESIL_ENGINE_MAX_WAITS
  struct In {
    LitePins cfg;
    bool r_valid = false;
    ReadBeat r;
    std::array<bool, kMostWaits> met{};
    std::array<uint8_t, kMostWaits> signaller{};
    bool barrier_met = false;
  } in;
  struct Out {
    bool irq = false;
    bool ar_valid = false, r_ready = false;
    uint64_t ar_address = 0;
    unsigned ar_beats = 0;
    std::array<bool, kMostWaits> wait{};
    std::array<uint8_t, kMostWaits> wait_id{};
    std::array<uint32_t, kMostWaits> wait_value{};
    bool signal = false;
    uint8_t signal_id = 0;
    uint16_t signal_add = 0;
    bool barrier = false;
    uint8_t barrier_first = 0, barrier_count = 0;
    uint32_t barrier_value = 0;
    bool done = false;  ///< a command ends in this cycle
    uint32_t done_index = 0, done_tag = 0;
  } out;
};

/// Words of 16 bytes moved through the SRAM ports.
struct SramWords {
  uint64_t read = 0, written = 0;
};

/// A Verilated block with these pins.
class QueueTop {
 public:
  QueueTop() = default;
  QueueTop(const QueueTop&) = delete;
  QueueTop& operator=(const QueueTop&) = delete;
  virtual ~QueueTop() = default;
  QueuePins pins;

  /// pins.in to the block, combinational settling, the block to pins.out.
  virtual void settle() = 0;
  virtual RegisterAccess register_access() const = 0;
  /// An assertion of the RTL has failed; it said so on standard output.
  virtual bool failed() const = 0;
  /// Of all its signals; nullptr in a build without waveforms.
  virtual std::unique_ptr<Waveform> waveform(const std::string& file) = 0;
};

}  // namespace presil::rtl
