// An AxiTop of a Verilated class with the ports of testbench/example_block/README.md. For one file
// of the user's, which includes what Verilator made of the block first.
#pragma once

#include <cstring>
#include <memory>
#include <string>

#include "sim/rtl/axi_top.h"
#include "sim/rtl/verilated_waveform.h"

namespace presil::rtl {

template <class Dut>
class VerilatedAxiTop : public AxiTop {
 public:
  explicit VerilatedAxiTop(uint32_t seed) {
    m_context.fatalOnError(false);  // failed() says it
    m_context.randReset(2);
    m_context.randSeed(static_cast<int>(seed));
    m_dut = std::make_unique<Dut>(&m_context, "user");
    m_dut->rst_ni = 1;
    settle();
    m_dut->rst_ni = 0;  // an edge: reset acts
    settle();
    edge();
    m_dut->rst_ni = 1;
    settle();
  }
  ~VerilatedAxiTop() override { m_dut->final(); }

  void settle() override {
    Dut& d = *m_dut;
    const AxiPins::In& in = pins.in;
    d.clk_i = 0;
    d.cfg_aw_valid_i = in.cfg_write;
    d.cfg_w_valid_i = in.cfg_write_data;
    d.cfg_ar_valid_i = in.cfg_read;
    d.cfg_aw_addr_i = d.cfg_ar_addr_i = in.cfg_address;
    d.cfg_w_data_i = in.cfg_data;
    d.cfg_w_strb_i = 0xf;
    d.cfg_b_ready_i = d.cfg_r_ready_i = 1;
    d.ar_ready_i = 1;
    d.r_valid_i = in.r_valid;
    if (in.r_valid) {
      for (unsigned i = 0; i < 4; ++i) d.r_data_i[i] = in.r.data[i];
      d.r_resp_i = in.r.resp;
      d.r_last_i = in.r.last;
    }
    d.aw_ready_i = in.aw_ready;
    d.w_ready_i = in.w_ready;
    d.b_valid_i = in.b_valid;
    d.b_resp_i = in.b_resp;
    d.eval();

    AxiPins::Out& out = pins.out;
    out.cfg_write_ready = d.cfg_aw_ready_o;
    out.cfg_data_ready = d.cfg_w_ready_o;
    out.cfg_read_ready = d.cfg_ar_ready_o;
    out.cfg_b_valid = d.cfg_b_valid_o;
    out.cfg_r_valid = d.cfg_r_valid_o;
    out.cfg_resp = out.cfg_b_valid ? d.cfg_b_resp_o : d.cfg_r_resp_o;
    out.cfg_data = d.cfg_r_data_o;
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

  void edge() override {
    m_dut->clk_i = 1;
    m_dut->eval();
  }

  bool failed() const override { return m_context.gotError(); }
  std::unique_ptr<Waveform> waveform(const std::string& file) override {
    return waveform_of(*m_dut, file);
  }

 private:
  VerilatedContext m_context;
  std::unique_ptr<Dut> m_dut;
};

}  // namespace presil::rtl
