// Images of floats to another size: between four pixels.
//
// Tensors: {x f32 [.., h, w, c]} {y f32 [.., oh, ow, c]}; axes in front alike, channels dense.
// Arithmetic: compiler_bridge/reference/operators/resize_bilinear_float.cpp in words, product and
// sum rounded each. Positions are computed once per row and column, in DTCM, values between columns
// once per row of x (resize_lines.h). 64 values: 2 vfmul and vfadd 24; and as much, with 8 to store
// it, of each row of x. Bound: 24 / 64 + 32 / 128 = 0.63 cycles per value for y twice as high.
#include <riscv_vector.h>

#include "driver/kernels/dsp/resize_lines.h"

namespace presil::dsp {
namespace {

using Floats = vfloat32m4_t;

using Position = Between<float>;

/// Of an axis.
struct Positions {
  int64_t last;
  float scale;
  bool half;

  Positions(const presil_dsp_resize& p, int64_t in, int64_t out)
      : last(in - 1),
        scale(p.align_corners != 0 && out > 1
                  ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                  : static_cast<float>(in) / static_cast<float>(out)),
        half(p.half_pixel_centers != 0) {}
  [[gnu::noinline]] Position at(int64_t o) const {
    const auto whole = static_cast<float>(o);
    const float p = half ? (whole + 0.5f) * scale - 0.5f : whole * scale;  // -0.5 or more
    const auto cut = static_cast<int64_t>(p), up = p > static_cast<float>(cut) ? cut + 1 : cut;
    const int64_t low = cut < last ? cut : last;
    const float rest = p - static_cast<float>(low);
    return {static_cast<int32_t>(low), static_cast<int32_t>(up < last ? up : last),
            rest > 0.0f ? rest : 0.0f};
  }
};

struct Reals {
  using X = float;
  using Line = float;
  using Weight = float;

  static size_t most(size_t n) { return __riscv_vsetvl_e32m4(n); }
  static Floats load(const float* x, size_t vl) { return __riscv_vle32_v_f32m4(x, vl); }
  static void store(float* to, Floats v, size_t vl) { __riscv_vse32_v_f32m4(to, v, vl); }
  static Floats between(Floats a, Floats b, float weight, size_t vl) {
    a = __riscv_vfmul_vf_f32m4(a, 1.0f - weight, vl);
    return __riscv_vfadd_vv_f32m4(a, __riscv_vfmul_vf_f32m4(b, weight, vl), vl);
  }
  [[gnu::noinline]] static void down(const float* top, const float* bottom, float weight, float* y,
                                     size_t n) {
    for (size_t vl; n > 0; n -= vl, top += vl, bottom += vl, y += vl) {
      vl = __riscv_vsetvl_e32m4(n);
      store(y, between(load(top, vl), load(bottom, vl), weight, vl), vl);
    }
  }
};

int32_t resize_bilinear_f32(const DLTensor* in, DLTensor* out, const presil_dsp_resize* p) {
  Resized s;
  if (const int32_t refused = check_resize(in, out, s)) return refused;
  if (!is_float(*in) || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const Rows image(*p, s);
  const Positions rows(*p, image.in, image.out), columns(*p, s.w, s.ow);
  resize_by_lines(
      Reals{}, *in, *out, s, [&](int64_t ox) { return columns.at(ox); },
      [&](int64_t oy) { return rows.at(oy + image.first_out); }, image.first_in);
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(resize_bilinear_f32)

}  // namespace presil::dsp
