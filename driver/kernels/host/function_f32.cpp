// Functions of one float.
#include "driver/kernels/host/float_functions.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  check_floats(task, c);
  c.elements(1, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_function_f32_attributes>();
  c.range("function", a.function, 0, PRESIL_F32_FUNCTIONS - 1);
  check_bounds(a.low, a.high, c);
}

template <class F>
void each(const Task& task, const F& f) {
  const float* x = task.data<const float>(0);
  float* y = task.data<float>(1);
  const uint64_t n = presil_tensor_elements(&task[0]);
  for (uint64_t i = 0; i < n; ++i) y[i] = number_or_nan(f(x[i]));
}

float hard_swish(float x) {
  const float ramp = within(x + 3.0f, 0.0f, 6.0f);
  return x * ramp / 6.0f;
}

float elu(float x) {
  return x > 0.0f ? x : expm1_f32(x);
}

float gelu(float x) {
  const double v = static_cast<double>(x);
  return static_cast<float>(v * ((1 + erf_f64(v * 0x1.6a09e667f3bcdp-1)) / 2));
}

float gelu_tanh(float x) {
  return 0.5f * x * (1.0f + tanh_f32((x + x * x * x * 0.044715f) * 0x1.988454p-1f));
}

float logarithm(float x) {
  return static_cast<float>(log_f64(static_cast<double>(x)));
}

/// The whole number next to x, above or at it.
float above(float x) {
  return -floor_f32(-x);
}
float nearest(float x) {
  if (!(magnitude(x) < 0x1p23f)) return x;
  const float size = magnitude(x) + 0x1p23f;  // rounds to even there
  return with_sign(size - 0x1p23f, x);
}

void run(const Task& task) {
  const auto a = task.as<presil_function_f32_attributes>();
  switch (a.function) {
    case PRESIL_F32_CLAMP:
      return each(task, [&a](float x) { return within(x, a.low, a.high); });
    case PRESIL_F32_LEAKY_RELU:
      return each(task, [&a](float x) { return x > 0.0f ? x : x * a.slope; });
    case PRESIL_F32_HARD_SWISH:
      return each(task, hard_swish);
    case PRESIL_F32_LOGISTIC:
      return each(task, logistic_f32);
    case PRESIL_F32_TANH:
      return each(task, tanh_f32);
    case PRESIL_F32_ELU:
      return each(task, elu);
    case PRESIL_F32_GELU:
      return each(task, gelu);
    case PRESIL_F32_GELU_TANH:
      return each(task, gelu_tanh);
    case PRESIL_F32_EXP:
      return each(task, exp_f32);
    case PRESIL_F32_LOG:
      return each(task, logarithm);
    case PRESIL_F32_SQRT:
      return each(task, [](float x) { return __builtin_sqrtf(x); });
    case PRESIL_F32_RSQRT:
      return each(task, [](float x) { return 1.0f / __builtin_sqrtf(x); });
    case PRESIL_F32_ABS:
      return each(task, magnitude);
    case PRESIL_F32_NEG:
      return each(task, [](float x) { return -x; });
    case PRESIL_F32_SQUARE:
      return each(task, [](float x) { return x * x; });
    case PRESIL_F32_SIN:
      return each(task, sin_f32);
    case PRESIL_F32_COS:
      return each(task, cos_f32);
    case PRESIL_F32_FLOOR:
      return each(task, floor_f32);
    case PRESIL_F32_CEIL:
      return each(task, above);
    case PRESIL_F32_ROUND:
      return each(task, nearest);
    case PRESIL_F32_SIGN:
      return each(task, [](float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x; });
  }
}

uint64_t work(const Task& task) {
  const uint32_t function = task.as<presil_function_f32_attributes>().function;
  return presil_f32_function_weight(function) * elements_written(task);
}

const char* price(const Task& task) {
  return presil_f32_function_price(task.as<presil_function_f32_attributes>().function);
}

}  // namespace

// {x, y}: a function of one value; presil_function_f32_attributes.
const Kernel kFunctionF32{
    "function_f32", sizeof(presil_function_f32_attributes), 1, check, run, work, price};

}  // namespace presil::kernels
