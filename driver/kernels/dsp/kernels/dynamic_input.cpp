// Floats to bytes in steps that follow from their range.
//
// dynamic_range {x f32 [.., n]} {ranges f32 [.., 2]}, dynamic_scale {ranges} {scales f32 [r, 4]},
// dynamic_bytes {x f32 [h, w, c], scales} {y i8}: params.h.
// Arithmetic: compiler_bridge/reference/dynamic_range.h in words. What is no number becomes the
// zero point. 64 elements, beats of 8 floats:
//   dynamic_range  vle32 vfmin vfmax 24. Bound: 0.25 cycles per element (two chains, one load)
//   dynamic_bytes  vle32 vfmul vmfne vfmerge 32, vfsgnj vfadd 16, vfncvt 8, vsadd vnclip vmax 10,
//                  4 vse8 and 3 slides. Bound: 1.0 per element; qd8 0.75
#include <riscv_vector.h>

#include "driver/kernels/dsp/blocks.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/short_row.h"
#include "driver/kernels/dsp/soft_double.h"

namespace presil::dsp {
namespace {

using Long = vfloat32m8_t;
using Floats = vfloat32m4_t;

// ---- range

int32_t dynamic_range(const DLTensor* in, DLTensor* out, const void*) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const DLTensor &x = in[0], &y = out[0];
  if (!is_float(x) || !is_float(y)) return PRESIL_DSP_REFUSED_TYPE;
  if (x.ndim < 1 || y.ndim < 1 || y.shape[y.ndim - 1] != 2 || !is_dense(x) || !is_dense(y)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const int64_t length = x.shape[x.ndim - 1], rows = presil_dsp_elements(&y) / 2;
  if (presil_dsp_elements(&x) != rows * length) return PRESIL_DSP_REFUSED_SHAPE;
  const auto* from = static_cast<const float*>(presil_dsp_data(&x));
  auto* to = static_cast<float*>(presil_dsp_data(&y));
  const size_t lanes = __riscv_vsetvlmax_e32m8();
  const vfloat32m1_t zero = __riscv_vfmv_s_f_f32m1(0.0f, 1);
  for (int64_t row = 0; row < rows; ++row, to += 2) {
    const auto first = static_cast<size_t>(length) < lanes ? static_cast<size_t>(length) : lanes;
    Long low = __riscv_vfmv_v_f_f32m8(0.0f, first), high = low;
    for (size_t n = static_cast<size_t>(length), vl; n > 0; n -= vl, from += vl) {
      vl = __riscv_vsetvl_e32m8(n);
      const Long v = __riscv_vle32_v_f32m8(from, vl);
      low = __riscv_vfmin_vv_f32m8_tu(low, low, v, vl);
      high = __riscv_vfmax_vv_f32m8_tu(high, high, v, vl);
    }
    const vfloat32m1_t least = __riscv_vfredmin_vs_f32m8_f32m1(low, zero, first);
    const vfloat32m1_t most = __riscv_vfredmax_vs_f32m8_f32m1(high, zero, first);
    to[0] = __riscv_vfmv_f_s_f32m1_f32(least);
    to[1] = __riscv_vfmv_f_s_f32m1_f32(most);
  }
  return PRESIL_DSP_DONE;
}

// ---- scale

/// Whole, ties away from zero, within -128..127.
float zero_point(const Real& z) {
  const int down = -z.exponent;  // m has 53 bits: from 54 on less than a half is left
  uint64_t whole = 0;
  if (z.m != 0 && down <= 0) whole = 1024;
  if (z.m != 0 && down > 0 && down <= 53) whole = (z.m >> down) + (z.m >> (down - 1) & 1);
  const int most = z.negative ? 128 : 127;
  const int clamped = whole > static_cast<uint64_t>(most) ? most : static_cast<int>(whole);
  return static_cast<float>(z.negative ? -clamped : clamped);
}

Real magnitude(Real x) {
  x.negative = false;
  return x;
}

constexpr Real whole(uint32_t n) {  // 127 or 128
  return Real::of_double_bits(n == 128 ? 0x4060000000000000u : 0x405fc00000000000u);
}

struct Steps {
  float inverse, step, zero;
};

/// In double, as TFLite does it.
Steps asymmetric(float low, float high) {
  const float span = high - low;
  if (span == 0.0f) return {0.0f, 1.0f, 0.0f};
  if (span == __builtin_inff()) {
    return {0.0f, span, high == __builtin_inff() ? -128.0f : 127.0f};
  }
  const Real step = Real::of_float(span).divided_by(255);
  const Real least = Real::of_float(low) / step, most = Real::of_float(high) / step;
  const Real from_low = whole(128) + magnitude(least), from_high = whole(127) + magnitude(most);
  const Real apart = from_low + -from_high;
  const bool less = apart.m != 0 && apart.negative;
  const Real zero = less ? -whole(128) + -least : whole(127) + -most;
  const float rounded = step.to_float();
  return {1.0f / rounded, rounded, zero_point(zero)};
}

void put(float* to, vfloat32m2_t inverse, vfloat32m2_t step, vfloat32m2_t zero, size_t vl) {
  constexpr ptrdiff_t kApart = 4 * sizeof(float);
  __riscv_vsse32_v_f32m2(to, kApart, inverse, vl);
  __riscv_vsse32_v_f32m2(to + 1, kApart, step, vl);
  __riscv_vsse32_v_f32m2(to + 2, kApart, zero, vl);
  __riscv_vsse32_v_f32m2(to + 3, kApart, __riscv_vfmv_v_f_f32m2(0.0f, vl), vl);
}

void symmetric(vfloat32m2_t low, vfloat32m2_t high, float* to, size_t vl) {
  const vfloat32m2_t most = __riscv_vfmax_vv_f32m2(__riscv_vfneg_v_f32m2(low, vl), high, vl);
  const vbool16_t none = __riscv_vmfeq_vf_f32m2_b16(most, 0.0f, vl);
  const vfloat32m2_t inverse =
      __riscv_vfmerge_vfm_f32m2(__riscv_vfrdiv_vf_f32m2(most, 127.0f, vl), 0.0f, none, vl);
  const vfloat32m2_t step =
      __riscv_vfmerge_vfm_f32m2(__riscv_vfdiv_vf_f32m2(most, 127.0f, vl), 1.0f, none, vl);
  put(to, inverse, step, __riscv_vfmv_v_f_f32m2(0.0f, vl), vl);
}

void qd8(vfloat32m2_t low, vfloat32m2_t high, float* to, size_t vl) {
  const vfloat32m2_t span = __riscv_vfsub_vv_f32m2(high, low, vl);
  const vbool16_t none = __riscv_vmfeq_vf_f32m2_b16(span, 0.0f, vl);
  const vfloat32m2_t inverse =
      __riscv_vfmerge_vfm_f32m2(__riscv_vfrdiv_vf_f32m2(span, 255.0f, vl), 1.0f, none, vl);
  low = __riscv_vfmul_vv_f32m2(low, inverse, vl);
  high = __riscv_vfmul_vv_f32m2(high, inverse, vl);
  const vfloat32m2_t sum = __riscv_vfadd_vv_f32m2(__riscv_vfadd_vf_f32m2(low, -128.0f, vl),
                                                  __riscv_vfadd_vf_f32m2(high, 127.0f, vl), vl);
  const vbool16_t from_low = __riscv_vmfgt_vf_f32m2_b16(sum, 0.0f, vl);
  vfloat32m2_t zero =
      __riscv_vmerge_vvm_f32m2(__riscv_vfrsub_vf_f32m2(high, 127.0f, vl),
                               __riscv_vfrsub_vf_f32m2(low, -128.0f, vl), from_low, vl);
  zero = __riscv_vfmin_vf_f32m2(__riscv_vfmax_vf_f32m2(zero, -128.0f, vl), 127.0f, vl);
  zero = __riscv_vfcvt_f_x_v_f32m2(__riscv_vfcvt_x_f_v_i32m2(zero, vl), vl);
  put(to, inverse, __riscv_vfrdiv_vf_f32m2(inverse, 1.0f, vl), zero, vl);
}

int32_t dynamic_scale(const DLTensor* in, DLTensor* out, const presil_dsp_dynamic_scale* params) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const DLTensor &x = in[0], &y = out[0];
  if (!is_float(x) || !is_float(y)) return PRESIL_DSP_REFUSED_TYPE;
  if (!is_dense(x) || !is_dense(y)) return PRESIL_DSP_REFUSED_SHAPE;
  const int64_t rows = presil_dsp_elements(&x) / 2, results = presil_dsp_elements(&y) / 4;
  if (rows < 1 || (results != rows && results != 1)) return PRESIL_DSP_REFUSED_SHAPE;
  if (params->input > PRESIL_DSP_QD8) return PRESIL_DSP_REFUSED_PARAMS;
  const auto* ranges = static_cast<const float*>(presil_dsp_data(&x));
  auto* to = static_cast<float*>(presil_dsp_data(&y));
  const bool together = results != rows;
  float all[2] = {0.0f, 0.0f};
  for (int64_t row = 0; together && row < rows; ++row) {
    all[0] = __builtin_fminf(all[0], ranges[2 * row]);
    all[1] = __builtin_fmaxf(all[1], ranges[2 * row + 1]);
  }
  if (together) ranges = all;
  if (params->input == PRESIL_DSP_ASYMMETRIC) {
    for (int64_t row = 0; row < results; ++row, ranges += 2, to += 4) {
      const Steps steps = asymmetric(ranges[0], ranges[1]);
      to[0] = steps.inverse, to[1] = steps.step, to[2] = steps.zero, to[3] = 0.0f;
    }
    return PRESIL_DSP_DONE;
  }
  for (size_t n = static_cast<size_t>(results), vl; n > 0;
       n -= vl, ranges += 2 * vl, to += 4 * vl) {
    vl = __riscv_vsetvl_e32m2(n);
    const vfloat32m2_t low = __riscv_vlse32_v_f32m2(ranges, 8, vl);
    const vfloat32m2_t high = __riscv_vlse32_v_f32m2(ranges + 1, 8, vl);
    params->input == PRESIL_DSP_SYMMETRIC ? symmetric(low, high, to, vl) : qd8(low, high, to, vl);
  }
  return PRESIL_DSP_DONE;
}

// ---- bytes

struct How {
  uint32_t input;
  float inverse;
  int16_t zero;
};

vint8m1_t bytes_of(Floats x, const How& how, size_t vl) {
  x = __riscv_vfmul_vf_f32m4(x, how.inverse, vl);
  x = __riscv_vfmerge_vfm_f32m4(x, 0.0f, __riscv_vmfne_vv_f32m4_b8(x, x, vl), vl);
  vint16m2_t steps;
  if (how.input == PRESIL_DSP_QD8) {
    steps = __riscv_vfncvt_x_f_w_i16m2(x, vl);
  } else {
    const Floats half = __riscv_vfsgnj_vv_f32m4(__riscv_vfmv_v_f_f32m4(0.5f, vl), x, vl);
    steps = __riscv_vfncvt_rtz_x_f_w_i16m2(__riscv_vfadd_vv_f32m4(x, half, vl), vl);
  }
  steps = __riscv_vsadd_vx_i16m2(steps, how.zero, vl);
  const vint8m1_t y = __riscv_vnclip_wx_i8m1(steps, 0, __RISCV_VXRM_RDN, vl);
  return how.input == PRESIL_DSP_SYMMETRIC ? __riscv_vmax_vx_i8m1(y, -127, vl) : y;
}

/// Values of one pixel, or of several where all lie dense: y's 16 and 16 are `block` bytes apart.
void put_bytes(const float* x, char* y, size_t n, int64_t block, const How& how) {
  for (size_t vl; n > 0; n -= vl, x += vl) {
    vl = __riscv_vsetvl_e32m4(n);
    vint8m1_t bytes = bytes_of(__riscv_vle32_v_f32m4(x, vl), how, vl);
    auto* to = reinterpret_cast<int8_t*>(y);
    if (block == Blocks::kLanes) {
      __riscv_vse8_v_i8m1(to, bytes, vl);
      y += vl;
      continue;
    }
    for (size_t left = vl;;) {
      const size_t some = left < Blocks::kLanes ? left : Blocks::kLanes;
      __riscv_vse8_v_i8m1(to, bytes, some);
      to += block, y += block, left -= some;
      if (left == 0) break;
      bytes = __riscv_vslidedown_vx_i8m1(bytes, Blocks::kLanes, left);
    }
  }
}

/// Pixels of a row, all channels of them.
void fill(const Blocks& y, int64_t row, int64_t first, int64_t last, int8_t value) {
  if (first >= last) return;
  const bool dense = y.block == Blocks::kLanes;
  for (int64_t b = 0; b < (dense ? 1 : y.count); ++b) {
    __builtin_memset(y.at(row, first) + b * y.block, value,
                     static_cast<size_t>((last - first) * y.column));
  }
}

int32_t dynamic_bytes(const DLTensor* in, DLTensor* out, const presil_dsp_dynamic_bytes* params) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const presil_dsp_dynamic_bytes p = *params;
  const DLTensor &x = in[0], &scales = in[1];
  if (!is_float(x) || !is_float(scales) || !is_int8(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const Blocks y(*out);
  if (x.ndim != 3 || !is_dense(x) || !is_dense(scales) || !y.fits) return PRESIL_DSP_REFUSED_SHAPE;
  const int64_t h = x.shape[0], w = x.shape[1], c = x.shape[2];
  const int64_t sets = presil_dsp_elements(&scales) / 4;
  const bool by_pixel = sets != 1;
  if (y.channels < c || (by_pixel && sets != h * w)) return PRESIL_DSP_REFUSED_SHAPE;
  if (p.input > PRESIL_DSP_QD8) return PRESIL_DSP_REFUSED_PARAMS;
  const auto* values = static_cast<const float*>(presil_dsp_data(&x));
  const auto* steps = static_cast<const float*>(presil_dsp_data(&scales));
  How how{p.input, steps[0], static_cast<int16_t>(steps[2])};
  const bool rows_at_once = !by_pixel && y.is_dense() && y.channels == c;
  const int64_t left = p.pad_left < y.columns ? p.pad_left : y.columns;
  const int64_t end = left + w < y.columns ? left + w : y.columns;
  for (int64_t row = 0; row < y.rows; ++row) {
    const int64_t from = row - p.pad_top;
    const bool inside = from >= 0 && from < h;
    fill(y, row, 0, inside ? left : y.columns, static_cast<int8_t>(how.zero));
    if (!inside) continue;
    fill(y, row, end, y.columns, static_cast<int8_t>(how.zero));
    const float* pixels = values + from * w * c;
    if (rows_at_once) {
      put_bytes(pixels, y.at(row, left), static_cast<size_t>((end - left) * c), Blocks::kLanes,
                how);
      continue;
    }
    for (int64_t column = left; column < end; ++column, pixels += c) {
      if (by_pixel) {
        const float* own = steps + 4 * (from * w + column - left);
        how.inverse = own[0], how.zero = static_cast<int16_t>(own[2]);
      }
      put_bytes(pixels, y.at(row, column), static_cast<size_t>(c), y.block, how);
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(dynamic_range)
PRESIL_KERNEL(dynamic_scale)
PRESIL_KERNEL(dynamic_bytes)

}  // namespace presil::dsp
