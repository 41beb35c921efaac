// Networks of whole numbers that are float32 in the file: what their operators share. The bytes
// between them have scale 1, so that stored values are worked on.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler_bridge/import/onnx/importer.h"

namespace presil::import::onnx {

inline constexpr int kUnsigned = -128;  ///< zero point of bytes 0..255

template <class T>
ir::Tensor constant_of(const std::string& name, ir::DType dtype, const Shape& shape,
                       const std::vector<T>& values) {
  ir::Tensor tensor;
  tensor.name = name, tensor.dtype = dtype, tensor.shape = shape;
  ir::Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return tensor;
}

/// Values of a constant of float32, which must be whole and within limits.
std::vector<int64_t> wholes(const Importer& r, const ir::Tensor& from, const std::string& what,
                            int64_t low, int64_t high);

/// An attribute of one number, which exporters write as a tensor too.
double number(const Importer& r, const char* name);

/// The exponent of the attribute `name`, which must be a power of two, 2^least to 2^62.
int places_of(const Importer& r, const char* name, int least);

inline int zero_of(const Importer& r, const Value& bytes) {
  return r.tensor(bytes).quantization.zero_point();
}

/// Bytes of scale 1; an input of the network becomes such.
Value bytes_of(Importer& r, Value x);

struct Scale {
  std::vector<int64_t> multiplier;
  int shift = 0;
};

ir::TensorId rescale(Importer& r, const Value& x, const Scale& scale, int in_zero, int out_zero,
                     ir::DType to);

/// Bytes as int32, less their zero point, in the file's order or as they lie.
Value wide(Importer& r, const Value& bytes);

/// The same shape and order, of int32: an operator on `a` and another tensor, or a constant row.
Value combined(Importer& r, ir::OpKind kind, const Value& a, ir::TensorId b);
ir::TensorId row_of(Importer& r, const std::vector<int32_t>& values);
/// int32 that are bytes: those of x + zero, limited.
Value narrow(Importer& r, const Value& x, int zero);

}  // namespace presil::import::onnx
