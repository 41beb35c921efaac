#include "models/dla/dla_check.h"

#include <array>
#include <initializer_list>

#include "models/dla/dla_shape.h"
#include "rtl/dla/dla_rules.h"

namespace presil::dla {
namespace {

bool is_pool(const Command& c) {
  return c.op == Op::kMaxpool || c.op == Op::kSumpool;
}

bool all_zero(std::initializer_list<int64_t> fields) {
  for (const int64_t field : fields) {
    if (field != 0) return false;
  }
  return true;
}

// One rule: holds or not. `word` is where its first field is. Its words: engine.yaml.
struct RuleOfFields {
  uint8_t number, word;
  bool (*holds)(const Command& c, const DlaConfig& config);
};

constexpr std::array<RuleOfFields, PRESIL_DLA_RULES> kRules{{
    {PRESIL_DLA_R1_BLOCK_FITS, 6,
     [](const Command& c, const DlaConfig& d) {
       return c.op == Op::kPass || unsigned{c.block_rows} * c.out_w <= d.acc_depth;
     }},
    {PRESIL_DLA_R2_KERNEL_SIZE, 8,
     [](const Command& c, const DlaConfig&) {
       return (c.op != Op::kConv && c.op != Op::kDwconv) || (c.kernel_h <= 16 && c.kernel_w <= 16);
     }},
    {PRESIL_DLA_R3_PASS_KERNEL, 8,
     [](const Command& c, const DlaConfig&) {
       return c.op != Op::kPass ||
              (c.kernel_h == 1 && c.kernel_w == 1 && c.dil_y == 1 && c.dil_x == 1);
     }},
    {PRESIL_DLA_R4_PLAIN_POOL, 13,
     [](const Command& c, const DlaConfig&) {
       return !is_pool(c) || (c.dil_y == 1 && c.dil_x == 1 && c.pad_value == 0);
     }},
    {PRESIL_DLA_R5_PADDING, 10,
     [](const Command& c, const DlaConfig&) {
       return c.op == Op::kPass || (c.pad_top < (c.kernel_h - 1) * c.dil_y + 1 &&
                                    c.pad_left < (c.kernel_w - 1) * c.dil_x + 1);
     }},
    {PRESIL_DLA_R6_EMPTY_WINDOW, 11,
     [](const Command& c, const DlaConfig&) {
       return c.op != Op::kMaxpool || ((c.out_h - 1) * c.stride_y - c.pad_top < c.in_h &&
                                       (c.out_w - 1) * c.stride_x - c.pad_left < c.in_w);
     }},
    {PRESIL_DLA_R7_ONE_INPUT_BLOCK, 10,
     [](const Command& c, const DlaConfig&) {
       return c.op == Op::kConv || (c.in_blocks == 1 && c.in_kb_step == 1);
     }},
    {PRESIL_DLA_R8_PACKED, 10,
     [](const Command& c, const DlaConfig&) {
       const unsigned ic = c.packed_ic;
       return !c.packed ||
              (c.dil_x == 1 && ic >= 1 && c.stride_x * ic <= 16 && c.in_x_step == c.stride_x * ic &&
               c.in_blocks == (c.kernel_w * ic + 15) / 16 && c.row_bytes == c.in_w * ic &&
               c.in_kb_step == 0 && c.in_cb_pitch == 0);
     }},
    {PRESIL_DLA_R9_NOT_PACKED, 10,
     [](const Command& c, const DlaConfig&) {
       return c.packed || (c.packed_ic == 0 && c.row_bytes == 0 && c.in_x_step % 16 == 0);
     }},
    {PRESIL_DLA_R10_KB_STEP, 7,
     [](const Command& c, const DlaConfig& d) {
       return c.op != Op::kConv || c.in_kb_step == 0 || d.macs_k == 16;
     }},
    {PRESIL_DLA_R11_RULE_OF_OP, 0,
     [](const Command& c, const DlaConfig&) {
       return (c.rule != Rule::kDivide || c.op == Op::kSumpool) &&
              (c.op != Op::kMaxpool || c.rule == Rule::kNone);
     }},
    {PRESIL_DLA_R12_DIVIDE, 37,
     [](const Command& c, const DlaConfig&) {
       if (c.rule != Rule::kDivide) return c.div_count == 0 && c.div_recip == 0;
       return c.div_count >= 2 && c.div_recip == (uint64_t{1} << 32) / c.div_count + 1;
     }},
    {PRESIL_DLA_R13_INT32_OUTPUT, 0,
     [](const Command& c, const DlaConfig&) {
       if (c.out_type != OutType::kInt32) return c.op != Op::kConv || c.rule != Rule::kNone;
       return c.op == Op::kConv && c.rule == Rule::kNone && !c.lut_en && c.ew_op == EwOp::kNone &&
              !c.upsample2 && all_zero({c.out_zero, c.act_min, c.act_max});
     }},
    {PRESIL_DLA_R14_CLAMP, 24,
     [](const Command& c, const DlaConfig&) {
       return c.act_min <= c.act_max && c.ew_act_min <= c.ew_act_max;
     }},
    {PRESIL_DLA_R15_PARTIAL_SUMS, 0,
     [](const Command& c, const DlaConfig&) {
       return c.acc_init == AccInit::kBias || c.ew_op == EwOp::kNone;
     }},
    {PRESIL_DLA_R16_TABLE, 23,
     [](const Command& c, const DlaConfig&) { return c.lut_en || c.lut_base == 0; }},
    {PRESIL_DLA_R17_PARAMETERS, 22,
     [](const Command& c, const DlaConfig&) { return reads_parameters(c) || c.p_base == 0; }},
    {PRESIL_DLA_R18_SECOND_OPERAND, 26,
     [](const Command& c, const DlaConfig&) {
       return reads_second(c) ||
              all_zero({c.res_base, c.res_row_pitch, c.res_cb_pitch, c.res_x_step});
     }},
    {PRESIL_DLA_R19_NO_ELEMENT_WISE, 30,
     [](const Command& c, const DlaConfig&) {
       return c.ew_op != EwOp::kNone ||
              all_zero({int64_t(c.ew_rule), c.ew_a_zero, c.ew_b_zero, c.ew_a_mult, c.ew_b_mult,
                        c.ew_out_mult, c.ew_a_shift, c.ew_b_shift, c.ew_out_shift, c.ew_left_shift,
                        c.ew_out_zero, c.ew_act_min, c.ew_act_max});
     }},
    {PRESIL_DLA_R20_XNNPACK_SUB, 0,
     [](const Command& c, const DlaConfig&) {
       return c.ew_rule != EwRule::kXnnpack || c.ew_op == EwOp::kAdd || c.ew_op == EwOp::kMul;
     }},
    {PRESIL_DLA_R21_ELEMENT_WISE_UNUSED, 30,
     [](const Command& c, const DlaConfig&) {
       const bool tflite = c.ew_rule == EwRule::kTflite;
       if (c.ew_op == EwOp::kNone || (tflite && c.ew_op != EwOp::kMul)) return true;
       if (c.ew_op == EwOp::kAdd) {
         return all_zero({c.ew_left_shift, c.ew_a_zero, c.ew_b_zero, c.ew_a_shift, c.ew_b_shift});
       }
       return all_zero({c.ew_left_shift, c.ew_a_mult, c.ew_b_mult, c.ew_a_shift, c.ew_b_shift}) &&
              (tflite || c.ew_out_shift == 0);
     }},
    {PRESIL_DLA_R22_OUTPUT_SHIFT, 34,
     [](const Command& c, const DlaConfig&) {
       if (c.ew_rule == EwRule::kTflite) return c.ew_out_shift <= 30;
       return c.ew_op != EwOp::kAdd || c.ew_out_shift >= 0;
     }},
}};

// Bytes that must follow a base address.
struct Extent {
  uint8_t word;
  const char* name;
  uint32_t base;
  uint64_t bytes;
};

uint64_t last_of(uint64_t count, uint64_t pitch) {
  return (count - 1) * pitch;
}

uint64_t input_bytes(const Command& c) {
  const uint64_t rows = last_of(c.in_h, c.in_row_pitch);
  if (c.packed) return rows + (c.row_bytes + 15u) / 16 * 16;
  const uint64_t block = c.in_blocks - 1u + last_of(c.out_blocks, c.in_kb_step);
  return block * c.in_cb_pitch + rows + last_of(c.in_w, c.in_x_step) + 16;
}

uint64_t weight_bytes(const Command& c, const DlaConfig& d) {
  const uint64_t kbs = (16u * c.out_blocks + d.macs_k - 1) / d.macs_k;
  uint64_t groups = c.in_blocks, sets = c.kernel_h, lanes = 16;
  if (c.op == Op::kDwconv) {
    groups = chunk_rows(c);
    sets = chunk_columns(c);
  } else if (!c.packed) {
    groups = (16u * c.in_blocks + d.macs_c - 1) / d.macs_c;
    sets = uint64_t{c.kernel_h} * c.kernel_w;
    lanes = d.macs_c;
  }
  return last_of(kbs, c.w_kb_pitch) + last_of(groups, c.w_cb_pitch) + sets * d.macs_k * lanes;
}

uint64_t output_bytes(const Command& c) {
  const uint64_t copies = c.upsample2 ? 2 : 1;
  return last_of(c.out_blocks, c.out_cb_pitch) + last_of(c.out_h * copies, c.out_row_pitch) +
         last_of(c.out_w * copies, c.out_x_step) + output_pixel_bytes(c);
}

uint64_t second_bytes(const Command& c) {
  return last_of(c.out_blocks, c.res_cb_pitch) + last_of(c.out_h, c.res_row_pitch) +
         last_of(c.out_w, c.res_x_step) + second_pixel_bytes(c);
}

std::optional<Fault> check_rules(const Command& c, const DlaConfig& config) {
  for (const RuleOfFields& rule : kRules) {
    if (rule.holds(c, config)) continue;
    return Fault{PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule.number, rule.word, 0,
                 "rule R" + std::to_string(rule.number) +
                     " is broken, required: " + presil_dla_rules()[rule.number - 1].required};
  }
  return std::nullopt;
}

std::optional<Fault> check_counters(const Command& c, uint8_t sync_count) {
  for (const uint8_t id : {c.wait_weights, c.wait_in, c.wait_out, c.signal}) {
    if (id <= sync_count) continue;
    return Fault{PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, 0, 2, 0,
                 "counter id is " + std::to_string(id) + ", must be at most " +
                     std::to_string(sync_count) + " (word 2)"};
  }
  return std::nullopt;
}

std::array<Extent, kReadWindows + 1> extents_of(const Command& c, const DlaConfig& config) {
  return {{
      {7, "in_base", c.in_base, input_bytes(c)},
      {19, "w_base", c.w_base, reads_weights(c) ? weight_bytes(c, config) : 0},
      {22, "p_base", c.p_base, reads_parameters(c) ? uint64_t{kParameterBytes} * c.out_blocks : 0},
      {23, "lut_base", c.lut_base, c.lut_en ? 256u : 0u},
      {26, "res_base", c.res_base, reads_second(c) ? second_bytes(c) : 0},
      {15, "out_base", c.out_base, output_bytes(c)},
  }};
}

std::optional<Fault> check_addresses(const Command& c, const DlaConfig& config, uint32_t sram_base,
                                     uint32_t sram_bytes) {
  for (const Extent& e : extents_of(c, config)) {
    const uint64_t end = uint64_t{sram_base} + e.base + e.bytes;
    if (e.bytes == 0 || end <= sram_bytes) continue;
    return Fault{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, e.word, end,
                 std::string(e.name) + " reaches byte " + std::to_string(end) +
                     ", must be at most " + std::to_string(sram_bytes) + " (word " +
                     std::to_string(e.word) + ")"};
  }
  return std::nullopt;
}

Fault fault_of(const presil_violation& v) {
  return {v.code, 0, static_cast<uint8_t>(v.word), 0, to_text(v)};
}

std::optional<Fault> check_decoded(const Command& c, const DlaConfig& config, uint32_t sram_base,
                                   uint8_t sync_count, uint32_t sram_bytes) {
  if (c.op != Op::kNop) {
    if (auto fault = check_rules(c, config)) return fault;
  }
  if (auto fault = check_counters(c, sync_count)) return fault;
  if (c.op == Op::kNop) return std::nullopt;
  return check_addresses(c, config, sram_base, sram_bytes);
}

}  // namespace

std::optional<Fault> check(const uint32_t* words, const DlaConfig& config, uint32_t sram_base,
                           uint8_t sync_count, uint32_t sram_bytes) {
  if (const auto violation = Command::check(words)) return fault_of(*violation);
  return check_decoded(Command::decode(words), config, sram_base, sync_count, sram_bytes);
}

std::optional<Fault> check(const Command& command, const DlaConfig& config, uint32_t sram_bytes) {
  if (const auto violation = command.check()) return fault_of(*violation);
  return check_decoded(command, config, 0, 255, sram_bytes);
}

std::array<Window, kReadWindows + 1> windows(const Command& command, const DlaConfig& config) {
  std::array<Window, kReadWindows + 1> result;
  if (command.op == Op::kNop) return result;
  const auto extents = extents_of(command, config);
  for (size_t i = 0; i < extents.size(); ++i) result[i] = {extents[i].base, extents[i].bytes};
  return result;
}

Command relocated(Command c, uint32_t sram_base) {
  if (c.op == Op::kNop) return c;
  c.in_base += sram_base;
  c.out_base += sram_base;
  if (reads_weights(c)) c.w_base += sram_base;
  if (reads_parameters(c)) c.p_base += sram_base;
  if (c.lut_en) c.lut_base += sram_base;
  if (reads_second(c)) c.res_base += sram_base;
  return c;
}

}  // namespace presil::dla
