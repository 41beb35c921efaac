#include "compiler_bridge/import/unsigned_bytes.h"

#include <algorithm>

#include "rtl/soc/refusal.h"

namespace presil::import {
namespace {

using ir::OpKind;
using ir::TensorId;

constexpr int kOffset = 128;  // uint8 0..255 less this is int8 -128..127

ir::Tensor as_unsigned(ir::Tensor tensor) {
  tensor.dtype = ir::DType::kUint8;
  for (int64_t& zero_point : tensor.quantization.zero_points) zero_point += kOffset;
  return tensor;
}

bool converts(const ir::Op& op) {
  return op.kind == OpKind::kQuantize || op.kind == OpKind::kDequantize;
}

// Quantize and dequantize are defined for uint8 as well.
bool may_stay_unsigned(const ir::Graph& graph, TensorId id) {
  const int producer = graph.producer(id);
  if (producer >= 0 && !converts(graph.ops[static_cast<size_t>(producer)])) return false;
  const std::vector<int> readers = graph.consumers(id);
  return std::all_of(readers.begin(), readers.end(),
                     [&](int i) { return converts(graph.ops[static_cast<size_t>(i)]); });
}

// The tensor of the caller, beside the int8 one that the graph computes with; the name is its.
TensorId add_boundary(ir::Graph& graph, TensorId id) {
  const TensorId outside = graph.add(as_unsigned(graph.tensor(id)));
  graph.tensor(id).name += "/int8";
  return outside;
}

ir::Op conversion(const ir::Graph& graph, TensorId from, TensorId to) {
  return {OpKind::kQuantize, graph.tensor(to).name, {from}, {to}, ir::None{}, {}};
}

}  // namespace

bool make_signed(ir::Tensor& tensor, const std::string& who) {
  if (tensor.dtype != ir::DType::kUint8 || !tensor.quantization.present()) return false;
  for (int64_t& zero_point : tensor.quantization.zero_points) {
    if (zero_point < 0 || zero_point > 255) {
      throw Refusal("import", who + " is uint8 with zero point " + std::to_string(zero_point) +
                                  ", wants 0..255");
    }
    zero_point -= kOffset;
  }
  tensor.dtype = ir::DType::kInt8;
  if (!tensor.is_constant()) return true;
  ir::Bytes bytes = *tensor.data;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(byte - kOffset);
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return true;
}

void restore_boundary(ir::Graph& graph, const std::vector<bool>& was_unsigned) {
  const auto changed = [&](TensorId id) {
    return static_cast<size_t>(id) < was_unsigned.size() && was_unsigned[static_cast<size_t>(id)] &&
           graph.tensor(id).dtype == ir::DType::kInt8;
  };
  for (const auto& list : {graph.inputs, graph.outputs}) {
    for (const TensorId id : list) {
      if (changed(id) && may_stay_unsigned(graph, id)) {
        graph.tensor(id) = as_unsigned(graph.tensor(id));
      }
    }
  }
  std::vector<ir::Op> in_front;
  for (TensorId& input : graph.inputs) {
    if (!changed(input)) continue;
    const TensorId inside = input;
    input = add_boundary(graph, inside);
    std::replace(graph.outputs.begin(), graph.outputs.end(), inside, input);
    in_front.push_back(conversion(graph, input, inside));
  }
  graph.ops.insert(graph.ops.begin(), in_front.begin(), in_front.end());
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const TensorId inside = graph.outputs[i];
    if (!changed(inside)) continue;
    const TensorId outside = add_boundary(graph, inside);
    std::replace(graph.outputs.begin(), graph.outputs.end(), inside, outside);
    graph.add(conversion(graph, inside, outside));
  }
}

}  // namespace presil::import
