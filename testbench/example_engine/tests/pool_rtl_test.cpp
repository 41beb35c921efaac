// Model and RTL, cycle by cycle: the same jobs in the same memory. Compared are every byte of the
// SRAM, counters of sync, interrupts, and when each command ends; values also with plain code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "pool/pool.h"
#include "pool_cases.h"
#include "pool_dut.h"
#include "rtl/common/job_entry.h"

namespace presil::pool::test {
namespace {

using bench::Dut;
using bench::Others;

constexpr uint32_t kQueue = PRESIL_POOL_REG_QUEUE;
constexpr uint64_t kRing = bench::kMemoryBase, kStream = kRing + 0x1000;

/// Both, and a driver of a few lines.
struct Both {
  explicit Both(const Others& others = {}, uint32_t seed = 1)
      : model(bench::make_model(others)),
        rtl(bench::make_rtl(others, seed)),
        duts{model.get(), rtl.get()} {
    write(kQueue + PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(kRing));
    write(kQueue + PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
    write(kQueue + PRESIL_QUEUE_REG_IRQ_ENABLE, 0xf);
  }

  void write(uint32_t offset, uint32_t value) {
    for (Dut* dut : duts) {
      dut->write(offset, value);
      for (int i = 0; i < 5; ++i) dut->step();
    }
  }
  void submit(const std::vector<Command>& commands) {
    JobEntry job;
    job.stream_address = kStream;
    job.command_count = static_cast<uint32_t>(commands.size());
    job.sync_count = 12;
    job.irq_at_end = true;
    uint32_t words[JobEntry::kWords];
    job.encode(words);
    for (Dut* dut : duts) {
      std::memcpy(&dut->memory[jobs % 4 * JobEntry::kBytes], words, sizeof words);
      for (size_t i = 0; i < commands.size(); ++i) {
        uint32_t command[Command::kWords];
        commands[i].encode(command);
        std::memcpy(&dut->memory.at(kStream - kRing + i * Command::kPitch), command,
                    sizeof command);
      }
    }
    ended_before = model->ended.size();
    write(kQueue + PRESIL_QUEUE_REG_TAIL, ++jobs);
  }
  void run(size_t commands, Cycle most = 2000000) {
    for (Dut* dut : duts) {
      const Cycle limit = dut->now() + most;
      while (dut->ended.size() < ended_before + commands && dut->now() < limit) dut->step();
      for (int i = 0; i < 8; ++i) dut->step();
    }
  }
  /// Brings both to the same cycle.
  void align() {
    const Cycle now = std::max(model->now(), rtl->now());
    for (Dut* dut : duts) {
      while (dut->now() < now) dut->step();
    }
  }
  uint32_t read_both(uint32_t offset) {
    const uint32_t value = model->read(offset);
    EXPECT_EQ(rtl->read(offset), value) << "register " << offset;
    return value;
  }

  std::unique_ptr<Dut> model, rtl;
  std::vector<Dut*> duts;
  size_t ended_before = 0;
  uint16_t jobs = 0;
};

void fill(Both& both, uint32_t seed) {
  std::mt19937 random(seed);
  for (uint8_t& byte : both.model->sram) byte = static_cast<uint8_t>(random());
  both.rtl->sram = both.model->sram;
}

/// The first byte that is not what plain code says, in whose result, or nothing.
std::string differs(const Case& k, const std::vector<int8_t>& oracle, const Dut& dut,
                    const char* dut_name) {
  const std::vector<int8_t> got = found(k, dut.sram);
  for (size_t n = 0; n < oracle.size(); ++n) {
    if (got[n] == oracle[n]) continue;
    return std::string(dut_name) + ": command " + std::to_string(k.command.tag) + ", " +
           where(k, n) + " is " + std::to_string(got[n]) + ", expected " +
           std::to_string(oracle[n]) + " (" + k.command.to_text() + ")";
  }
  return "";
}

/// How far the model is off. The model knows the share of cycles in which a bank is taken, not
/// which ones: where banks are taken at random, cycles scatter by what `words` trials do.
struct Error {
  unsigned commands = 0, unlike = 0;
  unsigned outside = 0;  ///< by more than 2 % and 20 cycles
  unsigned beyond = 0;   ///< of these, by more than four standard deviations
  Cycle model = 0, rtl = 0;
  double total() const {
    return 100.0 * static_cast<double>(std::llabs(model - rtl)) / static_cast<double>(rtl);
  }
};

/// Runs jobs of random commands; each command's cycles are those since the one before ended.
Error measure(const Others& others, uint32_t seed, unsigned jobs, unsigned size) {
  Both both(others, seed);
  fill(both, seed);
  std::mt19937 random(seed);
  Error error;
  for (unsigned j = 0; j < jobs; ++j) {
    std::vector<Case> cases;
    std::vector<Command> commands;
    uint32_t at = 0;
    for (unsigned i = 0; i < 8; ++i) {
      Case k = size == 0
                   ? random_case(random)
                   : window(random() % 2 == 0 ? Op::kMax : Op::kAverage, size, size,
                            2 + random() % 2, 1 + random() % 2, random() % 2, 1 + random() % 3);
      k.command.tag = 8 * j + i;
      k.command.signal = i % 2 == 0 ? 1 : 0;
      k.command.signal_add = i % 2 == 0 ? 3 : 0;
      Case trial = k;
      const uint32_t end = place(trial, at, both.model->sram);
      if (end > both.model->sram.size()) break;
      at = place(k, at, both.model->sram);
      place(k, k.command.in_base, both.rtl->sram);
      cases.push_back(k);
      commands.push_back(k.command);
    }
    std::vector<std::vector<int8_t>> oracle;
    for (const Case& k : cases) oracle.push_back(expected(k, both.model->sram));
    both.align();
    both.submit(commands);
    both.run(commands.size());
    if (both.model->ended.size() != both.rtl->ended.size()) {
      ADD_FAILURE() << "model ended " << both.model->ended.size() << " commands, RTL "
                    << both.rtl->ended.size();
      return error;
    }
    for (size_t i = 0; i < cases.size(); ++i) {
      EXPECT_EQ(differs(cases[i], oracle[i], *both.model, "model"), "");
      EXPECT_EQ(differs(cases[i], oracle[i], *both.rtl, "RTL"), "");
      const size_t n = both.ended_before + i;
      const bench::Ended &m = both.model->ended[n], &r = both.rtl->ended[n];
      EXPECT_EQ(m.tag, r.tag);
      EXPECT_EQ(m.index, r.index);
      if (i == 0) continue;  // the fetch before it is no command's
      const Cycle of_model = m.end - both.model->ended[n - 1].end;
      const Cycle of_rtl = r.end - both.rtl->ended[n - 1].end;
      const Cycle off = std::llabs(of_model - of_rtl);
      ++error.commands;
      error.model += of_model;
      error.rtl += of_rtl;
      error.unlike += off != 0;
      const bool outside = off > 20 && 50 * off > of_rtl;
      const double p = others.taken / 256.0;
      const double deviation = std::sqrt(static_cast<double>(of_rtl) * p / (1 - p));
      error.outside += outside;
      error.beyond += outside && static_cast<double>(off) > 4 * deviation;
    }
    EXPECT_EQ(both.model->counter(1), both.rtl->counter(1));
    EXPECT_EQ(both.model->irq(), both.rtl->irq());
  }
  EXPECT_EQ(both.model->sram == both.rtl->sram, true) << "something else was written";
  std::printf(
      "%u commands, banks taken %u of 256: model %lld cycles, RTL %lld, total error %.3f %%, "
      "%u commands unlike, %u by more than 2 %% and 20 cycles\n",
      error.commands, others.taken, static_cast<long long>(error.model),
      static_cast<long long>(error.rtl), error.total(), error.unlike, error.outside);
  return error;
}

TEST(PoolRtl, WithTheSramForItselfEveryCommandEndsInTheSameCycle) {
  const Error error = measure({}, 1, 60, 0);
  EXPECT_GT(error.commands, 400u);
  EXPECT_EQ(error.unlike, 0u);
}

TEST(PoolRtl, LargeCommandsToo) {
  const Error error = measure({}, 2, 3, 40);
  EXPECT_EQ(error.unlike, 0u);
}

// What the model has no knowledge of in a SoC is given to it here: no cycle is left unexplained.
TEST(PoolRtl, WithEachBankKnownEveryCommandEndsInTheSameCycle) {
  for (const unsigned taken : {13u, 40u, 80u, 160u}) {  // of 256
    EXPECT_EQ(measure({taken, true}, 3 + taken, 20, 0).unlike, 0u);
    EXPECT_EQ(measure({taken, true}, 5 + taken, 2, 40).unlike, 0u);
  }
}

// By shares: what is left is scatter, so the band is one of a run's sum. A single command is only
// held to what as many random trials scatter.
TEST(PoolRtl, WithSharesOfBanksTheSumOfARunIsInTheBand) {
  for (const unsigned taken : {13u, 40u, 80u}) {  // 0.8, 2.5 and 5 of 16 banks a cycle
    const Error large = measure({taken}, 5 + taken, 3, 40);
    EXPECT_LT(large.total(), 0.5);
    EXPECT_EQ(large.outside, 0u);
    const Error any = measure({taken}, 3 + taken, 20, 0);
    EXPECT_LT(any.total(), 0.5);
    EXPECT_EQ(any.beyond, 0u);
    if (taken == 13) {
      EXPECT_EQ(any.outside, 0u);
    }
  }
}

TEST(PoolRtl, WaitsAreMetInTheSameCycleAndCountForWhoWouldSignal) {
  Both both;
  fill(both, 9);
  Case k = window(Op::kMax, 4, 4, 2, 2, 0, 1);
  place(k, 0, both.model->sram);
  both.rtl->sram = both.model->sram;
  k.command.wait0 = 4;  // signalled by DMA channel 0
  k.command.wait0_value = 2;
  k.command.wait1 = 5;
  k.command.wait1_value = 1;
  k.command.irq = true;
  both.align();
  const Cycle now = both.model->now();
  for (Dut* dut : both.duts) {
    dut->signal(now + 400, 4, 2);
    dut->signal(now + 450, 5, 1);
  }
  both.submit({k.command});
  both.run(1);
  ASSERT_EQ(both.model->ended.size(), 1u);
  ASSERT_EQ(both.rtl->ended.size(), 1u);
  // Met 2 after the signal, and that is when it is taken; 16 taps with 2 results written before the
  // last of them: 2 + 15 + 2 = 19, its result 27, the end 28.
  EXPECT_EQ(both.model->ended[0].end, now + 452 + 28);
  EXPECT_EQ(both.rtl->ended[0].end, both.model->ended[0].end);

  both.align();
  both.write(PRESIL_POOL_REG_COUNTERS_CONTROL, PRESIL_POOL_COUNTERS_CONTROL_SNAPSHOT_MASK);
  for (const uint32_t counter : {PRESIL_POOL_COUNTERS_REG_RUN, PRESIL_POOL_COUNTERS_REG_START,
                                 PRESIL_POOL_COUNTERS_REG_SRAM_BANK, PRESIL_POOL_COUNTERS_REG_DRAIN,
                                 PRESIL_POOL_COUNTERS_REG_COMMANDS}) {
    both.read_both(PRESIL_POOL_REG_COUNTERS + counter);
  }
  uint32_t waited = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    waited += both.read_both(PRESIL_POOL_REG_COUNTERS + PRESIL_POOL_COUNTERS_REG_WAIT(i));
  }
  EXPECT_GT(waited, 200u);
  EXPECT_EQ(both.read_both(PRESIL_POOL_REG_COUNTERS + PRESIL_POOL_COUNTERS_REG_RUN), 16u + 4u);
  EXPECT_EQ(both.read_both(kQueue + PRESIL_QUEUE_REG_IRQ_STATUS), 3u);
}

TEST(PoolRtl, WhatIsRefusedIsRefusedAlike) {
  std::mt19937 random(4);
  for (int i = 0; i < 120; ++i) {
    Both both({}, static_cast<uint32_t>(i));
    std::vector<uint8_t> sram(Parameters().sram_bytes);
    Case k = random_case(random);
    place(k, 0, sram);
    Command& c = k.command;
    switch (i % 8) {  // each of them may still be fine: then both run it
      case 0:
        c.isa_version = 2;
        break;
      case 1:
        c.clamp_low = 50, c.clamp_high = -50;
        break;
      case 2:
        c.pad_top = c.kernel_h;
        break;
      case 3:
        c.out_h = static_cast<uint16_t>(c.out_h + 100);
        break;
      case 4:
        c.wait0 = 13;
        break;
      case 5:
        c.in_base = 0xfffff0;
        break;
      case 6:
        c.blocks = 60000;
        break;
      default:
        c.table_base = 0x0ffff0;
    }
    both.submit({c});
    both.run(1, 20000);
    for (const uint32_t r :
         {PRESIL_QUEUE_REG_STATUS, PRESIL_QUEUE_REG_ERROR, PRESIL_QUEUE_REG_ERROR_ADDRESS,
          PRESIL_QUEUE_REG_ERROR_ADDRESS_HI, PRESIL_QUEUE_REG_HEAD}) {
      both.read_both(kQueue + r);
    }
    if (HasFailure()) FAIL() << c.to_text();
  }
}

TEST(PoolRtl, AnAbortedJobSignalsNothingAndTheNextOneRuns) {
  for (const int after : {100, 140, 180, 400, 1000}) {
    Both both;
    fill(both, 5);
    Case k = window(Op::kAverage, 30, 30, 3, 1, 1, 2);
    place(k, 0, both.model->sram);
    both.rtl->sram = both.model->sram;
    k.command.signal = 1;
    k.command.signal_add = 1;
    both.align();
    both.submit({k.command});
    for (Dut* dut : both.duts) {
      for (int i = 0; i < after; ++i) dut->step();
    }
    both.write(kQueue + PRESIL_QUEUE_REG_CONTROL,
               PRESIL_QUEUE_CONTROL_ABORT_MASK | PRESIL_QUEUE_CONTROL_ENABLE_MASK);
    for (Dut* dut : both.duts) {
      for (int i = 0; i < 100; ++i) dut->step();
      EXPECT_EQ(dut->counter(1), 0u);
    }
    both.align();
    EXPECT_EQ(both.read_both(kQueue + PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_STOPPED);
    both.write(kQueue + PRESIL_QUEUE_REG_CONTROL,
               PRESIL_QUEUE_CONTROL_START_MASK | PRESIL_QUEUE_CONTROL_ENABLE_MASK);
    both.ended_before = 0;
    both.run(1);
    ASSERT_EQ(both.model->ended.size(), 1u);
    ASSERT_EQ(both.rtl->ended.size(), 1u);
    EXPECT_EQ(both.model->ended[0].end, both.rtl->ended[0].end) << "aborted after " << after;
    EXPECT_EQ(both.model->sram == both.rtl->sram, true);
  }
}

}  // namespace
}  // namespace presil::pool::test
