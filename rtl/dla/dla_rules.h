// Printed from rtl/dla/engine.yaml by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include "rtl/common/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

enum presil_dla_rule_number {
  PRESIL_DLA_R1_BLOCK_FITS = 1, /* all but pass: block_rows * out_w <= acc_depth of the configuration */
  PRESIL_DLA_R2_KERNEL_SIZE = 2, /* conv, dwconv: kernel_h <= 16 and kernel_w <= 16 */
  PRESIL_DLA_R3_PASS_KERNEL = 3, /* pass: kernel_h = kernel_w = 1 and dil_y = dil_x = 1 */
  PRESIL_DLA_R4_PLAIN_POOL = 4, /* maxpool, sumpool: dil_y = dil_x = 1 and pad_value = 0 */
  PRESIL_DLA_R5_PADDING = 5, /* all but pass: pad_top < kh and pad_left < kw */
  PRESIL_DLA_R6_EMPTY_WINDOW = 6, /* maxpool: (out_h - 1) * stride_y - pad_top < in_h and (out_w - 1) * stride_x - pad_left < in_w: no window is empty */
  PRESIL_DLA_R7_ONE_INPUT_BLOCK = 7, /* dwconv, maxpool, sumpool, pass: in_blocks = 1 and in_kb_step = 1 */
  PRESIL_DLA_R8_PACKED = 8, /* conv with packed: dil_x = 1, packed_ic >= 1, stride_x * packed_ic <= 16, in_x_step = stride_x * packed_ic, in_blocks = ceil(kernel_w * packed_ic / 16), row_bytes = in_w * packed_ic, in_kb_step = 0, in_cb_pitch = 0 */
  PRESIL_DLA_R9_NOT_PACKED = 9, /* not packed: packed_ic = 0, row_bytes = 0, in_x_step a multiple of 16 */
  PRESIL_DLA_R10_KB_STEP = 10, /* conv: in_kb_step = 0 or macs_k = 16 */
  PRESIL_DLA_R11_RULE_OF_OP = 11, /* all: rule divide only with sumpool; maxpool only with rule none */
  PRESIL_DLA_R12_DIVIDE = 12, /* all: rule divide: div_count >= 2 and div_recip = floor(2^32 / div_count) + 1; other rules: div_count = div_recip = 0 */
  PRESIL_DLA_R13_INT32_OUTPUT = 13, /* all: out_type int32 only with conv, rule none, lut_en 0, ew_op none, upsample2 0, out_zero = act_min = act_max = 0; conv with rule none only with out_type int32 */
  PRESIL_DLA_R14_CLAMP = 14, /* all: act_min <= act_max and ew_act_min <= ew_act_max */
  PRESIL_DLA_R15_PARTIAL_SUMS = 15, /* conv: acc_init int32 only with ew_op none */
  PRESIL_DLA_R16_TABLE = 16, /* all: lut_en 0: lut_base = 0 */
  PRESIL_DLA_R17_PARAMETERS = 17, /* all: p_base = 0 where no parameters are read (maxpool; pass with rule none) */
  PRESIL_DLA_R18_SECOND_OPERAND = 18, /* all: res_base, res_row_pitch, res_cb_pitch, res_x_step = 0 where the second operand is not read (ew_op none and acc_init bias) */
  PRESIL_DLA_R19_NO_ELEMENT_WISE = 19, /* all: ew_op none: every ew_ field = 0 */
  PRESIL_DLA_R20_XNNPACK_SUB = 20, /* all: ew_rule xnnpack: ew_op is add or mul (a - b is an add with negative mb) */
  PRESIL_DLA_R21_ELEMENT_WISE_UNUSED = 21, /* all: fields that the operation does not name in the table above are 0: tflite mul: ew_left_shift, ma, mb, sa, sb; xnnpack add: ew_left_shift, za, zb, sa, sb; xnnpack mul: ew_left_shift, ma, mb, sa, sb, so */
  PRESIL_DLA_R22_OUTPUT_SHIFT = 22, /* all: so: tflite -31 .. 30; xnnpack add 0 .. 31 */
};
#define PRESIL_DLA_RULES 22u

