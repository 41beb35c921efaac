// Printed from rtl/dla/dla.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rtl/dla/dla.h"
#include "rtl/common/command_text.h"

namespace presil::dla {

enum class Op : uint8_t {
  kNop = 0,  // Waits, then signals; uses words 0 to 6 only.
  kConv = 1,  // Convolution: sums over input channels, kernel rows and columns. Fully connected is a 1x1 kernel on one pixel.
  kDwconv = 2,  // Depthwise convolution, one output channel per input channel.
  kMaxpool = 3,  // Maximum over the window; taps outside the image do not count.
  kSumpool = 4,  // Sum over the window; taps outside the image count 0. An average with rule divide.
  kPass = 5,  // Each word passes unchanged to post-processing: element-wise, table, copy, pad, upsample, requantise.
};

enum class WBits : uint8_t {
  kInt8 = 0,  // One weight a byte.
  kInt4 = 1,  // Two weights a byte, low nibble first.
  kInt2 = 2,  // Four weights a byte, lowest pair first.
};

enum class InType : uint8_t {
  kInt8 = 0,  // 16 channels a word.
  kInt16 = 1,  // 8 channels a word.
};

enum class OutType : uint8_t {
  kInt8 = 0,  // 16 channels a word.
  kInt16 = 1,  // 8 channels a word.
  kInt32 = 2,  // 4 channels a word: partial sums.
};

enum class AccInit : uint8_t {
  kBias = 0,  // The channel's bias.
  kInt32 = 1,  // Partial sums, int32, read through the residual port.
};

enum class Rule : uint8_t {
  kDouble = 0,  // Saturating doubling high multiply, then rounding shift: two roundings, ties away from zero.
  kFloat = 1,  // Float scale in the multiplier field, product rounded to the nearest even integer.
  kMulAddShift = 2,  // Integer multiply, add bias, arithmetic shift.
  kDivide = 3,  // Division by div_count, ties away from zero: average pool.
  kInt16 = 4,  // 64-bit accumulator, 16-bit multiplier, one rounding.
  kSingle = 5,  // The product in 64 bits, half added, shifted once: TOSA's RESCALE with one rounding.
  kNone = 7,  // The accumulator's low byte unchanged; with out_type int32 the whole accumulator.
};

enum class EwOp : uint8_t {
  kNone = 0,  // No second operand.
  kAdd = 1,  // a + b
  kSub = 2,  // a - b
  kMul = 3,  // a * b
};

enum class EwRule : uint8_t {
  kTflite = 0,  // Both operands scaled to a common grid, then back: three multiplications with double rounding; mul: one.
  kXnnpack = 1,  // add: one multiply-accumulate and one arithmetic shift; mul: float requantisation.
};

// DLA command. 160 bytes, stateless: no value survives from one command to the next.
// A plain value, one member per field; a fresh one is a legal nop.
struct Command {
  Op op = Op::kNop;  // Operation.
  WBits w_bits = WBits::kInt8;  // Width of a weight. int4 and int2 are refused while capability.int4, capability.int2 read 0.
  InType in_type = InType::kInt8;  // Type of the input. int16 is refused while capability.int16 reads 0.
  OutType out_type = OutType::kInt8;  // Type of the output. int16 is refused while capability.int16 reads 0; int32 writes partial sums.
  bool packed = false;  // Dense NHWC rows: the lanes hold kernel columns x channels.
  AccInit acc_init = AccInit::kBias;  // What the accumulator starts from.
  Rule rule = Rule::kDouble;  // How an accumulator becomes an output. mul_add_shift and int16 are refused while capability.rule_mul_add_shift, capability.int16 read 0.
  bool lut_en = false;  // Look the clamped value up in the table at lut_base.
  EwOp ew_op = EwOp::kNone;  // Element-wise operation with the operand at res_base.
  EwRule ew_rule = EwRule::kTflite;  // Integer rule of ew_op.
  bool upsample2 = false;  // Write each word to the 2 x 2 output pixels (2y..2y+1, 2x..2x+1).
  bool fence = false;  // Begin only when every earlier command of the queue has completed.
  bool irq = false;  // Raise irq_status.command_done on completion.
  uint8_t isa_version = 1;  // Version of the command word.
  uint32_t tag = 0;  // Key into the debug map: command, tile, layer, source op.
  uint8_t wait_weights = 0;  // Counter that the weight loader waits for; 0: none.
  uint8_t wait_in = 0;  // Counter that sequencer and residual reader wait for; 0: none.
  uint8_t wait_out = 0;  // Counter that the writer waits for; 0: none.
  uint8_t signal = 0;  // Counter that signal_add is added to when the last word is written; 0: none.
  int32_t wait_weights_value = 0;  // Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.
  int32_t wait_in_value = 0;  // As wait_weights_value, for wait_in.
  int32_t wait_out_value = 0;  // As wait_weights_value, for wait_out.
  uint16_t signal_add = 0;  // Added to the counter named by signal.
  uint8_t block_rows = 0;  // [rows] Output rows of a block: what the accumulators hold at once.
  uint32_t in_base = 0;  // [bytes] SRAM address of pixel (0, 0), channel block 0.
  uint8_t in_kb_step = 0;  // [channel blocks] Input blocks to advance per 16 output channels: conv 0 (all outputs see all inputs) or grouped; others 1.
  uint32_t in_row_pitch = 0;  // [bytes] From one input row to the next.
  uint8_t kernel_h = 0;  // [rows] Kernel height; see the rules for each operation's limit.
  uint32_t in_cb_pitch = 0;  // [bytes] From one input channel block to the next.
  uint8_t kernel_w = 0;  // [columns] Kernel width; see the rules for each operation's limit.
  uint16_t in_x_step = 0;  // [bytes] From one input pixel to the next, a multiple of 16; packed: stride_x * packed_ic.
  uint16_t in_blocks = 0;  // [channel blocks] Input blocks summed over (conv; others 1); packed: chunks of 16 lanes, ceil(kernel_w * packed_ic / 16).
  uint8_t pad_top = 0;  // [rows] Rows of padding above the image.
  uint8_t pad_left = 0;  // [columns] Columns of padding left of the image.
  uint16_t in_h = 0;  // [rows] Rows of the input; a row outside 0 .. in_h - 1 is padding.
  uint16_t in_w = 0;  // [columns] Columns of the input; a column outside 0 .. in_w - 1 is padding.
  uint8_t stride_y = 0;  // [rows] Input rows per output row.
  uint8_t stride_x = 0;  // [columns] Input columns per output column.
  int16_t pad_value = 0;  // Value of a padding pixel (conv, dwconv, pass): the input's zero point. Pools: 0.
  uint16_t row_bytes = 0;  // [bytes] Bytes of an input row, in_w * packed_ic (packed, else 0); bytes outside are padding.
  uint8_t dil_y = 0;  // [rows] Distance of kernel rows.
  uint8_t dil_x = 0;  // [columns] Distance of kernel columns.
  uint8_t packed_ic = 0;  // [channels] Channels of a packed pixel, 1..8 (packed, else 0).
  uint16_t out_h = 0;  // [rows] Rows of the output, before upsampling.
  uint16_t out_w = 0;  // [columns] Columns of the output, before upsampling.
  uint8_t out_lanes_last = 0;  // [channels] Channels of the last output block; lanes beyond are written as 0.
  uint32_t out_base = 0;  // [bytes] SRAM address of output pixel (0, 0), block 0.
  uint32_t out_row_pitch = 0;  // [bytes] From one output row to the next.
  uint32_t out_cb_pitch = 0;  // [bytes] From one output channel block to the next.
  uint16_t out_x_step = 0;  // [bytes] From one output pixel to the next.
  uint16_t out_blocks = 0;  // [channel blocks] Output blocks of 16 channels.
  uint32_t w_base = 0;  // [bytes] SRAM address of the first weight set.
  uint32_t w_kb_pitch = 0;  // [bytes] From the sets of one group of 16 output channels to the next.
  uint32_t w_cb_pitch = 0;  // [bytes] From the sets of one input block (packed: chunk; dwconv: row of tap chunks) to the next.
  int8_t w_zero = 0;  // Zero point of the weights.
  uint32_t p_base = 0;  // [bytes] SRAM address of the channel parameters, 144 bytes per 16 channels: bias int32 x 16, multiplier int32 x 16, shift int8 x 16.
  uint32_t lut_base = 0;  // [bytes] SRAM address of the table of 256 bytes, indexed by the value as uint8 (lut_en, else 0).
  int16_t act_min = 0;  // Lower clamp after requantisation.
  int16_t act_max = 0;  // Upper clamp after requantisation.
  int16_t out_zero = 0;  // Zero point added after requantisation.
  uint32_t res_base = 0;  // [bytes] SRAM address of the second operand (ew_op), or of the partial sums (acc_init int32).
  uint32_t res_row_pitch = 0;  // [bytes] From row to row of it; 0 repeats a row.
  uint32_t res_cb_pitch = 0;  // [bytes] From channel block to channel block of it; 0 repeats a block.
  uint16_t res_x_step = 0;  // [bytes] From pixel to pixel of it; 0 repeats a pixel.
  int16_t ew_a_zero = 0;  // za: zero point of the first operand (the requantised value).
  int16_t ew_b_zero = 0;  // zb: zero point of the second operand.
  int32_t ew_a_mult = 0;  // ma
  int32_t ew_b_mult = 0;  // mb
  int32_t ew_out_mult = 0;  // mo; the additive constant of add under xnnpack; a float's bits for mul under xnnpack.
  int8_t ew_a_shift = 0;  // sa, positive is left.
  int8_t ew_b_shift = 0;  // sb, positive is left.
  int8_t ew_out_shift = 0;  // so, positive is left; add under xnnpack: arithmetic shift to the right, 0..31.
  uint8_t ew_left_shift = 0;  // L: (a - za) and (b - zb), within -255..255, are shifted left by it; 22 keeps them inside int32 with a bit to spare for rounding.
  int16_t ew_out_zero = 0;  // zo: zero point added after the element-wise operation.
  int16_t ew_act_min = 0;  // Lower clamp after the element-wise operation.
  int16_t ew_act_max = 0;  // Upper clamp after the element-wise operation.
  uint32_t div_recip = 0;  // floor(2^32 / div_count) + 1 (rule divide, else 0).
  uint16_t div_count = 0;  // n: divisor of rule divide, 2..4096 (else 0).
  uint32_t crc = 0;  // CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network; looked at where control.check of the queue is 1.

