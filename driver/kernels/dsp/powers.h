// Logarithms and powers of tensors: what pairs of floats leave open is computed alone, in double.
// One loop for both, in one copy: the instruction memory is small.
#pragma once

#include "driver/kernels/dsp/near_power.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/soft_functions.h"
#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {

/// y where it is certain; where it is not base^exponent, or ln base.
[[gnu::noinline]] inline Float settled(Float y, Mask open, Float base, Float exponent, bool is_log,
                                       size_t vl) {
  constexpr size_t kMost = 64;  // two registers at VLEN 1024
  float a[kMost], b[kMost], result[kMost];
  uint8_t marks[kMost / 8];
  __riscv_vsm_v_b16(marks, open, vl);
  __riscv_vse32_v_f32m2(a, base, vl);
  __riscv_vse32_v_f32m2(b, exponent, vl);
  __riscv_vse32_v_f32m2(result, y, vl);
  for (size_t i = 0; i < vl; ++i) {
    if ((marks[i / 8] >> i % 8 & 1) == 0) continue;
    result[i] = is_log ? log_of(a[i]) : power_of(a[i], b[i]);
  }
  return __riscv_vle32_v_f32m2(result, vl);
}

inline bool is_few(float exponent) {
  return exponent >= 2 && exponent <= PRESIL_DSP_WHOLE_POWERS && is_whole(exponent);
}

/// base^exponent; ln base where both are one tensor, not two alike.
[[gnu::noinline]] inline int32_t logs_or_powers(const DLTensor& base, const DLTensor& exponent,
                                                DLTensor& out) {
  const bool is_log = &exponent == &base;
  for (Walk<3> walk({&base, &exponent, &out}, out); walk; walk.next()) {
    const float *a = walk.at<float>(0), *b = walk.at<float>(1);
    float* y = walk.at<float>(2);
    const int64_t a_step = walk.step(0), b_step = walk.step(1), y_step = walk.step(2);
    const int few = !is_log && b_step == 0 && is_few(*b) ? static_cast<int>(*b) : 0;
    size_t n = walk.run();
    for (size_t vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e32m2(n);
      const Float x = load_floats(a, a_step, vl);
      Float by = x, result;
      if (!is_log) by = load_floats(b, b_step, vl);
      Mask open;
      if (few != 0) {
        open = whole_power(x, few, result, vl);
      } else {
        Float log, log_low;
        near_log(x, log, log_low, vl);
        open = is_log ? log_from(x, log, log_low, result, vl)
                      : power_from(x, by, log, log_low, result, vl);
      }
      if (__riscv_vfirst_m_b16(open, vl) >= 0) result = settled(result, open, x, by, is_log, vl);
      store_floats(y, y_step, result, vl);
      a += static_cast<int64_t>(vl) * a_step, b += static_cast<int64_t>(vl) * b_step;
      y += static_cast<int64_t>(vl) * y_step;
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace presil::dsp
