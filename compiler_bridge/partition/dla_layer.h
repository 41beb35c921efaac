// The integers of a DLA layer: one function per kind of first op, one per op that is fused after
// it. Arithmetic and order of the post-processing: rtl/dla/README.md (rule, zero point, clamp,
// table, element-wise, clamp, upsampling).
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/rules/image.h"

namespace presil::partition {

/// Groups are one convolution with zeros between them.
/// @pre rules::take(kDla, op) for each
layer::DlaLayer convolution(const ir::Graph& graph, const ir::Op& op);
/// One filter a channel: dwconv; several: conv.
layer::DlaLayer depthwise(const ir::Graph& graph, const ir::Op& op);
/// @param x  the tensor that is read: the op's input, or one of which that is a reshape
layer::DlaLayer dense(const ir::Graph& graph, const ir::Op& op, ir::TensorId x,
                      const rules::DenseView& view);
layer::DlaLayer average_pool(const ir::Graph& graph, const ir::Op& op);
layer::DlaLayer mean_pool(const ir::Graph& graph, const ir::Op& op);
/// Over all rows and columns: a sum of one window, scaled as the op's mean or sum is.
layer::DlaLayer mean(const ir::Graph& graph, const ir::Op& op);
/// Over all rows and columns: one window.
layer::DlaLayer largest(const ir::Graph& graph, const ir::Op& op);
layer::DlaLayer max_pool(const ir::Graph& graph, const ir::Op& op);

/// Every value of x unchanged into y; what the functions below build on when nothing comes before.
layer::DlaLayer pass(const ir::Graph& graph, ir::TensorId x, ir::TensorId y);

/// A pass whose result has a margin of the op's value.
layer::DlaLayer pad(const ir::Graph& graph, const ir::Op& op);

/// y = table[layer's result]
/// @pre the layer has no table and no element-wise operation
void append_table(layer::DlaLayer& layer, const ir::Graph& graph, const ir::Op& lut);

/// The layer's result is operand `result_index` of add, sub or mul; the other is read.
/// Appends a constant operand to the graph if it has to be written out (operand.h).
/// @pre the layer has no element-wise operation and no upsampling; rules::may_stream()
void append_elementwise(layer::DlaLayer& layer, ir::Graph& graph, const ir::Op& op,
                        size_t result_index);

/// Each result is written to 2 x 2 pixels.
void append_upsampling(layer::DlaLayer& layer, const ir::Op& resize);

}  // namespace presil::partition
