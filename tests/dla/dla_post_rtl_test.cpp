// The RTL of post-processing against the model's values: every rule and element-wise operation, on
// random numbers and on the ones where rounding and saturation decide, with and without stalls.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "models/dla/dla_requantise.h"
#include "testbench/dla_post/dla_post_bench.h"

namespace presil::dla {
namespace {

using bench::make_post_bench;
using bench::PostPixel;
using bench::PostRun;
using bench::PostSetup;

class Dice {
 public:
  explicit Dice(uint32_t seed) : m_random(seed) {}
  int in(int low, int high) {
    return low + static_cast<int>(m_random() % (static_cast<uint32_t>(high - low) + 1u));
  }
  bool one_in(int n) { return in(1, n) == 1; }
  int32_t any() { return static_cast<int32_t>(m_random()); }

  // Near a power of two, either sign; or of any size.
  int32_t number() {
    switch (in(0, 3)) {
      case 0:
        return any() >> in(0, 31);
      case 1: {
        const uint32_t edge = (1u << in(0, 31)) + static_cast<uint32_t>(in(-2, 2));
        return static_cast<int32_t>(one_in(2) ? edge : 0u - edge);
      }
      case 2:
        return in(-4096, 4096);
      default:
        return any() >> 12;
    }
  }
  // The bits of a scale: sensible, a power of two, or anything at all.
  int32_t scale() {
    static constexpr uint32_t kSpecial[] = {0x00000000, 0x80000000, 0x00000001, 0x007fffff,
                                            0x00800000, 0x7f7fffff, 0x7f800000, 0xff800000,
                                            0x7fc00000, 0xffc00001, 0x7f800001, 0x3f800000,
                                            0x3f7fffff, 0x33800000, 0x4b000000, 0xbf000000};
    switch (in(0, 4)) {
      case 0:
        return static_cast<int32_t>(kSpecial[in(0, 15)]);
      case 1:
        return any();
      case 2:
        return in(127 - 24, 127 + 4) << 23;  // 2^-24 .. 2^4: ties
      default:
        return in(127 - 20, 127) << 23 | (any() & 0x7fffff);
    }
  }
  int32_t multiplier() {
    return one_in(6) ? number() : one_in(8) ? INT32_MIN : in(1 << 30, INT32_MAX);
  }

