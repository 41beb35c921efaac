// "int8[1,32,32,3] q(0.5, -128)": types as text.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "compiler_bridge/ir/number.h"
#include "compiler_bridge/ir/shape.h"

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

std::string type_of(const Tensor& tensor) {
  std::string text = std::string(to_string(tensor.dtype)) + to_string(tensor.shape);
  const Quantization& q = tensor.quantization;
  if (!q.present()) return text;
  if (q.per_tensor() && q.zero_points.size() == 1) {
    return text + " q(" + number(q.scales[0]) + ", " + std::to_string(q.zero_points[0]) + ")";
  }
  text += " q([";
  for (size_t i = 0; i < q.scales.size(); ++i) text += (i > 0 ? ", " : "") + number(q.scales[i]);
  text += "], ";
  const bool all_zero = q.zero_points.size() == q.scales.size() &&
                        std::all_of(q.zero_points.begin(), q.zero_points.end(),
                                    [](int64_t zero_point) { return zero_point == 0; });
  if (all_zero) {
    text += "0";
  } else {
    text += "[";
    for (size_t i = 0; i < q.zero_points.size(); ++i) {
      text += (i > 0 ? ", " : "") + std::to_string(q.zero_points[i]);
    }
    text += "]";
  }
  return text + ", axis=" + std::to_string(q.axis) + ")";
}

}  // namespace presil::ir
