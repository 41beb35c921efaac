// uint8 tensors of a file become int8: what the graph computes with has one type of byte.
//
// A stored value q of uint8 means scale * (q - z), and so does q - 128 with zero point z - 128.
// Operators that only look at q - z, or that round the same way on both sides of a shift by 128,
// give results that differ by exactly 128. The network's inputs and outputs stay uint8.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::import {

/// A uint8 tensor with scales, as int8: values and zero points less 128. Anything else is left.
/// @return whether it was one
/// Refuses zero points outside 0..255. @p subject names the tensor.
bool make_signed(ir::Tensor& tensor, const std::string& subject);

/// Gives inputs and outputs of the graph their uint8 back, by a quantize before or after what
/// computes. Where nothing but quantize and dequantize touches such a tensor, it is uint8 itself.
/// @param was_unsigned  by tensor id: make_signed changed it
void restore_boundary(ir::Graph& graph, const std::vector<bool>& was_unsigned);

}  // namespace presil::import
