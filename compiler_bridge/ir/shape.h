// The shape of an operator's results from its inputs and attributes, one rule per kind.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

using Shape = std::vector<int64_t>;

/// "[1,32,32,3]"
std::string to_string(const Shape& shape);
int64_t elements(const Shape& shape);

/// Output extent of a window operator along one axis; may be < 1 when the window does not fit.
int64_t window_extent(int64_t in, int64_t kernel, int64_t stride, int64_t dilation, int64_t before,
                      int64_t after);

/// Shapes of all results. Kinds whose result shape is part of the operator (reshape, resize,
/// strided_slice) are checked against it and return it.
/// Refuses (presil::Refusal) inputs that do not fit each other or the attributes.
std::vector<Shape> infer_shapes(const Graph& graph, const Op& op);

}  // namespace presil::ir
