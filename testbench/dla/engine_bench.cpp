#include "testbench/dla/engine_bench.h"

#include <cstring>

#include "Vdla_engine.h"
#include "verilated.h"

namespace presil::dla::bench {
struct EngineBench::Top {
  VerilatedContext context;
  Vdla_engine dut{&context};
  Cycle cycle = 0;

  void tick() {
    dut.clk_i = 0;
    dut.eval();
    dut.clk_i = 1;
    dut.eval();
    ++cycle;
  }
};

EngineBench::EngineBench(const DlaConfig&) : m_top(std::make_unique<Top>()) {
  Vdla_engine& dut = m_top->dut;
  dut.rst_ni = 0;
  dut.met_i = 0;
  dut.relocation_i = 0;
  for (int i = 0; i < 3; ++i) m_top->tick();
  dut.rst_ni = 1;
}
EngineBench::~EngineBench() {
  m_top->dut.final();
}
Cycle EngineBench::cycles() const {
  return m_top->cycle;
}

Outcome EngineBench::run(const Command& command, std::vector<uint8_t>& sram, Cycle limit) {
  constexpr unsigned kFeatures = 4, kOutput = 4, kPorts = 7;
  Vdla_engine& dut = m_top->dut;
  uint32_t words[Command::kWords];
  command.encode(words);
  for (unsigned i = 0; i < Command::kWords; ++i) dut.offer_words_i[i] = words[i];
  Outcome outcome;
  outcome.end = -1;
  dut.offer_valid_i = 1;
  for (Cycle t = 0; t < limit; ++t) {
    dut.clk_i = 0;
    dut.eval();
    const bool taken = dut.take_o, complete = dut.complete_o;
    outcome.steps += dut.step_o;
    uint32_t read[kPorts][4] = {};
    for (unsigned p = 0; p < kPorts; ++p) {
      if ((dut.sram_req_o >> p & 1) == 0) continue;
      uint32_t address = 0;
      for (unsigned bit = 0; bit < 24; ++bit) {
        const unsigned at = 24 * p + bit;
        address |= (dut.sram_addr_o[at / 32] >> at % 32 & 1) << bit;
      }
      uint8_t* bytes = sram.data() + address % sram.size();
      if (p == kOutput) {
        std::memcpy(bytes, &dut.sram_wdata_o[0], 16);
        outcome.writes.push_back({address, t});
      } else {
        std::memcpy(read[p], bytes, 16);
      }
    }
    dut.clk_i = 1;
    dut.eval();
    ++m_top->cycle;
    for (unsigned p = 0; p < kPorts; ++p) {
      for (unsigned i = 0; i < 4; ++i) dut.sram_rdata_i[4 * p + i] = read[p][i];
    }
    if (taken) dut.offer_valid_i = 0;
    if (complete) {
      outcome.end = t;
      break;
    }
  }
  static_assert(kFeatures == kOutput, "ports: F, O, E, W");
  dut.offer_valid_i = 0;
  for (int i = 0; i < 20; ++i) m_top->tick();
  return outcome;
}

}  // namespace presil::dla::bench