  static constexpr unsigned kWords = PRESIL_DLA_COMMAND_WORDS;
  static constexpr unsigned kBytes = PRESIL_DLA_COMMAND_BYTES;
  static constexpr unsigned kPitch = PRESIL_DLA_COMMAND_PITCH;  // bytes from one to the next in memory
  static constexpr unsigned kFields = PRESIL_DLA_COMMAND_FIELDS;

  // Legal values of fields that hold numbers.
  static constexpr uint32_t kTagMax = 4294967295u;
  static constexpr uint32_t kWaitWeightsMax = 255u;
  static constexpr uint32_t kWaitInMax = 255u;
  static constexpr uint32_t kWaitOutMax = 255u;
  static constexpr uint32_t kSignalMax = 255u;
  static constexpr int32_t kWaitWeightsValueMax = 2147483647;
  static constexpr int32_t kWaitInValueMax = 2147483647;
  static constexpr int32_t kWaitOutValueMax = 2147483647;
  static constexpr uint32_t kSignalAddMax = 65535u;
  static constexpr uint32_t kBlockRowsMin = 1;
  static constexpr uint32_t kBlockRowsMax = 128u;
  static constexpr uint32_t kInBaseMax = 16777215u;
  static constexpr uint32_t kInKbStepMax = 255u;
  static constexpr uint32_t kInRowPitchMax = 16777215u;
  static constexpr uint32_t kKernelHMin = 1;
  static constexpr uint32_t kKernelHMax = 63u;
  static constexpr uint32_t kInCbPitchMax = 16777215u;
  static constexpr uint32_t kKernelWMin = 1;
  static constexpr uint32_t kKernelWMax = 63u;
  static constexpr uint32_t kInXStepMax = 4095u;
  static constexpr uint32_t kInBlocksMin = 1;
  static constexpr uint32_t kInBlocksMax = 1023u;
  static constexpr uint32_t kPadTopMax = 31u;
  static constexpr uint32_t kPadLeftMax = 31u;
  static constexpr uint32_t kInHMin = 1;
  static constexpr uint32_t kInHMax = 4095u;
  static constexpr uint32_t kInWMin = 1;
  static constexpr uint32_t kInWMax = 4095u;
  static constexpr uint32_t kStrideYMin = 1;
  static constexpr uint32_t kStrideYMax = 7u;
  static constexpr uint32_t kStrideXMin = 1;
  static constexpr uint32_t kStrideXMax = 7u;
  static constexpr int32_t kPadValueMax = 127;
  static constexpr uint32_t kRowBytesMax = 65535u;
  static constexpr uint32_t kDilYMin = 1;
  static constexpr uint32_t kDilYMax = 31u;
  static constexpr uint32_t kDilXMin = 1;
  static constexpr uint32_t kDilXMax = 31u;
  static constexpr uint32_t kPackedIcMax = 8u;
  static constexpr uint32_t kOutHMin = 1;
  static constexpr uint32_t kOutHMax = 4095u;
  static constexpr uint32_t kOutWMin = 1;
  static constexpr uint32_t kOutWMax = 4095u;
  static constexpr uint32_t kOutLanesLastMin = 1;
  static constexpr uint32_t kOutLanesLastMax = 16u;
  static constexpr uint32_t kOutBaseMax = 16777215u;
  static constexpr uint32_t kOutRowPitchMax = 16777215u;
  static constexpr uint32_t kOutCbPitchMax = 16777215u;
  static constexpr uint32_t kOutXStepMax = 4095u;
  static constexpr uint32_t kOutBlocksMin = 1;
  static constexpr uint32_t kOutBlocksMax = 1023u;
  static constexpr uint32_t kWBaseMax = 16777215u;
  static constexpr uint32_t kWKbPitchMax = 16777215u;
  static constexpr uint32_t kWCbPitchMax = 16777215u;
  static constexpr int32_t kWZeroMax = 127;
  static constexpr uint32_t kPBaseMax = 16777215u;
  static constexpr uint32_t kLutBaseMax = 16777215u;
  static constexpr int32_t kActMinMax = 127;
  static constexpr int32_t kActMaxMax = 127;
  static constexpr int32_t kOutZeroMax = 127;
  static constexpr uint32_t kResBaseMax = 16777215u;
  static constexpr uint32_t kResRowPitchMax = 16777215u;
  static constexpr uint32_t kResCbPitchMax = 16777215u;
  static constexpr uint32_t kResXStepMax = 4095u;
  static constexpr int32_t kEwAZeroMax = 127;
  static constexpr int32_t kEwBZeroMax = 127;
  static constexpr int32_t kEwAMultMax = 2147483647;
  static constexpr int32_t kEwBMultMax = 2147483647;
  static constexpr int32_t kEwOutMultMax = 2147483647;
  static constexpr int32_t kEwAShiftMax = 30;
  static constexpr int32_t kEwBShiftMax = 30;
  static constexpr int32_t kEwOutShiftMax = 31;
  static constexpr uint32_t kEwLeftShiftMax = 22u;
  static constexpr int32_t kEwOutZeroMax = 127;
  static constexpr int32_t kEwActMinMax = 127;
  static constexpr int32_t kEwActMaxMax = 127;
  static constexpr uint32_t kDivRecipMax = 4294967295u;
  static constexpr uint32_t kDivCountMax = 4096u;
  static constexpr uint32_t kCrcMax = 4294967295u;

