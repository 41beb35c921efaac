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

/// Of a node x, weights, bias?: none where some operand is no stored value, or of a kind that no
/// integer operator takes; nothing is added to the graph then.
std::optional<Weighted> integer_operands(Importer& importer, const Value& x, WeightForm form,
                                         const Quantizer& y);
Weighted real_operands(Importer& importer, const Value& x, WeightForm form);

}  // namespace presil::import::onnx
