// Stored numbers as another type. Of an integer its low bits, or as a float the nearest; of a float
// what is before the point, saturated, 0 where it is no number; a bool is 0 or 1.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.elements(1, presil_tensor_elements(&task[0]));
}

int64_t load(const Tensor& t, uint64_t i) {
  switch (t.dtype) {
    case PRESIL_INT8:
      return static_cast<const int8_t*>(t.data)[i];
    case PRESIL_UINT8:
      return static_cast<const uint8_t*>(t.data)[i];
    case PRESIL_INT16:
      return static_cast<const int16_t*>(t.data)[i];
    case PRESIL_INT32:
      return static_cast<const int32_t*>(t.data)[i];
    case PRESIL_INT64:
      return static_cast<const int64_t*>(t.data)[i];
    default:
      return static_cast<const uint8_t*>(t.data)[i] != 0;
  }
}

void store(const Tensor& t, uint64_t i, int64_t v) {
  switch (t.dtype) {
    case PRESIL_INT16:
      static_cast<int16_t*>(t.data)[i] = static_cast<int16_t>(v);
      return;
    case PRESIL_INT32:
      static_cast<int32_t*>(t.data)[i] = static_cast<int32_t>(v);
      return;
    case PRESIL_INT64:
      static_cast<int64_t*>(t.data)[i] = v;
      return;
    case PRESIL_FLOAT32:
      static_cast<float*>(t.data)[i] = static_cast<float>(v);
      return;
    default:
      static_cast<uint8_t*>(t.data)[i] = static_cast<uint8_t>(v);
  }
}

/// Within the type, which has at most 63 bits besides its sign. A float of 2^63 is above all.
int64_t from_float(float x, uint32_t dtype) {
  const int bits = dtype == PRESIL_UINT8   ? 8
                   : dtype == PRESIL_INT64 ? 63
                                           : 8 * static_cast<int>(presil_dtype_bytes(dtype)) - 1;
  const bool is_signed = dtype != PRESIL_UINT8;
  const double bound = static_cast<double>(uint64_t{1} << bits);  // the first above
  const double v = static_cast<double>(x);
  const int64_t highest = static_cast<int64_t>((uint64_t{1} << bits) - 1);
  if (v >= bound) return highest;
  if (is_signed ? v <= -bound : v <= 0) return is_signed ? -highest - 1 : 0;
  return v == v ? static_cast<int64_t>(v) : 0;
}

void run(const Task& task) {
  const Tensor &x = task[0], &y = task[1];
  const uint64_t n = presil_tensor_elements(&x);
  for (uint64_t i = 0; i < n; ++i) {
    if (x.dtype == PRESIL_FLOAT32) {
      const float value = task.data<const float>(0)[i];
      if (y.dtype == PRESIL_FLOAT32) {
        task.data<float>(1)[i] = value;
      } else {
        store(y, i, y.dtype == PRESIL_BOOL ? !(value == 0.0f) : from_float(value, y.dtype));
      }
      continue;
    }
    const int64_t value = load(x, i);
    store(y, i, y.dtype == PRESIL_BOOL ? value != 0 : value);
  }
}

const char* price(const Task& task) {
  return task[0].dtype == PRESIL_FLOAT32 ? "cast_from_float" : "cast";
}

}  // namespace

// {x, y}, each any type, as many elements: the stored number as one of y's type. Of an integer
// the low bits or the nearest float; of a float what is before the point, saturated, NaN 0; bool
// 0 or 1. No attributes.
const Kernel kCast{"cast", 0, 1, check, run, elements_written, price};

}  // namespace presil::kernels
