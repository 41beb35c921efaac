// The pins of the Verilated DLA (rtl/dla/dla.sv) as plain values, and its SRAM as bytes. What
// Verilator makes is hidden here.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

#include "models/common/attribution.h"
#include "models/soc/soc_config.h"
#include "sim/rtl/lite_pins.h"
#include "sim/rtl/read_bridge.h"
#include "sim/rtl/waveform.h"

namespace presil::rtl {

struct DlaPins {
  static constexpr unsigned kWaits = 3;
  struct In {
    LitePins cfg;
    bool r_valid = false;
    ReadBeat r;
    std::array<bool, kWaits> met{};
    std::array<uint8_t, kWaits> signaller{};
    bool barrier_met = false;
  } in;
  struct Out {
    bool irq = false;
    bool ar_valid = false, r_ready = false;
    uint64_t ar_address = 0;
    unsigned ar_beats = 0;
    std::array<bool, kWaits> wait{};
    std::array<uint8_t, kWaits> wait_id{};
    std::array<uint32_t, kWaits> wait_value{};
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

/// What goes on inside, of the present cycle: for records, not for values.
struct DlaProbe {
  bool offered = false;  ///< the engine sees a command for the first time
  uint32_t index = 0;    ///< of that command
  bool reset = false;    ///< an abort drops what is in flight
  /// The weight loader, the sequencer start with the command of this slot (they alternate).
  bool loader = false, sequencer = false;
  unsigned loader_slot = 0, sequencer_slot = 0;
};

/// Where cycles went; those without a command are in none of the causes.
struct DlaCauses {
  Attribution before;  ///< of all cycles before the present one
  Attribution with;    ///< and of this one
};

/// Words of 16 bytes moved through the SRAM ports.
struct SramWords {
  uint64_t read = 0, written = 0;
};

/// A word of 16 bytes is written to the SRAM.
using SramWriteObserver = std::function<void(uint32_t address, const uint8_t* bytes)>;

class DlaTop {
 public:
  virtual ~DlaTop() = default;
  DlaPins pins;
  SramWords words;
  SramWriteObserver on_write;

  /// pins.in to the block, combinational settling, the block to pins.out.
  virtual void settle() = 0;
  virtual DlaProbe probe() const = 0;
  virtual RegisterAccess register_access() const = 0;
  /// enum presil_queue_state
  virtual uint8_t queue_state() const = 0;
  virtual DlaCauses causes() const = 0;
  /// Words written in this cycle are in the SRAM; edge() sees to it otherwise.
  virtual void write_words() = 0;
  /// The rising edge. @return whether the block used its SRAM
  virtual bool edge() = 0;
  /// An assertion of the RTL has failed; it said so on standard output.
  virtual bool failed() const = 0;
  /// Of all its signals; nullptr in a build without waveforms.
  virtual std::unique_ptr<Waveform> waveform(const std::string& file) = 0;
};

/// The size of DLA that this program is linked with, in reset, then out of it, all inputs 0.
/// @param config its ports and bytes of SRAM; the block's registers say what it was built with
/// @param seed of the state that reset does not set
std::unique_ptr<DlaTop> make_dla_top(const SocConfig& config, uint8_t* sram, uint32_t seed);

}  // namespace presil::rtl