  static const presil_command_format& format() { return *presil_dla_command_format(); }

  // A command whose fields all hold the legal value nearest to 0 for this operation.
  static Command make(Op op) {
    Command c;
    c.op = op;
    for (unsigned i = 1; i < kFields; ++i) {
      const presil_field& f = format().fields[i];
      c.set(i, presil_field_used(&f, int64_t(op)) ? presil_field_default(&f) : 0);
    }
    return c;
  }

  // Field i of enum presil_dla_command_field as a number.
  int64_t get(unsigned field) const {
    switch (field) {
      case PRESIL_DLA_COMMAND_OP: return int64_t(op);
      case PRESIL_DLA_COMMAND_W_BITS: return int64_t(w_bits);
      case PRESIL_DLA_COMMAND_IN_TYPE: return int64_t(in_type);
      case PRESIL_DLA_COMMAND_OUT_TYPE: return int64_t(out_type);
      case PRESIL_DLA_COMMAND_PACKED: return int64_t(packed);
      case PRESIL_DLA_COMMAND_ACC_INIT: return int64_t(acc_init);
      case PRESIL_DLA_COMMAND_RULE: return int64_t(rule);
      case PRESIL_DLA_COMMAND_LUT_EN: return int64_t(lut_en);
      case PRESIL_DLA_COMMAND_EW_OP: return int64_t(ew_op);
      case PRESIL_DLA_COMMAND_EW_RULE: return int64_t(ew_rule);
      case PRESIL_DLA_COMMAND_UPSAMPLE2: return int64_t(upsample2);
      case PRESIL_DLA_COMMAND_FENCE: return int64_t(fence);
      case PRESIL_DLA_COMMAND_IRQ: return int64_t(irq);
      case PRESIL_DLA_COMMAND_ISA_VERSION: return int64_t(isa_version);
      case PRESIL_DLA_COMMAND_TAG: return int64_t(tag);
      case PRESIL_DLA_COMMAND_WAIT_WEIGHTS: return int64_t(wait_weights);
      case PRESIL_DLA_COMMAND_WAIT_IN: return int64_t(wait_in);
      case PRESIL_DLA_COMMAND_WAIT_OUT: return int64_t(wait_out);
      case PRESIL_DLA_COMMAND_SIGNAL: return int64_t(signal);
      case PRESIL_DLA_COMMAND_WAIT_WEIGHTS_VALUE: return int64_t(wait_weights_value);
      case PRESIL_DLA_COMMAND_WAIT_IN_VALUE: return int64_t(wait_in_value);
      case PRESIL_DLA_COMMAND_WAIT_OUT_VALUE: return int64_t(wait_out_value);
      case PRESIL_DLA_COMMAND_SIGNAL_ADD: return int64_t(signal_add);
      case PRESIL_DLA_COMMAND_BLOCK_ROWS: return int64_t(block_rows);
      case PRESIL_DLA_COMMAND_IN_BASE: return int64_t(in_base);
      case PRESIL_DLA_COMMAND_IN_KB_STEP: return int64_t(in_kb_step);
      case PRESIL_DLA_COMMAND_IN_ROW_PITCH: return int64_t(in_row_pitch);
      case PRESIL_DLA_COMMAND_KERNEL_H: return int64_t(kernel_h);
      case PRESIL_DLA_COMMAND_IN_CB_PITCH: return int64_t(in_cb_pitch);
      case PRESIL_DLA_COMMAND_KERNEL_W: return int64_t(kernel_w);
      case PRESIL_DLA_COMMAND_IN_X_STEP: return int64_t(in_x_step);
      case PRESIL_DLA_COMMAND_IN_BLOCKS: return int64_t(in_blocks);
      case PRESIL_DLA_COMMAND_PAD_TOP: return int64_t(pad_top);
      case PRESIL_DLA_COMMAND_PAD_LEFT: return int64_t(pad_left);
      case PRESIL_DLA_COMMAND_IN_H: return int64_t(in_h);
      case PRESIL_DLA_COMMAND_IN_W: return int64_t(in_w);
      case PRESIL_DLA_COMMAND_STRIDE_Y: return int64_t(stride_y);
      case PRESIL_DLA_COMMAND_STRIDE_X: return int64_t(stride_x);
      case PRESIL_DLA_COMMAND_PAD_VALUE: return int64_t(pad_value);
      case PRESIL_DLA_COMMAND_ROW_BYTES: return int64_t(row_bytes);
      case PRESIL_DLA_COMMAND_DIL_Y: return int64_t(dil_y);
      case PRESIL_DLA_COMMAND_DIL_X: return int64_t(dil_x);
      case PRESIL_DLA_COMMAND_PACKED_IC: return int64_t(packed_ic);
      case PRESIL_DLA_COMMAND_OUT_H: return int64_t(out_h);
      case PRESIL_DLA_COMMAND_OUT_W: return int64_t(out_w);
      case PRESIL_DLA_COMMAND_OUT_LANES_LAST: return int64_t(out_lanes_last);
      case PRESIL_DLA_COMMAND_OUT_BASE: return int64_t(out_base);
      case PRESIL_DLA_COMMAND_OUT_ROW_PITCH: return int64_t(out_row_pitch);
      case PRESIL_DLA_COMMAND_OUT_CB_PITCH: return int64_t(out_cb_pitch);
      case PRESIL_DLA_COMMAND_OUT_X_STEP: return int64_t(out_x_step);
      case PRESIL_DLA_COMMAND_OUT_BLOCKS: return int64_t(out_blocks);
      case PRESIL_DLA_COMMAND_W_BASE: return int64_t(w_base);
      case PRESIL_DLA_COMMAND_W_KB_PITCH: return int64_t(w_kb_pitch);
      case PRESIL_DLA_COMMAND_W_CB_PITCH: return int64_t(w_cb_pitch);
      case PRESIL_DLA_COMMAND_W_ZERO: return int64_t(w_zero);
      case PRESIL_DLA_COMMAND_P_BASE: return int64_t(p_base);
      case PRESIL_DLA_COMMAND_LUT_BASE: return int64_t(lut_base);
      case PRESIL_DLA_COMMAND_ACT_MIN: return int64_t(act_min);
      case PRESIL_DLA_COMMAND_ACT_MAX: return int64_t(act_max);
      case PRESIL_DLA_COMMAND_OUT_ZERO: return int64_t(out_zero);
      case PRESIL_DLA_COMMAND_RES_BASE: return int64_t(res_base);
      case PRESIL_DLA_COMMAND_RES_ROW_PITCH: return int64_t(res_row_pitch);
      case PRESIL_DLA_COMMAND_RES_CB_PITCH: return int64_t(res_cb_pitch);
      case PRESIL_DLA_COMMAND_RES_X_STEP: return int64_t(res_x_step);
      case PRESIL_DLA_COMMAND_EW_A_ZERO: return int64_t(ew_a_zero);
      case PRESIL_DLA_COMMAND_EW_B_ZERO: return int64_t(ew_b_zero);
      case PRESIL_DLA_COMMAND_EW_A_MULT: return int64_t(ew_a_mult);
      case PRESIL_DLA_COMMAND_EW_B_MULT: return int64_t(ew_b_mult);
      case PRESIL_DLA_COMMAND_EW_OUT_MULT: return int64_t(ew_out_mult);
      case PRESIL_DLA_COMMAND_EW_A_SHIFT: return int64_t(ew_a_shift);
      case PRESIL_DLA_COMMAND_EW_B_SHIFT: return int64_t(ew_b_shift);
      case PRESIL_DLA_COMMAND_EW_OUT_SHIFT: return int64_t(ew_out_shift);
      case PRESIL_DLA_COMMAND_EW_LEFT_SHIFT: return int64_t(ew_left_shift);
      case PRESIL_DLA_COMMAND_EW_OUT_ZERO: return int64_t(ew_out_zero);
      case PRESIL_DLA_COMMAND_EW_ACT_MIN: return int64_t(ew_act_min);
      case PRESIL_DLA_COMMAND_EW_ACT_MAX: return int64_t(ew_act_max);
      case PRESIL_DLA_COMMAND_DIV_RECIP: return int64_t(div_recip);
      case PRESIL_DLA_COMMAND_DIV_COUNT: return int64_t(div_count);
      case PRESIL_DLA_COMMAND_CRC: return int64_t(crc);
      default: return 0;
    }
  }
  void set(unsigned field, int64_t value) {
    switch (field) {
      case PRESIL_DLA_COMMAND_OP: op = Op(value); break;
      case PRESIL_DLA_COMMAND_W_BITS: w_bits = WBits(value); break;
      case PRESIL_DLA_COMMAND_IN_TYPE: in_type = InType(value); break;
      case PRESIL_DLA_COMMAND_OUT_TYPE: out_type = OutType(value); break;
      case PRESIL_DLA_COMMAND_PACKED: packed = value != 0; break;
      case PRESIL_DLA_COMMAND_ACC_INIT: acc_init = AccInit(value); break;
      case PRESIL_DLA_COMMAND_RULE: rule = Rule(value); break;
      case PRESIL_DLA_COMMAND_LUT_EN: lut_en = value != 0; break;
      case PRESIL_DLA_COMMAND_EW_OP: ew_op = EwOp(value); break;
      case PRESIL_DLA_COMMAND_EW_RULE: ew_rule = EwRule(value); break;
      case PRESIL_DLA_COMMAND_UPSAMPLE2: upsample2 = value != 0; break;
      case PRESIL_DLA_COMMAND_FENCE: fence = value != 0; break;
      case PRESIL_DLA_COMMAND_IRQ: irq = value != 0; break;
      case PRESIL_DLA_COMMAND_ISA_VERSION: isa_version = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_TAG: tag = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_WAIT_WEIGHTS: wait_weights = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_WAIT_IN: wait_in = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_WAIT_OUT: wait_out = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_SIGNAL: signal = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_WAIT_WEIGHTS_VALUE: wait_weights_value = int32_t(value); break;
      case PRESIL_DLA_COMMAND_WAIT_IN_VALUE: wait_in_value = int32_t(value); break;
      case PRESIL_DLA_COMMAND_WAIT_OUT_VALUE: wait_out_value = int32_t(value); break;
      case PRESIL_DLA_COMMAND_SIGNAL_ADD: signal_add = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_BLOCK_ROWS: block_rows = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_IN_BASE: in_base = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_IN_KB_STEP: in_kb_step = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_IN_ROW_PITCH: in_row_pitch = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_KERNEL_H: kernel_h = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_IN_CB_PITCH: in_cb_pitch = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_KERNEL_W: kernel_w = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_IN_X_STEP: in_x_step = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_IN_BLOCKS: in_blocks = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_PAD_TOP: pad_top = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_PAD_LEFT: pad_left = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_IN_H: in_h = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_IN_W: in_w = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_STRIDE_Y: stride_y = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_STRIDE_X: stride_x = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_PAD_VALUE: pad_value = int16_t(value); break;
      case PRESIL_DLA_COMMAND_ROW_BYTES: row_bytes = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_DIL_Y: dil_y = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_DIL_X: dil_x = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_PACKED_IC: packed_ic = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_H: out_h = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_W: out_w = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_LANES_LAST: out_lanes_last = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_BASE: out_base = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_ROW_PITCH: out_row_pitch = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_CB_PITCH: out_cb_pitch = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_X_STEP: out_x_step = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_BLOCKS: out_blocks = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_W_BASE: w_base = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_W_KB_PITCH: w_kb_pitch = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_W_CB_PITCH: w_cb_pitch = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_W_ZERO: w_zero = int8_t(value); break;
      case PRESIL_DLA_COMMAND_P_BASE: p_base = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_LUT_BASE: lut_base = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_ACT_MIN: act_min = int16_t(value); break;
      case PRESIL_DLA_COMMAND_ACT_MAX: act_max = int16_t(value); break;
      case PRESIL_DLA_COMMAND_OUT_ZERO: out_zero = int16_t(value); break;
      case PRESIL_DLA_COMMAND_RES_BASE: res_base = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_RES_ROW_PITCH: res_row_pitch = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_RES_CB_PITCH: res_cb_pitch = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_RES_X_STEP: res_x_step = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_EW_A_ZERO: ew_a_zero = int16_t(value); break;
      case PRESIL_DLA_COMMAND_EW_B_ZERO: ew_b_zero = int16_t(value); break;
      case PRESIL_DLA_COMMAND_EW_A_MULT: ew_a_mult = int32_t(value); break;
      case PRESIL_DLA_COMMAND_EW_B_MULT: ew_b_mult = int32_t(value); break;
      case PRESIL_DLA_COMMAND_EW_OUT_MULT: ew_out_mult = int32_t(value); break;
      case PRESIL_DLA_COMMAND_EW_A_SHIFT: ew_a_shift = int8_t(value); break;
      case PRESIL_DLA_COMMAND_EW_B_SHIFT: ew_b_shift = int8_t(value); break;
      case PRESIL_DLA_COMMAND_EW_OUT_SHIFT: ew_out_shift = int8_t(value); break;
      case PRESIL_DLA_COMMAND_EW_LEFT_SHIFT: ew_left_shift = uint8_t(value); break;
      case PRESIL_DLA_COMMAND_EW_OUT_ZERO: ew_out_zero = int16_t(value); break;
      case PRESIL_DLA_COMMAND_EW_ACT_MIN: ew_act_min = int16_t(value); break;
      case PRESIL_DLA_COMMAND_EW_ACT_MAX: ew_act_max = int16_t(value); break;
      case PRESIL_DLA_COMMAND_DIV_RECIP: div_recip = uint32_t(value); break;
      case PRESIL_DLA_COMMAND_DIV_COUNT: div_count = uint16_t(value); break;
      case PRESIL_DLA_COMMAND_CRC: crc = uint32_t(value); break;
      default: break;
    }
  }

