// Tensors one after another on one axis; where quantisations differ each goes through its own
// table.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

uint32_t operands(const Task& task, const presil_concat_attributes& a) {
  return task.count - 1 - (a.requantise ? 1 : 0);
}

void check(const Task& task, Check& c) {
  const auto a = task.as<presil_concat_attributes>();
  c.range("requantise", a.requantise, 0, 1);
  c.at_least("number of tensors", task.count, a.requantise ? 3 : 2);
  if (!c.ok()) return;
  const uint32_t k = operands(task, a);
  const uint32_t last = task.count - 1;
  const Tensor& y = task[last];
  c.at_most("axis", a.axis, static_cast<int64_t>(y.rank) - 1);
  for (uint32_t i = 0; i < task.count; ++i)
    c.dtype(i, a.requantise ? uint32_t{PRESIL_INT8} : y.dtype);
  if (a.requantise) c.elements(k, 256ull * k);
  if (!c.ok()) return;
  int64_t along = 0;
  for (uint32_t i = 0; i < k && c.ok(); ++i) {
    c.rank(i, y.rank);
    for (uint32_t axis = 0; axis < y.rank && c.ok(); ++axis) {
      if (axis != a.axis) c.dim(i, axis, y.shape[axis]);
    }
    if (c.ok()) along += task[i].shape[a.axis];
  }
  c.dim(last, a.axis, along);
}

void run(const Task& task) {
  const auto a = task.as<presil_concat_attributes>();
  const uint32_t k = operands(task, a);
  const Tensor& y = task[task.count - 1];
  uint64_t outer = 1, inner = 1;
  for (uint32_t axis = 0; axis < a.axis; ++axis) outer *= y.shape[axis];
  for (uint32_t axis = a.axis + 1; axis < y.rank; ++axis) inner *= y.shape[axis];
  const uint32_t size = presil_dtype_bytes(y.dtype);
  int8_t* out = task.data<int8_t>(task.count - 1);
  for (uint64_t row = 0; row < outer; ++row) {
    for (uint32_t i = 0; i < k; ++i) {
      const uint64_t piece = task[i].shape[a.axis] * inner * size;
      const int8_t* in = task.data<const int8_t>(i) + row * piece;
      if (a.requantise) {
        const int8_t* table = task.data<const int8_t>(k) + 256u * i;
        for (uint64_t j = 0; j < piece; ++j) out[j] = table[static_cast<uint8_t>(in[j])];
      } else {
        std::memcpy(out, in, piece);
      }
      out += piece;
    }
  }
}

}  // namespace

// {x0 .. xk-1, y}, one type, or, with `requantise`, i8 and {x0 .. xk-1, tables i8 [k,256], y}:
// each value of xi goes through row i of the tables; presil_concat_attributes.
const Kernel kConcat{"concat", sizeof(presil_concat_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
