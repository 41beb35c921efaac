// Functions of one value or of two.
#include <algorithm>
#include <limits>

#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

// Of float32; between DequantizeLinear and QuantizeLinear a pass makes it a table.
template <class Attributes = ir::None>
void unary(Importer& r, ir::OpKind kind, Attributes attributes = {}) {
  Value x = r.dequantized(r.in(0));
  x.id = r.make_like(x, kind, attributes, {x.id});
  r.give(x);
}

void relu(Importer& r) {
  unary(r, ir::OpKind::kRelu);
}
void sigmoid(Importer& r) {
  unary(r, ir::OpKind::kLogistic);
}
void tanh(Importer& r) {
  unary(r, ir::OpKind::kTanh);
}
void exp(Importer& r) {
  unary(r, ir::OpKind::kExp);
}
void sqrt(Importer& r) {
  unary(r, ir::OpKind::kSqrt);
}
void abs(Importer& r) {
  unary(r, ir::OpKind::kAbs);
}
void neg(Importer& r) {
  unary(r, ir::OpKind::kNeg);
}
void leaky_relu(Importer& r) {
  unary(r, ir::OpKind::kLeakyRelu, ir::LeakyRelu{r.real("alpha", 0.01f)});
}
void elu(Importer& r) {
  r.require(r.real("alpha", 1.0f) == 1.0f, [] { return "its alpha must be 1"; });
  unary(r, ir::OpKind::kElu);
}

void log(Importer& r) {
  unary(r, ir::OpKind::kLog);
}
void floor(Importer& r) {
  unary(r, ir::OpKind::kFloor);
}
void ceil(Importer& r) {
  unary(r, ir::OpKind::kCeil);
}
void sin(Importer& r) {
  unary(r, ir::OpKind::kSin);
}
void cos(Importer& r) {
  unary(r, ir::OpKind::kCos);
}
void sign(Importer& r) {
  unary(r, ir::OpKind::kSign);
}
void hard_swish(Importer& r) {
  unary(r, ir::OpKind::kHardSwish);
}

void clip(Importer& r) {
  const float most = std::numeric_limits<float>::max();
  float low = r.real("min", -most), high = r.real("max", most);
  const auto limit = [&](size_t input, float otherwise) {
    if (!r.has(input)) return otherwise;
    const auto values = r.reals(input, "a limit");
    r.require(values.size() == 1, [] { return "a limit must be one number"; });
    return values[0];
  };
  if (r.opset() >= 11) low = limit(1, low), high = limit(2, high);
  if (low == 0 && high == 6) return unary(r, ir::OpKind::kRelu6);
  if (low == 0 && high >= most) return unary(r, ir::OpKind::kRelu);
  if (low == -1 && high == 1) return unary(r, ir::OpKind::kReluN1To1);
  if (low == 0 && high == 1) return unary(r, ir::OpKind::kRelu0To1);
  r.refuse("its limits are " + std::to_string(low) + " and " + std::to_string(high) +
           ", must be 0 and 6, 0 and none, -1 and 1, or 0 and 1");
}

// Both operands in one layout; a constant with fewer axes has ones in front.
void align(Importer& r, Value& a, Value& b) {
  const size_t rank = std::max(a.shape.size(), b.shape.size());
  const bool image = rank == 4 && (a.nhwc || b.nhwc);
  for (Value* value : {&a, &b}) {
    if (value->shape.size() < rank && r.is_constant(*value)) {
      ir::Tensor wider = r.tensor(*value);
      wider.shape.insert(wider.shape.begin(), rank - wider.shape.size(), 1);
      value->shape = wider.shape;
      value->id = r.constant(std::move(wider));
    }
  }
  const bool images = image && a.shape.size() == 4 && b.shape.size() == 4;
  a = images ? r.image(a) : r.plain(a);
  b = images ? r.image(b) : r.plain(b);
}

Shape broadcast(const Importer& r, const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    r.require(x == y || x == 1 || y == 1, [&] {
      return "a is " + ir::to_string(a) + ", b " + ir::to_string(b) + ", must fit each other";
    });
    shape[shape.size() - 1 - i] = std::max(x, y);
  }
  return shape;
}

