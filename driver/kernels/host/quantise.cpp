// From float to an integer type: x / scale to the nearest integer plus zero point, saturated.
#include "driver/kernels/host/integers.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(0, PRESIL_FLOAT32);
  check_integer(task, c, 1, 2);
  c.elements(1, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_quantise_attributes>();
  c.range("numerics", a.numerics, PRESIL_NUMERICS_TFLITE, PRESIL_NUMERICS_ONNX);
  if (!(a.scale > 0.0f)) c.refuse("scale is positive", -1, 0, 1);
  c.range("zero", a.zero, lowest(task[1].dtype), highest(task[1].dtype));
}

void run(const Task& task) {
  const auto a = task.as<presil_quantise_attributes>();
  const float* x = task.data<const float>(0);
  const float inverse = 1.0f / a.scale;
  const uint64_t n = presil_tensor_elements(&task[1]);
  for (uint64_t i = 0; i < n; ++i) {
    const int64_t v = a.numerics == PRESIL_NUMERICS_XNNPACK ? round_even(x[i] * inverse)
                      : a.numerics == PRESIL_NUMERICS_ONNX  ? round_even(x[i] / a.scale)
                                                            : round_away(x[i] / a.scale);
    store_integer(task[1], i, v + a.zero);
  }
}

}  // namespace

// {x f32, y i8|u8|i16}: presil_quantise_attributes.
const Kernel kQuantise{"quantise",      sizeof(presil_quantise_attributes), 1, check, run,
                       elements_written};

}  // namespace presil::kernels
