// The pins of a Verilated block of the user's own, as plain values: clock, reset, AXI4-Lite of its
// registers, an AXI4 master of 16-byte beats, an interrupt, and busy. testbench/example_block has
// the ports by name. What Verilator makes is hidden here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sim/rtl/lite_pins.h"
#include "sim/rtl/read_bridge.h"
#include "sim/rtl/waveform.h"

namespace presil::rtl {

struct AxiPins {
  struct In {
    LitePins cfg;
    bool r_valid = false, aw_ready = false, w_ready = false, b_valid = false;
    ReadBeat r;
    uint8_t b_resp = 0;
  } in;
  struct Out {
    LiteAnswer answer;
    bool busy = false;  ///< low: nothing changes until the next access of a register
    bool irq = false;
    bool ar_valid = false, r_ready = false, aw_valid = false, w_valid = false, w_last = false;
    bool b_ready = false;
    uint64_t ar_address = 0, aw_address = 0;
    unsigned ar_beats = 0, aw_beats = 0;
    uint8_t w_bytes[16] = {};
    uint16_t w_strobes = 0;
  } out;
};

class AxiTop {
 public:
  virtual ~AxiTop() = default;
  AxiPins pins;

  /// pins.in to the block, combinational settling, the block to pins.out.
  virtual void settle() = 0;
  /// The rising edge.
  virtual void edge() = 0;
  /// An assertion of the block has failed; it said so on standard output.
  virtual bool failed() const = 0;
  /// Of all its signals; nullptr in a build without waveforms.
  virtual std::unique_ptr<Waveform> waveform(const std::string& file) = 0;
};

/// Makes it, in reset and out of it, all inputs 0.
/// @param seed of the state that reset does not set
using AxiTopMaker = std::function<std::unique_ptr<AxiTop>(uint32_t seed)>;

}  // namespace presil::rtl
