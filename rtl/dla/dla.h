// Printed from rtl/dla/dla.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include "rtl/common/field.h"
#include "rtl/common/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

enum presil_dla_op {
  PRESIL_DLA_OP_NOP = 0, /* Waits, then signals; uses words 0 to 6 only. */
  PRESIL_DLA_OP_CONV = 1, /* Convolution: sums over input channels, kernel rows and columns. Fully connected is a 1x1 kernel on one pixel. */
  PRESIL_DLA_OP_DWCONV = 2, /* Depthwise convolution, one output channel per input channel. */
  PRESIL_DLA_OP_MAXPOOL = 3, /* Maximum over the window; taps outside the image do not count. */
  PRESIL_DLA_OP_SUMPOOL = 4, /* Sum over the window; taps outside the image count 0. An average with rule divide. */
  PRESIL_DLA_OP_PASS = 5, /* Each word passes unchanged to post-processing: element-wise, table, copy, pad, upsample, requantise. */
};

enum presil_dla_w_bits {
  PRESIL_DLA_W_BITS_INT8 = 0, /* One weight a byte. */
  PRESIL_DLA_W_BITS_INT4 = 1, /* Two weights a byte, low nibble first. */
  PRESIL_DLA_W_BITS_INT2 = 2, /* Four weights a byte, lowest pair first. */
};

enum presil_dla_in_type {
  PRESIL_DLA_IN_TYPE_INT8 = 0, /* 16 channels a word. */
  PRESIL_DLA_IN_TYPE_INT16 = 1, /* 8 channels a word. */
};

enum presil_dla_out_type {
  PRESIL_DLA_OUT_TYPE_INT8 = 0, /* 16 channels a word. */
  PRESIL_DLA_OUT_TYPE_INT16 = 1, /* 8 channels a word. */
  PRESIL_DLA_OUT_TYPE_INT32 = 2, /* 4 channels a word: partial sums. */
};

enum presil_dla_acc_init {
  PRESIL_DLA_ACC_INIT_BIAS = 0, /* The channel's bias. */
  PRESIL_DLA_ACC_INIT_INT32 = 1, /* Partial sums, int32, read through the residual port. */
};

enum presil_dla_rule {
  PRESIL_DLA_RULE_DOUBLE = 0, /* Saturating doubling high multiply, then rounding shift: two roundings, ties away from zero. */
  PRESIL_DLA_RULE_FLOAT = 1, /* Float scale in the multiplier field, product rounded to the nearest even integer. */
  PRESIL_DLA_RULE_MUL_ADD_SHIFT = 2, /* Integer multiply, add bias, arithmetic shift. */
  PRESIL_DLA_RULE_DIVIDE = 3, /* Division by div_count, ties away from zero: average pool. */
  PRESIL_DLA_RULE_INT16 = 4, /* 64-bit accumulator, 16-bit multiplier, one rounding. */
  PRESIL_DLA_RULE_SINGLE = 5, /* The product in 64 bits, half added, shifted once: TOSA's RESCALE with one rounding. */
  PRESIL_DLA_RULE_NONE = 7, /* The accumulator's low byte unchanged; with out_type int32 the whole accumulator. */
};

enum presil_dla_ew_op {
  PRESIL_DLA_EW_OP_NONE = 0, /* No second operand. */
  PRESIL_DLA_EW_OP_ADD = 1, /* a + b */
  PRESIL_DLA_EW_OP_SUB = 2, /* a - b */
  PRESIL_DLA_EW_OP_MUL = 3, /* a * b */
};

enum presil_dla_ew_rule {
  PRESIL_DLA_EW_RULE_TFLITE = 0, /* Both operands scaled to a common grid, then back: three multiplications with double rounding; mul: one. */
  PRESIL_DLA_EW_RULE_XNNPACK = 1, /* add: one multiply-accumulate and one arithmetic shift; mul: float requantisation. */
};

