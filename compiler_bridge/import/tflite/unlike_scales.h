// Results of operators that only move bytes, where the file gives them another scale.
#pragma once

#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::import {

/// The runtimes move stored values and look at no scale: where `op` moves int8 values and its
/// result has another quantisation, it makes a tensor like x instead, and a table of which every
/// entry is its own index makes the result. @return that table's op, or nothing.
std::vector<ir::Op> with_scale_of_x(ir::Graph& graph, ir::Op& op);

}  // namespace presil::import
