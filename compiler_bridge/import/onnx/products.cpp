// Products of matrices.
#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/import/onnx/weights.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

// Rows of x times a constant matrix; a sum with a constant row after it is its bias.
void dense(Importer& r, WeightForm form) {
  const Value x = r.plain(r.in(0)), w = r.in(1);
  const size_t in_axis = form == WeightForm::kMatrix ? 0 : 1;
  r.require(w.shape.size() == 2 && !x.shape.empty() && x.shape.back() == w.shape[in_axis], [&] {
    return "x is " + ir::to_string(x.shape) + ", weights " + ir::to_string(w.shape) +
           ", do not fit each other";
  });
  Shape shape = x.shape;
  shape.back() = w.shape[1 - in_axis];
  std::optional<Value> bias = own_bias(r);
  const auto sum = bias ? std::nullopt : r.sum_with_row(shape.back());
  if (sum) bias = sum->row;
  const auto quantizer = r.quantizer(true, sum);
  if (quantizer) {
    if (const auto o = integer_operands(r, x, bias, form, *quantizer)) {
      const ir::FullyConnected how{quantizer->act, false};
      const ir::TensorId y =
          r.make(ir::OpKind::kFullyConnected, how, {o->x.id, o->weights, o->bias},
                 quantizer->quantization, quantizer->dtype, shape);
      return r.give({y, shape, false, false}, *quantizer);
    }
  }
  const Weighted o = real_operands(r, x, bias, form);
  const Value y{r.make(ir::OpKind::kFullyConnected, ir::FullyConnected{},
                       {o.x.id, o.weights, o.bias}, {}, ir::DType::kFloat32, shape),
                shape, false, false};
  if (sum) return r.give(y, *sum);
  r.give(y);
}

void gemm(Importer& r) {
  r.require(r.real("alpha", 1.0f) == 1.0f && r.real("beta", 1.0f) == 1.0f,
            [] { return "alpha and beta must be 1"; });
  r.require(r.integer("transA", 0) == 0, [] { return "transA must be 0"; });
  r.require(r.is_constant(r.in(1)),
            [] { return "computed weights are not supported, must be constants"; });
  dense(r, r.integer("transB", 0) != 0 ? WeightForm::kTransposed : WeightForm::kMatrix);
}

void mat_mul(Importer& r) {
  Value a = r.in(0), b = r.in(1);
  if (r.is_constant(b) && b.shape.size() == 2) return dense(r, WeightForm::kMatrix);
  a = r.plain(a), b = r.plain(b);
  r.require(a.shape.size() >= 2 && b.shape.size() >= 2, [&] {
    return "a is " + ir::to_string(a.shape) + ", b " + ir::to_string(b.shape) +
           ", both must be matrices";
  });
  const bool stored = a.quantized && b.quantized && !r.is_constant(b);
  const auto quantizer = stored ? r.quantizer(false) : std::nullopt;
  const auto multiply = [&](const ir::Quantization& q, ir::DType dtype) {
    Value y{r.make(ir::OpKind::kBatchMatmul, ir::BatchMatmul{}, {a.id, b.id}, q, dtype),
            {},
            false,
            false};
    y.shape = r.tensor(y).shape;
    return y;
  };
  if (quantizer && quantizer->dtype == ir::DType::kInt8) {
    return r.give(multiply(quantizer->quantization, quantizer->dtype), *quantizer);
  }
  a = r.dequantized(a), b = r.dequantized(b);
  r.give(multiply({}, ir::DType::kFloat32));
}

}  // namespace

const std::vector<Conversion>& of_products() {
  static const std::vector<Conversion> table = {{"Gemm", gemm}, {"MatMul", mat_mul}};
  return table;
}

}  // namespace presil::import::onnx