/* DLA counters: offsets in bytes, fields as shift and mask in place. */
#define PRESIL_DLA_COUNTERS_SIZE 0x400u
#define PRESIL_DLA_COUNTERS_REG_CONTROL 0x0u
#define PRESIL_DLA_COUNTERS_CONTROL_SNAPSHOT_SHIFT 0u
#define PRESIL_DLA_COUNTERS_CONTROL_SNAPSHOT_MASK 0x1u
#define PRESIL_DLA_COUNTERS_CONTROL_CLEAR_SHIFT 1u
#define PRESIL_DLA_COUNTERS_CONTROL_CLEAR_MASK 0x2u
#define PRESIL_DLA_COUNTERS_REG_CYCLES 0x8u
#define PRESIL_DLA_COUNTERS_REG_CYCLES_HI 0xcu
#define PRESIL_DLA_COUNTERS_CYCLES_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_CYCLES_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_RUN 0x10u
#define PRESIL_DLA_COUNTERS_REG_RUN_HI 0x14u
#define PRESIL_DLA_COUNTERS_RUN_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_RUN_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_STALL_FEATURE 0x18u
#define PRESIL_DLA_COUNTERS_REG_STALL_FEATURE_HI 0x1cu
#define PRESIL_DLA_COUNTERS_STALL_FEATURE_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_STALL_FEATURE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_STALL_WEIGHTS 0x20u
#define PRESIL_DLA_COUNTERS_REG_STALL_WEIGHTS_HI 0x24u
#define PRESIL_DLA_COUNTERS_STALL_WEIGHTS_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_STALL_WEIGHTS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_STALL_POST 0x28u
#define PRESIL_DLA_COUNTERS_REG_STALL_POST_HI 0x2cu
#define PRESIL_DLA_COUNTERS_STALL_POST_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_STALL_POST_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_START 0x30u
#define PRESIL_DLA_COUNTERS_REG_START_HI 0x34u
#define PRESIL_DLA_COUNTERS_START_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_START_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_FETCH 0x38u
#define PRESIL_DLA_COUNTERS_REG_FETCH_HI 0x3cu
#define PRESIL_DLA_COUNTERS_FETCH_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_FETCH_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_IDLE 0x40u
#define PRESIL_DLA_COUNTERS_REG_IDLE_HI 0x44u
#define PRESIL_DLA_COUNTERS_IDLE_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_IDLE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_COMMANDS 0x48u
#define PRESIL_DLA_COUNTERS_REG_COMMANDS_HI 0x4cu
#define PRESIL_DLA_COUNTERS_COMMANDS_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_COMMANDS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_STEPS 0x50u
#define PRESIL_DLA_COUNTERS_REG_STEPS_HI 0x54u
#define PRESIL_DLA_COUNTERS_STEPS_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_STEPS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_WAIT_IN(i) (0x100u + 0x8u * (i))
#define PRESIL_DLA_COUNTERS_REG_WAIT_IN_HI(i) (0x104u + 0x8u * (i))
#define PRESIL_DLA_COUNTERS_WAIT_IN_COUNT 4u
#define PRESIL_DLA_COUNTERS_WAIT_IN_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_WAIT_IN_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS(i) (0x200u + 0x8u * (i))
#define PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS_HI(i) (0x204u + 0x8u * (i))
#define PRESIL_DLA_COUNTERS_WAIT_WEIGHTS_COUNT 4u
#define PRESIL_DLA_COUNTERS_WAIT_WEIGHTS_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_WAIT_WEIGHTS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DLA_COUNTERS_REG_WAIT_OUT(i) (0x300u + 0x8u * (i))
#define PRESIL_DLA_COUNTERS_REG_WAIT_OUT_HI(i) (0x304u + 0x8u * (i))
#define PRESIL_DLA_COUNTERS_WAIT_OUT_COUNT 4u
#define PRESIL_DLA_COUNTERS_WAIT_OUT_VALUE_SHIFT 0u
#define PRESIL_DLA_COUNTERS_WAIT_OUT_VALUE_MASK 0xffffffffffffffffull

