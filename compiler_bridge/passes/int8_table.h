// An int8 function of one int8 value as 256 entries, by the integer rules that the graph names.
// Entry index = value taken as uint8. Written from the definitions in
// compiler_bridge/reference/README.md, and shares no code with the interpreter: a test compares all
// entries of both.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

using Int8Table = std::array<int8_t, 256>;

/// From x's stored values to y's of the same real value: what QUANTIZE does.
/// @param op  as common::fixed_point has it
Int8Table requantize_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y,
                           ir::Numerics numerics);

/// What a concatenation does to the values of its input x, without its clamp: nothing where x is
/// quantised as y; else as QUANTIZE does, or by the float rule of unsigned bytes.
Int8Table concat_table(const ir::Graph& graph, const ir::Op& concat, ir::TensorId x);

/// The table of an op with one int8 input and one int8 output, both with one scale; nullopt: the op
/// is not such a function.
std::optional<Int8Table> table_of(const ir::Graph& graph, const ir::Op& op);

}  // namespace presil::passes
