#include "models/dla/dla_requantise.h"

#include <algorithm>
#include <cstring>

#include "models/dla/dla_shape.h"

namespace presil::dla {
namespace {

void put_int32(int32_t value, uint8_t* to) {
  const auto bits = static_cast<uint32_t>(value);
  for (int i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(bits >> (8 * i));
}

int32_t left_of(int shift) {
  return std::clamp(shift, 0, 31);
}
int32_t right_of(int shift) {
  return std::clamp(-shift, 0, 31);
}

/// Of rule single, all to the right.
int32_t places_of(int shift) {
  return 31 - std::clamp(shift, -31, 30);
}

DoubleScale double_scale(int32_t multiplier, int shift) {
  return {multiplier, left_of(shift), right_of(shift)};
}

ElementWise element_wise_of(const Command& c) {
  ElementWise e;
  const bool tflite = c.ew_rule == EwRule::kTflite;
  if (c.ew_op == EwOp::kMul) {
    e.kind = tflite ? ElementWise::Kind::kProductDouble : ElementWise::Kind::kProductFloat;
  } else {
    e.kind = tflite ? ElementWise::Kind::kTwiceScaled : ElementWise::Kind::kMultiplyAdd;
  }
  e.subtract = c.ew_op == EwOp::kSub;
  e.a_zero = c.ew_a_zero;
  e.b_zero = c.ew_b_zero;
  e.out_zero = c.ew_out_zero;
  e.min = c.ew_act_min;
  e.max = c.ew_act_max;
  e.left = c.ew_left_shift;
  e.a = double_scale(c.ew_a_mult, c.ew_a_shift);
  e.b = double_scale(c.ew_b_mult, c.ew_b_shift);
  e.out = double_scale(c.ew_out_mult, c.ew_out_shift);
  e.a_multiplier = c.ew_a_mult;
  e.b_multiplier = c.ew_b_mult;
  e.addend = c.ew_out_mult;
  e.shift = std::clamp<int32_t>(c.ew_out_shift, 0, 31);
  e.scale_bits = c.ew_out_mult;
  return e;
}

}  // namespace

int32_t int32_at(const uint8_t* bytes) {
  return static_cast<int32_t>(uint32_t{bytes[0]} | uint32_t{bytes[1]} << 8 |
                              uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24);
}

Requantise::Requantise(const Command& c, const uint8_t* sram, unsigned block)
    : m_command(c), m_loops(vector_loops()), m_element_wise(element_wise_of(c)) {
  if (c.lut_en) m_table = sram + c.lut_base;
  if (block + 1 == c.out_blocks) m_lanes = c.out_lanes_last;
  m_rule.zero = c.out_zero;
  m_rule.min = c.act_min;
  m_rule.max = c.act_max;
  m_rule.reciprocal = c.div_recip;
  m_rule.half = c.div_count / 2u;
  switch (c.rule) {
    case Rule::kDouble:
      m_rule.rule = RequantiseLanes::Rule::kDouble;
      break;
    case Rule::kFloat:
      m_rule.rule = RequantiseLanes::Rule::kFloat;
      break;
    case Rule::kDivide:
      m_rule.rule = RequantiseLanes::Rule::kDivide;
      break;
    case Rule::kSingle:
      m_rule.rule = RequantiseLanes::Rule::kSingle;
      break;
    default:
      m_rule.rule = RequantiseLanes::Rule::kLowByte;
      break;
  }
  if (!reads_parameters(c)) return;
  const uint8_t* parameters = sram + c.p_base + size_t{block} * kParameterBytes;
  for (unsigned k = 0; k < kLanes; ++k) {
    m_bias[k] = int32_at(parameters + 4 * k);
    m_rule.multiplier[k] = int32_at(parameters + 64 + 4 * k);
    const auto shift = static_cast<int8_t>(parameters[128 + k]);
    m_rule.left[k] = left_of(shift);
    m_rule.right[k] = c.rule == Rule::kSingle ? places_of(shift) : right_of(shift);
  }
}

void Requantise::bytes(const int32_t* acc, size_t pixels, const uint8_t* second,
                       uint8_t* out) const {
  auto* y = reinterpret_cast<int8_t*>(out);
  m_loops.requantise(acc, pixels, m_rule, y);
  if (m_table != nullptr) {
    for (size_t i = 0; i < pixels * kLanes; ++i) out[i] = m_table[out[i]];
  }
  if (m_command.ew_op != EwOp::kNone) {
    m_loops.element_wise(y, reinterpret_cast<const int8_t*>(second), pixels, m_element_wise);
  }
  if (m_lanes == kLanes) return;
  for (size_t p = 0; p < pixels; ++p) std::memset(out + p * kLanes + m_lanes, 0, kLanes - m_lanes);
}

void Requantise::sums(const int32_t* acc, size_t pixels, uint8_t* out) const {
  for (size_t p = 0; p < pixels; ++p) {
    for (size_t k = 0; k < kLanes; ++k) {
      put_int32(k < m_lanes ? acc[p * kLanes + k] : 0, out + (p * kLanes + k) * 4);
    }
  }
}

}  // namespace presil::dla