/* DLA registers: offsets in bytes, fields as shift and mask in place. */
#define PRESIL_DLA_SIZE 0x2000u
#define PRESIL_DLA_REG_ID 0x0u
#define PRESIL_DLA_ID_ISA_VERSION_SHIFT 0u
#define PRESIL_DLA_ID_ISA_VERSION_MASK 0xffu
#define PRESIL_DLA_ID_QUEUES_SHIFT 8u
#define PRESIL_DLA_ID_QUEUES_MASK 0xff00u
#define PRESIL_DLA_ID_CONTEXTS_SHIFT 16u
#define PRESIL_DLA_ID_CONTEXTS_MASK 0xff0000u
#define PRESIL_DLA_ID_PREFETCH_SHIFT 24u
#define PRESIL_DLA_ID_PREFETCH_MASK 0xff000000u
#define PRESIL_DLA_REG_ARRAY 0x4u
#define PRESIL_DLA_ARRAY_MACS_K_SHIFT 0u
#define PRESIL_DLA_ARRAY_MACS_K_MASK 0xffffu
#define PRESIL_DLA_ARRAY_MACS_C_SHIFT 16u
#define PRESIL_DLA_ARRAY_MACS_C_MASK 0xffff0000u
#define PRESIL_DLA_REG_PORTS 0x8u
#define PRESIL_DLA_PORTS_FEAT_PORTS_SHIFT 0u
#define PRESIL_DLA_PORTS_FEAT_PORTS_MASK 0xffu
#define PRESIL_DLA_PORTS_WEIGHT_PORTS_SHIFT 8u
#define PRESIL_DLA_PORTS_WEIGHT_PORTS_MASK 0xff00u
#define PRESIL_DLA_PORTS_RES_PORTS_SHIFT 16u
#define PRESIL_DLA_PORTS_RES_PORTS_MASK 0xff0000u
#define PRESIL_DLA_PORTS_OUT_PORTS_SHIFT 24u
#define PRESIL_DLA_PORTS_OUT_PORTS_MASK 0xff000000u
#define PRESIL_DLA_REG_LANES 0xcu
#define PRESIL_DLA_LANES_POST_LANES_SHIFT 0u
#define PRESIL_DLA_LANES_POST_LANES_MASK 0xffffu
#define PRESIL_DLA_LANES_EW_LANES_SHIFT 16u
#define PRESIL_DLA_LANES_EW_LANES_MASK 0xffff0000u
#define PRESIL_DLA_REG_ACC 0x10u
#define PRESIL_DLA_ACC_DEPTH_SHIFT 0u
#define PRESIL_DLA_ACC_DEPTH_MASK 0xffffu
#define PRESIL_DLA_REG_CAPABILITY 0x14u
#define PRESIL_DLA_CAPABILITY_INT16_SHIFT 0u
#define PRESIL_DLA_CAPABILITY_INT16_MASK 0x1u
#define PRESIL_DLA_CAPABILITY_INT4_SHIFT 1u
#define PRESIL_DLA_CAPABILITY_INT4_MASK 0x2u
#define PRESIL_DLA_CAPABILITY_INT2_SHIFT 2u
#define PRESIL_DLA_CAPABILITY_INT2_MASK 0x4u
#define PRESIL_DLA_CAPABILITY_RULE_MUL_ADD_SHIFT_SHIFT 3u
#define PRESIL_DLA_CAPABILITY_RULE_MUL_ADD_SHIFT_MASK 0x8u
#define PRESIL_DLA_REG_SRAM 0x18u
#define PRESIL_DLA_SRAM_BYTES_SHIFT 0u
#define PRESIL_DLA_SRAM_BYTES_MASK 0xffffffffu
#define PRESIL_DLA_REG_QUEUE 0x200u /* + PRESIL_QUEUE_REG_... */
#define PRESIL_DLA_REG_QUEUE_CONTROL 0x200u
#define PRESIL_DLA_REG_QUEUE_STATUS 0x204u
#define PRESIL_DLA_REG_QUEUE_RING_BASE 0x208u
#define PRESIL_DLA_REG_QUEUE_RING_SIZE_LOG2 0x210u
#define PRESIL_DLA_REG_QUEUE_HEAD 0x214u
#define PRESIL_DLA_REG_QUEUE_TAIL 0x218u
#define PRESIL_DLA_REG_QUEUE_IRQ_STATUS 0x21cu
#define PRESIL_DLA_REG_QUEUE_IRQ_ENABLE 0x220u
#define PRESIL_DLA_REG_QUEUE_CURRENT_JOB 0x224u
#define PRESIL_DLA_REG_QUEUE_CURRENT_COMMAND 0x228u
#define PRESIL_DLA_REG_QUEUE_ERROR 0x22cu
#define PRESIL_DLA_REG_QUEUE_ERROR_JOB_TAG 0x230u
#define PRESIL_DLA_REG_QUEUE_ERROR_COMMAND_INDEX 0x234u
#define PRESIL_DLA_REG_QUEUE_ERROR_ADDRESS 0x238u
#define PRESIL_DLA_REG_COUNTERS 0x1000u /* + PRESIL_DLA_COUNTERS_REG_... */
#define PRESIL_DLA_REG_COUNTERS_CONTROL 0x1000u
#define PRESIL_DLA_REG_COUNTERS_CYCLES 0x1008u
#define PRESIL_DLA_REG_COUNTERS_RUN 0x1010u
#define PRESIL_DLA_REG_COUNTERS_STALL_FEATURE 0x1018u
#define PRESIL_DLA_REG_COUNTERS_STALL_WEIGHTS 0x1020u
#define PRESIL_DLA_REG_COUNTERS_STALL_POST 0x1028u
#define PRESIL_DLA_REG_COUNTERS_START 0x1030u
#define PRESIL_DLA_REG_COUNTERS_FETCH 0x1038u
#define PRESIL_DLA_REG_COUNTERS_IDLE 0x1040u
#define PRESIL_DLA_REG_COUNTERS_COMMANDS 0x1048u
#define PRESIL_DLA_REG_COUNTERS_STEPS 0x1050u

/* DLA command. 160 bytes, stateless: no value survives from one command to the next. */
#define PRESIL_DLA_COMMAND_WORDS 40u
#define PRESIL_DLA_COMMAND_BYTES 160u
#define PRESIL_DLA_COMMAND_PITCH 256u
#define PRESIL_DLA_ISA_VERSION 1u

