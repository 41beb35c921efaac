// Functions of values: one, two, or all along some axes.
#include <algorithm>

#include "compiler_bridge/import/tflite/reader.h"
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

void reduce(const OpReader& r) {
  ir::Reduce a;
  for (int64_t axis : r.integers(1, "axes")) {
    a.axes.push_back(axis_of(r, axis, r.in(0).shape.size()));
  }
  std::sort(a.axes.begin(), a.axes.end());
  a.axes.erase(std::unique(a.axes.begin(), a.axes.end()), a.axes.end());
  a.keep_dims = r.options<file::Reducer>().keep_dims();
  r.op.attributes = a;
  r.keep_inputs(1);
}

/// The result's type says whether indices have 32 or 64 bits.
void arg(const OpReader& r) {
  const auto axes = r.integers(1, "axis");
  r.require(axes.size() == 1,
            [&] { return "axis holds " + std::to_string(axes.size()) + " numbers, expected 1"; });
  r.op.attributes = ir::Arg{static_cast<int>(axis_of(r, axes[0], r.in(0).shape.size()))};
  r.keep_inputs(1);
}

void softmax(const OpReader& r) {
  r.op.attributes = ir::Softmax{r.options<file::Softmax>().beta()};
}

void quantize(const OpReader& r) {
  const bool bytes = r.in(0).dtype == ir::DType::kInt8 && r.out().dtype == ir::DType::kInt8;
  const bool to_unsigned = r.unsigned_bytes[static_cast<size_t>(r.op.outputs[0])];
  const bool unlike = bytes && r.is_unsigned(0) != to_unsigned;
  r.op.attributes = ir::Quantize{unlike && r.in(0).quantization != r.out().quantization};
}

void leaky_relu(const OpReader& r) {
  r.op.attributes = ir::LeakyRelu{r.options<file::LeakyRelu>().alpha()};
}

void div(const OpReader& r) {
  r.op.attributes = ir::Elementwise{r.activation(r.options<file::Div>().activation())};
}
void l2_normalize(const OpReader& r) {
  r.op.attributes = ir::Elementwise{r.activation(r.options<file::L2Norm>().activation())};
}
void gelu(const OpReader& r) {
  r.op.attributes = ir::Gelu{r.options<file::Gelu>().approximate()};
}

}  // namespace

std::vector<Conversion> function_conversions() {
  return {
      {file::Builtin_ADD, ir::OpKind::kAdd, 2, 2, types::kFIntegers, add},
      {file::Builtin_DEQUANTIZE, ir::OpKind::kDequantize, 1, 1, types::kFWide, nothing},
      {file::Builtin_LOGISTIC, ir::OpKind::kLogistic, 1, 1, types::kFWide, nothing},
      {file::Builtin_MUL, ir::OpKind::kMul, 2, 2, types::kFIntegers, mul},
      {file::Builtin_RELU, ir::OpKind::kRelu, 1, 1, types::kFWide, nothing},
      {file::Builtin_RELU6, ir::OpKind::kRelu6, 1, 1, types::kFBytes, nothing},
      {file::Builtin_SOFTMAX, ir::OpKind::kSoftmax, 1, 1, types::kFWide, softmax},
      {file::Builtin_TANH, ir::OpKind::kTanh, 1, 1, types::kFWide, nothing},
      {file::Builtin_MEAN, ir::OpKind::kMean, 2, 2, types::kFWide, reduce},
      {file::Builtin_SUB, ir::OpKind::kSub, 2, 2, types::kFIntegers, sub},
      {file::Builtin_LEAKY_RELU, ir::OpKind::kLeakyRelu, 1, 1, types::kFWide, leaky_relu},
      {file::Builtin_QUANTIZE, ir::OpKind::kQuantize, 1, 1, types::kNumbers, quantize},
      {file::Builtin_HARD_SWISH, ir::OpKind::kHardSwish, 1, 1, types::kFBytes, nothing},
      {file::Builtin_DIV, ir::OpKind::kDiv, 2, 2, types::kFBytes, div},
      {file::Builtin_SQUARED_DIFFERENCE, ir::OpKind::kSquaredDifference, 2, 2, types::kFSigned,
       nothing},
      {file::Builtin_POW, ir::OpKind::kPow, 2, 2, types::kFloat, nothing},
      {file::Builtin_PRELU, ir::OpKind::kPrelu, 2, 2, types::kFWide, nothing},
      {file::Builtin_ELU, ir::OpKind::kElu, 1, 1, types::kFInt8, nothing},
      {file::Builtin_EXP, ir::OpKind::kExp, 1, 1, types::kFSigned, nothing},
      {file::Builtin_LOG, ir::OpKind::kLog, 1, 1, types::kFInt8, nothing},
      {file::Builtin_SQRT, ir::OpKind::kSqrt, 1, 1, types::kFInt8, nothing},
      {file::Builtin_RSQRT, ir::OpKind::kRsqrt, 1, 1, types::kFSigned, nothing},
      {file::Builtin_ABS, ir::OpKind::kAbs, 1, 1, types::kFSigned, nothing},
      {file::Builtin_NEG, ir::OpKind::kNeg, 1, 1, types::kFInt8, nothing},
      {file::Builtin_SIGN, ir::OpKind::kSign, 1, 1, types::kFloat, nothing},
      {file::Builtin_SQUARE, ir::OpKind::kSquare, 1, 1, types::kFloat, nothing},
      {file::Builtin_SIN, ir::OpKind::kSin, 1, 1, types::kFloat, nothing},
      {file::Builtin_COS, ir::OpKind::kCos, 1, 1, types::kFloat, nothing},
      {file::Builtin_FLOOR, ir::OpKind::kFloor, 1, 1, types::kFloat, nothing},
      {file::Builtin_CEIL, ir::OpKind::kCeil, 1, 1, types::kFloat, nothing},
      {file::Builtin_ROUND, ir::OpKind::kRound, 1, 1, types::kFloat, nothing},
      {file::Builtin_RELU_N1_TO_1, ir::OpKind::kReluN1To1, 1, 1, types::kFBytes, nothing},
      {file::Builtin_GELU, ir::OpKind::kGelu, 1, 1, types::kFWide, gelu},
      {file::Builtin_LOG_SOFTMAX, ir::OpKind::kLogSoftmax, 1, 1, types::kFBytes, nothing},
      {file::Builtin_L2_NORMALIZATION, ir::OpKind::kL2Normalize, 1, 1, types::kFInt8, l2_normalize},
      {file::Builtin_MAXIMUM, ir::OpKind::kMaximum, 2, 2, types::kFIntegers, nothing},
      {file::Builtin_ARG_MAX, ir::OpKind::kArgMax, 2, 2, types::kFIntegers, arg},
      {file::Builtin_MINIMUM, ir::OpKind::kMinimum, 2, 2, types::kFIntegers, nothing},
      {file::Builtin_SUM, ir::OpKind::kSum, 2, 2, types::kFIntegers, reduce},
      {file::Builtin_ARG_MIN, ir::OpKind::kArgMin, 2, 2, types::kFIntegers, arg},
      {file::Builtin_REDUCE_PROD, ir::OpKind::kReduceProd, 2, 2, types::kFactors, reduce},
      {file::Builtin_REDUCE_MAX, ir::OpKind::kReduceMax, 2, 2, types::kFIntegers, reduce},
      {file::Builtin_REDUCE_MIN, ir::OpKind::kReduceMin, 2, 2, types::kFIntegers, reduce},
      {file::Builtin_RELU_0_TO_1, ir::OpKind::kRelu0To1, 1, 1, types::kFBytes, nothing},
  };
}

}  // namespace presil::import
