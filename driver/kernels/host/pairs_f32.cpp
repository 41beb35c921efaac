// Functions of two floats, numpy broadcasting: one operation, then the clamp.
#include "driver/kernels/host/float_functions.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  check_floats(task, c);
  c.broadcasts(0, 2);
  c.broadcasts(1, 2);
  const auto a = task.as<presil_pair_f32_attributes>();
  c.range("function", a.function, 0, PRESIL_F32_PAIRS - 1);
  check_bounds(a.low, a.high, c);
}

/// |a| and |b| as whole numbers m * 2^e; the larger e is taken down bit by bit.
float rest_of_division(float a, float b) {
  const uint32_t sign = to_bits(a) & 0x80000000u;
  const uint32_t u = to_bits(a) & 0x7fffffffu, v = to_bits(b) & 0x7fffffffu;
  if (is_nan(a) || is_nan(b) || u == 0x7f800000u || v == 0) return from_bits(0x7fc00000u);
  if (u < v) return a;
  const auto power = [](uint32_t bits) {
    return bits >> 23 == 0 ? 1 : static_cast<int>(bits >> 23);
  };
  const auto whole = [](uint32_t bits) {
    return (bits & 0x7fffffu) | (bits >> 23 == 0 ? 0 : 0x800000u);
  };
  uint32_t rest = whole(u) % whole(v);
  for (int e = power(u); e > power(v); --e) rest = rest * 2 % whole(v);
  int e = power(v);
  for (; rest != 0 && e > 1 && rest < 0x800000u; --e) rest *= 2;
  const uint32_t magnitude = rest < 0x800000u ? rest : (rest & 0x7fffffu) | uint32_t(e) << 23;
  return from_bits(sign | magnitude);
}

float floor_mod(float a, float b) {
  const float rest = rest_of_division(a, b);
  return rest != 0.0f && (b < 0.0f) != (rest < 0.0f) ? rest + b : rest;
}

template <class F>
void each(const Task& task, const presil_pair_f32_attributes& p, const F& f) {
  const float *a = task.data<const float>(0), *b = task.data<const float>(1);
  float* y = task.data<float>(2);
  Walk<2> walk;
  walk.rank = task[2].rank;
  for (uint32_t i = 0; i < walk.rank; ++i) walk.shape[i] = task[2].shape[i];
  broadcast_strides(task[0], walk.rank, walk.stride[0]);
  broadcast_strides(task[1], walk.rank, walk.stride[1]);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) {
    y[i] = within(f(a[walk.at[0]], b[walk.at[1]]), p.low, p.high);
  }
}

void run(const Task& task) {
  const auto p = task.as<presil_pair_f32_attributes>();
  switch (p.function) {
    case PRESIL_F32_ADD:
      return each(task, p, [](float a, float b) { return a + b; });
    case PRESIL_F32_SUB:
      return each(task, p, [](float a, float b) { return a - b; });
    case PRESIL_F32_MUL:
      return each(task, p, [](float a, float b) { return a * b; });
    case PRESIL_F32_DIV:
      return each(task, p, [](float a, float b) { return a / b; });
    case PRESIL_F32_MAXIMUM:
      return each(task, p, max_number);
    case PRESIL_F32_MINIMUM:
      return each(task, p, min_number);
    case PRESIL_F32_SQUARED_DIFFERENCE:
      return each(task, p, [](float a, float b) { return (a - b) * (a - b); });
    case PRESIL_F32_POW:
      return each(task, p, pow_f32);
    case PRESIL_F32_FLOOR_DIV:
      return each(task, p, [](float a, float b) { return floor_f32(a / b); });
    case PRESIL_F32_FLOOR_MOD:
      return each(task, p, floor_mod);
    case PRESIL_F32_PRELU:
      return each(task, p, [](float a, float b) { return a >= 0.0f ? a : a * b; });
  }
}

uint64_t work(const Task& task) {
  const uint32_t function = task.as<presil_pair_f32_attributes>().function;
  return presil_f32_pair_weight(function) * elements_written(task);
}

const char* price(const Task& task) {
  return presil_f32_pair_price(task.as<presil_pair_f32_attributes>().function);
}

}  // namespace

// {a, b, y}: a function of two values, numpy broadcasting; presil_pair_f32_attributes.
const Kernel kPairF32{"pair_f32", sizeof(presil_pair_f32_attributes), 1, check, run, work, price};

}  // namespace presil::kernels
