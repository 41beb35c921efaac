// Functions of values: one, two, or all along some axes.
#include <algorithm>

#include "compiler_bridge/import/tflite_reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

void add(const OpReader& r) {
  r.op.attributes = ir::Elementwise{r.activation(r.options<file::Add>().activation())};
}
void sub(const OpReader& r) {
  r.op.attributes = ir::Elementwise{r.activation(r.options<file::Sub>().activation())};
}
void mul(const OpReader& r) {
  r.op.attributes = ir::Elementwise{r.activation(r.options<file::Mul>().activation())};
}

void mean(const OpReader& r) {
  ir::Mean a;
  for (int64_t axis : r.integers(1, "axes")) {
    a.axes.push_back(axis_of(r, axis, r.in(0).shape.size()));
  }
  std::sort(a.axes.begin(), a.axes.end());
  a.axes.erase(std::unique(a.axes.begin(), a.axes.end()), a.axes.end());
  a.keep_dims = r.options<file::Reducer>().keep_dims();
  r.op.attributes = a;
  r.keep_inputs(1);
}

void softmax(const OpReader& r) {
  r.op.attributes = ir::Softmax{r.options<file::Softmax>().beta()};
}

void leaky_relu(const OpReader& r) {
  r.op.attributes = ir::LeakyRelu{r.options<file::LeakyRelu>().alpha()};
}

}  // namespace

std::vector<Conversion> function_conversions() {
  return {
      {file::Builtin_ADD, ir::OpKind::kAdd, 2, 2, types::kWide, add},
      {file::Builtin_DEQUANTIZE, ir::OpKind::kDequantize, 1, 1, types::kWide, nothing},
      {file::Builtin_LOGISTIC, ir::OpKind::kLogistic, 1, 1, types::kBytes, nothing},
      {file::Builtin_MUL, ir::OpKind::kMul, 2, 2, types::kWide, mul},
      {file::Builtin_RELU, ir::OpKind::kRelu, 1, 1, types::kBytes, nothing},
      {file::Builtin_RELU6, ir::OpKind::kRelu6, 1, 1, types::kBytes, nothing},
      {file::Builtin_SOFTMAX, ir::OpKind::kSoftmax, 1, 1, types::kBytes, softmax},
      {file::Builtin_TANH, ir::OpKind::kTanh, 1, 1, types::kBytes, nothing},
      {file::Builtin_MEAN, ir::OpKind::kMean, 2, 2, types::kBytes, mean},
      {file::Builtin_SUB, ir::OpKind::kSub, 2, 2, types::kWide, sub},
      {file::Builtin_LEAKY_RELU, ir::OpKind::kLeakyRelu, 1, 1, types::kWide, leaky_relu},
      {file::Builtin_QUANTIZE, ir::OpKind::kQuantize, 1, 1, types::kNumbers, nothing},
      {file::Builtin_HARD_SWISH, ir::OpKind::kHardSwish, 1, 1, types::kInt8, nothing},
  };
}

}  // namespace presil::import
