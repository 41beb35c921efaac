/* Rules between the fields of a DLA command, and its addresses: rtl/dla/README.md, in its order. */
#include "driver/core/device.h"
#include "rtl/dla/dla.h"
#include "rtl/dla/dla_rules.h"

#define F(name) presil_field_get(words, &presil_dla_command_fields()[PRESIL_DLA_COMMAND_##name])

static int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

/* Everything between low and high is taken; the common forms of a rule. */
static bool is(presil_finding* f, unsigned rule, const char* what, int64_t got, int64_t expected,
               const char* why) {
  return presil_within(f, rule, what, got, expected, expected, why);
}
static bool at_most(presil_finding* f, unsigned rule, const char* what, int64_t got, int64_t high,
                    const char* why) {
  return presil_within(f, rule, what, got, INT64_MIN, high, why);
}

static bool shape_rules(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  const int64_t op = F(OP);
  const bool conv = op == PRESIL_DLA_OP_CONV, dwconv = op == PRESIL_DLA_OP_DWCONV;
  const bool maxpool = op == PRESIL_DLA_OP_MAXPOOL, sumpool = op == PRESIL_DLA_OP_SUMPOOL;
  const bool pass = op == PRESIL_DLA_OP_PASS;
  const int64_t extent_h = (F(KERNEL_H) - 1) * F(DIL_Y) + 1;
  const int64_t extent_w = (F(KERNEL_W) - 1) * F(DIL_X) + 1;
  const int64_t last_row = (F(OUT_H) - 1) * F(STRIDE_Y) - F(PAD_TOP);
  const int64_t last_column = (F(OUT_W) - 1) * F(STRIDE_X) - F(PAD_LEFT);

  if (!pass && !at_most(f, PRESIL_DLA_R1_BLOCK_FITS, "block_rows * out_w", F(BLOCK_ROWS) * F(OUT_W),
                        limits->acc_depth, "a block fits the accumulators")) {
    return false;
  }
  if ((conv || dwconv) && (!at_most(f, PRESIL_DLA_R2_KERNEL_SIZE, "kernel_h", F(KERNEL_H), 16,
                                    "kernels are at most 16 x 16") ||
                           !at_most(f, PRESIL_DLA_R2_KERNEL_SIZE, "kernel_w", F(KERNEL_W), 16,
                                    "kernels are at most 16 x 16"))) {
    return false;
  }
  if (pass &&
      (!is(f, PRESIL_DLA_R3_PASS_KERNEL, "kernel_h", F(KERNEL_H), 1, "pass has no kernel") ||
       !is(f, PRESIL_DLA_R3_PASS_KERNEL, "kernel_w", F(KERNEL_W), 1, "pass has no kernel") ||
       !is(f, PRESIL_DLA_R3_PASS_KERNEL, "dil_y", F(DIL_Y), 1, "pass has no kernel") ||
       !is(f, PRESIL_DLA_R3_PASS_KERNEL, "dil_x", F(DIL_X), 1, "pass has no kernel"))) {
    return false;
  }
  if ((maxpool || sumpool) &&
      (!is(f, PRESIL_DLA_R4_PLAIN_POOL, "dil_y", F(DIL_Y), 1, "pools are not dilated") ||
       !is(f, PRESIL_DLA_R4_PLAIN_POOL, "dil_x", F(DIL_X), 1, "pools are not dilated") ||
       !is(f, PRESIL_DLA_R4_PLAIN_POOL, "pad_value", F(PAD_VALUE), 0,
           "pools have no padding value"))) {
    return false;
  }
  if (!pass && (!at_most(f, PRESIL_DLA_R5_PADDING, "pad_top", F(PAD_TOP), extent_h - 1,
                         "padding is less than the kernel") ||
                !at_most(f, PRESIL_DLA_R5_PADDING, "pad_left", F(PAD_LEFT), extent_w - 1,
                         "padding is less than the kernel"))) {
    return false;
  }
  if (maxpool && (!at_most(f, PRESIL_DLA_R6_EMPTY_WINDOW, "first row of the last window", last_row,
                           F(IN_H) - 1, "no window is empty") ||
                  !at_most(f, PRESIL_DLA_R6_EMPTY_WINDOW, "first column of the last window",
                           last_column, F(IN_W) - 1, "no window is empty"))) {
    return false;
  }
  if (!conv && (!is(f, PRESIL_DLA_R7_ONE_INPUT_BLOCK, "in_blocks", F(IN_BLOCKS), 1,
                    "each output block has one input block") ||
                !is(f, PRESIL_DLA_R7_ONE_INPUT_BLOCK, "in_kb_step", F(IN_KB_STEP), 1,
                    "each output block has one input block"))) {
    return false;
  }
  return true;
}

