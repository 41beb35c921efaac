// Two int8 tensors of any strides, broadcast as in numpy, become one.
#pragma once

#include "driver/kernels/dsp/integers.h"

namespace presil::dsp {

inline int32_t check_pair(const DLTensor* in, const DLTensor* out, const presil_dsp_pair_i8& p) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_int8(in[0]) || !is_int8(in[1]) || !is_int8(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (!broadcasts(in[0], *out) || !broadcasts(in[1], *out)) return PRESIL_DSP_REFUSED_SHAPE;
  const int32_t shifts[] = {p.a_shift, p.b_shift, p.out_shift};
  for (const int32_t s : shifts) {
    if (s < -31 || s > 31) return PRESIL_DSP_REFUSED_PARAMS;
  }
  return PRESIL_DSP_DONE;
}

/// y = f(a, b, vl) for all of them.
template <class F>
void each_pair(const DLTensor* in, DLTensor* out, const F& f) {
  for (Walk<3> walk({&in[0], &in[1], out}, *out); walk; walk.next()) {
    const int8_t *a = walk.at<int8_t>(0), *b = walk.at<int8_t>(1);
    int8_t* y = walk.at<int8_t>(2);
    const int64_t a_step = walk.step(0), b_step = walk.step(1), y_step = walk.step(2);
    size_t n = walk.run();
    for (size_t vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e8m1(n);
      store_i8(y, y_step, f(load_i8(a, a_step, vl), load_i8(b, b_step, vl), vl), vl);
      a += static_cast<int64_t>(vl) * a_step, b += static_cast<int64_t>(vl) * b_step;
      y += static_cast<int64_t>(vl) * y_step;
    }
  }
}

}  // namespace presil::dsp
