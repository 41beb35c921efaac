// Images of int8 to another size: between four pixels.
//
// Tensors: {x i8 [.., h, w, c]} {y i8 [.., oh, ow, c]}; axes in front alike, channels dense: blocks
// of 16 channels (n, block, h, w, 16) too. Arithmetic:
// compiler_bridge/reference/operators/resize_bilinear.cpp in words. Positions are computed once per
// row and column, in DTCM, values between columns once per row of x (resize_lines.h). 64 values:
// vmul 8, vmacc 8, vsra vsadd 16 (xnnpack none), 2 vnclip 12. Bound: 44 / 64 = 0.69 cycles per
// value (xnnpack 0.44); and of each row of x 64 by 2 vsext 4, vwmul vwmacc 16, vse32 8: 0.31 for y
// twice as high.
#include <riscv_vector.h>

#include "driver/kernels/dsp/fixed.h"
#include "driver/kernels/dsp/resize_lines.h"

namespace presil::dsp {
namespace {

using Position = Between<int32_t>;

/// XNNPACK: weights in 1/2048.
Position in_float(const presil_dsp_resize& p, int64_t o, int64_t in, int64_t out) {
  const int64_t less = p.align_corners != 0 && out > 1 ? 1 : 0;
  const float step = static_cast<float>(in - less) / static_cast<float>(out - less);
  float at = static_cast<float>(o) * step;
  if (p.half_pixel_centers != 0) {
    const float half = 0.5f * step;
    at += half - 0.5f;
  }
  at = at > 0.0f ? at : 0.0f;
  const auto last = static_cast<float>(in - 1);
  at = at < last ? at : last;
  const auto low = static_cast<int32_t>(at);
  const float rest = (at - static_cast<float>(low)) * 2048.0f;
  const int32_t high = low + 1 < in - 1 ? low + 1 : static_cast<int32_t>(in - 1);
  return {low, high, static_cast<int32_t>(__builtin_rintf(rest))};
}

/// TFLite: positions in 1/1024, not beyond the last pixel, where rounded steps would lead.
Position in_integers(const presil_dsp_resize& p, int64_t o, int64_t in, int64_t out) {
  const int64_t last = in - 1;
  if (p.align_corners != 0 && out > 1) --in, --out;
  const int64_t step = (1024 * in + out / 2) / out;
  int64_t at = o * step + (p.half_pixel_centers != 0 ? step / 2 - 512 : 0);
  at = at < 1024 * last ? at : 1024 * last;
  const int64_t low = at / 1024 > 0 ? at / 1024 : 0, up = (at + 1023) / 1024;
  return {static_cast<int32_t>(low), static_cast<int32_t>(up < last ? up : last),
          static_cast<int32_t>(at - 1024 * low)};
}

struct Integers {
  using X = int8_t;
  using Line = int32_t;
  using Weight = int32_t;

  bool tflite;

  int32_t unit() const { return tflite ? 1024 : 2048; }
  static vint8m1_t load(const int8_t* x, size_t vl) { return __riscv_vle8_v_i8m1(x, vl); }
  static void store(int32_t* to, Int32 v, size_t vl) { __riscv_vse32_v_i32m4(to, v, vl); }
  /// a * (unit - weight) + b * weight
  Int32 between(vint8m1_t a, vint8m1_t b, int32_t weight, size_t vl) const {
    const Int32 first = __riscv_vwmul_vx_i32m4(__riscv_vsext_vf2_i16m2(a, vl),
                                               static_cast<int16_t>(unit() - weight), vl);
    return __riscv_vwmacc_vx_i32m4(first, static_cast<int16_t>(weight),
                                   __riscv_vsext_vf2_i16m2(b, vl), vl);
  }
  [[gnu::noinline]] void down(const int32_t* top, const int32_t* bottom, int32_t weight, int8_t* y,
                              size_t n) const {
    const size_t shift = tflite ? 20 : 22;
    for (size_t vl; n > 0; n -= vl, top += vl, bottom += vl, y += vl) {
      vl = __riscv_vsetvl_e32m8(n);
      vint32m8_t sum = __riscv_vmul_vx_i32m8(__riscv_vle32_v_i32m8(top, vl), unit() - weight, vl);
      sum = __riscv_vmacc_vx_i32m8(sum, weight, __riscv_vle32_v_i32m8(bottom, vl), vl);
      // Halves go away from zero: one less below zero, then up.
      if (tflite) sum = __riscv_vsadd_vv_i32m8(sum, __riscv_vsra_vx_i32m8(sum, 31, vl), vl);
      const vint16m4_t half = __riscv_vnclip_wx_i16m4(sum, shift, __RISCV_VXRM_RNU, vl);
      __riscv_vse8_v_i8m2(y, __riscv_vnclip_wx_i8m2(half, 0, __RISCV_VXRM_RDN, vl), vl);
    }
  }
};

int32_t resize_bilinear_i8(const DLTensor* in, DLTensor* out, const presil_dsp_resize* p) {
  Resized s;
  if (const int32_t refused = check_resize(in, out, s)) return refused;
  if (in->dtype.bits != 8) return PRESIL_DSP_REFUSED_TYPE;
  if (p->numerics > 1) return PRESIL_DSP_REFUSED_PARAMS;
  const auto position = p->numerics == 0 ? in_integers : in_float;
  const Rows rows(*p, s);
  resize_by_lines(
      Integers{p->numerics == 0}, *in, *out, s,
      [&](int64_t ox) { return position(*p, ox, s.w, s.ow); },
      [&](int64_t oy) { return position(*p, oy + rows.first_out, rows.in, rows.out); },
      rows.first_in);
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(resize_bilinear_i8)

}  // namespace presil::dsp
