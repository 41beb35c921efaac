// One operator of a TFLite file, for the converters of <family>.cpp: its options, its
// constant parameters, and the graph operator that it becomes.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/ir/graph.h"
#include "tflite_generated.h"

namespace presil::import {

struct OpReader {
  const std::string& network;
  size_t index;  ///< in the file
  file::Builtin code;
  const file::Operator& from;
  ir::Graph& graph;                         ///< tensor ids are the file's
  const std::vector<bool>& unsigned_bytes;  ///< by tensor: uint8 in the file (unsigned_bytes.h)
  ir::Op& op;                               ///< inputs and outputs are set as in the file
  std::vector<ir::Op>& following;           ///< what else the operator becomes

  /// Refusal that names network, operator and what it makes.
  [[noreturn]] void refuse(const std::string& what) const;
  void require(bool ok, const char* what) const {
    if (!ok) refuse(what);
  }
  /// The sentence is put together only when it is said.
  template <class What>
  auto require(bool ok, const What& what) const -> decltype(what(), void()) {
    if (!ok) refuse(what());
  }

  const ir::Tensor& in(size_t i) const { return graph.tensor(op.inputs.at(i)); }
  const ir::Tensor& out(size_t i = 0) const { return graph.tensor(op.outputs.at(i)); }
  bool is_unsigned(size_t i) const {
    return has(i) && unsigned_bytes[static_cast<size_t>(op.inputs.at(i))];
  }
  bool has(size_t i) const { return op.input(i) != ir::kAbsent; }
  void require_rank(const ir::Tensor& tensor, const char* subject, size_t rank) const;

  /// The operator's options; refused when the file lacks them.
  template <class T>
  const T& options() const {
    const T* found = from.options_as<T>();
    if (found == nullptr) refuse("its options are missing; export the file again");
    return *found;
  }
  ir::Activation activation(file::Fused fused) const;
  /// The format's int8 weights, input 1, are symmetric; its uint8 ones are not.
  void require_weight_zero() const;
  /// Values of a constant int32 or int64 parameter tensor.
  std::vector<int64_t> integers(size_t input, const char* subject) const;
  /// For a result whose shape the file may leave to the operator; else it states this one.
  void set_shape(size_t output, const std::vector<int64_t>& shape) const;
  /// Its one result is a constant: no operator is left.
  void become_constant(const std::vector<int64_t>& shape, ir::Bytes bytes) const;
  /// Keeps the first `count` inputs: the others became attributes.
  void keep_inputs(size_t count) const { op.inputs.resize(count); }
};

/// How one operator of the format is taken.
struct Conversion {
  file::Builtin code;
  ir::OpKind kind;
  size_t min_inputs, max_inputs;  ///< in the file, parameter tensors included
  std::vector<ir::DType> types;   ///< of input `data`, in the file
  void (*convert)(const OpReader&);
  std::vector<size_t> states = {};  ///< inputs that keep their value between runs in the file
  size_t data = 0;                  ///< the input whose type says what the operator computes with
  size_t max_outputs = 1;
  size_t min_outputs = 1;
  const char* custom = "";  ///< of CUSTOM: its name in the file
};
const std::vector<Conversion>& conversions();  ///< in the order of the format's numbers

/// Element types in the file, for `Conversion::types`.
namespace types {
using ir::DType;
inline const std::vector<DType> kInt8 = {DType::kInt8};
inline const std::vector<DType> kBytes = {DType::kInt8, DType::kUint8};
inline const std::vector<DType> kFloat = {DType::kFloat32};
/// With F in front: float32 too.
inline const std::vector<DType> kFInt8 = {DType::kInt8, DType::kFloat32};
inline const std::vector<DType> kFBytes = {DType::kInt8, DType::kUint8, DType::kFloat32};
inline const std::vector<DType> kFSigned = {DType::kInt8, DType::kInt16, DType::kFloat32};
inline const std::vector<DType> kWide = {DType::kInt8, DType::kUint8, DType::kInt16};
inline const std::vector<DType> kFWide = {DType::kInt8, DType::kUint8, DType::kInt16,
                                          DType::kFloat32};
inline const std::vector<DType> kIntegers = {DType::kInt8, DType::kUint8, DType::kInt16,
                                             DType::kInt32, DType::kInt64};
inline const std::vector<DType> kNumbers = {DType::kInt8, DType::kUint8, DType::kInt16,
                                            DType::kInt32, DType::kFloat32};
inline const std::vector<DType> kFIntegers = {DType::kInt8,  DType::kUint8, DType::kInt16,
                                              DType::kInt32, DType::kInt64, DType::kFloat32};
inline const std::vector<DType> kCompared = {DType::kInt8,  DType::kUint8,   DType::kInt32,
                                             DType::kInt64, DType::kFloat32, DType::kBool};
inline const std::vector<DType> kBool = {DType::kBool};
/// Of what only moves values.
inline const std::vector<DType> kAny = {DType::kInt8,  DType::kUint8, DType::kInt16,
                                        DType::kInt32, DType::kInt64, DType::kFloat32,
                                        DType::kBool};
inline const std::vector<DType> kPlain = {DType::kInt32, DType::kInt64, DType::kFloat32};
inline const std::vector<DType> kFactors = {DType::kInt8, DType::kInt16, DType::kInt32,
                                            DType::kInt64, DType::kFloat32};
inline const std::vector<DType> kIndices = {DType::kInt32, DType::kInt64};
inline const std::vector<DType> kBoxTypes = {DType::kUint8, DType::kFloat32};
}  // namespace types

// One list per family: <family>.cpp.
std::vector<Conversion> window_conversions();
std::vector<Conversion> product_conversions();
std::vector<Conversion> function_conversions();
std::vector<Conversion> number_conversions();
std::vector<Conversion> move_conversions();
std::vector<Conversion> block_conversions();
std::vector<Conversion> index_conversions();
std::vector<Conversion> constant_conversions();
std::vector<Conversion> parts_conversions();
std::vector<Conversion> detection_conversions();

/// A custom operator that is known by its name alone (CustomOperators).
void custom(const OpReader& r, const std::string& code, const CustomShapes& shapes);

/// Of operators whose inputs say everything.
void nothing(const OpReader& r);

/// An axis of `rank` axes; -1 counts from the end.
int64_t axis_of(const OpReader& r, int64_t axis, size_t rank);

}  // namespace presil::import
