#include "compiler_bridge/import/onnx/integers.h"

#include <cmath>

namespace presil::import::onnx {
namespace {

using K = ir::OpKind;
using D = ir::DType;

/// x as it is.
const Scale kOne = {{int64_t{1} << 30}, 30};

}  // namespace

std::vector<int64_t> wholes(const Importer& r, const ir::Tensor& from, const std::string& what,
                            int64_t low, int64_t high) {
  r.require(from.is_constant() && from.dtype == D::kFloat32,
            [&] { return what + " must be a constant of float32"; });
  std::vector<int64_t> values;
  for (int64_t i = 0; i < from.elements(); ++i) {
    const float value = from.values<float>()[i];
    r.require(value == std::nearbyint(value) && double{value} >= static_cast<double>(low) &&
                  double{value} <= static_cast<double>(high),
              [&] {
                return what + " has the value " + std::to_string(value) + ", must be whole, " +
                       std::to_string(low) + ".." + std::to_string(high);
              });
    values.push_back(static_cast<int64_t>(value));
  }
  return values;
}

double number(const Importer& r, const char* name) {
  const auto found = r.node().attributes.find(name);
  r.require(found != r.node().attributes.end(),
            [&] { return std::string("its attribute ") + name + " is missing"; });
  const Attribute& a = found->second;
  if (!a.tensor) return a.i != 0 ? static_cast<double>(a.i) : double{a.f};
  const bool real = a.tensor->dtype == D::kFloat32 && a.tensor->elements() == 1;
  r.require(real, [&] { return std::string(name) + " must be one number of float32"; });
  return double{*a.tensor->values<float>()};
}

int places_of(const Importer& r, const char* name, int least) {
  const double value = number(r, name);
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  r.require(fraction == 0.5 && exponent > least && exponent <= 63, [&] {
    return std::string(name) + " is " + std::to_string(value) + ", must be a power of two, " +
           std::to_string(1 << least) + "..2^62";
  });
  return exponent - 1;
}

Value bytes_of(Importer& r, Value x) {
  const ir::Tensor& from = r.tensor(x);
  const bool stored = x.quantized && from.dtype == D::kInt8 && from.quantization.per_tensor() &&
                      from.quantization.scale() == 1.0f;
  if (stored) return x;
  r.require(!x.quantized && from.dtype == D::kFloat32 && r.is_input(x), [&] {
    return "x is " + ir::type_of(from) + ", must be bytes that a RequantShift makes, or an input";
  });
  Value known = r.quantized_input(x, {{1.0f}, {r.signed_inputs() ? 0 : kUnsigned}, -1});
  return known;
}

ir::TensorId rescale(Importer& r, const Value& x, const Scale& scale, int in_zero, int out_zero,
                     D to) {
  std::vector<int32_t> m(scale.multiplier.begin(), scale.multiplier.end());
  const auto count = static_cast<int64_t>(m.size());
  const ir::TensorId multiplier = r.constant(constant_of("multiplier", D::kInt32, {count}, m));
  const ir::TensorId shift = r.constant(constant_of(
      "shift", D::kInt8, {count}, std::vector<int8_t>(m.size(), static_cast<int8_t>(scale.shift))));
  ir::Rescale a;
  a.in_zero = in_zero, a.out_zero = out_zero;
  ir::Quantization q;
  if (to == D::kInt8) q = {{1.0f}, {out_zero}, -1};
  return r.make(K::kRescale, a, {x.id, multiplier, shift}, q, to);
}

Value wide(Importer& r, const Value& bytes) {
  return {rescale(r, bytes, kOne, zero_of(r, bytes), 0, D::kInt32), bytes.shape, bytes.nhwc, false};
}

Value combined(Importer& r, K kind, const Value& a, ir::TensorId b) {
  ir::Attributes how = ir::None{};
  if (kind == K::kAdd || kind == K::kSub || kind == K::kMul) how = ir::Elementwise{};
  if (kind == K::kShiftRight) how = ir::ShiftRight{};
  return {r.make(kind, how, {a.id, b}, {}, D::kInt32), a.shape, a.nhwc, false};
}

ir::TensorId row_of(Importer& r, const std::vector<int32_t>& values) {
  return r.constant(constant_of("row", D::kInt32, {static_cast<int64_t>(values.size())}, values));
}

Value narrow(Importer& r, const Value& x, int zero) {
  return {rescale(r, x, kOne, 0, zero, D::kInt8), x.shape, x.nhwc, true};
}

}  // namespace presil::import::onnx