static bool layout_rules(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  if (F(PACKED)) {
    const int64_t ic = F(PACKED_IC), step = F(STRIDE_X) * ic;
    const char* const why = "packed rows: see rule R8";
    if (!is(f, PRESIL_DLA_R8_PACKED, "dil_x", F(DIL_X), 1, why) ||
        !presil_within(f, PRESIL_DLA_R8_PACKED, "packed_ic", ic, 1, 8, why) ||
        !at_most(f, PRESIL_DLA_R8_PACKED, "stride_x * packed_ic", step, 16, why) ||
        !is(f, PRESIL_DLA_R8_PACKED, "in_x_step", F(IN_X_STEP), step,
            "packed: stride_x * packed_ic") ||
        !is(f, PRESIL_DLA_R8_PACKED, "in_blocks", F(IN_BLOCKS), ceil_div(F(KERNEL_W) * ic, 16),
            "packed: ceil(kernel_w * packed_ic / 16)") ||
        !is(f, PRESIL_DLA_R8_PACKED, "row_bytes", F(ROW_BYTES), F(IN_W) * ic,
            "packed: in_w * packed_ic") ||
        !is(f, PRESIL_DLA_R8_PACKED, "in_kb_step", F(IN_KB_STEP), 0, why) ||
        !is(f, PRESIL_DLA_R8_PACKED, "in_cb_pitch", F(IN_CB_PITCH), 0, why)) {
      return false;
    }
  } else if (!is(f, PRESIL_DLA_R9_NOT_PACKED, "packed_ic", F(PACKED_IC), 0,
                 "only packed uses it") ||
             !is(f, PRESIL_DLA_R9_NOT_PACKED, "row_bytes", F(ROW_BYTES), 0,
                 "only packed uses it") ||
             !is(f, PRESIL_DLA_R9_NOT_PACKED, "in_x_step modulo 16", F(IN_X_STEP) % 16, 0,
                 "pixels are whole words")) {
    return false;
  }
  if (F(OP) == PRESIL_DLA_OP_CONV && F(IN_KB_STEP) != 0 &&
      !is(f, PRESIL_DLA_R10_KB_STEP, "macs_k", limits->macs_k, 16,
          "in_kb_step other than 0 requires an array of 16 rows")) {
    return false;
  }
  return true;
}

static bool reads_parameters(const uint32_t* words) {
  const int64_t op = F(OP);
  return op == PRESIL_DLA_OP_CONV || op == PRESIL_DLA_OP_DWCONV || op == PRESIL_DLA_OP_SUMPOOL ||
         (op == PRESIL_DLA_OP_PASS && F(RULE) != PRESIL_DLA_RULE_NONE);
}

static bool reads_operand(const uint32_t* words) {
  return F(EW_OP) != PRESIL_DLA_EW_OP_NONE || F(ACC_INIT) == PRESIL_DLA_ACC_INIT_INT32;
}

