// What a rule of types sees, for the files that hold the rules.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "compiler_bridge/ir/graph.h"
#include "models/base/refusal.h"

namespace presil::ir::types {

struct Case {
  const Graph& graph;
  const Op& op;

  const Tensor& in(size_t i) const { return graph.tensor(op.inputs.at(i)); }
  const Tensor& out(size_t i = 0) const { return graph.tensor(op.outputs.at(i)); }
  void require(bool ok, const char* what) const {
    require(ok, [&] { return what; });
  }
  /// The sentence is put together only when it is said.
  template <class What>
  auto require(bool ok, const What& what) const -> decltype(what(), void()) {
    if (!ok) throw Refusal("ir", describe(graph, op) + ": " + what());
  }
  void require_type(const Tensor& tensor, const std::string& subject, DType dtype) const {
    require(tensor.dtype == dtype, [&] {
      return subject + " is " + type_of(tensor) + ", must be " + std::string(to_string(dtype));
    });
  }
  void require_quantized(const Tensor& tensor, const std::string& subject) const {
    require(tensor.quantization.per_tensor(), [&] {
      return subject + " is " + type_of(tensor) + ", must have one scale and zero point";
    });
  }
  void require_int8(const Tensor& tensor, const std::string& subject) const {
    require_type(tensor, subject, DType::kInt8);
    require_quantized(tensor, subject);
  }
  /// int16 stands for its scale alone.
  void require_int16(const Tensor& tensor, const std::string& subject) const {
    require_quantized(tensor, subject);
    require(tensor.quantization.zero_point() == 0,
            [&] { return subject + " is " + type_of(tensor) + ", int16 must have zero point 0"; });
  }
  /// The operator is defined for the type as TFLite Micro has it.
  void require_tflite(const Tensor& tensor, const std::string& subject) const {
    require(graph.numerics == Numerics::kTflite, [&] {
      return subject + " is " + type_of(tensor) +
             ", which the operator takes under tflite numerics only; use --numerics tflite";
    });
  }
  using Tensors = std::initializer_list<std::pair<const Tensor*, const char*>>;
  void require_type_of_y(const Tensor& tensor, const char* subject) const {
    require(tensor.dtype == out().dtype, [&] {
      return std::string(subject) + " is " + type_of(tensor) + ", y is " + type_of(out()) +
             ", must have the same type";
    });
  }
  /// Does the operator compute with float32? y says so; then all of the list must be.
  bool floats(Tensors list) const {
    if (out().dtype != DType::kFloat32) return false;
    for (const auto& [tensor, subject] : list) require_type_of_y(*tensor, subject);
    return true;
  }
  /// What operators compute with: int8, or int16 or float32 where x and y both are.
  void require_activations(Tensors list) const {
    if (floats(list)) return;
    for (const auto& [tensor, subject] : list) {
      require(tensor->dtype == DType::kInt8 || tensor->dtype == DType::kInt16,
              [&, t = tensor, w = subject] {
                return std::string(w) + " is " + type_of(*t) + ", must be int8 or int16";
              });
      require_type_of_y(*tensor, subject);
      tensor->dtype == DType::kInt16 ? require_int16(*tensor, subject)
                                     : require_quantized(*tensor, subject);
    }
  }
};

// The rules that op_kinds.h names, each in type_<family>.cpp: a check that refuses what the kind is
// not defined for, and the same in the words of `presil ops`.
#define X(Name, spelling, Attributes, inputs, outputs, shape, rule) void rule(const Case& c);
PRESIL_OP_KINDS(X)
#undef X
namespace words {
#define X(Name, spelling, Attributes, inputs, outputs, shape, rule) extern const char* const rule;
PRESIL_OP_KINDS(X)
#undef X
}  // namespace words

}  // namespace presil::ir::types
