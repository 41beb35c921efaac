// Sums of products as they are: ConvInteger, MatMulInteger. Bytes less their zero points, int32.
#include <algorithm>

#include "compiler_bridge/import/onnx/conv_sums.h"
#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/import/onnx/weights.h"
#include "compiler_bridge/import/onnx/window.h"
#include "compiler_bridge/import/unsigned_bytes.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

/// Bytes of an operand as int8, and the zero point of those.
struct Operand {
  Value value;
  int zero = 0;
};

/// The zero point as the file has it; one for each row, column or channel must be one for all.
int64_t stated_zero(Importer& r, size_t input, const char* what) {
  if (!r.has(input)) return 0;
  const ir::Tensor& zero = r.tensor(r.in(input));
  r.require(zero.is_constant() && zero.elements() >= 1 &&
                (zero.dtype == ir::DType::kInt8 || zero.dtype == ir::DType::kUint8),
            [&] { return std::string(what) + " must be a constant of int8 or uint8"; });
  const uint8_t* bytes = zero.data->data();
  const auto count = static_cast<std::ptrdiff_t>(zero.elements());
  r.require(std::all_of(bytes, bytes + count, [&](uint8_t b) { return b == bytes[0]; }), [&] {
    return std::string(what) + " has several values, must have one: quantise per tensor";
  });
  return zero.dtype == ir::DType::kUint8 ? int64_t{bytes[0]} : static_cast<int8_t>(bytes[0]);
}

Operand operand(Importer& r, size_t input, size_t zero_input, const char* what) {
  Operand o{r.in(input), 0};
  const ir::DType dtype = r.tensor(o.value).dtype;
  r.require(!o.value.quantized && (dtype == ir::DType::kInt8 || dtype == ir::DType::kUint8), [&] {
    return std::string(what) + " is " + ir::type_of(r.tensor(o.value)) + ", must be int8 or uint8";
  });
  const bool is_unsigned = r.is_unsigned(o.value);
  const int64_t zero = stated_zero(r, zero_input, what);
  o.zero = static_cast<int>(zero - (is_unsigned ? 128 : 0));
  if (r.is_constant(o.value)) {
    ir::Tensor bytes = r.tensor(o.value);
    bytes.quantization = {{1.0f}, {zero}, -1};
    make_signed(bytes, "\"" + bytes.name + "\"");
    o.value.id = r.constant(std::move(bytes));
  } else if (!r.tensor(o.value).quantization.present()) {
    r.set_quantization(o.value, {{1.0f}, {o.zero}, -1});
  }
  return o;
}

ir::TensorId no_bias(Importer& r) {
  ir::Tensor zero;
  zero.name = "zero", zero.dtype = ir::DType::kInt32, zero.shape = {1};
  zero.data = std::make_shared<const ir::Bytes>(ir::Bytes(sizeof(int32_t), 0));
  return r.constant(std::move(zero));
}

void conv_integer(Importer& r) {
  const Operand x = operand(r, 0, 2, "x"), w = operand(r, 1, 3, "w");
  const Shape &image = x.value.shape, weights = w.value.shape;
  r.require(image.size() == 4 && weights.size() == 4 && r.is_constant(w.value), [&] {
    return "x is " + ir::to_string(image) + ", w " + ir::to_string(weights) +
           ", must be an image and constant weights of 4 axes";
  });
  ir::ConvSums a = conv_sums(r, image, weights);
  a.in_zero = x.zero, a.weight_zero = w.zero;
  ir::Tensor ordered = conv_sums_weights(r.tensor(w.value), a.depthwise, image[1]);
  const ir::TensorId y = r.make(ir::OpKind::kConvSums, a,
                                {r.image(x.value).id, r.constant(std::move(ordered)), no_bias(r)},
                                {}, ir::DType::kInt32);
  r.give(image_value(r, y, false));
}

/// As matrices one after another: [n, h, w].
ir::TensorId matrices(Importer& r, const Value& value, int64_t n) {
  const Shape& s = value.shape;
  const Shape shape = {n, ir::elements(s) / n / s.back(), s.back()};
  if (shape == s) return value.id;
  return r.make_like(value, ir::OpKind::kReshape, ir::None{}, {value.id}, shape);
}

void matmul_integer(Importer& r) {
  Operand a = operand(r, 0, 2, "a"), b = operand(r, 1, 3, "b");
  a.value = r.plain(a.value), b.value = r.plain(b.value);
  const Shape &x = a.value.shape, &w = b.value.shape;
  const auto before = [](const Shape& s) { return Shape(s.begin(), s.end() - 2); };
  r.require(x.size() >= 2 && w.size() >= 2 && x.back() == w[w.size() - 2] &&
                (w.size() == 2 || before(x) == before(w)),
            [&] {
              return "a is " + ir::to_string(x) + ", b " + ir::to_string(w) +
                     ", must be matrices that fit, b one for all or as many as a";
            });
  const int64_t n = ir::elements(before(w));
  Shape result = x;
  result.back() = w.back();
  r.require(ir::elements(x) > 0 && ir::elements(w) > 0,
            [] { return "its operands are empty, must have values"; });
  const ir::TensorId sums =
      r.make(ir::OpKind::kMatmulSums, ir::MatmulSums{a.zero, b.zero},
             {matrices(r, a.value, n), matrices(r, b.value, n)}, {}, ir::DType::kInt32);
  Value y{sums, result, false, false};
  if (r.tensor(y).shape != result) {
    y.id = r.make(ir::OpKind::kReshape, ir::None{}, {sums}, {}, ir::DType::kInt32, result);
  }
  r.give(y);
}

}  // namespace

const std::vector<Conversion>& of_sums() {
  static const std::vector<Conversion> table = {{"ConvInteger", conv_integer},
                                                {"MatMulInteger", matmul_integer}};
  return table;
}

}  // namespace presil::import::onnx
