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
  void want(bool ok, const char* what) const {
    want(ok, [&] { return what; });
  }
  /// The sentence is put together only when it is said.
  template <class What>
  auto want(bool ok, const What& what) const -> decltype(what(), void()) {
    if (!ok) throw Refusal("ir", describe(graph, op) + ": " + what());
  }
  void want_type(const Tensor& tensor, const std::string& who, DType dtype) const {
    want(tensor.dtype == dtype, [&] {
      return who + " is " + type_of(tensor) + ", wants " + std::string(to_string(dtype));
    });
  }
  void want_quantized(const Tensor& tensor, const std::string& who) const {
    want(tensor.quantization.per_tensor(),
         [&] { return who + " is " + type_of(tensor) + ", wants one scale and zero point"; });
  }
  void want_int8(const Tensor& tensor, const std::string& who) const {
    want_type(tensor, who, DType::kInt8);
    want_quantized(tensor, who);
  }
  /// int16 stands for its scale alone, and no rule set but tflite has operators for it.
  void want_int16(const Tensor& tensor, const std::string& who) const {
    want_quantized(tensor, who);
    want(tensor.quantization.zero_point() == 0,
         [&] { return who + " is " + type_of(tensor) + ", int16 wants a zero point of 0"; });
    want_tflite(tensor, who);
  }
  void want_tflite(const Tensor& tensor, const std::string& who) const {
    want(graph.numerics == Numerics::kTflite, [&] {
      return who + " is " + type_of(tensor) +
             ", which the operator takes under tflite numerics only: XNNPACK has none for it";
    });
  }
  using Tensors = std::initializer_list<std::pair<const Tensor*, const char*>>;
  void want_type_of_y(const Tensor& tensor, const char* who) const {
    want(tensor.dtype == out().dtype, [&] {
      return std::string(who) + " is " + type_of(tensor) + ", y is " + type_of(out()) +
             ", want the same type";
    });
  }
  /// Does the operator compute with float32? y says so; all of the list want to be then.
  bool floats(Tensors list) const {
    if (out().dtype != DType::kFloat32) return false;
    for (const auto& [tensor, who] : list) want_type_of_y(*tensor, who);
    return true;
  }
  /// What operators compute with: int8, or int16 or float32 where x and y both are.
  void want_activations(Tensors list) const {
    if (floats(list)) return;
    for (const auto& [tensor, who] : list) {
      want(tensor->dtype == DType::kInt8 || tensor->dtype == DType::kInt16,
           [&, t = tensor, w = who] {
             return std::string(w) + " is " + type_of(*t) + ", wants int8 or int16";
           });
      want_type_of_y(*tensor, who);
      tensor->dtype == DType::kInt16 ? want_int16(*tensor, who) : want_quantized(*tensor, who);
    }
  }
};

// The rules that op_kinds.h names.
// type_product.cpp
void weighted(const Case& c);
void weighted_depthwise(const Case& c);  ///< channels of the weights are their last axis
void lstm(const Case& c);
void batch_matmul(const Case& c);
// type_function.cpp
void elementwise(const Case& c);
void activations(const Case& c);
void chosen(const Case& c);
void sum(const Case& c);
void picked(const Case& c);
void arg(const Case& c);
void function(const Case& c);
void neg(const Case& c);
void prelu(const Case& c);
void unary_int8(const Case& c);
void kept(const Case& c);
void into_unit(const Case& c);
void quantize(const Case& c);
void dequantize(const Case& c);
void lut(const Case& c);
void floats_alone(const Case& c);
void quotient(const Case& c);  ///< float32 on all sides
// type_number.cpp
void arithmetic(const Case& c);
void whole(const Case& c);
void compared(const Case& c);
void logical(const Case& c);
void top_k(const Case& c);
// type_move.cpp
void moved(const Case& c);
void interleave(const Case& c);
void concat(const Case& c);
void gather(const Case& c);
void select(const Case& c);
void one_hot(const Case& c);
void cast(const Case& c);
// type_detection.cpp
void yolo_decode(const Case& c);
void nms(const Case& c);
void detection_post_process(const Case& c);
void box_decode(const Case& c);
// custom.cpp
void custom(const Case& c);

}  // namespace presil::ir::types