static bool post_rules(const uint32_t* words, presil_finding* f) {
  const int64_t op = F(OP), rule = F(RULE);
  const bool conv = op == PRESIL_DLA_OP_CONV;
  if (rule == PRESIL_DLA_RULE_DIVIDE &&
      !is(f, PRESIL_DLA_R11_RULE_OF_OP, "op", op, PRESIL_DLA_OP_SUMPOOL,
          "rule divide goes with sumpool")) {
    return false;
  }
  if (op == PRESIL_DLA_OP_MAXPOOL && !is(f, PRESIL_DLA_R11_RULE_OF_OP, "rule", rule,
                                         PRESIL_DLA_RULE_NONE, "maxpool goes with rule none")) {
    return false;
  }
  if (rule == PRESIL_DLA_RULE_DIVIDE) {
    if (!presil_within(f, PRESIL_DLA_R12_DIVIDE, "div_count", F(DIV_COUNT), 2, 4096,
                       "rule divide") ||
        !is(f, PRESIL_DLA_R12_DIVIDE, "div_recip", F(DIV_RECIP),
            (INT64_C(1) << 32) / F(DIV_COUNT) + 1, "floor(2^32 / div_count) + 1")) {
      return false;
    }
  } else if (!is(f, PRESIL_DLA_R12_DIVIDE, "div_count", F(DIV_COUNT), 0,
                 "only rule divide uses it") ||
             !is(f, PRESIL_DLA_R12_DIVIDE, "div_recip", F(DIV_RECIP), 0,
                 "only rule divide uses it")) {
    return false;
  }
  const bool partial = F(OUT_TYPE) == PRESIL_DLA_OUT_TYPE_INT32;
  if (partial) {
    const char* const why = "partial sums (out_type int32) leave as they are";
    if (!is(f, PRESIL_DLA_R13_INT32_OUTPUT, "op", op, PRESIL_DLA_OP_CONV, why) ||
        !is(f, PRESIL_DLA_R13_INT32_OUTPUT, "rule", rule, PRESIL_DLA_RULE_NONE, why) ||
        !is(f, PRESIL_DLA_R13_INT32_OUTPUT, "lut_en", F(LUT_EN), 0, why) ||
        !is(f, PRESIL_DLA_R13_INT32_OUTPUT, "ew_op", F(EW_OP), 0, why) ||
        !is(f, PRESIL_DLA_R13_INT32_OUTPUT, "upsample2", F(UPSAMPLE2), 0, why) ||
        !is(f, PRESIL_DLA_R13_INT32_OUTPUT, "out_zero", F(OUT_ZERO), 0, why) ||
        !is(f, PRESIL_DLA_R13_INT32_OUTPUT, "act_min", F(ACT_MIN), 0, why) ||
        !is(f, PRESIL_DLA_R13_INT32_OUTPUT, "act_max", F(ACT_MAX), 0, why)) {
      return false;
    }
  } else if (conv && rule == PRESIL_DLA_RULE_NONE) {
    return is(f, PRESIL_DLA_R13_INT32_OUTPUT, "out_type", F(OUT_TYPE), PRESIL_DLA_OUT_TYPE_INT32,
              "conv with rule none gives partial sums");
  }
  if (!at_most(f, PRESIL_DLA_R14_CLAMP, "act_min", F(ACT_MIN), F(ACT_MAX), "act_min <= act_max") ||
      !at_most(f, PRESIL_DLA_R14_CLAMP, "ew_act_min", F(EW_ACT_MIN), F(EW_ACT_MAX),
               "ew_act_min <= ew_act_max")) {
    return false;
  }
  if (conv && F(ACC_INIT) == PRESIL_DLA_ACC_INIT_INT32 &&
      !is(f, PRESIL_DLA_R15_PARTIAL_SUMS, "ew_op", F(EW_OP), 0,
          "partial sums and second operand share a port")) {
    return false;
  }
  if (!F(LUT_EN) && !is(f, PRESIL_DLA_R16_TABLE, "lut_base", F(LUT_BASE), 0, "lut_en is 0"))
    return false;
  if (!reads_parameters(words) &&
      !is(f, PRESIL_DLA_R17_PARAMETERS, "p_base", F(P_BASE), 0, "no parameters are read"))
    return false;
  if (!reads_operand(words) && (!is(f, PRESIL_DLA_R18_SECOND_OPERAND, "res_base", F(RES_BASE), 0,
                                    "no second operand is read") ||
                                !is(f, PRESIL_DLA_R18_SECOND_OPERAND, "res_row_pitch",
                                    F(RES_ROW_PITCH), 0, "no second operand is read") ||
                                !is(f, PRESIL_DLA_R18_SECOND_OPERAND, "res_cb_pitch",
                                    F(RES_CB_PITCH), 0, "no second operand is read") ||
                                !is(f, PRESIL_DLA_R18_SECOND_OPERAND, "res_x_step", F(RES_X_STEP),
                                    0, "no second operand is read"))) {
    return false;
  }
  return true;
}

