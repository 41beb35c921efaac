// rtl/common/axi_lite_slave.sv between a random master and a register bus that answers at random:
// each access reaches the bus once, in order, and its answer the master; under back-pressure and
// resets.
#include "testbench/common/axi_lite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>

#include "Vaxi_lite_slave.h"

namespace presil::testbench {
namespace {

class AxiLiteSlave : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    m_context.randReset(2);
    m_context.randSeed(GetParam());
    dut.clk_i = 0;
    dut.rst_ni = 1;
    dut.eval();
    dut.rst_ni = 0;
    dut.eval();
  }
  void clock() {
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
  }

  VerilatedContext m_context;
  Vaxi_lite_slave dut{&m_context};
  AxiLiteMaster master{static_cast<uint32_t>(GetParam())};
  AxiLiteChecker checker;
};

INSTANTIATE_TEST_SUITE_P(Seeds, AxiLiteSlave, testing::Range(1, 6));

TEST_P(AxiLiteSlave, passes_every_access_once_and_its_answer_back) {
  std::mt19937 random(static_cast<uint32_t>(GetParam()));
  struct Access {
    uint16_t address;
    uint32_t data;
    bool whole;
    std::optional<uint8_t> answer;  // once it has been on the bus
  };
  std::deque<Access> writes;
  std::deque<uint16_t> reads;
  std::deque<std::pair<uint32_t, uint8_t>> read_answers;
  unsigned written = 0, read = 0, partial = 0, resets = 0;
  for (int cycle = 0; cycle < 20000; ++cycle) {
    const bool reset = cycle < 2 || random() % 1000 == 0;
    dut.rst_ni = !reset;
    if (reset) {
      ++resets;
      master.reset();
      writes.clear(), reads.clear(), read_answers.clear();
    } else if (cycle % 100 == 0) {
      master.pace.ask = static_cast<unsigned>(1 + random() % 4);
      master.pace.take = static_cast<unsigned>(1 + random() % 4);
    }
    if (!reset && writes.size() < 4 && random() % 3 == 0) {
      const bool whole = random() % 8 != 0;
      const auto strobes = static_cast<uint8_t>(whole ? 0xf : random() % 15);
      partial += !whole;
      writes.push_back(
          {static_cast<uint16_t>(random()), static_cast<uint32_t>(random()), whole, {}});
      const auto done = [&](uint8_t resp) {
        ASSERT_FALSE(writes.empty());
        if (writes.front().whole) {
          EXPECT_EQ(resp, writes.front().answer.value_or(99));
        } else {
          EXPECT_EQ(resp, AxiLiteMaster::kSlvErr);
        }
        writes.pop_front();
        ++written;
      };
      master.write(writes.back().address, writes.back().data, done, strobes);
    }
    if (!reset && reads.size() < 4 && random() % 3 == 0) {
      reads.push_back(static_cast<uint16_t>(random()));
      master.read(reads.back(), [&](uint32_t data, uint8_t resp) {
        ASSERT_FALSE(read_answers.empty());
        EXPECT_EQ(data, read_answers.front().first);
        EXPECT_EQ(resp, read_answers.front().second);
        read_answers.pop_front();
        ++read;
      });
    }
    master.drive(dut);
    dut.reg_rdata_i = random();
    dut.reg_error_i = random() % 4 == 0;
    dut.eval();
    checker.cycle(dut, reset);
    if (!reset) {
      master.sample(dut);
      const uint8_t resp = dut.reg_error_i ? AxiLiteMaster::kSlvErr : AxiLiteMaster::kOkay;
      ASSERT_FALSE(dut.reg_write_o && dut.reg_read_o);
      if (dut.reg_write_o) {
        const auto next = std::find_if(writes.begin(), writes.end(),
                                       [](const Access& a) { return a.whole && !a.answer; });
        ASSERT_TRUE(next != writes.end());
        EXPECT_EQ(dut.reg_offset_o, next->address);
        EXPECT_EQ(dut.reg_wdata_o, next->data);
        next->answer = resp;
      }
      if (dut.reg_read_o) {
        ASSERT_FALSE(reads.empty());
        EXPECT_EQ(dut.reg_offset_o, reads.front());
        reads.pop_front();
        read_answers.push_back({dut.reg_error_i ? 0 : dut.reg_rdata_i, resp});
      }
    }
    clock();
    if (HasFailure()) FAIL() << "cycle " << cycle;
  }
  EXPECT_EQ(checker.violations().text(), "");
  EXPECT_GT(written, 1000u);
  EXPECT_GT(read, 1000u);
  EXPECT_GT(partial, 100u);
  EXPECT_GT(resets, 5u);
}

TEST_P(AxiLiteSlave, acts_one_cycle_after_the_handshake_and_answers_one_later) {
  dut.rst_ni = 1;
  master.write(0x204, 5);
  master.drive(dut);
  dut.eval();
  EXPECT_TRUE(dut.cfg_aw_ready_o && dut.cfg_w_ready_o);
  master.sample(dut);
  EXPECT_FALSE(dut.reg_write_o);
  clock();
  master.drive(dut);
  master.read(0x10);
  dut.eval();
  EXPECT_TRUE(dut.reg_write_o);
  EXPECT_EQ(dut.reg_offset_o, 0x204);
  master.sample(dut);
  clock();
  master.drive(dut);
  dut.eval();
  EXPECT_TRUE(dut.cfg_b_valid_o);
  master.sample(dut);
  clock();
  master.drive(dut);
  dut.eval();
  EXPECT_TRUE(dut.reg_read_o);
  EXPECT_EQ(dut.reg_offset_o, 0x10);
  master.sample(dut);
  clock();
  master.drive(dut);
  dut.eval();
  EXPECT_TRUE(dut.cfg_r_valid_o);
  master.sample(dut);
  EXPECT_TRUE(master.idle());
}

}  // namespace
}  // namespace presil::testbench
