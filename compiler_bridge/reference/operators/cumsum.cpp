// Sums along one axis, from its first value or, reverse, from its last; exclusive: each without its
// own value.
// int32, int64: they wrap. float32: added one after the other from 0, each sum rounded.
// int8 (TFLite Micro, whose sum begins at -z_x, under `tflite` alone): the sum s of -z_x and of
// (x - z_x) is counted in steps of 2^19 in int32, which wraps; y = multiply(s * 2^19,
// Scale(2 s_x / (2^20 s_y)), in double) + z_y, saturated.
#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/float_order.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {
namespace {

/// y = shown(sum) for each value of x, sums by add(sum, x) from `first` on.
template <class T, class Sum, class Add, class Show>
void summed(const Case& c, Sum first, Add add, Show shown) {
  const auto& a = c.attributes<ir::Cumsum>();
  const auto axis = static_cast<size_t>(a.axis);
  const auto& shape = c.in().shape;
  const auto strides = strides_of(shape);
  auto starts = shape;
  starts[axis] = 1;
  const T* x = c.read<T>();
  T* y = c.write<T>();
  for_each_index(starts, [&](const std::vector<int64_t>& start) {
    Sum sum = first;
    for (int64_t k = 0; k < shape[axis]; ++k) {
      const int64_t position = a.reverse ? shape[axis] - 1 - k : k;
      const int64_t at = offset(start, strides) + position * strides[axis];
      const Sum before = sum;
      sum = add(sum, x[at]);
      y[at] = shown(a.exclusive ? before : sum);
    }
  });
}

template <class T>
void whole(const Case& c) {
  summed<T>(
      c, uint64_t{0}, [](uint64_t sum, T x) { return sum + static_cast<uint64_t>(x); },
      [](uint64_t sum) { return static_cast<T>(sum); });
}

void int8(const Case& c) {
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  const double twice = 2 * static_cast<double>(qx.scale());
  const Scale scale = to_scale(twice / ((1 << 20) * static_cast<double>(qy.scale())));
  summed<int8_t>(
      c, int64_t{-qx.zero_point()},
      [&](int64_t sum, int8_t x) { return sum + x - qx.zero_point(); },
      [&](int64_t sum) {
        const auto fine = static_cast<int32_t>(static_cast<uint64_t>(sum) << 19);
        return to_int8(multiply(fine, scale) + qy.zero_point());
      });
}

}  // namespace

void cumsum(const Case& c) {
  switch (c.in().dtype) {
    case ir::DType::kInt8:
      return int8(c);
    case ir::DType::kInt32:
      return whole<int32_t>(c);
    case ir::DType::kInt64:
      return whole<int64_t>(c);
    default:
      return summed<float>(
          c, 0.0f, [](float sum, float x) { return sum + x; },
          [](float sum) { return settled(sum); });
  }
}

}  // namespace presil::reference::operators
