#include "compiler_bridge/import/unsigned_bytes.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "models/base/refusal.h"

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
bool may_stay_unsigned(const ir::Graph& graph, const ir::Uses& uses, TensorId id) {
  const auto is_conversion = [&](int op) { return converts(graph.ops[static_cast<size_t>(op)]); };
  const int producer = uses.producer[static_cast<size_t>(id)];
  const std::vector<int>& readers = uses.consumers[static_cast<size_t>(id)];
  return (producer < 0 || is_conversion(producer)) &&
         std::all_of(readers.begin(), readers.end(), is_conversion);
}

// The tensor of the caller, beside the int8 one that the graph computes with; the name is its.
TensorId add_boundary(ir::Graph& graph, TensorId id) {
  const TensorId outside = graph.add(as_unsigned(graph.tensor(id)));
  graph.tensor(id).name += "/int8";
  return outside;
}

ir::Op conversion(const ir::Graph& graph, TensorId from, TensorId to) {
  return {OpKind::kQuantize, graph.tensor(to).name, {from}, {to}, ir::Quantize{}, {}};
}

}  // namespace

bool make_signed(ir::Tensor& tensor, const std::string& subject) {
  if (tensor.dtype != ir::DType::kUint8 || !tensor.quantization.present()) return false;
  for (int64_t& zero_point : tensor.quantization.zero_points) {
    if (zero_point < 0 || zero_point > 255) {
      throw Refusal("import", subject + " is uint8 with zero point " + std::to_string(zero_point) +
                                  ", must be 0..255");
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
  const ir::Uses uses = ir::uses(graph);
  for (const auto& list : {graph.inputs, graph.outputs}) {
    for (const TensorId id : list) {
      if (changed(id) && may_stay_unsigned(graph, uses, id)) {
        graph.tensor(id) = as_unsigned(graph.tensor(id));
      }
    }
  }
  std::map<TensorId, TensorId> boundary;  // a tensor of the caller's may be named more than once
  std::vector<ir::Op> in_front;
  for (TensorId& input : graph.inputs) {
    if (!changed(input)) continue;
    const auto [outside, fresh] = boundary.try_emplace(input, ir::kAbsent);
    if (fresh) {
      outside->second = add_boundary(graph, input);
      in_front.push_back(conversion(graph, outside->second, input));
    }
    input = outside->second;
  }
  graph.ops.insert(graph.ops.begin(), std::make_move_iterator(in_front.begin()),
                   std::make_move_iterator(in_front.end()));
  for (TensorId& output : graph.outputs) {
    if (!changed(output)) continue;
    const auto [outside, fresh] = boundary.try_emplace(output, ir::kAbsent);
    if (fresh) {
      outside->second = add_boundary(graph, output);
      graph.add(conversion(graph, output, outside->second));
    }
    output = outside->second;
  }
}

}  // namespace presil::import
