// From one quantisation of integers to another: rule(x - in_zero) + out_zero, saturated.
#include "driver/kernels/host/integers.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  check_integer(task, c, 0, 4);
  check_integer(task, c, 1, 4);
  c.elements(1, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_requantise_attributes>();
  if (a.rule != PRESIL_RULE_DOUBLE && a.rule != PRESIL_RULE_FLOAT && a.rule != PRESIL_RULE_FIXED8) {
    c.refuse("rule", -1, a.rule, PRESIL_RULE_DOUBLE);
  }
  c.range("shift", a.shift, -31, 30);
  c.range("in_zero", a.in_zero, lowest(task[0].dtype), highest(task[0].dtype));
  c.range("out_zero", a.out_zero, lowest(task[1].dtype), highest(task[1].dtype));
}

void run(const Task& task) {
  const auto a = task.as<presil_requantise_attributes>();
  const uint64_t n = presil_tensor_elements(&task[1]);
  for (uint64_t i = 0; i < n; ++i) {
    const int32_t x = wrap_add(load_integer(task[0], i), wrap_mul(a.in_zero, -1));
    const int32_t v = apply_rule(a.rule, x, a.multiplier, a.shift);
    store_integer(task[1], i, static_cast<int64_t>(v) + a.out_zero);
  }
}

}  // namespace

// {x, y}, each i8|u8|i16|i32: rule(x - in_zero) + out_zero, saturated; x - in_zero wraps;
// presil_requantise_attributes.
const Kernel kRequantise{"requantise",    sizeof(presil_requantise_attributes), 1, check, run,
                         elements_written};

}  // namespace presil::kernels
