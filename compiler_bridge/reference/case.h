// One operator to run: its attributes, the types of its tensors, their values.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/reference/reference.h"

namespace presil::reference {

struct Case {
  const ir::Graph& graph;
  const ir::Op& op;
  std::vector<TensorValue>& values;  ///< by tensor id; results are allocated, zeroed
  const CustomOperator& custom;

  /// The rules of tflite, which hold under tosa too where no integers say more.
  bool tflite() const { return ir::by_fixed_point(graph.numerics); }
  /// DequantizeLinear, the operator on float32, QuantizeLinear.
  bool onnx() const { return graph.numerics == ir::Numerics::kOnnx; }
  /// int16, which XNNPACK lacks: LiteRT computes it by TFLite's kernels of full size.
  bool int16() const {
    const auto is = [](const ir::Tensor& t) { return t.dtype == ir::DType::kInt16; };
    return is(in()) || is(out());
  }
  /// By whose rules the operator clamps: of int16 always TFLite's.
  ir::Numerics numerics() const { return int16() ? ir::Numerics::kTflite : graph.numerics; }
  /// Does the operator compute with float32?
  bool floats() const { return out().dtype == ir::DType::kFloat32; }
  bool has(size_t i) const { return op.input(i) != ir::kAbsent; }
  const ir::Tensor& in(size_t i = 0) const { return graph.tensor(op.inputs.at(i)); }
  const ir::Tensor& out(size_t i = 0) const { return graph.tensor(op.outputs.at(i)); }
  template <class T>
  const T* read(size_t i = 0) const {
    return reinterpret_cast<const T*>(values[static_cast<size_t>(op.inputs.at(i))].data.data());
  }
  template <class T>
  T* write(size_t i = 0) const {
    return reinterpret_cast<T*>(values[static_cast<size_t>(op.outputs.at(i))].data.data());
  }
  template <class Attributes>
  const Attributes& attributes() const {
    return op.as<Attributes>();
  }
};

/// One function per kind, operators/<kind>.cpp; the list is ir/op_kinds.h.
namespace operators {
#define X(Name, spelling, Attributes, inputs, outputs, shape, types) void spelling(const Case& c);
PRESIL_OP_KINDS(X)
#undef X
}  // namespace operators

}  // namespace presil::reference
