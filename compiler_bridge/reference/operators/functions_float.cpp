// Functions of one float32 value, by the operations of float_order.h:
//   relu, relu6     the clamp
//   leaky_relu      x above 0, else x * alpha
//   hard_swish      x * min(max(x + 3, 0), 6) / 6, from left to right
//   logistic, tanh, exp  as they are there
//   elu             x above 0, else exponential_less_one(x)
//   gelu            x * ((1 + erf(x * sqrt(1/2))) / 2) in double, rounded once; approximate, in
//   float32:
//                   (0.5 * x) * (1 + tanh((x + x * x * x * 0.044715) * sqrt(2 / pi)))
//   log, sin, cos   float_functions.h; the logarithm rounded once
//   rsqrt           1 / sqrt(x), each rounded
//   round           halves to even
//   sign            1, -1, or the zero that x is
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/float_functions.h"

namespace presil::reference {
namespace {

template <class F>
void for_each_float(const Case& c, const F& f) {
  const float* x = c.read<float>();
  float* y = c.write<float>();
  for (int64_t i = 0; i < c.in().elements(); ++i) y[i] = settled(f(x[i]));
}

void gelu_float(const Case& c) {
  if (c.attributes<ir::Gelu>().approximate) {
    return for_each_float(c, [](float x) {
      const float inner = (x + x * x * x * 0.044715f) * 0x1.988454p-1f;
      return 0.5f * x * (1.0f + tanh_of(inner));
    });
  }
  for_each_float(c, [](float x) {
    const auto v = static_cast<double>(x);
    return static_cast<float>(v * ((1 + error_function(v * 0x1.6a09e667f3bcdp-1)) / 2));
  });
}

}  // namespace

void function_float(const Case& c) {
  using K = ir::OpKind;
  switch (c.op.kind) {
    case K::kRelu:
      return for_each_float(
          c, [b = bounds_of(ir::Activation::kRelu)](float x) { return clamped(x, b); });
    case K::kRelu6:
      return for_each_float(
          c, [b = bounds_of(ir::Activation::kRelu6)](float x) { return clamped(x, b); });
    case K::kLeakyRelu:
      return for_each_float(c, [alpha = c.attributes<ir::LeakyRelu>().alpha](float x) {
        return x > 0.0f ? x : x * alpha;
      });
    case K::kHardSwish:
      return for_each_float(c, [b = bounds_of(ir::Activation::kRelu6)](float x) {
        return x * clamped(x + 3.0f, b) / 6.0f;
      });
    case K::kLogistic:
      return for_each_float(c, logistic_of);
    case K::kTanh:
      return for_each_float(c, tanh_of);
    case K::kElu:
      return for_each_float(c, [](float x) { return x > 0.0f ? x : exponential_less_one(x); });
    case K::kExp:
      return for_each_float(c, exponential);
    case K::kLog:
      return for_each_float(
          c, [](float x) { return static_cast<float>(natural_log(static_cast<double>(x))); });
    case K::kSqrt:
      return for_each_float(c, [](float x) { return std::sqrt(x); });
    case K::kRsqrt:
      return for_each_float(c, [](float x) { return 1.0f / std::sqrt(x); });
    case K::kAbs:
      return for_each_float(c, [](float x) { return std::fabs(x); });
    case K::kNeg:
      return for_each_float(c, [](float x) { return -x; });
    case K::kReluN1To1:
      return for_each_float(
          c, [](float x) { return clamped(x, bounds_of(ir::Activation::kReluN1To1)); });
    case K::kRelu0To1:
      return for_each_float(c, [](float x) { return clamped(x, {0.0f, 1.0f}); });
    case K::kGelu:
      return gelu_float(c);
    default:
      break;
  }
}

void operators::square(const Case& c) {
  for_each_float(c, [](float x) { return x * x; });
}

void operators::sign(const Case& c) {
  for_each_float(c, [](float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x; });
}

void operators::sin(const Case& c) {
  for_each_float(c, sine_of);
}

void operators::cos(const Case& c) {
  for_each_float(c, cosine_of);
}

void operators::floor(const Case& c) {
  for_each_float(c, [](float x) { return std::floor(x); });
}

void operators::ceil(const Case& c) {
  for_each_float(c, [](float x) { return std::ceil(x); });
}

void operators::round(const Case& c) {
  for_each_float(c, [](float x) { return std::nearbyint(x); });
}

}  // namespace presil::reference
