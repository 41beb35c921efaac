// Images of floats to another size: between four pixels.
//
// Tensors: {x f32 [.., h, w, c]} {y f32 [.., oh, ow, c]}; axes in front alike, channels dense.
// Arithmetic: compiler_bridge/reference/operators/resize_bilinear_float.cpp in words, product and
// sum rounded each. Positions are computed once per row and column, in DTCM. 64 values: 4 vle32 32,
// 6 vfmul and 3 vfadd 72. Bound: 72 / 64 = 1.1 cycles per value for 64 channels; few: 45 per pixel.
#include <riscv_vector.h>

#include "driver/kernels/dsp/resize.h"

namespace presil::dsp {
namespace {

using Floats = vfloat32m4_t;

struct Between {
  int32_t low, high;
  float weight;  ///< of high
};
struct Memory {
  Between columns[kMostColumns];
};

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
  Between at(int64_t o) const {
    const auto whole = static_cast<float>(o);
    const float p = half ? (whole + 0.5f) * scale - 0.5f : whole * scale;  // -0.5 or more
    const auto cut = static_cast<int64_t>(p), up = p > static_cast<float>(cut) ? cut + 1 : cut;
    const int64_t low = cut < last ? cut : last;
    const float rest = p - static_cast<float>(low);
    return {static_cast<int32_t>(low), static_cast<int32_t>(up < last ? up : last),
            rest > 0.0f ? rest : 0.0f};
  }
};

Floats mix(Floats a, Floats b, float weight, size_t vl) {
  a = __riscv_vfmul_vf_f32m4(a, 1.0f - weight, vl);
  return __riscv_vfadd_vv_f32m4(a, __riscv_vfmul_vf_f32m4(b, weight, vl), vl);
}

int32_t resize_bilinear_f32(const DLTensor* in, DLTensor* out, const presil_dsp_resize* p) {
  Resized s;
  if (const int32_t refused = check_resize(in, out, s)) return refused;
  if (!is_float(*in) || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const int32_t n = in->ndim;
  const Positions rows(*p, s.h, s.oh), across(*p, s.w, s.ow);
  const int64_t x_row = in->strides[n - 3], y_row = out->strides[n - 3], ow = s.ow;
  const auto x_step = static_cast<int32_t>(in->strides[n - 2]);
  const int64_t y_step = out->strides[n - 2];
  Between* columns = workspace<Memory>().columns;
  for (int64_t ox = 0; ox < ow; ++ox) {
    const Between c = across.at(ox);
    columns[ox] = {c.low * x_step, c.high * x_step, c.weight};
  }
  const auto c = static_cast<size_t>(s.c);
  each_offset(s.outer, sizeof(float), [&](int64_t from, int64_t to) {
    for (int64_t oy = 0; oy < s.oh; ++oy) {
      const Between row = rows.at(oy);
      const auto* image = reinterpret_cast<const float*>(bytes_of(*in) + from);
      const float *upper = image + row.low * x_row, *lower = image + row.high * x_row;
      float* y = reinterpret_cast<float*>(bytes_of(*out) + to) + oy * y_row;
      for (int64_t ox = 0; ox < ow; ++ox, y += y_step) {
        const Between at = columns[ox];
        for (size_t k = 0, vl; k < c; k += vl) {
          vl = __riscv_vsetvl_e32m4(c - k);
          const auto tap = [&](const float* line, int32_t column) {
            return __riscv_vle32_v_f32m4(line + column + k, vl);
          };
          const Floats top = mix(tap(upper, at.low), tap(upper, at.high), at.weight, vl);
          const Floats bottom = mix(tap(lower, at.low), tap(lower, at.high), at.weight, vl);
          __riscv_vse32_v_f32m4(y + k, mix(top, bottom, row.weight, vl), vl);
        }
      }
    }
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(resize_bilinear_f32)

}  // namespace presil::dsp
