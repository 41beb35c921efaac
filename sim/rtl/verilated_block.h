// What every Verilated block has in common: its context, the way into reset and out of it,
// assertions, waveforms, the pins of its registers. For a file that includes what Verilator made
// of the block first.
#pragma once

#include <memory>
#include <string>

#include "sim/rtl/lite_pins.h"
#include "sim/rtl/read_bridge.h"
#include "sim/rtl/verilated_waveform.h"

namespace presil::rtl {

/// @tparam Top what it is to others: settle(), edge(), failed(), waveform(file)
/// @tparam Dut the Verilated class; names of ports as in testbench/example_block/README.md
template <class Top, class Dut>
class VerilatedBlock : public Top {
 public:
  ~VerilatedBlock() override {
    Verilated::threadContextp(&m_context);  // what the scopes leave, whatever ran last
    m_dut->final();
  }
  bool failed() const override { return m_context.gotError(); }
  std::unique_ptr<Waveform> waveform(const std::string& file) override {
    return waveform_of(*m_dut, file);
  }

 protected:
  /// @param seed of the state that reset does not set
  VerilatedBlock(const char* name, uint32_t seed) {
    m_context.fatalOnError(false);  // failed() says it
    m_context.randReset(2);
    m_context.randSeed(static_cast<int>(seed));
    m_dut = std::make_unique<Dut>(&m_context, name);
  }
  VerilatedBlock(const VerilatedBlock&) = delete;
  VerilatedBlock& operator=(const VerilatedBlock&) = delete;

  /// In reset, then out of it: the last thing that a constructor does.
  void reset() {
    constexpr int kCycles = 2;
    m_dut->rst_ni = 1;
    this->settle();
    m_dut->rst_ni = 0;  // an edge: reset acts
    this->settle();
    for (int i = 0; i < kCycles; ++i) this->edge();
    m_dut->rst_ni = 1;
    this->settle();
  }
  Dut& dut() const { return *m_dut; }
  void eval() {
    Verilated::threadContextp(&m_context);  // to which assertions that fail are told
    m_dut->eval();
  }
  /// The first half of a cycle, all inputs but the clock being there.
  void low() {
    m_dut->clk_i = 0;
    eval();
  }
  /// The rising edge.
  void high() {
    m_dut->clk_i = 1;
    eval();
  }

  void drive(const LitePins& cfg) {
    Dut& d = *m_dut;
    d.cfg_aw_valid_i = cfg.write;
    d.cfg_w_valid_i = cfg.write_data;
    d.cfg_ar_valid_i = cfg.read;
    d.cfg_aw_addr_i = d.cfg_ar_addr_i = cfg.address;
    d.cfg_w_data_i = cfg.data;
    d.cfg_w_strb_i = 0xf;
    d.cfg_b_ready_i = d.cfg_r_ready_i = 1;
  }
  void sense(LitePins& cfg) const {
    cfg.write_ready = m_dut->cfg_aw_ready_o;
    cfg.data_ready = m_dut->cfg_w_ready_o;
    cfg.read_ready = m_dut->cfg_ar_ready_o;
  }
  LiteAnswer answer() const {
    const Dut& d = *m_dut;
    return {(d.cfg_b_valid_o | d.cfg_r_valid_o) != 0,
            (d.cfg_b_valid_o ? d.cfg_b_resp_o : d.cfg_r_resp_o) != 0, d.cfg_r_data_o};
  }
  /// R of a master that is always granted its AR.
  void drive(bool valid, const ReadBeat& beat) {
    Dut& d = *m_dut;
    d.ar_ready_i = 1;
    d.r_valid_i = valid;
    if (!valid) return;
    for (unsigned i = 0; i < 4; ++i) d.r_data_i[i] = beat.data[i];
    d.r_resp_i = beat.resp;
    d.r_last_i = beat.last;
  }

 private:
  VerilatedContext m_context;
  std::unique_ptr<Dut> m_dut;
};

}  // namespace presil::rtl
