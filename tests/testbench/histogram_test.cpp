// The Verilog of testbench/example_block alone, as any block of the project is tested: random pace
// on every port, protocol checkers, errors of the memory.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "Vhistogram.h"
#include "testbench/common/axi_checker.h"
#include "testbench/common/axi_lite.h"
#include "testbench/common/read_responder.h"
#include "testbench/common/write_responder.h"
#include "testbench/example_block/histogram_core.h"

namespace presil::testbench {
namespace {

constexpr uint64_t kBase = 0x8000000000;
constexpr unsigned kMemory = 16384, kTarget = 8192;

class Bench {
 public:
  explicit Bench(uint32_t seed)
      : memory(kMemory),
        reads([this](uint64_t a) { return &memory.at(a - kBase); }, seed),
        writes([this](uint64_t a) { return &memory.at(a - kBase); }, seed),
        registers(seed) {
    m_context.randReset(2);
    m_context.randSeed(static_cast<int>(seed));
    m_top = std::make_unique<Vhistogram>(&m_context);
    m_top->clk_i = 0;
    m_top->rst_ni = 1;
    m_top->eval();
    m_top->rst_ni = 0;
    for (int i = 0; i < 3; ++i) cycle(true);
    m_top->rst_ni = 1;
  }
  ~Bench() { m_top->final(); }

  void write(uint16_t offset, uint32_t value) { registers.write(offset, value); }
  uint32_t read(uint16_t offset) {
    uint32_t value = 0;
    registers.read(offset, [&](uint32_t data, uint8_t) { value = data; });
    settle();
    return value;
  }
  /// Until every access has been answered.
  void settle() {
    for (int i = 0; !registers.idle() && i < 1000; ++i) cycle();
    ASSERT_TRUE(registers.idle());
  }
  /// @return STATUS at the interrupt
  uint32_t job(uint64_t source, unsigned bytes) {
    write(HISTOGRAM_STATUS, 0);
    write(HISTOGRAM_IRQ_ENABLE, 1);
    write(HISTOGRAM_BYTES, bytes);
    write(HISTOGRAM_SOURCE, static_cast<uint32_t>(source));
    write(HISTOGRAM_SOURCE + 4, static_cast<uint32_t>(source >> 32));
    write(HISTOGRAM_TARGET, static_cast<uint32_t>(kBase + kTarget));
    write(HISTOGRAM_TARGET + 4, static_cast<uint32_t>((kBase + kTarget) >> 32));
    write(HISTOGRAM_CONTROL, 1);
    settle();
    for (unsigned i = 0; !m_top->irq_o && i < 100000; ++i) cycle();
    EXPECT_TRUE(m_top->irq_o);
    EXPECT_TRUE(m_reads.idle() && m_writes.idle());
    return read(HISTOGRAM_STATUS);
  }
  std::string violations() const {
    return m_reads.violations().text() + m_writes.violations().text() + m_lite.violations().text();
  }

  std::vector<uint8_t> memory;
  ReadResponder reads;
  WriteResponder writes;
  AxiLiteMaster registers;

 private:
  void cycle(bool in_reset = false) {
    Vhistogram& top = *m_top;
    if (!m_beat) m_beat = reads.beat(m_cycle);  // stays until it is taken
    top.r_valid_i = m_beat.has_value();
    if (m_beat) {
      std::memcpy(&top.r_data_i[0], m_beat->data.data(), 16);
      top.r_resp_i = m_beat->resp;
      top.r_last_i = m_beat->last;
    }
    top.ar_ready_i = m_cycle % 3 != 0;
    top.aw_ready_i = writes.aw_ready();
    top.w_ready_i = writes.w_ready();
    const AxiResponse answer = writes.b(m_cycle);
    top.b_valid_i = answer.valid;
    top.b_resp_i = answer.resp;
    registers.drive(top);
    top.eval();
    m_lite.cycle(top, in_reset);
    if (!in_reset) registers.sample(top);

    const AxiAddress ar{top.ar_valid_o != 0, top.ar_ready_i != 0, 0, top.ar_addr_o, top.ar_len_o};
    AxiReadData r{m_beat.has_value(), top.r_ready_o != 0};
    if (m_beat) r.data = m_beat->data, r.resp = m_beat->resp, r.last = m_beat->last;
    m_reads.cycle(ar, r, in_reset);
    if (ar.valid && ar.ready) reads.accept(m_cycle, ar.address, ar.len + 1u);
    if (r.valid && r.ready) m_beat.reset();

    const AxiAddress aw{top.aw_valid_o != 0, top.aw_ready_i != 0, 0, top.aw_addr_o, top.aw_len_o};
    AxiWriteData w{top.w_valid_o != 0, top.w_ready_i != 0};
    std::memcpy(w.data.data(), &top.w_data_o[0], 16);
    w.strobes = top.w_strb_o;
    w.last = top.w_last_o;
    const AxiResponse b{answer.valid, top.b_ready_o != 0, 0, answer.resp};
    m_writes.cycle(aw, w, b, in_reset);
    writes.take(m_cycle, aw, w, b.ready);

    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    ++m_cycle;
  }

  VerilatedContext m_context;
  std::unique_ptr<Vhistogram> m_top;
  int64_t m_cycle = 0;
  std::optional<ReadResponder::Beat> m_beat;
  AxiReadChecker m_reads;
  AxiWriteChecker m_writes;
  AxiLiteChecker m_lite;
};

TEST(Histogram, counts_equal_the_models_at_any_pace_and_every_port_keeps_its_protocol) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Bench bench(seed);
    bench.registers.pace = {1 + seed % 3, 1 + seed % 2};
    bench.reads.pace.gap = 1 + seed % 4;
    bench.writes.pace.take = 1 + seed % 3;
    for (uint8_t& byte : bench.memory) byte = static_cast<uint8_t>(random() >> random() % 8);
    for (int job = 0; job < 3; ++job) {
      const unsigned first = 16 * (random() % 64), bytes = 16 * (random() % 100);
      example::Histogram expected{};
      example::count(expected, &bench.memory[first], bytes);
      ASSERT_EQ(bench.job(kBase + first, bytes), HISTOGRAM_DONE);
      EXPECT_EQ(std::memcmp(&bench.memory[kTarget], expected.data(), sizeof expected), 0);
    }
    EXPECT_EQ(bench.violations(), "");
  }
}

TEST(Histogram, an_error_of_the_memory_fails_the_job_and_the_next_one_is_exact) {
  std::mt19937 random(7);
  Bench bench(7);
  for (uint8_t& byte : bench.memory) byte = static_cast<uint8_t>(random());
  example::Histogram expected{};
  example::count(expected, bench.memory.data(), 1024);
  for (int round = 0; round < 4; ++round) {
    bench.reads.pace.error = round % 2 == 0;  // every burst, or none
    bench.writes.pace.error = round == 1;
    EXPECT_EQ(bench.job(kBase, 1024), round == 3 ? HISTOGRAM_DONE : HISTOGRAM_FAILED);
  }
  EXPECT_EQ(std::memcmp(&bench.memory[kTarget], expected.data(), sizeof expected), 0);
  EXPECT_EQ(bench.violations(), "");
}

}  // namespace
}  // namespace presil::testbench