  static Command decode(const uint32_t* words) {
    Command c;
    for (unsigned i = 0; i < kFields; ++i) c.set(i, presil_field_get(words, &format().fields[i]));
    return c;
  }
  // Writes all kWords words. A member too large for its field is cut; check() finds it before.
  void encode(uint32_t* words) const {
    for (unsigned i = 0; i < kWords; ++i) words[i] = 0;
    for (unsigned i = 0; i < kFields; ++i) presil_field_set(words, &format().fields[i], get(i));
  }

  // The first field that is out of its legal range, misaligned, unsupported or set though unused; of words
  // also reserved bits. Rules between fields are not looked at.
  static std::optional<presil_violation> check(const uint32_t* words) {
    presil_violation v;
    if (presil_command_check(&format(), words, &v) == PRESIL_QUEUE_ERROR_CODE_NONE) return std::nullopt;
    return v;
  }
  std::optional<presil_violation> check() const {
    presil_violation v;
    for (unsigned i = 0; i < kFields; ++i) {
      if (presil_field_check(&format().fields[i], get(i), int64_t(op), &v)) return v;
    }
    return std::nullopt;
  }

  // One line: the operation, then the fields that differ from make(op).
  std::string to_text() const {
    uint32_t words[kWords];
    encode(words);
    return presil::command_to_text(format(), words);
  }
  // The inverse; on failure nullopt and, if error is given, one sentence.
  static std::optional<Command> from_text(std::string_view text, std::string* error = nullptr) {
    uint32_t words[kWords];
    if (!presil::command_from_text(format(), text, words, error)) return std::nullopt;
    return decode(words);
  }

  friend bool operator==(const Command& a, const Command& b) {
    for (unsigned i = 0; i < kFields; ++i) {
      if (a.get(i) != b.get(i)) return false;
    }
    return true;
  }
  friend bool operator!=(const Command& a, const Command& b) { return !(a == b); }
};

}  // namespace presil::dla