/* Rule n is at n - 1. */
static inline const presil_rule* presil_dla_rules(void) {
  static const presil_rule rules[] = {
      {1, "block_fits", "all but pass", "block_rows * out_w <= acc_depth of the configuration", "block_rows * out_w <= acc_depth", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {2, "kernel_size", "conv, dwconv", "kernel_h <= 16 and kernel_w <= 16", "kernel_h <= 16 and kernel_w <= 16", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {3, "pass_kernel", "pass", "kernel_h = kernel_w = 1 and dil_y = dil_x = 1", "pass has kernel_h = kernel_w = dil_y = dil_x = 1", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {4, "plain_pool", "maxpool, sumpool", "dil_y = dil_x = 1 and pad_value = 0", "pools have dil_y = dil_x = 1 and pad_value = 0", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {5, "padding", "all but pass", "pad_top < kh and pad_left < kw", "pad_top and pad_left less than the kernel's extent", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {6, "empty_window", "maxpool", "(out_h - 1) * stride_y - pad_top < in_h and (out_w - 1) * stride_x - pad_left < in_w: no window is empty", "no window of maxpool lies outside the image", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {7, "one_input_block", "dwconv, maxpool, sumpool, pass", "in_blocks = 1 and in_kb_step = 1", "in_blocks = in_kb_step = 1 for all but conv", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {8, "packed", "conv with packed", "dil_x = 1, packed_ic >= 1, stride_x * packed_ic <= 16, in_x_step = stride_x * packed_ic, in_blocks = ceil(kernel_w * packed_ic / 16), row_bytes = in_w * packed_ic, in_kb_step = 0, in_cb_pitch = 0", "packed: dil_x = 1, packed_ic >= 1, stride_x * packed_ic <= 16, in_x_step = stride_x * packed_ic, in_blocks = ceil(kernel_w * packed_ic / 16), row_bytes = in_w * packed_ic, in_kb_step = in_cb_pitch = 0", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {9, "not_packed", "not packed", "packed_ic = 0, row_bytes = 0, in_x_step a multiple of 16", "not packed: packed_ic = row_bytes = 0 and in_x_step a multiple of 16", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {10, "kb_step", "conv", "in_kb_step = 0 or macs_k = 16", "conv has in_kb_step = 0 where macs_k is not 16", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {11, "rule_of_op", "all", "rule divide only with sumpool; maxpool only with rule none", "rule divide only with sumpool, maxpool only with rule none", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {12, "divide", "all", "rule divide: div_count >= 2 and div_recip = floor(2^32 / div_count) + 1; other rules: div_count = div_recip = 0", "rule divide: div_count >= 2 and div_recip = floor(2^32 / div_count) + 1; other rules: both 0", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {13, "int32_output", "all", "out_type int32 only with conv, rule none, lut_en 0, ew_op none, upsample2 0, out_zero = act_min = act_max = 0; conv with rule none only with out_type int32", "out_type int32: conv, rule none, no table, ew_op or upsample2, out_zero = act_min = act_max = 0; conv with rule none: out_type int32", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {14, "clamp", "all", "act_min <= act_max and ew_act_min <= ew_act_max", "act_min <= act_max and ew_act_min <= ew_act_max", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {15, "partial_sums", "conv", "acc_init int32 only with ew_op none", "acc_init int32 only with ew_op none", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {16, "table", "all", "lut_en 0: lut_base = 0", "lut_base = 0 without lut_en", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {17, "parameters", "all", "p_base = 0 where no parameters are read (maxpool; pass with rule none)", "p_base = 0 where no parameters are read", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {18, "second_operand", "all", "res_base, res_row_pitch, res_cb_pitch, res_x_step = 0 where the second operand is not read (ew_op none and acc_init bias)", "res_base, res_row_pitch, res_cb_pitch, res_x_step = 0 where no second operand is read", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {19, "no_element_wise", "all", "ew_op none: every ew_ field = 0", "every ew_ field = 0 with ew_op none", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {20, "xnnpack_sub", "all", "ew_rule xnnpack: ew_op is add or mul (a - b is an add with negative mb)", "ew_rule xnnpack only with add or mul", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {21, "element_wise_unused", "all", "fields that the operation does not name in the table above are 0: tflite mul: ew_left_shift, ma, mb, sa, sb; xnnpack add: ew_left_shift, za, zb, sa, sb; xnnpack mul: ew_left_shift, ma, mb, sa, sb, so", "element-wise fields that the operation does not name = 0", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {22, "output_shift", "all", "so: tflite -31 .. 30; xnnpack add 0 .. 31", "ew_out_shift -31..30 (tflite), 0..31 (xnnpack add)", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
  };
  return rules;
}

#ifdef __cplusplus
}
#endif