 private:
  std::mt19937 m_random;
};

void draw_element_wise(Command& c, Dice& dice) {
  c.ew_op = static_cast<EwOp>(dice.in(1, 3));
  c.ew_rule = c.ew_op != EwOp::kSub && dice.one_in(2) ? EwRule::kXnnpack : EwRule::kTflite;
  const bool tflite = c.ew_rule == EwRule::kTflite;
  c.ew_out_zero = static_cast<int16_t>(dice.in(-128, 127));
  c.ew_act_min = static_cast<int16_t>(dice.in(-128, 0));
  c.ew_act_max = static_cast<int16_t>(dice.in(0, 127));
  if (tflite || c.ew_op == EwOp::kMul) {
    c.ew_a_zero = static_cast<int16_t>(dice.in(-128, 127));
    c.ew_b_zero = static_cast<int16_t>(dice.in(-128, 127));
  }
  if (c.ew_op == EwOp::kMul) {
    c.ew_out_mult = tflite ? dice.multiplier() : dice.scale();
    if (tflite) c.ew_out_shift = static_cast<int8_t>(dice.in(-31, 30));
    return;
  }
  c.ew_a_mult = tflite ? dice.multiplier() : dice.number();
  c.ew_b_mult = tflite ? dice.multiplier() : dice.number();
  c.ew_out_mult = tflite ? dice.multiplier() : dice.number();
  c.ew_out_shift = static_cast<int8_t>(tflite ? dice.in(-31, 30) : dice.in(0, 31));
  if (!tflite) return;
  const bool wild = dice.one_in(3);
  c.ew_a_shift = static_cast<int8_t>(wild ? dice.in(-31, 30) : dice.in(-4, 0));
  c.ew_b_shift = static_cast<int8_t>(wild ? dice.in(-31, 30) : dice.in(-4, 0));
  if (!wild) c.ew_out_shift = static_cast<int8_t>(dice.in(-20, -14));
  c.ew_left_shift = static_cast<uint8_t>(dice.in(0, 22));
}

Command draw_command(Dice& dice) {
  static constexpr Op kOps[] = {Op::kConv, Op::kDwconv, Op::kMaxpool, Op::kSumpool, Op::kPass};
  Command c = Command::make(kOps[dice.in(0, 4)]);
  c.out_blocks = 1;
  if (c.op == Op::kConv && dice.one_in(3)) {
    c.out_type = OutType::kInt32;
    c.rule = Rule::kNone;
    return c;
  }
  c.rule = dice.one_in(3) ? Rule::kDouble : dice.one_in(2) ? Rule::kSingle : Rule::kFloat;
  if (c.op == Op::kMaxpool || (c.op == Op::kPass && dice.one_in(3))) c.rule = Rule::kNone;
  if (c.op == Op::kSumpool && dice.one_in(2)) {
    c.rule = Rule::kDivide;
    c.div_count = static_cast<uint16_t>(dice.one_in(4) ? dice.in(2, 4096) : dice.in(2, 50));
    c.div_recip = static_cast<uint32_t>((uint64_t{1} << 32) / c.div_count + 1);
  }
  c.out_zero = static_cast<int16_t>(dice.in(-128, 127));
  c.act_min = static_cast<int16_t>(dice.one_in(2) ? -128 : dice.in(-128, 0));
  c.act_max = static_cast<int16_t>(dice.one_in(2) ? 127 : dice.in(0, 127));
  c.lut_en = dice.one_in(4);
  if (dice.one_in(2)) draw_element_wise(c, dice);
  return c;
}

// The channel parameters of both groups.
struct Parameters {
  std::array<int32_t, 32> multiplier{};
  std::array<int8_t, 32> shift{};
};

Parameters draw_parameters(const Command& c, Dice& dice) {
  Parameters p;
  for (unsigned k = 0; k < 32; ++k) {
    p.multiplier[k] = c.rule == Rule::kFloat ? dice.scale() : dice.multiplier();
    p.shift[k] = static_cast<int8_t>(dice.one_in(4)    ? dice.in(-31, 30)
                                     : dice.one_in(16) ? dice.in(-128, 127)
                                                       : dice.in(-14, 0));
  }
  return p;
}

// The bytes that the model writes for the pixel's group: 16, or 64 of int32.
std::vector<uint8_t> expected(Command c, const PostPixel& p, unsigned group, const uint8_t* table) {
  constexpr uint32_t kTable = 160;
  std::vector<uint8_t> sram(kTable + 256);
  std::memcpy(sram.data() + 64, p.multiplier.data() + 16 * group, 64);
  std::memcpy(sram.data() + 128, p.shift.data() + 16 * group, 16);
  std::memcpy(sram.data() + kTable, table, 256);
  c.p_base = 0;
  c.lut_base = kTable;
  c.out_lanes_last = p.lanes[group];
  const Requantise requantise(c, sram.data(), 0);
  std::vector<uint8_t> out(c.out_type == OutType::kInt32 ? 64 : 16);
  if (c.out_type == OutType::kInt32) {
    requantise.sums(p.acc.data() + 16 * group, 1, out.data());
  } else {
    requantise.bytes(p.acc.data() + 16 * group, 1, p.second.data() + 16 * group, out.data());
  }
  return out;
}

struct Round {
  PostSetup setup;
  Command commands[2];
  std::vector<PostPixel> pixels;
};

Round draw_round(Dice& dice, unsigned count) {
  Round r;
  Parameters parameters[2];
  for (unsigned slot = 0; slot < 2; ++slot) {
    r.commands[slot] = draw_command(dice);
    r.commands[slot].encode(r.setup.words[slot].data());
    for (uint8_t& byte : r.setup.table[slot]) byte = static_cast<uint8_t>(dice.any());
    parameters[slot] = draw_parameters(r.commands[slot], dice);
  }
  for (unsigned i = 0; i < count; ++i) {
    PostPixel p;
    p.slot = i < count / 2 ? 0 : 1;
    p.multiplier = parameters[p.slot].multiplier;
    p.shift = parameters[p.slot].shift;
    for (int32_t& acc : p.acc) acc = dice.number();
    for (uint8_t& byte : p.second) byte = static_cast<uint8_t>(dice.any());
    for (uint8_t& lanes : p.lanes) {
      lanes = static_cast<uint8_t>(dice.one_in(2) ? 16 : dice.in(1, 16));
    }
    p.has_second = r.commands[p.slot].ew_op != EwOp::kNone;
    p.user = static_cast<uint8_t>(i);
    r.pixels.push_back(p);
  }
  return r;
}

void expect_model_words(const Round& round, const PostRun& run, unsigned groups) {
  size_t at = 0;
  for (const PostPixel& p : round.pixels) {
    const Command& c = round.commands[p.slot];
    const unsigned words = c.out_type == OutType::kInt32 ? 4 : 1;
    for (unsigned w = 0; w < words; ++w, ++at) {
      ASSERT_LT(at, run.words.size());
      const bench::PostWord& got = run.words[at];
      ASSERT_EQ(got.word, w);
      ASSERT_EQ(got.last, w + 1 == words);
      ASSERT_EQ(got.user, p.user);
      for (unsigned g = 0; g < groups; ++g) {
        const std::vector<uint8_t> reference = expected(c, p, g, round.setup.table[p.slot].data());
        for (unsigned i = 0; i < 16; ++i) {
          const unsigned k = 16 * g + (words == 4 ? 4 * w + i / 4 : i);
          ASSERT_EQ(int{got.bytes[16 * g + i]}, int{reference[16 * w + i]})
              << c.to_text() << "\nchannel " << k << " acc " << p.acc[k] << " multiplier "
              << p.multiplier[k] << " shift " << int{p.shift[k]} << " second "
              << int{static_cast<int8_t>(p.second[k])};
        }
      }
    }
  }
  ASSERT_EQ(at, run.words.size());
}

class DlaPostRtl : public ::testing::TestWithParam<const char*> {
 protected:
  unsigned groups() const { return std::string(GetParam()).rfind("32", 0) == 0 ? 2 : 1; }
};

TEST_P(DlaPostRtl, words_are_the_models) {
  auto bench = make_post_bench(GetParam());
  ASSERT_TRUE(bench);
  const bool all = std::getenv("PRESIL_ALL") != nullptr;
  Dice dice(1);
  for (uint32_t round = 0; round < (all ? 20000u : 1500u); ++round) {
    const Round drawn = draw_round(dice, 24);
    const unsigned gaps = round % 3 == 0 ? 0 : round % 3 == 1 ? 64 : 160;
    const PostRun run = bench->run(drawn.setup, drawn.pixels, gaps, round);
    expect_model_words(drawn, run, groups());
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, DlaPostRtl, ::testing::Values("16_16_8", "16_4_2", "32_32_16"));

// Float requantisation rounds three times, each tie to even. Channel by channel, values that only
// the right rounding gets right, because the last rounding then is a tie too.
struct FloatTie {
  int32_t acc;
  uint32_t significand;  // of the scale, 24 bits: times 2^power
  int power;
  int rounded;
};

Round float_ties(const std::vector<FloatTie>& ties) {
  Round r;
  for (unsigned slot = 0; slot < 2; ++slot) {
    Command c = Command::make(Op::kConv);
    c.rule = Rule::kFloat;
    c.act_min = -128;
    c.act_max = 127;
    c.encode(r.setup.words[slot].data());
    r.commands[slot] = c;
  }
  for (const FloatTie& tie : ties) {
    PostPixel p;
    const float scale = std::ldexp(static_cast<float>(tie.significand), tie.power);
    int32_t bits;
    std::memcpy(&bits, &scale, 4);
    p.acc.fill(tie.acc);
    p.multiplier.fill(bits);
    r.pixels.push_back(p);
  }
  return r;
}

TEST_P(DlaPostRtl, a_float_tie_goes_to_even_at_each_of_three_roundings) {
  std::vector<FloatTie> ties;
  for (const int sign : {1, -1}) {
    for (int n = 0; n < 127; ++n) {
      const int even = n + (n & 1);
      // 2 n + 1 halves: a tie for the last rounding.
      ties.push_back({sign * (2 * n + 1), 1u << 23, -24, sign * even});
      // The same and half a unit of float32's last place, cut off going to float32: from n = 0 up
      // the significand before it is even, so it is gone, and the last rounding sees a tie.
      int top = 0;
      while (((2 * n + 1) >> (top + 1)) != 0) ++top;
      const int up = 30 - top;  // leading bit at 30: unit 2^7, half of it 2^6
      ties.push_back({sign * (((2 * n + 1) << up) + 64), 1, -1 - up, sign * even});
      // One more than half: rounded up, beyond the tie.
      ties.push_back({sign * (((2 * n + 1) << up) + 65), 1, -1 - up, sign * (n + 1)});
      // Half a unit below: to even, which is the tie again; one more below is under it.
      ties.push_back({sign * (((2 * n + 1) << up) - 65), 1, -1 - up, sign * n});
    }
    // acc * significand = (2 n + 1) * 2^q + 1 in 25 bits: half a unit of the product's last place.
    for (const FloatTie& t : {FloatTie{97, 172961, -25, 0}, FloatTie{3, 6990507, -23, 2},
                              FloatTie{17, 1110257, -22, 4}, FloatTie{3, 5941931, -21, 8},
                              FloatTie{11, 2001827, -21, 10}, FloatTie{5, 3460301, -20, 16},
                              FloatTie{7, 3370423, -20, 22}, FloatTie{7, 2583991, -19, 34}}) {
      ties.push_back({sign * t.acc, t.significand, t.power, sign * t.rounded});
    }
  }
  const Round round = float_ties(ties);
  const PostRun run = make_post_bench(GetParam())->run(round.setup, round.pixels, 0, 0);
  for (size_t i = 0; i < ties.size(); ++i) {
    ASSERT_EQ(int{static_cast<int8_t>(run.words[i].bytes[0])}, ties[i].rounded)
        << ties[i].acc << " * " << ties[i].significand << " * 2^" << ties[i].power;
  }
  expect_model_words(round, run, groups());
}

// -------------------------------------------------------------------------------------- cycles

PostRun run_plain(const char* size, const Command& c, unsigned count) {
  Dice dice(2);
  Round round = draw_round(dice, count);
  for (unsigned slot = 0; slot < 2; ++slot) c.encode(round.setup.words[slot].data());
  for (PostPixel& p : round.pixels) p.has_second = c.ew_op != EwOp::kNone;
  return make_post_bench(size)->run(round.setup, round.pixels, 0, 0);
}

Command plain() {
  return Command::make(Op::kConv);
}
Command with_second() {
  Command c = plain();
  c.ew_op = EwOp::kAdd;
  return c;
}
Command sums() {
  Command c = plain();
  c.out_type = OutType::kInt32;
  c.rule = Rule::kNone;
  return c;
}

TEST(DlaPostRtl, a_pixel_takes_4_cycles_and_one_follows_in_each) {
  const PostRun run = run_plain("16_16_8", plain(), 20);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(run.words[i].cycle, run.taken[i] + 4);
    if (i > 0) {
      EXPECT_EQ(run.taken[i], run.taken[i - 1] + 1);
    }
  }
}

TEST(DlaPostRtl, a_second_operand_makes_it_2_cycles_a_pixel_with_8_lanes) {
  const PostRun run = run_plain("16_16_8", with_second(), 20);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(run.words[i].cycle, run.taken[i] + 4);
    if (i > 0) {
      EXPECT_EQ(run.taken[i], run.taken[i - 1] + 2);  // 16 / 8
    }
  }
}

TEST(DlaPostRtl, a_second_operand_makes_it_8_cycles_a_pixel_with_2_lanes) {
  const PostRun run = run_plain("16_4_2", with_second(), 20);
  for (size_t i = 1; i < 20; ++i) EXPECT_EQ(run.taken[i], run.taken[i - 1] + 8);  // 16 / 2
}

TEST(DlaPostRtl, few_lanes_make_it_4_cycles_a_pixel) {
  const PostRun run = run_plain("16_4_2", plain(), 20);
  for (size_t i = 1; i < 20; ++i) EXPECT_EQ(run.taken[i], run.taken[i - 1] + 4);  // 16 / 4
}

TEST(DlaPostRtl, sums_are_4_words_one_a_cycle) {
  const PostRun run = run_plain("32_32_16", sums(), 20);
  ASSERT_EQ(run.words.size(), 80u);
  for (size_t i = 0; i < 80; ++i) {
    EXPECT_EQ(run.words[i].cycle,
              run.taken[i / 4] - 3 + i % 4 + 4);  // 4 beats, the last is `taken`
  }
}

}  // namespace
}  // namespace presil::dla
