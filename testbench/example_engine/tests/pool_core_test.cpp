// Values by hand, and random commands against plain code (pool_cases).
#include "pool_core.h"

#include <gtest/gtest.h>

#include <random>

#include "driver/core/engine.h"
#include "pool/pool_rules.h"
#include "pool_cases.h"
#include "sim/engine/engine_plugin.h"

namespace presil::pool::test {
namespace {

std::vector<uint8_t> random_sram(std::mt19937& random) {
  std::vector<uint8_t> sram(Parameters().sram_bytes);
  for (uint8_t& byte : sram) byte = static_cast<uint8_t>(random());
  return sram;
}

/// The mean of these values, all 2 x 2 of them in the window, by a command.
int mean_of(std::vector<int> values, Rounding rounding) {
  std::vector<uint8_t> sram(4096);
  Case k = window(Op::kAverage, 1, static_cast<unsigned>(values.size()), 1, 1, 0, 1, rounding);
  k.command.kernel_w = static_cast<uint8_t>(values.size());
  k.command.out_w = 1;
  place(k, 0, sram);
  for (size_t i = 0; i < values.size(); ++i) sram[16 * i] = static_cast<uint8_t>(values[i]);
  compute(k.command, sram.data());
  return static_cast<int8_t>(sram[k.command.out_base]);
}

TEST(PoolCore, TiesOfAMeanGoAwayFromZeroOrUp) {
  EXPECT_EQ(mean_of({1, 2}, Rounding::kAway), 2);     // 1.5
  EXPECT_EQ(mean_of({-1, -2}, Rounding::kAway), -2);  // -1.5
  EXPECT_EQ(mean_of({-1, -2}, Rounding::kUp), -1);
  EXPECT_EQ(mean_of({-128, -128, -128}, Rounding::kAway), -128);
  EXPECT_EQ(mean_of({127, 127, 126}, Rounding::kUp), 127);  // 126.67
  EXPECT_EQ(mean_of({-1, -1, 0}, Rounding::kAway), -1);     // -0.67
}

TEST(PoolCore, ABilinearTieFollowsItsRule) {
  // Halfway between -3 and -2: -2.5 is -3 away from zero, -2 up.
  for (const auto& [rounding, oracle] :
       {std::pair{Rounding::kAway, -3}, std::pair{Rounding::kUp, -2}}) {
    std::vector<uint8_t> sram(4096);
    Case k = resize(Op::kBilinear, {1, 1}, {2, 4}, 1, rounding);  // positions 0, 0.5, 1, 1.5
    place(k, 0, sram);
    sram[0] = static_cast<uint8_t>(-3);
    sram[16] = static_cast<uint8_t>(-2);
    compute(k.command, sram.data());
    const std::vector<int8_t> y = found(k, sram);
    EXPECT_EQ(y[0], -3);
    EXPECT_EQ(y[16], oracle);
    EXPECT_EQ(y[32], -2);
    EXPECT_EQ(y[48], -2);
  }
}

TEST(PoolCore, ATableCannotReachOutsideTheImage) {
  std::vector<uint8_t> sram(4096, 9);
  Case k = resize(Op::kNearest, {2, 1}, {2, 1}, 1);
  k.rows[0] = k.columns[0] = 0xffff;
  place(k, 0, sram);
  sram[k.command.in_row_pitch + 16] = 5;  // the last one
  compute(k.command, sram.data());
  EXPECT_EQ(found(k, sram)[0], 5);
}

TEST(PoolCore, RandomCommandsAgreeWithPlainCode) {
  std::mt19937 random(1);
  std::vector<uint8_t> sram = random_sram(random);
  for (int i = 0; i < 2000; ++i) {
    Case k = random_case(random);
    ASSERT_LE(place(k, 16 * (random() % 100), sram), sram.size());
    uint32_t words[Command::kWords];
    k.command.encode(words);
    ASSERT_FALSE(check(words, Parameters(), 0, 0)) << k.command.to_text();
    const std::vector<int8_t> oracle = expected(k, sram);
    compute(k.command, sram.data());
    const std::vector<int8_t> got = found(k, sram);
    for (size_t n = 0; n < oracle.size(); ++n) {
      ASSERT_EQ(got[n], oracle[n]) << where(k, n) << " of " << k.command.to_text();
    }
  }
}

// ------------------------------------------------------------------------------------- checks

/// Model's check and driver's table, on the same words: the same code and rule.
void both_say(const Command& c, presil_queue_error_code code, unsigned rule) {
  uint32_t words[Command::kWords];
  c.encode(words);
  const auto fault = check(words, Parameters(), 0, 4);
  ASSERT_TRUE(fault) << c.to_text();
  EXPECT_EQ(fault->code, code);
  EXPECT_EQ(fault->rule, rule);
  presil_limits limits{};
  limits.sram_bytes = Parameters().sram_bytes;
  limits.sync_count = 4;
  presil_finding finding{};
  const uint64_t parameters[] = {Parameters().table_entries, 2};
  limits.parameters = parameters;
  EXPECT_FALSE(presil_engine_plugin()->driver->check(words, &limits, &finding));
  EXPECT_EQ(finding.rule, rule);
}

TEST(PoolCheck, EachRuleIsRefusedAtItsEdgeAndTakenBeforeIt) {
  std::vector<uint8_t> sram(Parameters().sram_bytes);
  std::mt19937 random(2);
  Case pooled = window(Op::kMax, 8, 8, 3, 2, 1, 1),
       resized = resize(Op::kNearest, {2, 128}, {2, 128}, 1);
  place(pooled, 0, sram);
  place(resized, 0, sram);
  const auto taken = [](const Command& c) {
    uint32_t words[Command::kWords];
    c.encode(words);
    return !check(words, Parameters(), 0, 4);
  };
  EXPECT_TRUE(taken(pooled.command));
  EXPECT_TRUE(taken(resized.command));

  Command c = pooled.command;
  c.clamp_low = 5, c.clamp_high = 5;
  EXPECT_TRUE(taken(c));
  c.clamp_high = 4;
  both_say(c, PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, 1);

  c = pooled.command;
  c.pad_top = 2;
  EXPECT_TRUE(taken(c));
  c.pad_top = 3;
  both_say(c, PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, 2);

  c = pooled.command;  // windows begin at -1 + 2 * column; 7 is the last column of 8
  c.out_w = 5;
  EXPECT_TRUE(taken(c));
  c.out_w = 6;
  both_say(c, PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, 3);

  c = resized.command;
  c.out_h = 129;
  both_say(c, PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, 4);
  EXPECT_EQ(PRESIL_POOL_RULES, 4u);  // a rule more is a case more

  c = pooled.command;  // the input's end is the SRAM's
  c.in_base = Parameters().sram_bytes - (c.in_row_pitch * 7 + 16 * 8);
  EXPECT_TRUE(taken(c));
  c.in_base += 16;
  both_say(c, PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0);

  c = pooled.command;
  c.wait1 = 5;
  uint32_t words[Command::kWords];
  c.encode(words);
  EXPECT_EQ(check(words, Parameters(), 0, 4)->code, PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT);
}

}  // namespace
}  // namespace presil::pool::test
