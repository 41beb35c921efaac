// Weights and biases of the file as those of the graph: integers where all operands are, or reals.
#pragma once

#include <optional>

#include "compiler_bridge/import/onnx/importer.h"

namespace presil::import::onnx {

/// The order of a graph's weights: see ir::Conv2d, DepthwiseConv2d, FullyConnected. Of the last the
/// file has [in, out], or with kTransposed [out, in].
enum class WeightForm { kConvolution, kTransposedConvolution, kDepthwise, kMatrix, kTransposed };

struct Weighted {
  Value x;
  ir::TensorId weights = ir::kAbsent, bias = ir::kAbsent;
};

/// Of x, weights, which are input 1 of the node, and a bias: none where some operand is no stored
/// value, or of a kind that no integer operator takes; nothing is added to the graph then.
std::optional<Weighted> integer_operands(Importer& importer, const Value& x,
                                         const std::optional<Value>& bias, WeightForm form,
                                         const Quantizer& y);
Weighted real_operands(Importer& importer, const Value& x, const std::optional<Value>& bias,
                       WeightForm form);
/// Of four axes, or a matrix, in the file's order: in the graph's.
ir::Tensor in_order(ir::Tensor weights, WeightForm form);
/// Input 2 of the node.
std::optional<Value> own_bias(Importer& importer);

}  // namespace presil::import::onnx