/* Fields that the element-wise operation does not use must be 0. */
static bool element_wise_rules(const uint32_t* words, presil_finding* f) {
  const int64_t op = F(EW_OP);
  const bool xnnpack = F(EW_RULE) == PRESIL_DLA_EW_RULE_XNNPACK;
  const char* const none = "ew_op is none";
  const char* const unused = "this element-wise operation does not use it";
  if (op == PRESIL_DLA_EW_OP_NONE) {
    return is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_rule", F(EW_RULE), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_a_zero", F(EW_A_ZERO), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_b_zero", F(EW_B_ZERO), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_a_mult", F(EW_A_MULT), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_b_mult", F(EW_B_MULT), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_out_mult", F(EW_OUT_MULT), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_a_shift", F(EW_A_SHIFT), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_b_shift", F(EW_B_SHIFT), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_out_shift", F(EW_OUT_SHIFT), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_left_shift", F(EW_LEFT_SHIFT), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_out_zero", F(EW_OUT_ZERO), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_act_min", F(EW_ACT_MIN), 0, none) &&
           is(f, PRESIL_DLA_R19_NO_ELEMENT_WISE, "ew_act_max", F(EW_ACT_MAX), 0, none);
  }
  if (xnnpack && op == PRESIL_DLA_EW_OP_SUB) {
    return is(f, PRESIL_DLA_R20_XNNPACK_SUB, "ew_op", op, PRESIL_DLA_EW_OP_ADD,
              "under xnnpack a - b is an add with negative ew_b_mult");
  }
  const bool mul = op == PRESIL_DLA_EW_OP_MUL;
  if (mul || xnnpack) {
    if (!is(f, PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, "ew_left_shift", F(EW_LEFT_SHIFT), 0, unused) ||
        !is(f, PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, "ew_a_shift", F(EW_A_SHIFT), 0, unused) ||
        !is(f, PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, "ew_b_shift", F(EW_B_SHIFT), 0, unused)) {
      return false;
    }
  }
  if (mul && (!is(f, PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, "ew_a_mult", F(EW_A_MULT), 0, unused) ||
              !is(f, PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, "ew_b_mult", F(EW_B_MULT), 0, unused))) {
    return false;
  }
  if (mul && xnnpack &&
      !is(f, PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, "ew_out_shift", F(EW_OUT_SHIFT), 0, unused))
    return false;
  if (!mul && xnnpack &&
      (!is(f, PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, "ew_a_zero", F(EW_A_ZERO), 0, unused) ||
       !is(f, PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, "ew_b_zero", F(EW_B_ZERO), 0, unused))) {
    return false;
  }
  return xnnpack && !mul ? presil_within(f, PRESIL_DLA_R22_OUTPUT_SHIFT, "ew_out_shift",
                                         F(EW_OUT_SHIFT), 0, 31, "a shift to the right")
                         : presil_within(f, PRESIL_DLA_R22_OUTPUT_SHIFT, "ew_out_shift",
                                         F(EW_OUT_SHIFT), -31, 30, "positive is left");
}

/* `end` = last byte + 1 of what the command touches from a base. */
static bool inside(presil_finding* f, const presil_limits* limits, const char* what, int64_t end) {
  if (at_most(f, 0, what, end, limits->sram_bytes, "the SRAM ends there")) return true;
  f->code = PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE;
  return false;
}

