// y[n, o.., k] = bias[k] + sum over kernel.., c of (x[n, o * stride + tap * dilation - before, c] -
// in_zero) * (weights - weight_zero); outside the image a product is 0. int32 wraps; int64 holds
// TOSA's 48 bits. Two axes of space are three with a first one of extent 1. transposed: every x is
// added, times the kernel, at its position times stride, less before.
#include <array>

#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {
namespace {

using Three = std::array<int64_t, 3>;

/// Entries of an axis of space, of two with one before them.
Three three(const std::vector<int64_t>& list, size_t from, size_t count, int64_t first) {
  Three all = {first, first, first};
  for (size_t i = 0; i < count; ++i) all[3 - count + i] = list[from + i];
  return all;
}

struct Shapes {
  Three image, result, kernel, stride, dilation, before;
  int64_t batch, in, out, filters;
};

Shapes shapes_of(const Case& c, const ir::ConvSums& a) {
  const size_t n = a.stride.size();
  const auto& w = c.in(1).shape;
  Shapes s;
  s.image = three(c.in(0).shape, 1, n, 1), s.result = three(c.out().shape, 1, n, 1);
  s.kernel = three(w, a.depthwise ? 0 : 1, n, 1);
  s.stride = three(a.stride, 0, n, 1), s.dilation = three(a.dilation, 0, n, 1);
  s.before = three(a.before, 0, n, 0);
  s.batch = c.in(0).shape[0], s.in = c.in(0).shape.back(), s.out = c.out().shape.back();
  s.filters = a.depthwise ? w.back() : 1;
  return s;
}

/// Where in the image a tap of a result lies; false: outside, or between.
bool place(const Shapes& s, bool transposed, size_t axis, int64_t at, int64_t tap, int64_t& found) {
  if (!transposed) {
    found = at * s.stride[axis] + tap * s.dilation[axis] - s.before[axis];
  } else {
    const int64_t from = at + s.before[axis] - tap;
    if (from < 0 || from % s.stride[axis] != 0) return false;
    found = from / s.stride[axis];
  }
  return found >= 0 && found < s.image[axis];
}

}  // namespace

void conv_sums(const Case& c) {
  const auto& a = c.attributes<ir::ConvSums>();
  const Shapes s = shapes_of(c, a);
  const auto centred = [](std::vector<int64_t> values, int64_t zero) {
    std::vector<int32_t> less(values.size());
    for (size_t i = 0; i < less.size(); ++i) less[i] = static_cast<int32_t>(values[i] - zero);
    return less;
  };
  const std::vector<int32_t> x = centred(integers(c, 0), a.in_zero);
  const std::vector<int32_t> w = centred(integers(c, 1), a.weight_zero);
  const std::vector<int64_t> bias = integers(c, 2);
  std::vector<int64_t> sums(static_cast<size_t>(s.out));
  size_t next = 0;
  const int64_t pixels = s.result[0] * s.result[1] * s.result[2];
  for (int64_t p = 0; p < s.batch * pixels; ++p) {
    const int64_t n = p / pixels, rest = p % pixels;
    const Three at = {rest / (s.result[1] * s.result[2]), rest / s.result[2] % s.result[1],
                      rest % s.result[2]};
    for (size_t k = 0; k < sums.size(); ++k) sums[k] = bias[bias.size() == 1 ? 0 : k];
    Three tap, from;
    for (tap[0] = 0; tap[0] < s.kernel[0]; ++tap[0]) {
      if (!place(s, a.transposed, 0, at[0], tap[0], from[0])) continue;
      for (tap[1] = 0; tap[1] < s.kernel[1]; ++tap[1]) {
        if (!place(s, a.transposed, 1, at[1], tap[1], from[1])) continue;
        for (tap[2] = 0; tap[2] < s.kernel[2]; ++tap[2]) {
          if (!place(s, a.transposed, 2, at[2], tap[2], from[2])) continue;
          const int32_t* pixel =
              x.data() +
              (((n * s.image[0] + from[0]) * s.image[1] + from[1]) * s.image[2] + from[2]) * s.in;
          const int64_t t = (tap[0] * s.kernel[1] + tap[1]) * s.kernel[2] + tap[2];
          if (a.depthwise) {
            const int32_t* row = w.data() + t * s.out;
            for (int64_t k = 0; k < s.out; ++k) {
              sums[static_cast<size_t>(k)] += int64_t{pixel[k / s.filters]} * row[k];
            }
            continue;
          }
          const int64_t taps = s.kernel[0] * s.kernel[1] * s.kernel[2];
          for (int64_t k = 0; k < s.out; ++k) {
            const int32_t* row = w.data() + (k * taps + t) * s.in;
            int64_t sum = 0;
            for (int64_t i = 0; i < s.in; ++i) sum += int64_t{pixel[i]} * row[i];
            sums[static_cast<size_t>(k)] += sum;
          }
        }
      }
    }
    for (const int64_t sum : sums) store(c, next++, sum);
  }
}

}  // namespace presil::reference::operators
