// Bad commands: each gate from both sides, refused at n and taken at n - 1, with its code, rule and
// word.
#include <gtest/gtest.h>

#include <functional>

#include "models/dla/dla_check.h"

namespace presil::dla {
namespace {

constexpr uint32_t kSramBytes = 1 << 20;

// A legal command of each operation.
Command legal(Op op) {
  Command c = Command::make(op);
  c.in_kb_step = op == Op::kConv ? 0 : 1;
  c.in_h = c.out_h = 4;
  c.in_w = c.out_w = 16;
  c.block_rows = 4;
  c.in_x_step = c.out_x_step = 16;
  c.in_row_pitch = c.out_row_pitch = 256;
  c.out_lanes_last = 16;
  c.act_min = -128;
  c.act_max = 127;
  if (op == Op::kMaxpool || op == Op::kPass) c.rule = Rule::kNone;
  return c;
}

Command packed() {
  Command c = legal(Op::kConv);
  c.packed = true;
  c.packed_ic = 3;
  c.kernel_w = 5;
  c.in_x_step = 3;
  c.row_bytes = 48;
  return c;
}

Command with_ew(EwOp op, EwRule rule) {
  Command c = legal(Op::kConv);
  c.ew_op = op;
  c.ew_rule = rule;
  c.ew_act_min = -128;
  c.ew_act_max = 127;
  return c;
}

struct Gate {
  const char* name;
  Command base;
  std::function<void(Command&)> good, bad;
  presil_queue_error_code code;
  int rule, word;
};

const auto kRule = PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN;
const auto kRange = PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE;
void as_it_is(Command&) {}

std::vector<Gate> gates() {
  const Command conv = legal(Op::kConv), pass = legal(Op::kPass), maxpool = legal(Op::kMaxpool),
                sumpool = legal(Op::kSumpool), dwconv = legal(Op::kDwconv);
  const Command add = with_ew(EwOp::kAdd, EwRule::kTflite);
  return {
      {"pixels of a block", conv, [](auto& c) { c.block_rows = 8; },
       [](auto& c) { c.block_rows = 9; }, kRule, 1, 6},
      {"kernel rows", conv, [](auto& c) { c.kernel_h = 16; }, [](auto& c) { c.kernel_h = 17; },
       kRule, 2, 8},
      {"kernel columns", dwconv, [](auto& c) { c.kernel_w = 16; }, [](auto& c) { c.kernel_w = 17; },
       kRule, 2, 8},
      {"kernel of pass", pass, as_it_is, [](auto& c) { c.kernel_w = 2; }, kRule, 3, 8},
      {"dilated pool", maxpool, as_it_is, [](auto& c) { c.dil_y = 2; }, kRule, 4, 13},
      {"padding value of a pool", sumpool, as_it_is, [](auto& c) { c.pad_value = 1; }, kRule, 4,
       13},
      {"padding above", conv,
       [](auto& c) {
         c.kernel_h = 3;
         c.dil_y = 2;
         c.pad_top = 4;
       },
       [](auto& c) {
         c.kernel_h = 3;
         c.dil_y = 2;
         c.pad_top = 5;
       },
       kRule, 5, 10},
      {"empty window of maxpool", maxpool,
       [](auto& c) {
         c.out_h = 2;
         c.stride_y = 3;
       },
       [](auto& c) {
         c.out_h = 2;
         c.stride_y = 4;
       },
       kRule, 6, 11},
      {"input blocks of pass", pass, as_it_is, [](auto& c) { c.in_blocks = 2; }, kRule, 7, 10},
      {"bytes a packed step", packed(),
       [](auto& c) {
         c.stride_x = 5;
         c.in_x_step = 15;
       },
       [](auto& c) {
         c.stride_x = 6;
         c.in_x_step = 18;
       },
       kRule, 8, 10},
      {"bytes of a packed row", packed(), as_it_is, [](auto& c) { c.row_bytes = 49; }, kRule, 8,
       10},
      {"pixel step", conv, as_it_is, [](auto& c) { c.in_x_step = 24; }, kRule, 9, 10},
      {"divide outside sumpool", pass, as_it_is, [](auto& c) { c.rule = Rule::kDivide; }, kRule, 11,
       0},
      {"divisor", sumpool,
       [](auto& c) {
         c.rule = Rule::kDivide;
         c.div_count = 9;
         c.div_recip = 477218589;  // floor(2^32 / 9) + 1
       },
       [](auto& c) {
         c.rule = Rule::kDivide;
         c.div_count = 9;
         c.div_recip = 477218588;
       },
       kRule, 12, 37},
      {"int32 sums with a table", conv,
       [](auto& c) {
         c.out_type = OutType::kInt32;
         c.rule = Rule::kNone;
         c.act_min = c.act_max = 0;
       },
       [](auto& c) {
         c.out_type = OutType::kInt32;
         c.rule = Rule::kNone;
         c.act_min = c.act_max = 0;
         c.lut_en = true;
       },
       kRule, 13, 0},
      {"clamp", conv, [](auto& c) { c.act_min = 127; },
       [](auto& c) {
         c.act_min = 1;
         c.act_max = 0;
       },
       kRule, 14, 24},
      {"partial sums and second operand", add, as_it_is,
       [](auto& c) { c.acc_init = AccInit::kInt32; }, kRule, 15, 0},
      {"table address without table", conv, as_it_is, [](auto& c) { c.lut_base = 16; }, kRule, 16,
       23},
      {"parameters of a plain pass", pass, as_it_is, [](auto& c) { c.p_base = 16; }, kRule, 17, 22},
      {"second operand's address", conv, as_it_is, [](auto& c) { c.res_x_step = 16; }, kRule, 18,
       26},
      {"element-wise field", conv, as_it_is, [](auto& c) { c.ew_out_zero = 1; }, kRule, 19, 30},
      {"xnnpack has no sub", with_ew(EwOp::kSub, EwRule::kTflite), as_it_is,
       [](auto& c) { c.ew_rule = EwRule::kXnnpack; }, kRule, 20, 0},
      {"left shift of mul", with_ew(EwOp::kMul, EwRule::kTflite), as_it_is,
       [](auto& c) { c.ew_left_shift = 1; }, kRule, 21, 30},
      {"output shift of tflite", add, [](auto& c) { c.ew_out_shift = 30; },
       [](auto& c) { c.ew_out_shift = 31; }, kRule, 22, 34},
      {"last input byte", conv, [](auto& c) { c.in_base = kSramBytes - 1024; },
       [](auto& c) { c.in_base = kSramBytes - 1008; }, kRange, 0, 7},
      {"last weight", conv, [](auto& c) { c.w_base = kSramBytes - 256; },
       [](auto& c) { c.w_base = kSramBytes - 240; }, kRange, 0, 19},
      {"last parameter", conv, [](auto& c) { c.p_base = kSramBytes - 144; },
       [](auto& c) { c.p_base = kSramBytes - 128; }, kRange, 0, 22},
      {"last table entry", conv,
       [](auto& c) {
         c.lut_en = true;
         c.lut_base = kSramBytes - 256;
       },
       [](auto& c) {
         c.lut_en = true;
         c.lut_base = kSramBytes - 240;
       },
       kRange, 0, 23},
      {"last word of the second operand", add, [](auto& c) { c.res_base = kSramBytes - 16; },
       [](auto& c) {
         c.res_base = kSramBytes - 16;
         c.res_row_pitch = 16;
       },
       kRange, 0, 26},
      {"last output word, doubled", conv,
       [](auto& c) {
         c.upsample2 = true;
         c.out_row_pitch = 512;
         c.out_base = kSramBytes - 4096;
       },
       [](auto& c) {
         c.upsample2 = true;
         c.out_row_pitch = 512;
         c.out_base = kSramBytes - 4080;
       },
       kRange, 0, 15},
      {"int16 input", conv, as_it_is, [](auto& c) { c.in_type = InType::kInt16; },
       PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED, 0, 0},
      {"int4 weights", conv, as_it_is, [](auto& c) { c.w_bits = WBits::kInt4; },
       PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED, 0, 0},
      {"address between words", conv, [](auto& c) { c.out_base = 16; },
       [](auto& c) { c.out_base = 8; }, PRESIL_QUEUE_ERROR_CODE_MISALIGNED, 0, 15},
  };
}

TEST(DlaBad, every_gate_takes_n_minus_1_and_refuses_n) {
  const DlaConfig config;
  for (const Gate& gate : gates()) {
    Command good = gate.base, bad = gate.base;
    gate.good(good);
    gate.bad(bad);
    const auto taken = check(good, config, kSramBytes);
    EXPECT_FALSE(taken) << gate.name << ": " << taken->text;
    const auto fault = check(bad, config, kSramBytes);
    ASSERT_TRUE(fault) << gate.name;
    EXPECT_EQ(fault->code, gate.code) << gate.name << ": " << fault->text;
    EXPECT_EQ(fault->rule, gate.rule) << gate.name << ": " << fault->text;
    EXPECT_EQ(fault->word, gate.word) << gate.name << ": " << fault->text;
    EXPECT_FALSE(fault->text.empty());
  }
}

TEST(DlaBad, grouped_convolution_requires_an_array_of_16_rows) {
  Command c = legal(Op::kConv);
  c.in_kb_step = 1;
  DlaConfig config;
  EXPECT_FALSE(check(c, config, kSramBytes));
  config.macs_k = 32;
  const auto fault = check(c, config, kSramBytes);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, 10);
}

TEST(DlaBad, sram_base_of_the_job_counts_into_the_address) {
  const Command c = legal(Op::kPass);
  uint32_t words[Command::kWords];
  c.encode(words);
  EXPECT_FALSE(check(words, {}, kSramBytes - 1024, 0, kSramBytes));
  const auto fault = check(words, {}, kSramBytes - 1008, 0, kSramBytes);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->code, kRange);
  EXPECT_EQ(fault->address, kSramBytes + 16u);
  EXPECT_EQ(fault->text, "in_base reaches byte 1048592, must be at most 1048576 (word 7)");
}

TEST(DlaBad, reserved_bits_versions_and_unknown_operations_are_refused) {
  uint32_t words[Command::kWords] = {};
  legal(Op::kPass).encode(words);
  words[38] = 1u << 16;
  EXPECT_EQ(check(words, {}, 0, 0, kSramBytes)->code, PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS);
  words[38] = 0;
  words[0] += 1u << 24;
  EXPECT_EQ(check(words, {}, 0, 0, kSramBytes)->code, PRESIL_QUEUE_ERROR_CODE_BAD_VERSION);
  words[0] -= 1u << 24;
  words[0] = (words[0] & ~15u) | 6;
  EXPECT_EQ(check(words, {}, 0, 0, kSramBytes)->code, PRESIL_QUEUE_ERROR_CODE_BAD_OP);
}

}  // namespace
}  // namespace presil::dla
