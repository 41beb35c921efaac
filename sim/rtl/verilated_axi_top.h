// An AxiTop of a Verilated class with the ports of testbench/example_block/README.md. For one file
// of the user's, which includes what Verilator made of the block first.
#pragma once

#include <cstring>

#include "sim/rtl/axi_top.h"
#include "sim/rtl/verilated_block.h"

namespace presil::rtl {

template <class Dut>
class VerilatedAxiTop : public VerilatedBlock<AxiTop, Dut> {
 public:
  explicit VerilatedAxiTop(uint32_t seed) : VerilatedBlock<AxiTop, Dut>("user", seed) {
    this->reset();
  }

  void settle() override {
    Dut& d = this->dut();
    const AxiPins::In& in = this->pins.in;
    this->drive(in.cfg);
    this->drive(in.r_valid, in.r);
    d.aw_ready_i = in.aw_ready;
    d.w_ready_i = in.w_ready;
    d.b_valid_i = in.b_valid;
    d.b_resp_i = in.b_resp;
    this->low();

    AxiPins::Out& out = this->pins.out;
    this->sense(this->pins.in.cfg);
    out.answer = this->answer();
    out.busy = d.busy_o;
    out.irq = d.irq_o;
    out.ar_valid = d.ar_valid_o;
    out.ar_address = d.ar_addr_o;
    out.ar_beats = d.ar_len_o + 1u;
    out.r_ready = d.r_ready_o;
    out.aw_valid = d.aw_valid_o;
    out.aw_address = d.aw_addr_o;
    out.aw_beats = d.aw_len_o + 1u;
    out.w_valid = d.w_valid_o;
    out.w_last = d.w_last_o;
    out.w_strobes = d.w_strb_o;
    std::memcpy(out.w_bytes, &d.w_data_o[0], sizeof out.w_bytes);
    out.b_ready = d.b_ready_o;
  }

  void edge() override { this->high(); }
};

}  // namespace presil::rtl
