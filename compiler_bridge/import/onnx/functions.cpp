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

/// A constant of one element.
ir::TensorId number(Importer& r, float value) {
  ir::Tensor tensor;
  tensor.dtype = ir::DType::kFloat32, tensor.shape = {1};
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  tensor.data = std::make_shared<const ir::Bytes>(bytes, bytes + sizeof value);
  return r.constant(std::move(tensor));
}

/// Steps of what is computed value by value, each of type float32; passes make one table of them
/// where they lie between bytes.
class Steps {
 public:
  explicit Steps(Importer& r) : m_r(r), m_x(r.dequantized(r.in(0))) {
    r.require(r.tensor(m_x).dtype == ir::DType::kFloat32,
              [&] { return "x is " + ir::type_of(r.tensor(m_x)) + ", must be float32"; });
  }
  ir::TensorId x() const { return m_x.id; }
  template <class Attributes = ir::None>
  ir::TensorId one(ir::OpKind kind, ir::TensorId of, Attributes how = {}) {
    return m_r.make_like(m_x, kind, how, {of});
  }
  ir::TensorId two(ir::OpKind kind, ir::TensorId a, ir::TensorId b) {
    return m_r.make_like(m_x, kind, ir::Elementwise{}, {a, b});
  }
  ir::TensorId limit(ir::OpKind kind, ir::TensorId a, float b) {
    return m_r.make_like(m_x, kind, ir::None{}, {a, number(m_r, b)});
  }
  ir::TensorId times(ir::TensorId a, float b) {
    return b == 1 ? a : two(ir::OpKind::kMul, a, number(m_r, b));
  }
  ir::TensorId plus(ir::TensorId a, float b) {
    return b == 0 ? a : two(ir::OpKind::kAdd, a, number(m_r, b));
  }
  void give(ir::TensorId y) {
    m_x.id = y;
    m_r.give(m_x);
  }

 private:
  Importer& m_r;
  Value m_x;
};

void clip(Importer& r) {
  const auto [low, high] = r.limits(r.node());
  constexpr float kMost = std::numeric_limits<float>::max();
  if (low == 0 && high == 6) return unary(r, ir::OpKind::kRelu6);
  if (low == 0 && high >= kMost) return unary(r, ir::OpKind::kRelu);
  if (low == -1 && high == 1) return unary(r, ir::OpKind::kReluN1To1);
  if (low == 0 && high == 1) return unary(r, ir::OpKind::kRelu0To1);
  Steps s(r);
  ir::TensorId y = s.x();
  if (low > -kMost) y = s.limit(ir::OpKind::kMaximum, y, low);
  if (high < kMost) y = s.limit(ir::OpKind::kMinimum, y, high);
  if (y == s.x()) return r.give(r.in(0));
  s.give(y);
}

/// log(1 + e^x), as x + log(1 + e^-x) above 0 so that no power is infinite.
ir::TensorId softplus_of(Steps& s) {
  const ir::TensorId size = s.one(ir::OpKind::kAbs, s.x());
  const ir::TensorId power = s.one(ir::OpKind::kExp, s.one(ir::OpKind::kNeg, size));
  const ir::TensorId rest = s.one(ir::OpKind::kLog, s.plus(power, 1));
  return s.two(ir::OpKind::kAdd, s.one(ir::OpKind::kRelu, s.x()), rest);
}

void softplus(Importer& r) {
  Steps s(r);
  s.give(softplus_of(s));
}

void softsign(Importer& r) {
  Steps s(r);
  s.give(s.two(ir::OpKind::kDiv, s.x(), s.plus(s.one(ir::OpKind::kAbs, s.x()), 1)));
}

void mish(Importer& r) {
  Steps s(r);
  s.give(s.two(ir::OpKind::kMul, s.x(), s.one(ir::OpKind::kTanh, softplus_of(s))));
}

void hard_sigmoid(Importer& r) {
  Steps s(r);
  const ir::TensorId line = s.plus(s.times(s.x(), r.real("alpha", 0.2f)), r.real("beta", 0.5f));
  s.give(s.one(ir::OpKind::kRelu0To1, line));
}

