#include "compiler_bridge/import/tflite/reader.h"

#include <algorithm>
#include <cstring>

#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"

namespace presil::import {

void OpReader::refuse(const std::string& what) const {
  std::string subject = "op " + std::to_string(index) + ", " + file::EnumNameBuiltin(code);
  if (!op.name.empty()) subject += " \"" + op.name + "\"";
  throw Refusal("import", network + ": " + subject + ": " + what);
}

void OpReader::require_rank(const ir::Tensor& tensor, const char* subject, size_t rank) const {
  require(tensor.shape.size() == rank, [&] {
    return std::string(subject) + " is " + ir::to_string(tensor.shape) + ", must have rank " +
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
             ", must be none, relu, relu6 or relu_n1_to_1; export it as an operator of its own");
  }
}

void OpReader::require_weight_zero() const {
  const auto& zeros = in(1).quantization.zero_points;
  const bool zero = std::all_of(zeros.begin(), zeros.end(), [](int64_t z) { return z == 0; });
  require(zero || is_unsigned(1) || !in(1).is_constant(),
          "int8 weights have a zero point that is not 0, must be 0");
}

std::vector<int64_t> OpReader::integers(size_t input, const char* subject) const {
  require(has(input), [&] { return std::string(subject) + " is missing"; });
  const ir::Tensor& tensor = in(input);
  require(tensor.is_constant(), [&] {
    return std::string(subject) +
           " is computed by the network, expected a constant; "
           "export the network with fixed shapes";
  });
  require(tensor.dtype == ir::DType::kInt32 || tensor.dtype == ir::DType::kInt64, [&] {
    return std::string(subject) + " is " + ir::type_of(tensor) + ", must be int32 or int64";
  });
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
  r.require(axis >= -count && axis < count, [&] {
    return "axis is " + std::to_string(axis) + ", must be " + std::to_string(-count) + ".." +
           std::to_string(count - 1);
  });
  return axis < 0 ? axis + count : axis;
}

void OpReader::set_shape(size_t output, const std::vector<int64_t>& shape) const {
  std::vector<int64_t>& stated = graph.tensor(op.outputs.at(output)).shape;
  require(stated.empty() || stated == shape, [&] {
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