/* Largest legal values of fields that hold numbers. */
#define PRESIL_DLA_COMMAND_TAG_MAX 4294967295u
#define PRESIL_DLA_COMMAND_WAIT_WEIGHTS_MAX 255u
#define PRESIL_DLA_COMMAND_WAIT_IN_MAX 255u
#define PRESIL_DLA_COMMAND_WAIT_OUT_MAX 255u
#define PRESIL_DLA_COMMAND_SIGNAL_MAX 255u
#define PRESIL_DLA_COMMAND_WAIT_WEIGHTS_VALUE_MAX 2147483647
#define PRESIL_DLA_COMMAND_WAIT_IN_VALUE_MAX 2147483647
#define PRESIL_DLA_COMMAND_WAIT_OUT_VALUE_MAX 2147483647
#define PRESIL_DLA_COMMAND_SIGNAL_ADD_MAX 65535u
#define PRESIL_DLA_COMMAND_BLOCK_ROWS_MAX 128u
#define PRESIL_DLA_COMMAND_IN_BASE_MAX 16777215u
#define PRESIL_DLA_COMMAND_IN_KB_STEP_MAX 255u
#define PRESIL_DLA_COMMAND_IN_ROW_PITCH_MAX 16777215u
#define PRESIL_DLA_COMMAND_KERNEL_H_MAX 63u
#define PRESIL_DLA_COMMAND_IN_CB_PITCH_MAX 16777215u
#define PRESIL_DLA_COMMAND_KERNEL_W_MAX 63u
#define PRESIL_DLA_COMMAND_IN_X_STEP_MAX 4095u
#define PRESIL_DLA_COMMAND_IN_BLOCKS_MAX 1023u
#define PRESIL_DLA_COMMAND_PAD_TOP_MAX 31u
#define PRESIL_DLA_COMMAND_PAD_LEFT_MAX 31u
#define PRESIL_DLA_COMMAND_IN_H_MAX 4095u
#define PRESIL_DLA_COMMAND_IN_W_MAX 4095u
#define PRESIL_DLA_COMMAND_STRIDE_Y_MAX 7u
#define PRESIL_DLA_COMMAND_STRIDE_X_MAX 7u
#define PRESIL_DLA_COMMAND_PAD_VALUE_MAX 127
#define PRESIL_DLA_COMMAND_ROW_BYTES_MAX 65535u
#define PRESIL_DLA_COMMAND_DIL_Y_MAX 31u
#define PRESIL_DLA_COMMAND_DIL_X_MAX 31u
#define PRESIL_DLA_COMMAND_PACKED_IC_MAX 8u
#define PRESIL_DLA_COMMAND_OUT_H_MAX 4095u
#define PRESIL_DLA_COMMAND_OUT_W_MAX 4095u
#define PRESIL_DLA_COMMAND_OUT_LANES_LAST_MAX 16u
#define PRESIL_DLA_COMMAND_OUT_BASE_MAX 16777215u
#define PRESIL_DLA_COMMAND_OUT_ROW_PITCH_MAX 16777215u
#define PRESIL_DLA_COMMAND_OUT_CB_PITCH_MAX 16777215u
#define PRESIL_DLA_COMMAND_OUT_X_STEP_MAX 4095u
#define PRESIL_DLA_COMMAND_OUT_BLOCKS_MAX 1023u
#define PRESIL_DLA_COMMAND_W_BASE_MAX 16777215u
#define PRESIL_DLA_COMMAND_W_KB_PITCH_MAX 16777215u
#define PRESIL_DLA_COMMAND_W_CB_PITCH_MAX 16777215u
#define PRESIL_DLA_COMMAND_W_ZERO_MAX 127
#define PRESIL_DLA_COMMAND_P_BASE_MAX 16777215u
#define PRESIL_DLA_COMMAND_LUT_BASE_MAX 16777215u
#define PRESIL_DLA_COMMAND_ACT_MIN_MAX 127
#define PRESIL_DLA_COMMAND_ACT_MAX_MAX 127
#define PRESIL_DLA_COMMAND_OUT_ZERO_MAX 127
#define PRESIL_DLA_COMMAND_RES_BASE_MAX 16777215u
#define PRESIL_DLA_COMMAND_RES_ROW_PITCH_MAX 16777215u
#define PRESIL_DLA_COMMAND_RES_CB_PITCH_MAX 16777215u
#define PRESIL_DLA_COMMAND_RES_X_STEP_MAX 4095u
#define PRESIL_DLA_COMMAND_EW_A_ZERO_MAX 127
#define PRESIL_DLA_COMMAND_EW_B_ZERO_MAX 127
#define PRESIL_DLA_COMMAND_EW_A_MULT_MAX 2147483647
#define PRESIL_DLA_COMMAND_EW_B_MULT_MAX 2147483647
#define PRESIL_DLA_COMMAND_EW_OUT_MULT_MAX 2147483647
#define PRESIL_DLA_COMMAND_EW_A_SHIFT_MAX 30
#define PRESIL_DLA_COMMAND_EW_B_SHIFT_MAX 30
#define PRESIL_DLA_COMMAND_EW_OUT_SHIFT_MAX 31
#define PRESIL_DLA_COMMAND_EW_LEFT_SHIFT_MAX 22u
#define PRESIL_DLA_COMMAND_EW_OUT_ZERO_MAX 127
#define PRESIL_DLA_COMMAND_EW_ACT_MIN_MAX 127
#define PRESIL_DLA_COMMAND_EW_ACT_MAX_MAX 127
#define PRESIL_DLA_COMMAND_DIV_RECIP_MAX 4294967295u
#define PRESIL_DLA_COMMAND_DIV_COUNT_MAX 4096u
#define PRESIL_DLA_COMMAND_CRC_MAX 4294967295u