static bool addresses(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  const int64_t op = F(OP), k = limits->macs_k, c = limits->macs_c;
  const int64_t out_blocks = F(OUT_BLOCKS), rows = F(IN_H) - 1;
  int64_t in_end = F(IN_BASE) + rows * F(IN_ROW_PITCH);
  if (F(PACKED)) {
    in_end += ceil_div(F(ROW_BYTES), 16) * 16;
  } else {
    const int64_t block = F(IN_BLOCKS) - 1 + (out_blocks - 1) * F(IN_KB_STEP);
    in_end += block * F(IN_CB_PITCH) + (F(IN_W) - 1) * F(IN_X_STEP) + 16;
  }
  if (!inside(f, limits, "end of the input (in_base and pitches)", in_end)) return false;

  if (op == PRESIL_DLA_OP_CONV || op == PRESIL_DLA_OP_DWCONV) {
    const int64_t kbs = ceil_div(16 * out_blocks, k);
    int64_t n = 0, sets = 0, set_bytes = k * 16;
    if (op == PRESIL_DLA_OP_DWCONV) {
      n = ceil_div(F(KERNEL_H), 4);
      sets = F(DIL_X) > 1 ? F(KERNEL_W) : ceil_div(F(KERNEL_W), 4);
    } else if (F(PACKED)) {
      n = F(IN_BLOCKS);
      sets = F(KERNEL_H);
    } else {
      n = ceil_div(16 * F(IN_BLOCKS), c);
      sets = F(KERNEL_H) * F(KERNEL_W);
      set_bytes = k * c;
    }
    const int64_t end =
        F(W_BASE) + (kbs - 1) * F(W_KB_PITCH) + (n - 1) * F(W_CB_PITCH) + sets * set_bytes;
    if (!inside(f, limits, "end of the weights (w_base and pitches)", end)) return false;
  }
  if (reads_parameters(words) &&
      !inside(f, limits, "end of the channel parameters (p_base)", F(P_BASE) + 144 * out_blocks)) {
    return false;
  }
  if (F(LUT_EN) && !inside(f, limits, "end of the table (lut_base)", F(LUT_BASE) + 256))
    return false;
  if (reads_operand(words)) {
    const int64_t word = F(ACC_INIT) == PRESIL_DLA_ACC_INIT_INT32 ? 64 : 16;
    const int64_t end = F(RES_BASE) + (out_blocks - 1) * F(RES_CB_PITCH) +
                        (F(OUT_H) - 1) * F(RES_ROW_PITCH) + (F(OUT_W) - 1) * F(RES_X_STEP) + word;
    if (!inside(f, limits, "end of the second operand (res_base and pitches)", end)) return false;
  }
  const int64_t scale = F(UPSAMPLE2) ? 2 : 1;
  const int64_t word = F(OUT_TYPE) == PRESIL_DLA_OUT_TYPE_INT32 ? 64 : 16;
  const int64_t out_end = F(OUT_BASE) + (out_blocks - 1) * F(OUT_CB_PITCH) +
                          (scale * F(OUT_H) - 1) * F(OUT_ROW_PITCH) +
                          (scale * F(OUT_W) - 1) * F(OUT_X_STEP) + word;
  return inside(f, limits, "end of the output (out_base and pitches)", out_end);
}

static bool check(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  if (F(OP) == PRESIL_DLA_OP_NOP) return true;
  return shape_rules(words, limits, f) && layout_rules(words, limits, f) && post_rules(words, f) &&
         element_wise_rules(words, f) && addresses(words, limits, f);
}

#define FIELD(word, name) (((word)&PRESIL_DLA_##name##_MASK) >> PRESIL_DLA_##name##_SHIFT)

static void read_capability(presil_device* d, uint64_t registers, presil_capability* c) {
  const uint32_t array = presil_read(d, registers + PRESIL_DLA_REG_ARRAY);
  const uint32_t options = presil_read(d, registers + PRESIL_DLA_REG_CAPABILITY);
  c->dla_macs_k = (uint16_t)FIELD(array, ARRAY_MACS_K);
  c->dla_macs_c = (uint16_t)FIELD(array, ARRAY_MACS_C);
  c->dla_acc_depth = (uint16_t)FIELD(presil_read(d, registers + PRESIL_DLA_REG_ACC), ACC_DEPTH);
  c->dla_int16 = (uint8_t)FIELD(options, CAPABILITY_INT16);
  c->dla_int4 = (uint8_t)FIELD(options, CAPABILITY_INT4);
  c->dla_int2 = (uint8_t)FIELD(options, CAPABILITY_INT2);
}

static void read_limits(presil_device* d, presil_limits* limits) {
  const presil_capability c = presil_device_capability(d);
  limits->acc_depth = c.dla_acc_depth;
  limits->macs_k = c.dla_macs_k;
  limits->macs_c = c.dla_macs_c;
}

const presil_engine_driver presil_dla_driver = {
    .read_capability = read_capability, .check = check, .read_limits = read_limits};
