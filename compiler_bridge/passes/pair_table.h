// add, sub, mul, squared_difference, maximum and minimum of two int8 functions of one value, by the
// integer rules that the graph names.
// Written from the definitions in compiler_bridge/reference/README.md, and shares no code with the
// interpreter: a test compares all entries of both.
#pragma once

#include <optional>

#include "compiler_bridge/passes/int8_table.h"

namespace presil::passes {

/// Of kinds that pair_table() knows.
bool is_pair(ir::OpKind kind);

/// An operand that is the same value everywhere: an int8 constant of equal elements.
std::optional<Int8Table> uniform_table(const ir::Tensor& tensor);

/// y = op(a(x), b(x)) where a and b give the operands' stored values; nullopt: another op, other
/// types than int8, more than one scale, or a sum that XNNPACK's integers do not carry.
std::optional<Int8Table> pair_table(const ir::Graph& graph, const ir::Op& op, const Int8Table& a,
                                    const Int8Table& b);

}  // namespace presil::passes
