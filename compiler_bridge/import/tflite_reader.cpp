#include "compiler_bridge/import/tflite_reader.h"

#include <algorithm>
#include <cstring>

#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"

namespace presil::import {

void OpReader::refuse(const std::string& what) const {
  std::string who = "op " + std::to_string(index) + ", " + file::EnumNameBuiltin(code);
  if (!op.name.empty()) who += " \"" + op.name + "\"";
  throw Refusal("import", network + ": " + who + ": " + what);
}

void OpReader::want_rank(const ir::Tensor& tensor, const char* who, size_t rank) const {
  want(tensor.shape.size() == rank, [&] {
    return std::string(who) + " is " + ir::to_string(tensor.shape) + ", wants rank " +
           std::to_string(rank);
  });
}

ir::Activation OpReader::activation(file::Fused fused) const {
  switch (fused) {
    case file::Fused_None:
      return ir::Activation::kNone;
    case file::Fused_Relu:
      return ir::Activation::kRelu;
    case file::Fused_ReluN1To1:
      return ir::Activation::kReluN1To1;
    case file::Fused_Relu6:
      return ir::Activation::kRelu6;
    default:
      refuse("its fused activation is number " + std::to_string(fused) +
             ", wants none, relu, relu6 or relu_n1_to_1; export it as an operator of its own");
  }
}

void OpReader::want_weight_zero() const {
  const auto& zeros = in(1).quantization.zero_points;
  const bool zero = std::all_of(zeros.begin(), zeros.end(), [](int64_t z) { return z == 0; });
  want(zero || is_unsigned(1) || !in(1).is_constant(),
       "int8 weights have a zero point that is not 0, want 0");
}

std::vector<int64_t> OpReader::integers(size_t input, const char* who) const {
  want(has(input), [&] { return std::string(who) + " is missing"; });
  const ir::Tensor& tensor = in(input);
  want(tensor.is_constant(), [&] {
    return std::string(who) +
           " is computed by the network, wants a constant; "
           "export the network with fixed shapes";
  });
  want(tensor.dtype == ir::DType::kInt32 || tensor.dtype == ir::DType::kInt64,
       [&] { return std::string(who) + " is " + ir::type_of(tensor) + ", wants int32 or int64"; });
  std::vector<int64_t> values(static_cast<size_t>(tensor.elements()));
  for (size_t i = 0; i < values.size(); ++i) {
    if (tensor.dtype == ir::DType::kInt64) {
      std::memcpy(&values[i], tensor.data->data() + 8 * i, 8);
    } else {
      int32_t value;
      std::memcpy(&value, tensor.data->data() + 4 * i, 4);
      values[i] = value;
    }
  }
  return values;
}

int64_t axis_of(const OpReader& r, int64_t axis, size_t rank) {
  const int64_t count = static_cast<int64_t>(rank);
  r.want(axis >= -count && axis < count, [&] {
    return "axis is " + std::to_string(axis) + ", wants " + std::to_string(-count) + ".." +
           std::to_string(count - 1);
  });
  return axis < 0 ? axis + count : axis;
}

void OpReader::set_shape(size_t output, const std::vector<int64_t>& shape) const {
  std::vector<int64_t>& stated = graph.tensor(op.outputs.at(output)).shape;
  want(stated.empty() || stated == shape, [&] {
    return "its result " + std::to_string(output) + " is " + ir::to_string(stated) +
           ", its options make it " + ir::to_string(shape);
  });
  stated = shape;
}

void OpReader::become_constant(const std::vector<int64_t>& shape, ir::Bytes bytes) const {
  set_shape(0, shape);
  graph.tensor(op.outputs[0]).data = std::make_shared<const ir::Bytes>(std::move(bytes));
  op.outputs.clear();
}

}  // namespace presil::import
