#include "testbench/dla_check/dla_check_bench.h"

#include <verilated.h>

#include "Vdla_check_16.h"
#include "Vdla_check_32.h"

namespace presil::dla::bench {
namespace {

template <class Top>
class Bench : public CheckBench {
 public:
  Bench() : m_top(&m_context) {
    m_top.clk_i = m_top.active_i = m_top.check_i = 0;
    m_top.eval();
  }
  ~Bench() override { m_top.final(); }

  Verdict check(const uint32_t* words, uint32_t sram_base, uint8_t sync_count) override {
    m_top.sram_base_i = sram_base;
    m_top.sync_count_i = sync_count;
    m_top.check_i = 0;
    // What is in the fill buffer before a beat is left from the command before.
    for (unsigned beat = 0; beat < 10; ++beat) {
      for (unsigned i = 4 * beat; i < 4 * beat + 4; ++i) m_top.words_i[i] = words[i];
      m_top.active_i = beat >= 7;  // what the registers took before is not looked at
      m_top.check_i = beat == 9;
      if (beat < 7) continue;
      m_top.eval();
      if (beat < 9) tick();
    }
    const Verdict verdict{m_top.code_o, m_top.rule_o, m_top.word_o, m_top.address_o};
    tick();
    return verdict;
  }

 private:
  void tick() {
    m_top.clk_i = 1;
    m_top.eval();
    m_top.clk_i = 0;
    m_top.eval();
  }
  VerilatedContext m_context;
  Top m_top;
};

}  // namespace

std::unique_ptr<CheckBench> make_check_bench(unsigned macs) {
  if (macs == 16) return std::make_unique<Bench<Vdla_check_16>>();
  if (macs == 32) return std::make_unique<Bench<Vdla_check_32>>();
  return nullptr;
}

}  // namespace presil::dla::bench
