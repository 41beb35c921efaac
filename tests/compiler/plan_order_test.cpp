#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <set>

#include "compiler_bridge/plan/check_order.h"
#include "compiler_bridge/plan/synchronise.h"

namespace presil::plan {
namespace {

constexpr uint8_t kDla = PRESIL_QUEUE_DLA, kDla1 = PRESIL_QUEUE_DLA1, kHost = PRESIL_QUEUE_HOST,
                  kDma = PRESIL_QUEUE_DMA0;

Access read(uint64_t begin, uint64_t end, Gate gate = Gate::kIn) {
  return {kSram, gate, false, begin, end};
}
Access write(uint64_t begin, uint64_t end) {
  return {kSram, Gate::kOut, true, begin, end};
}

std::vector<ProgramStep> random_steps(std::mt19937& random, size_t count, uint64_t memory) {
  const uint8_t queues[] = {kDla, kDla1, kDla, kHost, kDma, kDma + 1, kDma + 2};
  const auto below = [&](uint64_t n) { return random() % n; };
  std::vector<ProgramStep> steps(count);
  for (ProgramStep& step : steps) {
    step.queue = queues[below(std::size(queues))];
    step.in_order = presil_kind_of_queue(step.queue) != PRESIL_ENGINE_DMA || below(2) == 0;
    for (uint64_t k = 0, n = 1 + below(3); k < n; ++k) {
      const uint64_t begin = below(memory);
      Access a = below(2) == 0 ? read(begin, begin + 1 + below(memory / 8),
                                      below(3) == 0 ? Gate::kWeights : Gate::kIn)
                               : write(begin, begin + 1 + below(memory / 8));
      a.space = static_cast<Space>(below(2));
      step.accesses.push_back(a);
    }
  }
  return steps;
}

TEST(PlanOrder, waits_of_random_programs_keep_every_hazard_in_order) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const auto steps = random_steps(random, 5 + random() % 60, 64 + random() % 2000);
    EXPECT_NO_THROW(check_order(steps, synchronise(steps))) << "trial " << trial;
  }
}

// Bytes 0 .. 99 are made by two DLAs, half each; a copy writes over the first half, which only DLA
// 0 has made. It waits for DLA 1 too where the second DLA's command holds both.
TEST(PlanOrder, what_writes_over_bytes_that_are_held_waits_for_every_step_that_holds_them) {
  for (const bool held : {false, true}) {
    std::vector<ProgramStep> steps = {
        {kDla, {write(0, 50)}}, {kDla1, {write(50, 100)}}, {kDma, {write(0, 50)}}};
    if (held) steps[1].holds = {{read(0, 100), 1}, {read(0, 100), 0}};
    const Program program = synchronise(steps);
    ASSERT_EQ(program.size(), 3u);
    EXPECT_EQ(program[1].waits[0].count + program[1].waits[1].count + program[1].waits[2].count, 0u)
        << "the second half waits for nothing";
    std::set<uint8_t> waited;
    for (const Wait& wait : program[2].waits) {
      if (wait.count != 0) waited.insert(wait.queue);
    }
    EXPECT_EQ(waited, held ? (std::set<uint8_t>{kDla, kDla1}) : (std::set<uint8_t>{kDla}));
    check_order(steps, program);
  }
}

// Copies within one memory may overtake each other: the first one may still read when the second,
// an ordinary one that reads the same bytes, has ended; what writes over them is fenced.
TEST(PlanOrder, a_reader_that_may_be_overtaken_is_not_forgotten_for_a_later_one) {
  const std::vector<ProgramStep> steps = {
      {kDma, {read(0, 50)}, false}, {kDma, {read(0, 50)}}, {kDma, {write(0, 50)}}};
  const Program program = synchronise(steps);
  EXPECT_TRUE(program.back().fence);
  check_order(steps, program);
}

/// The same program a number of times, one job after another, as `two_jobs` has it for two.
void check_two(const std::vector<ProgramStep>& steps, const Program& program) {
  const TwoJobs both = two_jobs(steps, program);
  check_order(both.steps, both.program);
}

TEST(PlanOrder, jobs_that_overlap_keep_every_hazard_in_order) {
  std::mt19937 random(5);
  int waits = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto steps = random_steps(random, 5 + random() % 60, 64 + random() % 2000);
    const Program program = synchronise_overlapping(steps);
    EXPECT_NO_THROW(check_two(steps, program)) << "trial " << trial;
    for (const Ordered& ordered : program) {
      for (const Wait& wait : ordered.waits) waits += wait.before;
    }
  }
  EXPECT_GT(waits, 300);
}

// A load writes what the job before may still read; a store reads it last. The load of the next job
// waits for that store, its compute for nothing more, and a region is each job's own.
TEST(PlanOrder, the_next_job_waits_for_the_last_reader_in_the_sram_and_for_no_region) {
  Access from_region = read(0, 100);
  from_region.space = region_space(PRESIL_REGION_SCRATCH);
  Access to_region = write(0, 100);
  to_region.space = region_space(PRESIL_REGION_SCRATCH);
  const std::vector<ProgramStep> steps = {{kDma, {from_region, write(0, 100)}},
                                          {kDla, {read(0, 100), write(100, 200)}},
                                          {kDma + 1, {read(100, 200), to_region}}};
  const Program program = synchronise_overlapping(steps);
  ASSERT_EQ(program.size(), 3u);
  EXPECT_EQ(program[0].waits[0], (Wait{kDla, 1, true}));
  EXPECT_EQ(program[1].waits[static_cast<size_t>(Gate::kIn)], (Wait{kDma, 1, false}));
  EXPECT_EQ(program[1].waits[static_cast<size_t>(Gate::kOut)], (Wait{kDma + 1, 1, true}));
  // The store reads the scratch region of its own job: it waits for the load there and the DLA.
  EXPECT_EQ(program[2].waits[0], (Wait{kDla, 1, false}));
  EXPECT_EQ(program[2].waits[1].count, 0u);
}