enum presil_dla_command_field {
  PRESIL_DLA_COMMAND_OP,
  PRESIL_DLA_COMMAND_W_BITS,
  PRESIL_DLA_COMMAND_IN_TYPE,
  PRESIL_DLA_COMMAND_OUT_TYPE,
  PRESIL_DLA_COMMAND_PACKED,
  PRESIL_DLA_COMMAND_ACC_INIT,
  PRESIL_DLA_COMMAND_RULE,
  PRESIL_DLA_COMMAND_LUT_EN,
  PRESIL_DLA_COMMAND_EW_OP,
  PRESIL_DLA_COMMAND_EW_RULE,
  PRESIL_DLA_COMMAND_UPSAMPLE2,
  PRESIL_DLA_COMMAND_FENCE,
  PRESIL_DLA_COMMAND_IRQ,
  PRESIL_DLA_COMMAND_ISA_VERSION,
  PRESIL_DLA_COMMAND_TAG,
  PRESIL_DLA_COMMAND_WAIT_WEIGHTS,
  PRESIL_DLA_COMMAND_WAIT_IN,
  PRESIL_DLA_COMMAND_WAIT_OUT,
  PRESIL_DLA_COMMAND_SIGNAL,
  PRESIL_DLA_COMMAND_WAIT_WEIGHTS_VALUE,
  PRESIL_DLA_COMMAND_WAIT_IN_VALUE,
  PRESIL_DLA_COMMAND_WAIT_OUT_VALUE,
  PRESIL_DLA_COMMAND_SIGNAL_ADD,
  PRESIL_DLA_COMMAND_BLOCK_ROWS,
  PRESIL_DLA_COMMAND_IN_BASE,
  PRESIL_DLA_COMMAND_IN_KB_STEP,
  PRESIL_DLA_COMMAND_IN_ROW_PITCH,
  PRESIL_DLA_COMMAND_KERNEL_H,
  PRESIL_DLA_COMMAND_IN_CB_PITCH,
  PRESIL_DLA_COMMAND_KERNEL_W,
  PRESIL_DLA_COMMAND_IN_X_STEP,
  PRESIL_DLA_COMMAND_IN_BLOCKS,
  PRESIL_DLA_COMMAND_PAD_TOP,
  PRESIL_DLA_COMMAND_PAD_LEFT,
  PRESIL_DLA_COMMAND_IN_H,
  PRESIL_DLA_COMMAND_IN_W,
  PRESIL_DLA_COMMAND_STRIDE_Y,
  PRESIL_DLA_COMMAND_STRIDE_X,
  PRESIL_DLA_COMMAND_PAD_VALUE,
  PRESIL_DLA_COMMAND_ROW_BYTES,
  PRESIL_DLA_COMMAND_DIL_Y,
  PRESIL_DLA_COMMAND_DIL_X,
  PRESIL_DLA_COMMAND_PACKED_IC,
  PRESIL_DLA_COMMAND_OUT_H,
  PRESIL_DLA_COMMAND_OUT_W,
  PRESIL_DLA_COMMAND_OUT_LANES_LAST,
  PRESIL_DLA_COMMAND_OUT_BASE,
  PRESIL_DLA_COMMAND_OUT_ROW_PITCH,
  PRESIL_DLA_COMMAND_OUT_CB_PITCH,
  PRESIL_DLA_COMMAND_OUT_X_STEP,
  PRESIL_DLA_COMMAND_OUT_BLOCKS,
  PRESIL_DLA_COMMAND_W_BASE,
  PRESIL_DLA_COMMAND_W_KB_PITCH,
  PRESIL_DLA_COMMAND_W_CB_PITCH,
  PRESIL_DLA_COMMAND_W_ZERO,
  PRESIL_DLA_COMMAND_P_BASE,
  PRESIL_DLA_COMMAND_LUT_BASE,
  PRESIL_DLA_COMMAND_ACT_MIN,
  PRESIL_DLA_COMMAND_ACT_MAX,
  PRESIL_DLA_COMMAND_OUT_ZERO,
  PRESIL_DLA_COMMAND_RES_BASE,
  PRESIL_DLA_COMMAND_RES_ROW_PITCH,
  PRESIL_DLA_COMMAND_RES_CB_PITCH,
  PRESIL_DLA_COMMAND_RES_X_STEP,
  PRESIL_DLA_COMMAND_EW_A_ZERO,
  PRESIL_DLA_COMMAND_EW_B_ZERO,
  PRESIL_DLA_COMMAND_EW_A_MULT,
  PRESIL_DLA_COMMAND_EW_B_MULT,
  PRESIL_DLA_COMMAND_EW_OUT_MULT,
  PRESIL_DLA_COMMAND_EW_A_SHIFT,
  PRESIL_DLA_COMMAND_EW_B_SHIFT,
  PRESIL_DLA_COMMAND_EW_OUT_SHIFT,
  PRESIL_DLA_COMMAND_EW_LEFT_SHIFT,
  PRESIL_DLA_COMMAND_EW_OUT_ZERO,
  PRESIL_DLA_COMMAND_EW_ACT_MIN,
  PRESIL_DLA_COMMAND_EW_ACT_MAX,
  PRESIL_DLA_COMMAND_DIV_RECIP,
  PRESIL_DLA_COMMAND_DIV_COUNT,
  PRESIL_DLA_COMMAND_CRC,
  PRESIL_DLA_COMMAND_FIELDS
};

