// From integers of one scale to those of another. From int8 to int8 take table_i8.
//
// requantise {x, y i8|u8|i16|i32}; one shape, any strides. Arithmetic:
// compiler_bridge/reference/operators/quantize.cpp in words, and the rules of
// driver/kernels/host/kernels.h. 64 elements: vle32 8; vsub 8, vsmul 8, vsra vsadd vssra 24, vadd
// 8, 2 vnclip 12. Bound: 0.94 cycles per element.
#include "driver/kernels/dsp/integers.h"

namespace presil::dsp {
namespace {

/// f(where x is, its step, where y is, its step, vl), for all of them.
template <class F>
void each(const DLTensor* in, DLTensor* out, const F& f) {
  const int64_t x_bytes = in->dtype.bits / 8, y_bytes = out->dtype.bits / 8;
  for (Walk<2> walk({in, out}, *out); walk; walk.next()) {
    char *x = walk.at<char>(0), *y = walk.at<char>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    size_t n = walk.run();
    for (size_t vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e8m1(n);
      f(x, x_step, y, y_step, vl);
      x += static_cast<int64_t>(vl) * x_step * x_bytes;
      y += static_cast<int64_t>(vl) * y_step * y_bytes;
    }
  }
}

int32_t requantise(const DLTensor* in, DLTensor* out, const presil_dsp_requantise* params) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!same_shape(*in, *out)) return PRESIL_DSP_REFUSED_SHAPE;
  if (!is_integer(*in) || !is_integer(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const presil_dsp_requantise p = *params;
  const DLTensor from = *in, to = *out;  // what is stored does not change these
  if (p.rule > 1 || p.shift < -31 || p.shift > 31) return PRESIL_DSP_REFUSED_PARAMS;
  each(in, out, [=](const char* x, int64_t x_step, char* y, int64_t y_step, size_t vl) {
    Int32 v = __riscv_vsub_vx_i32m4(load_integers(from, x, x_step, vl), p.in_zero, vl);
    v = p.rule == 0 ? scaled(v, p.multiplier, p.shift, vl)
                    : scaled_float(v, float_of_bits(p.multiplier), vl);
    store_integers(to, y, y_step, __riscv_vsadd_vx_i32m4(v, p.out_zero, vl), vl);
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(requantise)

}  // namespace presil::dsp
