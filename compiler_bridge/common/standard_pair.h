// Sums, differences and products of two int8 tensors as the ONNX standard has them between
// DequantizeLinear and QuantizeLinear, and fixed-point words of the engines that give the same.
//
// Two operands of 8 bits have 65,536 pairs of values: words are taken where every pair comes out as
// float32 has it, so no engine needs another arithmetic. Where none do (most often because sums lie
// exactly between two steps), the operator is computed in float32: passes/pairs_in_float.cpp.
#pragma once

#include <array>
#include <optional>

#include "compiler_bridge/common/scales.h"

namespace presil::common {

/// Add, sub or mul of int8 with one scale each, in a graph of numerics onnx.
bool is_standard_pair(const ir::Graph& graph, const ir::Op& op);

/// y for stored values a and b (-128..127), clamped: each real value (q - zero_point) * scale,
/// their sum, difference or product, and its quotient by y's scale are float32, rounded to nearest
/// even. Source: the standard's DequantizeLinear, QuantizeLinear.
int8_t standard_value(const ir::Graph& graph, const ir::Op& op, int a, int b);

/// Words of an add, sub or mul, and the rule by which they are meant: kTflite or kXnnpack.
struct PairWords {
  ir::Numerics rule = ir::Numerics::kTflite;
  ElementWiseScales scales;
};

/// Of an operator of is_standard_pair; none: no words give every pair.
std::optional<PairWords> standard_words(const ir::Graph& graph, const ir::Op& op);

/// Of any int8 add, sub or mul: those of the numerics that the graph names. Under onnx it must have
/// some (std::logic_error).
PairWords pair_words(const ir::Graph& graph, const ir::Op& op);

}  // namespace presil::common
