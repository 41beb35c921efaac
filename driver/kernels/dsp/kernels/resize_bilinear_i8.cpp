// Images of int8 to another size: between four pixels.
//
// Tensors: {x i8 [.., h, w, c]} {y i8 [.., oh, ow, c]}; axes in front alike, channels dense: blocks
// of 16 channels (n, block, h, w, 16) too. Arithmetic:
// compiler_bridge/reference/operators/resize_bilinear.cpp in words. Positions are computed once per
// row and column, in DTCM. 64 values: 4 vle8 (2 of them of the row above), 4 vwsub/vsext.., as
// integers: top and bottom: 2 x (vwmul 8 vwmacc 8), vmul 8 vmacc 8; rounding 24 (xnnpack 8), 2
// vnclip 12. Bound: 92 / 64 = 1.5 cycles per value for 64 channels; fewer channels: 40 per pixel.
#include <riscv_vector.h>

#include "driver/kernels/dsp/fixed.h"
#include "driver/kernels/dsp/resize.h"

namespace presil::dsp {
namespace {

struct Between {
  int32_t low, high, weight;
};
struct Memory {
  Between columns[kMostColumns];
};

/// XNNPACK: weights in 1/2048.
Between in_float(const presil_dsp_resize& p, int64_t o, int64_t in, int64_t out) {
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

/// TFLite: positions in 1/1024.
Between in_integers(const presil_dsp_resize& p, int64_t o, int64_t in, int64_t out) {
  const int64_t last = in - 1;
  if (p.align_corners != 0 && out > 1) --in, --out;
  const int64_t step = (1024 * in + out / 2) / out;
  const int64_t at = o * step + (p.half_pixel_centers != 0 ? step / 2 - 512 : 0);
  const int64_t low = at / 1024 > 0 ? at / 1024 : 0, up = (at + 1023) / 1024;
  return {static_cast<int32_t>(low), static_cast<int32_t>(up < last ? up : last),
          static_cast<int32_t>(at - 1024 * low)};
}

/// a * (unit - weight) + b * weight
Int32 mix(vint8m1_t a, vint8m1_t b, int32_t weight, int32_t unit, size_t vl) {
  const Int32 first = __riscv_vwmul_vx_i32m4(__riscv_vsext_vf2_i16m2(a, vl),
                                             static_cast<int16_t>(unit - weight), vl);
  return __riscv_vwmacc_vx_i32m4(first, static_cast<int16_t>(weight),
                                 __riscv_vsext_vf2_i16m2(b, vl), vl);
}

int32_t resize_bilinear_i8(const DLTensor* in, DLTensor* out, const presil_dsp_resize* p) {
  Resized s;
  if (const int32_t refused = check_resize(in, out, s)) return refused;
  if (in->dtype.bits != 8) return PRESIL_DSP_REFUSED_TYPE;
  if (p->numerics > 1) return PRESIL_DSP_REFUSED_PARAMS;
  const bool tflite = p->numerics == 0;
  const auto between = tflite ? in_integers : in_float;
  const int32_t unit = tflite ? 1024 : 2048, n = in->ndim;
  Between* columns = workspace<Memory>().columns;
  for (int64_t ox = 0; ox < s.ow; ++ox) {
    Between c = between(*p, ox, s.w, s.ow);
    c.low *= static_cast<int32_t>(in->strides[n - 2]);
    c.high *= static_cast<int32_t>(in->strides[n - 2]);
    columns[ox] = c;
  }
  const auto c = static_cast<size_t>(s.c);
  each_offset(s.outer, 1, [&](int64_t from, int64_t to) {
    for (int64_t oy = 0; oy < s.oh; ++oy) {
      const Between row = between(*p, oy, s.h, s.oh);
      const auto* image = reinterpret_cast<const int8_t*>(bytes_of(*in)) + from;
      const int8_t* upper = image + row.low * in->strides[n - 3];
      const int8_t* lower = image + row.high * in->strides[n - 3];
      auto* y = reinterpret_cast<int8_t*>(bytes_of(*out)) + to + oy * out->strides[n - 3];
      for (int64_t ox = 0; ox < s.ow; ++ox, y += out->strides[n - 2]) {
        const Between at = columns[ox];
        for (size_t k = 0, vl; k < c; k += vl) {
          vl = __riscv_vsetvl_e8m1(c - k);
          const auto tap = [&](const int8_t* line, int32_t column) {
            return __riscv_vle8_v_i8m1(line + column + k, vl);
          };
          const Int32 top = mix(tap(upper, at.low), tap(upper, at.high), at.weight, unit, vl);
          const Int32 bottom = mix(tap(lower, at.low), tap(lower, at.high), at.weight, unit, vl);
          Int32 sum = __riscv_vmul_vx_i32m4(top, unit - row.weight, vl);
          sum = __riscv_vmacc_vx_i32m4(sum, row.weight, bottom, vl);
          sum = tflite ? rounding_shift(sum, 20, vl)
                       : __riscv_vssra_vx_i32m4(sum, 22, __RISCV_VXRM_RNU, vl);
          __riscv_vse8_v_i8m1(y + k, to_int8(sum, vl), vl);
        }
      }
    }
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(resize_bilinear_i8)

}  // namespace presil::dsp