static inline const struct presil_command_format* presil_dla_command_format(void) {
  static const char* const op_codes[] = {"nop", "conv", "dwconv", "maxpool", "sumpool", "pass"};
  static const char* const w_bits_codes[] = {"int8", "int4", "int2"};
  static const char* const in_type_codes[] = {"int8", "int16"};
  static const char* const out_type_codes[] = {"int8", "int16", "int32"};
  static const char* const acc_init_codes[] = {"bias", "int32"};
  static const char* const rule_codes[] = {"double", "float", "mul_add_shift", "divide", "int16", "single", NULL, "none"};
  static const char* const ew_op_codes[] = {"none", "add", "sub", "mul"};
  static const char* const ew_rule_codes[] = {"tflite", "xnnpack"};
  /* name, codes, min, max, legal_codes, used_by, multiple_of, word, lsb, width, is_signed, code_count, is_hex */
  static const struct presil_field fields[] = {
      {"op", op_codes, 0, 5, 0x3f, 0x0, 1, 0, 0, 4, 0, 6, 0},
      {"w_bits", w_bits_codes, 0, 2, 0x1, 0x6, 1, 0, 4, 2, 0, 3, 0},
      {"in_type", in_type_codes, 0, 1, 0x1, 0x3e, 1, 0, 6, 1, 0, 2, 0},
      {"out_type", out_type_codes, 0, 2, 0x5, 0x3e, 1, 0, 7, 2, 0, 3, 0},
      {"packed", NULL, 0, 1, 0x0, 0x2, 1, 0, 9, 1, 0, 0, 0},
      {"acc_init", acc_init_codes, 0, 1, 0x3, 0x2, 1, 0, 10, 1, 0, 2, 0},
      {"rule", rule_codes, 0, 7, 0xab, 0x3e, 1, 0, 11, 3, 0, 8, 0},
      {"lut_en", NULL, 0, 1, 0x0, 0x3e, 1, 0, 14, 1, 0, 0, 0},
      {"ew_op", ew_op_codes, 0, 3, 0xf, 0x3e, 1, 0, 15, 3, 0, 4, 0},
      {"ew_rule", ew_rule_codes, 0, 1, 0x3, 0x3e, 1, 0, 18, 1, 0, 2, 0},
      {"upsample2", NULL, 0, 1, 0x0, 0x3e, 1, 0, 19, 1, 0, 0, 0},
      {"fence", NULL, 0, 1, 0x0, 0x0, 1, 0, 20, 1, 0, 0, 0},
      {"irq", NULL, 0, 1, 0x0, 0x0, 1, 0, 21, 1, 0, 0, 0},
      {"isa_version", NULL, 1, 1, 0x0, 0x0, 1, 0, 24, 8, 0, 0, 0},
      {"tag", NULL, 0, 4294967295, 0x0, 0x0, 1, 1, 0, 32, 0, 0, 0},
      {"wait_weights", NULL, 0, 255, 0x0, 0x0, 1, 2, 0, 8, 0, 0, 0},
      {"wait_in", NULL, 0, 255, 0x0, 0x0, 1, 2, 8, 8, 0, 0, 0},
      {"wait_out", NULL, 0, 255, 0x0, 0x0, 1, 2, 16, 8, 0, 0, 0},
      {"signal", NULL, 0, 255, 0x0, 0x0, 1, 2, 24, 8, 0, 0, 0},
      {"wait_weights_value", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 3, 0, 32, 1, 0, 0},
      {"wait_in_value", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 4, 0, 32, 1, 0, 0},
      {"wait_out_value", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 5, 0, 32, 1, 0, 0},
      {"signal_add", NULL, 0, 65535, 0x0, 0x0, 1, 6, 0, 16, 0, 0, 0},
      {"block_rows", NULL, 1, 128, 0x0, 0x3e, 1, 6, 16, 8, 0, 0, 0},
      {"in_base", NULL, 0, 16777215, 0x0, 0x3e, 16, 7, 0, 24, 0, 0, 1},
      {"in_kb_step", NULL, 0, 255, 0x0, 0x3e, 1, 7, 24, 8, 0, 0, 0},
      {"in_row_pitch", NULL, 0, 16777215, 0x0, 0x3e, 16, 8, 0, 24, 0, 0, 1},
      {"kernel_h", NULL, 1, 63, 0x0, 0x3e, 1, 8, 24, 6, 0, 0, 0},
      {"in_cb_pitch", NULL, 0, 16777215, 0x0, 0x3e, 16, 9, 0, 24, 0, 0, 1},
      {"kernel_w", NULL, 1, 63, 0x0, 0x3e, 1, 9, 24, 6, 0, 0, 0},
      {"in_x_step", NULL, 0, 4095, 0x0, 0x3e, 1, 10, 0, 12, 0, 0, 0},
      {"in_blocks", NULL, 1, 1023, 0x0, 0x3e, 1, 10, 12, 10, 0, 0, 0},
      {"pad_top", NULL, 0, 31, 0x0, 0x3e, 1, 10, 22, 5, 0, 0, 0},
      {"pad_left", NULL, 0, 31, 0x0, 0x3e, 1, 10, 27, 5, 0, 0, 0},
      {"in_h", NULL, 1, 4095, 0x0, 0x3e, 1, 11, 0, 12, 0, 0, 0},
      {"in_w", NULL, 1, 4095, 0x0, 0x3e, 1, 11, 12, 12, 0, 0, 0},
      {"stride_y", NULL, 1, 7, 0x0, 0x3e, 1, 11, 24, 3, 0, 0, 0},
      {"stride_x", NULL, 1, 7, 0x0, 0x3e, 1, 11, 27, 3, 0, 0, 0},
      {"pad_value", NULL, -128, 127, 0x0, 0x3e, 1, 12, 0, 16, 1, 0, 0},
      {"row_bytes", NULL, 0, 65535, 0x0, 0x2, 1, 12, 16, 16, 0, 0, 0},
      {"dil_y", NULL, 1, 31, 0x0, 0x3e, 1, 13, 0, 5, 0, 0, 0},
      {"dil_x", NULL, 1, 31, 0x0, 0x3e, 1, 13, 5, 5, 0, 0, 0},
      {"packed_ic", NULL, 0, 8, 0x0, 0x2, 1, 13, 10, 4, 0, 0, 0},
      {"out_h", NULL, 1, 4095, 0x0, 0x3e, 1, 14, 0, 12, 0, 0, 0},
      {"out_w", NULL, 1, 4095, 0x0, 0x3e, 1, 14, 12, 12, 0, 0, 0},
      {"out_lanes_last", NULL, 1, 16, 0x0, 0x3e, 1, 14, 24, 5, 0, 0, 0},
      {"out_base", NULL, 0, 16777215, 0x0, 0x3e, 16, 15, 0, 24, 0, 0, 1},
      {"out_row_pitch", NULL, 0, 16777215, 0x0, 0x3e, 16, 16, 0, 24, 0, 0, 1},
      {"out_cb_pitch", NULL, 0, 16777215, 0x0, 0x3e, 16, 17, 0, 24, 0, 0, 1},
      {"out_x_step", NULL, 0, 4095, 0x0, 0x3e, 16, 18, 0, 12, 0, 0, 0},
      {"out_blocks", NULL, 1, 1023, 0x0, 0x3e, 1, 18, 12, 10, 0, 0, 0},
      {"w_base", NULL, 0, 16777215, 0x0, 0x6, 16, 19, 0, 24, 0, 0, 1},
      {"w_kb_pitch", NULL, 0, 16777215, 0x0, 0x6, 16, 20, 0, 24, 0, 0, 1},
      {"w_cb_pitch", NULL, 0, 16777215, 0x0, 0x6, 16, 21, 0, 24, 0, 0, 1},
      {"w_zero", NULL, -128, 127, 0x0, 0x6, 1, 21, 24, 8, 1, 0, 0},
      {"p_base", NULL, 0, 16777215, 0x0, 0x36, 16, 22, 0, 24, 0, 0, 1},
      {"lut_base", NULL, 0, 16777215, 0x0, 0x3e, 16, 23, 0, 24, 0, 0, 1},
      {"act_min", NULL, -128, 127, 0x0, 0x3e, 1, 24, 0, 16, 1, 0, 0},
      {"act_max", NULL, -128, 127, 0x0, 0x3e, 1, 24, 16, 16, 1, 0, 0},
      {"out_zero", NULL, -128, 127, 0x0, 0x3e, 1, 25, 0, 16, 1, 0, 0},
      {"res_base", NULL, 0, 16777215, 0x0, 0x3e, 16, 26, 0, 24, 0, 0, 1},
      {"res_row_pitch", NULL, 0, 16777215, 0x0, 0x3e, 16, 27, 0, 24, 0, 0, 1},
      {"res_cb_pitch", NULL, 0, 16777215, 0x0, 0x3e, 16, 28, 0, 24, 0, 0, 1},
      {"res_x_step", NULL, 0, 4095, 0x0, 0x3e, 16, 29, 0, 12, 0, 0, 0},
      {"ew_a_zero", NULL, -128, 127, 0x0, 0x3e, 1, 30, 0, 16, 1, 0, 0},
      {"ew_b_zero", NULL, -128, 127, 0x0, 0x3e, 1, 30, 16, 16, 1, 0, 0},
      {"ew_a_mult", NULL, -2147483648, 2147483647, 0x0, 0x3e, 1, 31, 0, 32, 1, 0, 0},
      {"ew_b_mult", NULL, -2147483648, 2147483647, 0x0, 0x3e, 1, 32, 0, 32, 1, 0, 0},
      {"ew_out_mult", NULL, -2147483648, 2147483647, 0x0, 0x3e, 1, 33, 0, 32, 1, 0, 0},
      {"ew_a_shift", NULL, -31, 30, 0x0, 0x3e, 1, 34, 0, 6, 1, 0, 0},
      {"ew_b_shift", NULL, -31, 30, 0x0, 0x3e, 1, 34, 8, 6, 1, 0, 0},
      {"ew_out_shift", NULL, -31, 31, 0x0, 0x3e, 1, 34, 16, 6, 1, 0, 0},
      {"ew_left_shift", NULL, 0, 22, 0x0, 0x3e, 1, 34, 24, 5, 0, 0, 0},
      {"ew_out_zero", NULL, -128, 127, 0x0, 0x3e, 1, 35, 0, 16, 1, 0, 0},
      {"ew_act_min", NULL, -128, 127, 0x0, 0x3e, 1, 36, 0, 16, 1, 0, 0},
      {"ew_act_max", NULL, -128, 127, 0x0, 0x3e, 1, 36, 16, 16, 1, 0, 0},
      {"div_recip", NULL, 0, 4294967295, 0x0, 0x36, 1, 37, 0, 32, 0, 0, 1},
      {"div_count", NULL, 0, 4096, 0x0, 0x36, 1, 38, 0, 16, 0, 0, 0},
      {"crc", NULL, 0, 4294967295, 0x0, 0x0, 1, 39, 0, 32, 0, 0, 1},
  };
  static const uint32_t reserved[] = {
0x00c00000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0xff000000, 0x00000000,
0xc0000000, 0xc0000000, 0x00000000, 0xc0000000, 0x00000000, 0xffffc000, 0xe0000000, 0xff000000,
0xff000000, 0xff000000, 0xffc00000, 0xff000000, 0xff000000, 0x00000000, 0xff000000, 0xff000000,
0x00000000, 0xffff0000, 0xff000000, 0xff000000, 0xff000000, 0xfffff000, 0x00000000, 0x00000000,
0x00000000, 0x00000000, 0xe0c0c0c0, 0xffff0000, 0x00000000, 0x00000000, 0xffff0000, 0x00000000,
  };
  static const struct presil_command_format format = {
      "dla_command", fields, reserved, PRESIL_DLA_COMMAND_FIELDS, PRESIL_DLA_COMMAND_WORDS, PRESIL_DLA_COMMAND_PITCH,
      PRESIL_DLA_COMMAND_OP, PRESIL_DLA_COMMAND_ISA_VERSION};
  return &format;
}

static inline const struct presil_field* presil_dla_command_fields(void) { return presil_dla_command_format()->fields; }

#ifdef __cplusplus
}
#endif
