// Sums of a convolution over two or three axes of space, before any scale: i8 in i32, i16 in i64.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

using Attributes = presil_conv_sums_attributes;
enum : uint32_t { kX, kWeights, kBias, kY, kTensors };

/// Extents of an axis k = 0..2 of space; of two axes the first is 1.
uint32_t extent(const Tensor& tensor, uint32_t first, uint32_t k) {
  const uint32_t missing = tensor.rank == 4 ? 1 : 0;
  return k < missing ? 1 : tensor.shape[first + k - missing];
}

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  const auto a = task.as<Attributes>();
  if (task[kX].rank != 5) c.rank(kX, 4);
  c.rank(kWeights, task[kX].rank);
  c.rank(kY, task[kX].rank);
  const bool wide = task[kX].dtype == PRESIL_INT16;
  if (!wide) c.dtype(kX, PRESIL_INT8);
  c.dtype(kWeights, PRESIL_INT8);
  c.dtype(kBias, wide ? PRESIL_INT64 : PRESIL_INT32);
  c.dtype(kY, wide ? PRESIL_INT64 : PRESIL_INT32);
  for (uint32_t k = 0; k < 3; ++k) {
    c.range("stride", a.stride[k], 1, 65535);
    c.range("dilation", a.dilation[k], 1, 65535);
    c.range("before", a.before[k], -65535, 65535);
  }
  c.range("in_zero", a.in_zero, -32768, 32767);
  c.range("weight_zero", a.weight_zero, -128, 127);
  c.range("depthwise", a.depthwise, 0, 1);
  c.range("transposed", a.transposed, 0, a.depthwise != 0 ? 0 : 1);
  if (!c.ok()) return;
  const uint32_t last = task[kX].rank - 1;
  const uint32_t in = task[kX].shape[last], out = task[kY].shape[last];
  const uint32_t* w = task[kWeights].shape;
  c.dim(kY, 0, task[kX].shape[0]);
  if (a.depthwise != 0) {
    c.dim(kWeights, last - 1, in);
    c.dim(kY, last, int64_t{in} * w[last]);
  } else {
    c.dim(kWeights, 0, out);
    c.dim(kWeights, last, in);
  }
  if (presil_tensor_elements(&task[kBias]) != 1) c.elements(kBias, out);
}

uint64_t macs(const Task& task) {
  const auto a = task.as<Attributes>();
  const uint32_t last = task[kWeights].rank - 1;
  const uint64_t y = presil_tensor_elements(&task[kY]);
  const uint64_t w = presil_tensor_elements(&task[kWeights]);
  const uint64_t others =
      a.depthwise != 0 ? uint64_t{task[kWeights].shape[last]} * task[kWeights].shape[last - 1]
                       : task[kWeights].shape[0];
  return y * (w / others);
}

/// The row of the image that tap t of row r of y reads, -1 for none.
int64_t row_of(const Attributes& a, uint32_t k, int64_t r, int64_t t, int64_t rows) {
  int64_t row = r * a.stride[k] + t * a.dilation[k] - a.before[k];
  if (a.transposed != 0) {
    const int64_t scattered = r + a.before[k] - t;
    if (scattered < 0 || scattered % a.stride[k] != 0) return -1;
    row = scattered / a.stride[k];
  }
  return row >= 0 && row < rows ? row : -1;
}

/// The sum of one element of y, whose place is `at` and channel `o`.
template <class T>
int64_t sum_of(const Task& task, const Attributes& a, uint32_t batch, const uint32_t* at,
               uint32_t o) {
  const Tensor &x = task[kX], &w = task[kWeights];
  const uint32_t first = a.depthwise != 0 ? 0 : 1, last = x.rank - 1;
  const int64_t in = x.shape[last], filters = a.depthwise != 0 ? w.shape[last] : 1;
  const int64_t kd = extent(w, first, 0), kh = extent(w, first, 1), kw = extent(w, first, 2);
  const int64_t d = extent(x, 1, 0), h = extent(x, 1, 1), width = extent(x, 1, 2);
  uint64_t sum = 0;
  for (int64_t i = 0; i < kd; ++i) {
    const int64_t z = row_of(a, 0, at[0], i, d);
    for (int64_t j = 0; z >= 0 && j < kh; ++j) {
      const int64_t y = row_of(a, 1, at[1], j, h);
      for (int64_t l = 0; y >= 0 && l < kw; ++l) {
        const int64_t column = row_of(a, 2, at[2], l, width);
        if (column < 0) continue;
        const T* pixel = task.data<const T>(kX) + (((batch * d + z) * h + y) * width + column) * in;
        const int64_t tap = (i * kh + j) * kw + l;
        const int8_t* weight = task.data<const int8_t>(kWeights);
        if (a.depthwise != 0) {
          sum += static_cast<uint64_t>((int64_t{pixel[o / filters]} - a.in_zero) *
                                       (weight[tap * in * filters + o] - a.weight_zero));
          continue;
        }
        weight += (o * kd * kh * kw + tap) * in;
        for (int64_t c = 0; c < in; ++c) {
          sum +=
              static_cast<uint64_t>((int64_t{pixel[c]} - a.in_zero) * (weight[c] - a.weight_zero));
        }
      }
    }
  }
  return static_cast<int64_t>(sum);
}

template <class T, class Sum>
void run_as(const Task& task) {
  const auto a = task.as<Attributes>();
  const Tensor& y = task[kY];
  const bool one_bias = presil_tensor_elements(&task[kBias]) == 1;
  Sum* to = task.data<Sum>(kY);
  uint32_t at[3];
  for (uint32_t n = 0; n < y.shape[0]; ++n) {
    for (at[0] = 0; at[0] < extent(y, 1, 0); ++at[0]) {
      for (at[1] = 0; at[1] < extent(y, 1, 1); ++at[1]) {
        for (at[2] = 0; at[2] < extent(y, 1, 2); ++at[2]) {
          for (uint32_t o = 0; o < y.shape[y.rank - 1]; ++o) {
            const uint64_t bias =
                static_cast<uint64_t>(int64_t{task.data<const Sum>(kBias)[one_bias ? 0 : o]});
            const auto sum = static_cast<uint64_t>(sum_of<T>(task, a, n, at, o));
            *to++ = static_cast<Sum>(static_cast<int64_t>(sum + bias));
          }
        }
      }
    }
  }
}

void run(const Task& task) {
  if (task[kX].dtype == PRESIL_INT16) return run_as<int16_t, int64_t>(task);
  run_as<int8_t, int32_t>(task);
}

}  // namespace

// {x i8, weights i8, bias i32, y i32} or {x i16, weights i8, bias i64, y i64}: x [n, space.., in],
// weights [out, kernel.., in] or, depthwise, [kernel.., in, m], bias [out] or one; two or three
// axes of space; sums wrap; presil_conv_sums_attributes.
const Kernel kConvSums{"conv_sums", sizeof(presil_conv_sums_attributes), 1, check, run, macs};

}  // namespace presil::kernels
