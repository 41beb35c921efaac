// Products of two computed matrices as layers of the DLA: a convolution 1x1 of the first one's rows
// whose weights are the second one's.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/dla_layer.h"

namespace presil::partition {

/// @param op  batch_matmul or fully_connected
/// @param a   [.., m, k]: op's first operand, or its transpose
/// @param b   [.., n, k], with as many matrices as a or one for all; a single constant one is
///            packed like any weights
/// @pre rules::take(kDla, op)
layer::DlaLayer product(const ir::Graph& graph, const ir::Op& op, ir::TensorId a, ir::TensorId b);

/// A tensor of x's type with the last two axes swapped; of a constant with its values.
ir::TensorId add_transposed(ir::Graph& graph, ir::TensorId x);

/// y = the matrices of x, transposed: lanes of a matrix with 1 on its diagonal pick x's channels.
/// @param x         [.., m, n], as many matrices as there are
/// @param y         n pixels of m channels for each of them
/// @param identity  of add_identity()
layer::DlaLayer transposition(const ir::Graph& graph, ir::TensorId x, ir::TensorId y,
                              ir::TensorId identity);
ir::TensorId add_identity(ir::Graph& graph, int lanes);

}  // namespace presil::partition
