// Floats along some axes, the terms of a result in the order of their indices. The sum is sum16
// (float_math.h), the mean that divided by the number of terms; the maximum starts at minus
// infinity, the minimum at infinity, the product at 1.
#include "driver/kernels/host/float_math.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

bool goes(uint32_t axes, uint32_t axis) {
  return (axes >> axis & 1u) != 0;
}

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  check_floats(task, c);
  const auto a = task.as<presil_reduce_f32_attributes>();
  c.range("axes", a.axes, 0, (int64_t{1} << task[0].rank) - 1);
  c.range("function", a.function, 0, PRESIL_F32_REDUCTIONS - 1);
  uint64_t kept = 1;
  for (uint32_t axis = 0; axis < task[0].rank; ++axis) {
    if (!goes(a.axes, axis)) kept *= task[0].shape[axis];
  }
  c.elements(1, kept);
}

uint64_t elements_read(const Task& task) {
  return presil_tensor_elements(&task[0]);
}

void run(const Task& task) {
  const auto a = task.as<presil_reduce_f32_attributes>();
  const Tensor& x = task[0];
  int64_t dense[PRESIL_KERNEL_MAX_RANK] = {};
  dense_strides(x, dense);
  Walk<1> kept, gone;
  for (uint32_t axis = 0; axis < x.rank; ++axis) {
    Walk<1>& walk = goes(a.axes, axis) ? gone : kept;
    walk.shape[walk.rank] = x.shape[axis];
    walk.stride[0][walk.rank++] = dense[axis];
  }
  const float* in = task.data<const float>(0);
  float* y = task.data<float>(1);
  const uint64_t results = kept.size(), terms = gone.size();
  for (uint64_t i = 0; i < results; ++i, kept.next()) {
    const auto next = [&](uint64_t) {
      const float term = in[kept.at[0] + gone.at[0]];
      gone.next();
      return term;
    };
    if (a.function == PRESIL_F32_MAX || a.function == PRESIL_F32_MIN) {
      const bool max = a.function == PRESIL_F32_MAX;
      float best = max ? -infinity() : infinity();
      for (uint64_t j = 0; j < terms; ++j) {
        best = max ? max_number(best, next(j)) : min_number(best, next(j));
      }
      y[i] = best;
      continue;
    }
    if (a.function == PRESIL_F32_PROD) {
      float product = 1.0f;
      for (uint64_t j = 0; j < terms; ++j) product *= next(j);
      y[i] = number_or_nan(product);
      continue;
    }
    const float sum = sum16(terms, next);
    y[i] = number_or_nan(a.function == PRESIL_F32_SUM ? sum : sum / static_cast<float>(terms));
  }
}

}  // namespace

// {x, y}: along the axes of the mask; presil_reduce_f32_attributes.
const Kernel kReduceF32{"reduce_f32", sizeof(presil_reduce_f32_attributes), 1, check, run,
                        elements_read};

}  // namespace presil::kernels
