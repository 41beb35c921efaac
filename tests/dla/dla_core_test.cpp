// Values: against an oracle on random commands, against every instruction set, and against vectors
// worked out by hand.
#include "models/dla/dla_core.h"

#include <gtest/gtest.h>

#include <cstring>

#include "models/dla/dla_check.h"
#include "models/dla/dla_requantise.h"
#include "models/dla/dla_vector.h"
#include "tests/dla/dla_oracle.h"

namespace presil::dla {
namespace {

constexpr uint32_t kSramBytes = 1 << 18;

void compare_with_oracle(const DlaConfig& config, unsigned seed, int commands) {
  std::mt19937 random(seed);
  Core core(config);
  for (int i = 0; i < commands; ++i) {
    const Command c = test::random_command(random, config, kSramBytes);
    const auto fault = check(c, config, kSramBytes);
    ASSERT_FALSE(fault) << fault->text << "\n" << c.to_text();
    std::vector<uint8_t> sram = test::random_sram(random, c, kSramBytes);
    const std::vector<uint8_t> expected = test::oracle(c, config, sram);
    core.execute(c, sram.data());
    ASSERT_EQ(sram == expected, true) << "command " << i << ": " << c.to_text();
  }
}

TEST(DlaCore, random_commands_of_16x16_are_the_oracles) {
  compare_with_oracle({}, 1, 1500);
}

TEST(DlaCore, random_commands_of_32x32_are_the_oracles) {
  DlaConfig config;
  config.macs_k = config.macs_c = 32;
  compare_with_oracle(config, 2, 500);
}

TEST(DlaCore, random_commands_of_16x32_and_32x16_are_the_oracles) {
  DlaConfig config;
  config.macs_c = 32;
  compare_with_oracle(config, 3, 200);
  config = {};
  config.macs_k = 32;
  compare_with_oracle(config, 4, 200);
}

TEST(DlaCore, a_tall_image_is_cut_into_several_planes_without_a_seam) {
  // 3x3 over 512 rows of 18 words and 8 blocks: 8 * 20 * 32 B a row, 51 rows fit 256 KiB.
  Command c = Command::make(Op::kConv);
  c.kernel_h = c.kernel_w = 3;
  c.pad_top = c.pad_left = 1;
  c.pad_value = -5;
  c.in_h = c.out_h = 512;
  c.in_w = c.out_w = 4;
  c.block_rows = 32;
  c.in_blocks = 8;
  c.in_x_step = 16;
  c.in_row_pitch = 16 * 18;  // wide rows of which 4 words are looked at
  c.in_cb_pitch = 0;
  c.out_blocks = 2;
  c.out_lanes_last = 16;
  c.out_base = 0x30000;
  c.out_x_step = 16;
  c.out_row_pitch = 64;
  c.out_cb_pitch = 512 * 64;
  c.w_base = 0x70000;
  c.w_cb_pitch = 9 * 256;
  c.w_kb_pitch = 8 * 9 * 256;
  c.p_base = 0x7f000;
  c.rule = Rule::kDouble;
  c.act_min = -128;
  c.act_max = 127;
  const DlaConfig config;
  constexpr uint32_t kBytes = 1 << 20;
  ASSERT_FALSE(check(c, config, kBytes));
  std::mt19937 random(5);
  std::vector<uint8_t> sram = test::random_sram(random, c, kBytes);
  const std::vector<uint8_t> expected = test::oracle(c, config, sram);
  Core(config).execute(c, sram.data());
  EXPECT_TRUE(sram == expected);
}

TEST(DlaCore, every_instruction_set_gives_the_same_values) {
  const auto all = all_vector_loops();
  ASSERT_EQ(all.back().first, "plain");
  std::mt19937 random(6);
  const auto any = [&] { return static_cast<int32_t>(random()); };
  constexpr size_t kSets = 5, kPixels = 31;
  std::vector<uint8_t> bytes(kSetBytes * kSets);
  for (auto& b : bytes) b = static_cast<uint8_t>(random());
  std::vector<int16_t> plane(kLanes * 100);
  for (auto& x : plane) x = static_cast<int8_t>(random());
  const std::vector<ptrdiff_t> offsets = {0, 32, 16, 64, 160};
  const int32_t edges[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX, 1 << 30, -(1 << 30)};
  std::vector<int32_t> start(kLanes * kPixels);
  for (auto& a : start) a = random() % 4 == 0 ? edges[random() % 8] : any() >> (random() % 24);

  struct Outcome {
    std::vector<int16_t> wide, pairs;
    std::vector<int32_t> sums, lane_sums;
    std::vector<int8_t> requantised, combined;
    bool operator==(const Outcome& o) const {
      return wide == o.wide && pairs == o.pairs && sums == o.sums && lane_sums == o.lane_sums &&
             requantised == o.requantised && combined == o.combined;
    }
  };
  std::vector<RequantiseLanes> rules(15);
  for (size_t r = 0; r < rules.size(); ++r) {
    RequantiseLanes& lanes = rules[r];
    lanes.rule = static_cast<RequantiseLanes::Rule>(r % 5);
    const bool once = lanes.rule == RequantiseLanes::Rule::kSingle;
    for (size_t k = 0; k < kLanes; ++k) {
      lanes.multiplier[k] = random() % 4 == 0 ? edges[random() % 8] : any();
      lanes.left[k] = random() % 3 == 0 ? static_cast<int32_t>(random() % 32) : 0;
      lanes.right[k] = random() % 3 != 0 ? static_cast<int32_t>(random() % 32) : 0;
      if (once) lanes.right[k] = 1 + static_cast<int32_t>(random() % 62);
    }
    lanes.reciprocal = (uint64_t{1} << 32) / (r + 2) + 1;
    lanes.half = static_cast<uint32_t>((r + 2) / 2);
    lanes.zero = static_cast<int32_t>(random() % 256) - 128;
    lanes.min = -100;
  }
  std::vector<ElementWise> combinations(16);
  for (size_t e = 0; e < combinations.size(); ++e) {
    ElementWise& w = combinations[e];
    w.kind = static_cast<ElementWise::Kind>(e % 4);
    w.subtract = e % 8 < 4;
    w.a_zero = 3;
    w.b_zero = -7;
    w.out_zero = static_cast<int32_t>(e);
    w.left = static_cast<int32_t>(random() % 23);
    for (DoubleScale* s : {&w.a, &w.b, &w.out}) {
      *s = {any(), static_cast<int32_t>(random() % 4), static_cast<int32_t>(random() % 32)};
    }
    w.a_multiplier = any() >> 8;
    w.b_multiplier = any() >> 8;
    w.addend = any();
    w.shift = static_cast<int32_t>(random() % 32);
    w.scale_bits = any();
  }

  std::vector<Outcome> outcomes;
  for (const auto& [name, loops] : all) {
    Outcome o;
    o.wide.resize(kLanes * 7);
    loops.widen(bytes.data(), 32, 7, o.wide.data());
    o.pairs.resize(kSetBytes * kSets);
    for (size_t s = 0; s < kSets; ++s) {
      loops.pair_weights(&bytes[s * kSetBytes], kLanes, -128, &o.pairs[s * kSetBytes]);
    }
    for (size_t pixels = 1; pixels <= kPixels; ++pixels) {
      std::vector<int32_t> acc = start;
      const int32_t* from = pixels % 2 ? acc.data() : start.data();  // in place, or all from a word
      const size_t step = pixels % 2 ? kLanes : 0;
      loops.convolve(plane.data(), offsets.data(), kSets, o.pairs.data(), pixels, from, step,
                     acc.data());
      o.sums.insert(o.sums.end(), acc.begin(), acc.end());
      acc = start;
      from = pixels % 2 ? acc.data() : start.data();
      loops.convolve_lanes(plane.data(), offsets.data(), kSets, o.pairs.data(), pixels, from, step,
                           acc.data());
      o.lane_sums.insert(o.lane_sums.end(), acc.begin(), acc.end());
    }
    for (const RequantiseLanes& lanes : rules) {
      std::vector<int8_t> y(kLanes * kPixels);
      loops.requantise(start.data(), kPixels, lanes, y.data());
      o.requantised.insert(o.requantised.end(), y.begin(), y.end());
    }
    for (const ElementWise& w : combinations) {
      std::vector<int8_t> y(o.requantised.begin(), o.requantised.begin() + kLanes * kPixels);
      loops.element_wise(y.data(), reinterpret_cast<const int8_t*>(bytes.data()), kPixels, w);
      o.combined.insert(o.combined.end(), y.begin(), y.end());
    }
    outcomes.push_back(o);
  }
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(outcomes[i] == outcomes.back()) << all[i].first << " differs from plain";
  }
}

// One value through a rule, by the plain loops.
int requantised(RequantiseLanes::Rule rule, int32_t acc, int32_t multiplier, int shift = 0) {
  RequantiseLanes lanes;
  lanes.rule = rule;
  lanes.multiplier[0] = multiplier;
  lanes.left[0] = shift > 0 ? shift : 0;
  lanes.right[0] = shift < 0 ? -shift : 0;
  int32_t in[kLanes] = {acc};
  int8_t out[kLanes];
  plain_loops().requantise(in, 1, lanes, out);
  return out[0];
}

TEST(DlaRules, double_rounds_ties_away_from_zero_after_rounding_the_product_up) {
  constexpr auto kDouble = RequantiseLanes::Rule::kDouble;
  constexpr int32_t half = 1 << 30;  // the multiplier 0.5
  EXPECT_EQ(requantised(kDouble, 100, half), 50);
  EXPECT_EQ(requantised(kDouble, 5, half), 3);         // 2.5 -> 3
  EXPECT_EQ(requantised(kDouble, -5, half), -2);       // -2.5: twice the product rounds up
  EXPECT_EQ(requantised(kDouble, 12, half, -2), 2);    // 6 / 4 = 1.5 -> 2
  EXPECT_EQ(requantised(kDouble, -12, half, -2), -2);  // -6 / 4 = -1.5 -> -2, away from zero
  EXPECT_EQ(requantised(kDouble, 10, half, -2), 1);    // 5 / 4 = 1.25
  EXPECT_EQ(requantised(kDouble, 3, half, 4), 24);     // 48 * 0.5
  // -2^31 * -2^31 saturates to 2^31 - 1, and / 2^31 rounds to 1.
  EXPECT_EQ(requantised(kDouble, INT32_MIN, INT32_MIN, -31), 1);
  EXPECT_EQ(requantised(kDouble, 1000, half), 127);  // 500, clamped
}

// Of all 31 - shift places, which the lanes hold.
int requantised_once(int32_t acc, int32_t multiplier, int places) {
  return requantised(RequantiseLanes::Rule::kSingle, acc, multiplier, -places);
}

TEST(DlaRules, single_rounds_halves_up_and_once) {
  constexpr int32_t half = 1 << 30;               // of 31 places: the multiplier 0.5
  EXPECT_EQ(requantised_once(5, half, 31), 3);    // 2.5 -> 3
  EXPECT_EQ(requantised_once(-5, half, 31), -2);  // -2.5 -> -2
  // 5 * 0.5 / 4 = 0.625 -> 1. 9 * 0.5 / 8 = 0.5625 -> 1.
  EXPECT_EQ(requantised_once(5, half, 33), 1);
  EXPECT_EQ(requantised_once(9, half, 34), 1);
  // 3 * 0.5 / 4 = 0.375 -> 0; twice rounded it is 2 / 4 -> 1.
  EXPECT_EQ(requantised_once(3, half, 33), 0);
  EXPECT_EQ(requantised(RequantiseLanes::Rule::kDouble, 3, half, -2), 1);
  EXPECT_EQ(requantised_once(-3, half, 33), 0);                // -0.375
  EXPECT_EQ(requantised_once(-4, half, 33), 0);                // -0.5 -> 0
  EXPECT_EQ(requantised_once(12, 514, 16), 0);                 // 6168 / 65536
  EXPECT_EQ(requantised_once(64, 514, 16), 1);                 // 32896 / 65536
  EXPECT_EQ(requantised_once(1, 3, 1), 2);                     // 1.5
  EXPECT_EQ(requantised_once(INT32_MIN, INT32_MIN, 62), 1);    // 2^62 / 2^62
  EXPECT_EQ(requantised_once(INT32_MIN, INT32_MAX, 1), -128);  // saturated, clamped
}

TEST(DlaRules, float_rounds_to_the_nearest_even_integer) {
  constexpr auto kFloat = RequantiseLanes::Rule::kFloat;
  const auto bits = [](float f) {
    int32_t b;
    std::memcpy(&b, &f, 4);
    return b;
  };
  EXPECT_EQ(requantised(kFloat, 5, bits(0.5f)), 2);    // 2.5 -> 2
  EXPECT_EQ(requantised(kFloat, 7, bits(0.5f)), 4);    // 3.5 -> 4
  EXPECT_EQ(requantised(kFloat, -5, bits(0.5f)), -2);  // -2.5 -> -2
  EXPECT_EQ(requantised(kFloat, -7, bits(0.5f)), -4);
  // 2^24 + 1 becomes 2^24 as a float (tie to even): 2^24 / 2^24 = 1.
  EXPECT_EQ(requantised(kFloat, (1 << 24) + 1, bits(1.0f / (1 << 24))), 1);
  EXPECT_EQ(requantised(kFloat, INT32_MAX, bits(1e30f)), 127);
  EXPECT_EQ(requantised(kFloat, INT32_MIN, bits(1e30f)), -128);
  EXPECT_EQ(requantised(kFloat, 0, 0x7f800000), 0);  // 0 * infinity
}

TEST(DlaRules, divide_rounds_ties_away_from_zero_for_every_count) {
  // Sums of n int8 lie in -128 n .. 127 n; the reciprocal form is the division for all of them.
  const VectorLoops& loops = vector_loops();
  for (unsigned n = 2; n <= 4096; n = n < 130 ? n + 1 : n * 9 / 8) {
    RequantiseLanes lanes;
    lanes.rule = RequantiseLanes::Rule::kDivide;
    lanes.reciprocal = static_cast<uint32_t>((uint64_t{1} << 32) / n + 1);
    lanes.half = n / 2;
    std::vector<int32_t> acc;
    for (int64_t x = -128 * int64_t{n}; x <= 127 * int64_t{n}; x += 1 + n / 64) {
      acc.push_back(static_cast<int32_t>(x));
    }
    acc.resize((acc.size() + 15) / 16 * 16);
    std::vector<int8_t> y(acc.size());
    loops.requantise(acc.data(), acc.size() / 16, lanes, y.data());
    for (size_t i = 0; i < acc.size(); ++i) {
      ASSERT_EQ(y[i], test::rule_divide(acc[i], n)) << acc[i] << " / " << n;
    }
  }
  // 3 / 2 = 1.5 -> 2, -3 / 2 -> -2
  EXPECT_EQ(test::rule_divide(3, 2), 2);
  EXPECT_EQ(test::rule_divide(-3, 2), -2);
}

TEST(DlaCore, a_table_changes_the_pixels_asked_for_and_no_byte_after_them) {
  Command c = Command::make(Op::kPass);
  c.rule = Rule::kNone;
  c.lut_en = true;
  c.lut_base = 0;
  c.out_blocks = 1;
  c.out_lanes_last = 16;
  c.act_min = -128;
  c.act_max = 127;
  std::vector<uint8_t> sram(256);
  for (unsigned i = 0; i < 256; ++i) sram[i] = static_cast<uint8_t>(i + 1);
  const std::vector<int32_t> acc(2 * kLanes, 5);
  std::vector<uint8_t> out(2 * kLanes + 1, 40);
  Requantise(c, sram.data(), 0).bytes(acc.data(), 2, nullptr, out.data());
  for (size_t i = 0; i < 2 * kLanes; ++i) EXPECT_EQ(out[i], 6) << i;
  EXPECT_EQ(out.back(), 40);
}

TEST(DlaCore, results_appear_only_when_they_are_stored) {
  Command c = Command::make(Op::kPass);
  c.rule = Rule::kNone;
  c.in_kb_step = 1;
  c.in_x_step = c.out_x_step = 16;
  c.act_min = -128;
  c.act_max = 127;
  c.out_lanes_last = 16;
  std::vector<uint8_t> sram(32, 7);
  c.out_base = 16;
  sram[3] = 9;
  Core core{DlaConfig()};
  Results results;
  core.compute(c, sram.data(), results);
  EXPECT_EQ(sram[16 + 3], 7);
  Core::store(c, results, sram.data());
  EXPECT_EQ(sram[16 + 3], 9);
}

}  // namespace
}  // namespace presil::dla