TEST(PlanOrder, no_wait_for_the_job_before_can_be_left_out) {
  std::mt19937 random(6);
  int removed = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const auto steps = random_steps(random, 5 + random() % 30, 64 + random() % 1000);
    const Program program = synchronise_overlapping(steps);
    for (size_t i = 0; i < program.size(); ++i) {
      for (size_t port = 0; port < kGates; ++port) {
        if (!program[i].waits[port].before) continue;
        Program broken = program;
        broken[i].waits[port] = {};
        EXPECT_THROW(check_two(steps, broken), OrderDefect) << "trial " << trial;
        ++removed;
      }
    }
  }
  EXPECT_GT(removed, 100);
}

TEST(PlanOrder, no_wait_or_fence_can_be_left_out) {
  std::mt19937 random(4);
  int removed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto steps = random_steps(random, 5 + random() % 30, 64 + random() % 1000);
    const Program program = synchronise(steps);
    for (size_t i = 0; i < program.size(); ++i) {
      for (size_t port = 0; port < kGates; ++port) {
        if (program[i].waits[port].count == 0) continue;
        Program broken = program;
        broken[i].waits[port] = {};
        EXPECT_THROW(check_order(steps, broken), OrderDefect)
            << "trial " << trial << ", command " << i << ", port " << port;
        ++removed;
      }
      if (!program[i].fence) continue;
      Program broken = program;
      broken[i].fence = false;
      EXPECT_THROW(check_order(steps, broken), OrderDefect);
      ++removed;
    }
  }
  EXPECT_GT(removed, 500);
}

TEST(PlanOrder, the_proof_grows_with_the_commands_though_all_touch_the_same_bytes) {
  std::mt19937 random(5);
  const auto steps = random_steps(random, 4000, 500);
  const std::vector<ProgramStep> half(steps.begin(), steps.begin() + 2000);
  const uint64_t few = check_order(half, synchronise(half));
  EXPECT_LT(check_order(steps, synchronise(steps)), 2 * few + few / 4);
}

TEST(PlanOrder, a_wait_for_a_later_command_is_found) {
  const std::vector<ProgramStep> steps = {{kDla, {write(0, 16)}}, {kDma, {read(0, 16)}}};
  Program program = synchronise(steps);
  program[0].waits[1] = {kDma, 1};
  EXPECT_THROW(check_order(steps, program), OrderDefect);
}

TEST(PlanOrder, each_gate_of_the_dla_waits_for_its_own_data) {
  // weights by channel 0, features by channel 1, the output's bytes still read by channel 2
  const std::vector<ProgramStep> steps = {
      {kDma, {write(0, 16)}},
      {kDma + 1, {write(16, 32)}},
      {kDma + 2, {read(32, 48)}},
      {kDla, {read(0, 16, Gate::kWeights), read(16, 32, Gate::kIn), write(32, 48)}}};
  const Program program = synchronise(steps);
  ASSERT_EQ(program.size(), 4u);
  EXPECT_EQ(program[3].waits[0], (Wait{kDma, 1}));
  EXPECT_EQ(program[3].waits[1], (Wait{kDma + 1, 1}));
  EXPECT_EQ(program[3].waits[2], (Wait{kDma + 2, 1}));
}

TEST(PlanOrder, a_dependent_dla_command_waits_on_its_own_counter_and_others_do_not) {
  const std::vector<ProgramStep> steps = {{kDla, {read(0, 16), write(16, 32)}},
                                          {kDla, {read(16, 32), write(32, 48)}},
                                          {kDla, {read(48, 64), write(0, 16)}}};
  const Program program = synchronise(steps);
  EXPECT_EQ(program[0].waits[1].count, 0u);
  EXPECT_EQ(program[1].waits[1], (Wait{kDla, 1}));
  for (const Wait& wait : program[2].waits) EXPECT_EQ(wait.count, 0u);
}

TEST(PlanOrder, an_implied_wait_is_not_made) {
  // The DLA has waited for the load; a queue that waits for the DLA need not.
  const std::vector<ProgramStep> steps = {{kDma, {write(0, 16)}},
                                          {kDla, {read(0, 16), write(16, 32)}},
                                          {kDma + 1, {write(0, 16), read(16, 32)}}};
  const Program program = synchronise(steps);
  EXPECT_EQ(program[2].waits[0], (Wait{kDla, 1}));
  EXPECT_EQ(program[2].waits[1].count, 0u);
}

TEST(PlanOrder, nops_carry_the_waits_that_have_no_port) {
  // Input and residual come from two channels, the DLA has one port for both.
  const std::vector<ProgramStep> steps = {{kDma, {write(0, 16)}},
                                          {kDma + 1, {write(16, 32)}},
                                          {kDla, {read(0, 16), read(16, 32), write(32, 48)}}};
  const Program program = synchronise(steps);
  ASSERT_EQ(program.size(), 4u);
  EXPECT_EQ(program[2].step, -1);
  EXPECT_EQ(program[2].queue, kDla);
  EXPECT_NE(program[2].waits[1].queue, program[3].waits[1].queue);
}

}  // namespace
}  // namespace presil::plan