void reciprocal(Importer& r) {
  Steps s(r);
  s.give(s.two(ir::OpKind::kDiv, number(r, 1), s.x()));
}

/// scale * (max(0, x) + alpha * (e^min(0, x) - 1)): ELU, SELU and CELU are of that form.
void exponential(Importer& r, float scale, float alpha, float inner) {
  Steps s(r);
  const ir::TensorId above = s.one(ir::OpKind::kRelu, s.x());
  const ir::TensorId under = s.limit(ir::OpKind::kMinimum, s.times(s.x(), inner), 0);
  const ir::TensorId power = s.plus(s.one(ir::OpKind::kExp, under), -1);
  s.give(s.times(s.two(ir::OpKind::kAdd, above, s.times(power, alpha)), scale));
}

void elu(Importer& r) {
  const float alpha = r.real("alpha", 1.0f);
  if (alpha == 1.0f) return unary(r, ir::OpKind::kElu);
  exponential(r, 1, alpha, 1);
}

void selu(Importer& r) {
  exponential(r, r.real("gamma", 1.05070102f), r.real("alpha", 1.67326319f), 1);
}

void celu(Importer& r) {
  const float alpha = r.real("alpha", 1.0f);
  r.require(alpha > 0,
            [&] { return "its alpha is " + std::to_string(alpha) + ", must be above 0"; });
  exponential(r, 1, alpha, 1 / alpha);
}

/// With g = GELU and a = sqrt(2) |x|: g(a) + g(-a) = a erf(|x|). Within 2e-7 of the function.
void erf(Importer& r) {
  Steps s(r);
  const ir::TensorId size = s.times(s.one(ir::OpKind::kAbs, s.x()), 1.41421356f);
  const ir::TensorId a = s.limit(ir::OpKind::kMaximum, size, 1e-20f);  // 0 / a is 0
  const ir::TensorId above = s.one(ir::OpKind::kGelu, a, ir::Gelu{});
  const ir::TensorId under = s.one(ir::OpKind::kGelu, s.one(ir::OpKind::kNeg, a), ir::Gelu{});
  const ir::TensorId both = s.two(ir::OpKind::kAdd, above, under);
  const ir::TensorId sign = s.one(ir::OpKind::kSign, s.x());
  s.give(s.two(ir::OpKind::kMul, sign, s.two(ir::OpKind::kDiv, both, a)));
}

void gelu(Importer& r) {
  unary(r, ir::OpKind::kGelu, ir::Gelu{r.text("approximate", "none") == "tanh"});
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
  static const std::vector<Conversion> table = {{"Abs", abs},
                                                {"Add", add},
                                                {"Ceil", ceil},
                                                {"Celu", celu},
                                                {"Clip", clip},
                                                {"Cos", cos},
                                                {"Div", div},
                                                {"Elu", elu},
                                                {"Erf", erf},
                                                {"Exp", exp},
                                                {"Floor", floor},
                                                {"Gelu", gelu},
                                                {"HardSigmoid", hard_sigmoid},
                                                {"HardSwish", hard_swish},
                                                {"LeakyRelu", leaky_relu},
                                                {"Log", log},
                                                {"Max", max},
                                                {"Min", min},
                                                {"Mish", mish},
                                                {"Mul", mul},
                                                {"Neg", neg},
                                                {"PRelu", prelu},
                                                {"Pow", pow},
                                                {"Reciprocal", reciprocal},
                                                {"Relu", relu},
                                                {"Selu", selu},
                                                {"Sigmoid", sigmoid},
                                                {"Sign", sign},
                                                {"Sin", sin},
                                                {"Softmax", softmax},
                                                {"Softplus", softplus},
                                                {"Softsign", softsign},
                                                {"Sqrt", sqrt},
                                                {"Sub", sub},
                                                {"Tanh", tanh}};
  return table;
}

}  // namespace presil::import::onnx