/// Of float32 alone.
void real_pair(Importer& r, ir::OpKind kind) {
  r.require(r.node().inputs.size() == 2, [] { return "it must have two inputs"; });
  Value a = r.dequantized(r.in(0)), b = r.dequantized(r.in(1));
  const Shape shape = broadcast(r, a.shape, b.shape);
  for (const Value* value : {&a, &b}) {
    r.require(r.tensor(*value).dtype == ir::DType::kFloat32, [&] {
      return "it has an operand " + ir::type_of(r.tensor(*value)) + ", both must be float32";
    });
  }
  align(r, a, b);
  r.give({r.make(kind, ir::None{}, {a.id, b.id}, {}, ir::DType::kFloat32), shape, a.nhwc, false});
}

void pow(Importer& r) {
  real_pair(r, ir::OpKind::kPow);
}
void max(Importer& r) {
  real_pair(r, ir::OpKind::kMaximum);
}
void min(Importer& r) {
  real_pair(r, ir::OpKind::kMinimum);
}

void prelu(Importer& r) {
  real_pair(r, ir::OpKind::kPrelu);
}

void arithmetic(Importer& r, ir::OpKind kind) {
  Value a = r.in(0), b = r.in(1);
  const Shape shape = broadcast(r, a.shape, b.shape);
  const auto give = [&](const Quantizer* quantizer) {
    align(r, a, b);
    const ir::Elementwise how{quantizer ? quantizer->act : ir::Activation::kNone};
    const ir::Quantization q = quantizer ? quantizer->quantization : ir::Quantization();
    const ir::DType dtype = quantizer ? quantizer->dtype : ir::DType::kFloat32;
    const ir::TensorId y = r.make(kind, how, {a.id, b.id}, q, dtype);
    const Value value{y, shape, a.nhwc, false};
    if (quantizer) return r.give(value, *quantizer);
    r.give(value);
  };
  const bool stored = a.quantized && b.quantized && kind != ir::OpKind::kDiv &&
                      r.tensor(a).dtype == r.tensor(b).dtype;
  const auto quantizer = stored ? r.quantizer(true) : std::nullopt;
  if (quantizer && quantizer->dtype == r.tensor(a).dtype) return give(&*quantizer);
  a = r.dequantized(a), b = r.dequantized(b);
  for (const Value* value : {&a, &b}) {
    r.require(r.tensor(*value).dtype == ir::DType::kFloat32, [&] {
      return "an operand is " + ir::type_of(r.tensor(*value)) + ", must be float32 or quantised";
    });
  }
  give(nullptr);
}

void add(Importer& r) {
  arithmetic(r, ir::OpKind::kAdd);
}
void sub(Importer& r) {
  arithmetic(r, ir::OpKind::kSub);
}
void mul(Importer& r) {
  arithmetic(r, ir::OpKind::kMul);
}
void div(Importer& r) {
  arithmetic(r, ir::OpKind::kDiv);
}

void softmax(Importer& r) {
  Value x = r.dequantized(r.in(0));
  const size_t rank = x.shape.size();
  const size_t axis = r.axis(r.integer("axis", r.opset() >= 13 ? -1 : 1), rank);
  // Before operator set 13 all axes from this one on are one: the same where it is the last.
  const bool channels = x.nhwc && axis == 1 && r.opset() >= 13;
  r.require(axis + 1 == rank || channels, [&] {
    return "its axis is " + std::to_string(axis) + " of " + ir::to_string(x.shape) +
           ", must be the last";
  });
  if (!channels) x = r.plain(x);
  x.id = r.make_like(x, ir::OpKind::kSoftmax, ir::Softmax{}, {x.id});
  r.give(x);
}

}  // namespace

const std::vector<Conversion>& of_functions() {
  static const std::vector<Conversion> table = {{"Ceil", ceil},       {"Cos", cos},
                                                {"Floor", floor},     {"HardSwish", hard_swish},
                                                {"Log", log},         {"Max", max},
                                                {"Min", min},         {"PRelu", prelu},
                                                {"Pow", pow},         {"Sign", sign},
                                                {"Sin", sin},         {"Abs", abs},
                                                {"Add", add},         {"Clip", clip},
                                                {"Div", div},         {"Elu", elu},
                                                {"Exp", exp},         {"LeakyRelu", leaky_relu},
                                                {"Mul", mul},         {"Neg", neg},
                                                {"Relu", relu},       {"Sigmoid", sigmoid},
                                                {"Softmax", softmax}, {"Sqrt", sqrt},
                                                {"Sub", sub},         {"Tanh", tanh}};
  return table;
}

}  // namespace presil::import::onnx
