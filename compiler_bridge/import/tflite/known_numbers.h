// Numbers that follow from the file: exporters compute shapes by operators, from extents that a
// file fixes. What they make is a constant, and no operator is left of them.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "tflite_generated.h"

namespace presil::import {

/// True: `op`, which only moves int32 or int64 constants (or casts one to the other), made its
/// result a constant. An output of the network stays what an operator makes.
bool moves_known_numbers(ir::Graph& graph, const ir::Op& op);

/// Sums, differences, products, quotients, the larger and the smaller of two, the product of all.
bool calculates(file::Builtin code);

/// The same as moves_known_numbers for such an operator of the file.
bool calculates_known_numbers(ir::Graph& graph, file::Builtin code, const ir::Op& op);

}  // namespace presil::import
