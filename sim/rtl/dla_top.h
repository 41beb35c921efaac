// The pins of the Verilated DLA (rtl/dla/dla.sv) as plain values, and its SRAM as bytes. What
// Verilator makes is hidden here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "models/common/attribution.h"
#include "models/soc/soc_config.h"
#include "sim/rtl/queue_pins.h"

namespace presil::rtl {

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

/// A word of 16 bytes is written to the SRAM.
using SramWriteObserver = std::function<void(uint32_t address, const uint8_t* bytes)>;

class DlaTop : public QueueTop {
 public:
  static constexpr unsigned kWaits = 3;
  SramWords words;
  SramWriteObserver on_write;

  virtual DlaProbe probe() const = 0;
  /// enum presil_queue_state
  virtual uint8_t queue_state() const = 0;
  virtual DlaCauses causes() const = 0;
  /// Words written in this cycle are in the SRAM; edge() sees to it otherwise.
  virtual void write_words() = 0;
  /// The rising edge. @return whether the block used its SRAM
  virtual bool edge() = 0;
};

/// The size of DLA that this program is linked with, in reset, then out of it, all inputs 0.
/// @param config its ports and bytes of SRAM; the block's registers say what it was built with
/// @param seed of the state that reset does not set
std::unique_ptr<DlaTop> make_dla_top(const SocConfig& config, uint8_t* sram, uint32_t seed);

}  // namespace presil::rtl
