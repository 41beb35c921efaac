// RequantShift, with which networks of whole numbers come (Deeploy, PULP's PACT exporters): float32
// tensors whose values are integers.
//
//   y = floor((x * mul + add + div / 2) / div), limited to 0..255, or -128..127 where `signed` is 1
//
// x is what a Conv, Gemm, MatMul or Add makes of such bytes, or bytes themselves. y is bytes of
// scale 1, so what follows it works on stored values. With one rounding and div a power of two that
// is TOSA's RESCALE. The file does not say what bytes the network's inputs are:
// Source::signed_inputs.
#include "compiler_bridge/import/onnx/requant_shift.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "compiler_bridge/import/onnx/integers.h"

namespace presil::import::onnx {
namespace {

using K = ir::OpKind;
using D = ir::DType;

constexpr const char* kNode = "RequantShift";

/// add as so many mul: what the sums get before they are scaled. None: it is no multiple.
std::optional<std::vector<int32_t>> added(const std::vector<int64_t>& mul,
                                          const std::vector<int64_t>& more) {
  std::vector<int32_t> bias;
  for (size_t i = 0; i < std::max(mul.size(), more.size()); ++i) {
    const int64_t m = mul[mul.size() == 1 ? 0 : i], b = more[more.size() == 1 ? 0 : i];
    if (m != 0 ? b % m != 0 : b != 0) return std::nullopt;
    bias.push_back(m == 0 ? 0 : static_cast<int32_t>(b / m));
  }
  return bias;
}

/// By the host, where engines cannot add before they multiply: what the result is limited at is
/// limited first, so that products have 32 bits.
Value scaled(Importer& r, const Value& x, const std::vector<int64_t>& mul,
             const std::vector<int64_t>& more, int places, int out_zero) {
  const size_t count = std::max(mul.size(), more.size());
  const int64_t least = out_zero == 0 ? -128 : 0;
  std::vector<int32_t> low, high, factor, term;
  for (size_t i = 0; i < count; ++i) {
    const int64_t m = mul[mul.size() == 1 ? 0 : i], b = more[more.size() == 1 ? 0 : i];
    constexpr int64_t kMost = 1 << 29;
    r.require(m >= 0 && m <= kMost && std::abs(b) <= kMost && places <= 20, [&] {
      return "add is " + std::to_string(b) + ", must be a multiple of mul, which is " +
             std::to_string(m) + ", or mul 0..2^29, add -2^29..2^29 and div 2^20 at most";
    });
    const auto at = [&](int64_t y) {  // x that gives about y
      const double exact = m == 0 ? 0 : (std::ldexp(double(y), places) - double(b)) / double(m);
      return static_cast<int32_t>(std::clamp(std::floor(exact), -double(1 << 30), double(1 << 30)));
    };
    low.push_back(at(least - 1)), high.push_back(at(least + 257) + 1);
    factor.push_back(static_cast<int32_t>(m)), term.push_back(static_cast<int32_t>(b));
  }
  Value y = combined(r, K::kMaximum, x, row_of(r, low));
  y = combined(r, K::kMinimum, y, row_of(r, high));
  y = combined(r, K::kMul, y, row_of(r, factor));
  y = combined(r, K::kAdd, y, row_of(r, term));
  return {rescale(r, y, {{1}, places}, 0, out_zero, D::kInt8), x.shape, x.nhwc, true};
}

void requant_shift(Importer& r) {
  const Value x = r.in(0);
  const double levels = number(r, "n_levels_out");
  r.require(levels == 256,
            [&] { return "n_levels_out is " + std::to_string(levels) + ", must be 256: bytes"; });
  const int64_t channels = x.shape.empty() ? 1 : x.nhwc ? x.shape[1] : x.shape.back();
  const std::vector<int64_t> mul = wholes(r, r.tensor(r.in(1)), "mul", -(1 << 30), 1 << 30);
  const std::vector<int64_t> more = wholes(r, r.tensor(r.in(2)), "add", INT32_MIN, INT32_MAX);
  for (const auto* list : {&mul, &more}) {
    const auto count = static_cast<int64_t>(list->size());
    r.require(count == 1 || (count == channels && count != 0), [&] {
      return "mul or add has " + std::to_string(count) + " values, must have 1 or " +
             std::to_string(channels) + ", one for each channel";
    });
  }
  const int out_zero = number(r, "signed") != 0 ? 0 : kUnsigned;
  const Scale scale{mul, places_of(r, "div", 2)};
  const auto whole = added(mul, more);
  if (!whole) {
    const bool sums = r.tensor(x).dtype == D::kInt32 && !x.quantized;
    return r.give(scaled(r, sums ? x : wide(r, bytes_of(r, x)), mul, more, scale.shift, out_zero));
  }
  const std::vector<int32_t>& bias = *whole;
  const bool biased = std::any_of(bias.begin(), bias.end(), [](int32_t b) { return b != 0; });
  Value y{ir::kAbsent, x.shape, x.nhwc, true};
  if (r.tensor(x).dtype == D::kInt32 && !x.quantized) {
    Value sums = r.reshaped_from(x);  // so that nothing stands between sums and their scaling
    if (biased && !r.add_to_bias(sums, bias)) {
      sums = combined(r, K::kAdd, sums, row_of(r, bias));
    }
    y.id = rescale(r, sums, scale, 0, out_zero, D::kInt8);
    if (sums.shape != r.tensor(x).shape && !x.nhwc) {
      y.id = r.make_like(y, K::kReshape, ir::None{}, {y.id}, x.shape);
    }
  } else {
    const Value bytes = bytes_of(r, x);
    const bool one = std::all_of(bias.begin(), bias.end(), [&](int32_t b) { return b == bias[0]; });
    r.require(one && bias[0] > -65536 && bias[0] < 65536,
              [] { return "of bytes add must be one small number for all channels"; });
    y.nhwc = bytes.nhwc;
    y.id = rescale(r, bytes, scale, zero_of(r, bytes) - bias[0], out_zero, D::kInt8);
  }
  r.give(y);
}

}  // namespace

const std::vector<Conversion>& of_requant_shift() {
  static const std::vector<Conversion> table = {{kNode, requant_shift}};
  return table;
}

}  // namespace presil::import::onnx
