// "int8[1,32,32,3] q(0.5, -128)": types as text.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "compiler_bridge/ir/number.h"
#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/ir/text.h"

namespace presil::ir {

std::string number(float value) {
  char text[32];
  for (int digits = 1; digits <= 9; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
    if (std::strtof(text, nullptr) == value) break;
  }
  return text;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ",";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

int64_t elements(const Shape& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

namespace {

constexpr size_t kMostScales = 4;  // of which a type for people shows every one

/// "0.1, 0.2", or for people "0.01 .. 0.2 of 64".
template <class T, class Text>
std::string listed(const std::vector<T>& values, bool exact, Text text) {
  if (!exact && values.size() > kMostScales) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const std::string range = *low == *high ? text(*low) : text(*low) + " .. " + text(*high);
    return range + " of " + std::to_string(values.size());
  }
  std::string all;
  for (size_t i = 0; i < values.size(); ++i) all += (i > 0 ? ", " : "") + text(values[i]);
  return all;
}

/// " fixed([1073741824, 30], [536870912, 31]) twice", or for people how many.
std::string fixed_text(const Quantization& q, bool exact) {
  if (q.fixed.empty()) return "";
  std::string all;
  for (const FixedScale& scale : q.fixed) {
    all += (all.empty() ? "[" : ", [") + std::to_string(scale.multiplier) + ", " +
           std::to_string(scale.shift) + "]";
  }
  if (!exact && q.fixed.size() > kMostScales) all = std::to_string(q.fixed.size());
  return " fixed(" + all + ")" + (q.round_twice ? " twice" : "");
}

std::string type_text(const Tensor& tensor, bool exact) {
  std::string text = std::string(to_string(tensor.dtype)) + to_string(tensor.shape);
  const Quantization& q = tensor.quantization;
  if (!q.present()) return text;
  const auto whole = [](int64_t value) { return std::to_string(value); };
  if (q.per_tensor() && q.zero_points.size() == 1) {
    return text + " q(" + number(q.scales[0]) + ", " + whole(q.zero_points[0]) + ")" +
           fixed_text(q, exact);
  }
  const bool all_zero = q.zero_points.size() == q.scales.size() &&
                        std::all_of(q.zero_points.begin(), q.zero_points.end(),
                                    [](int64_t zero_point) { return zero_point == 0; });
  text += " q([" + listed(q.scales, exact, number) + "], ";
  text += all_zero ? "0" : "[" + listed(q.zero_points, exact, whole) + "]";
  return text + ", axis=" + std::to_string(q.axis) + ")" + fixed_text(q, exact);
}

}  // namespace

std::string type_of(const Tensor& tensor) {
  return type_text(tensor, false);
}

std::string exact_type_of(const Tensor& tensor) {
  return type_text(tensor, true);
}

}  // namespace presil::ir
