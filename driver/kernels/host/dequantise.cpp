// From an integer type to float: float(x - zero) * scale, one rounding.
#include "driver/kernels/host/integers.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  check_integer(task, c, 0, 2);
  c.dtype(1, PRESIL_FLOAT32);
  c.elements(1, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_quantise_attributes>();
  c.range("zero", a.zero, lowest(task[0].dtype), highest(task[0].dtype));
}

void run(const Task& task) {
  const auto a = task.as<presil_quantise_attributes>();
  float* y = task.data<float>(1);
  const uint64_t n = presil_tensor_elements(&task[1]);
  for (uint64_t i = 0; i < n; ++i) {
    y[i] = static_cast<float>(load_integer(task[0], i) - a.zero) * a.scale;
  }
}

}  // namespace

// {x i8|u8|i16, y f32}: float(x - zero) * scale; presil_quantise_attributes.
const Kernel kDequantise{"dequantise",    sizeof(presil_quantise_attributes), 1, check, run,
                         elements_written};

}  // namespace presil::kernels
