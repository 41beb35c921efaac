// Floats to bytes in steps that follow from their range.
//
// dynamic_range {x f32 [.., n]} {ranges f32 [.., 2]}, dynamic_scale {ranges} {scales f32 [r, 4]},
// dynamic_bytes {x f32 [h, w, c], scales} {y i8}: params.h.
// Arithmetic: compiler_bridge/reference/dynamic_range.h in words. What is no number becomes the
// zero point. 64 elements, beats of 8 floats:
//   dynamic_range  vle32 vfmin vfmax 24. Bound: 0.25 cycles per element (two chains, one load)
//   dynamic_bytes  vfmul vmfne 16, vfsgnj vfadd 16, vfncvt 8, vmerge vsadd vnclip vmax 14; then 16
//                  bytes a cycle to the blocks. Bound: 0.85 per element; qd8 0.58
#include <riscv_vector.h>

#include "driver/kernels/dsp/blocks.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/short_row.h"
#include "driver/kernels/dsp/soft_double.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

using Long = vfloat32m8_t;
using Floats = vfloat32m4_t;
using Steps = presil_dsp_dynamic_steps;

// ---- range

/// Of so many values that one register group holds: they are their own least and largest.
void few(const float* x, float* to, size_t n) {
  const vfloat32m1_t zero = __riscv_vfmv_s_f_f32m1(0.0f, 1);
  const Floats v = __riscv_vle32_v_f32m4(x, n);
  __riscv_vse32_v_f32m1(to, __riscv_vfredmin_vs_f32m4_f32m1(v, zero, n), 1);
  __riscv_vse32_v_f32m1(to + 1, __riscv_vfredmax_vs_f32m4_f32m1(v, zero, n), 1);
}

/// The same of four rows, so that no result waits for the one before.
void four(const float* x, float* to, size_t n) {
  const vfloat32m1_t zero = __riscv_vfmv_s_f_f32m1(0.0f, 1);
  const Floats a = __riscv_vle32_v_f32m4(x, n), b = __riscv_vle32_v_f32m4(x + n, n);
  const Floats c = __riscv_vle32_v_f32m4(x + 2 * n, n), d = __riscv_vle32_v_f32m4(x + 3 * n, n);
  vfloat32m1_t low_a = __riscv_vfredmin_vs_f32m4_f32m1(a, zero, n);
  vfloat32m1_t high_a = __riscv_vfredmax_vs_f32m4_f32m1(a, zero, n);
  vfloat32m1_t low_b = __riscv_vfredmin_vs_f32m4_f32m1(b, zero, n);
  vfloat32m1_t high_b = __riscv_vfredmax_vs_f32m4_f32m1(b, zero, n);
  vfloat32m1_t low_c = __riscv_vfredmin_vs_f32m4_f32m1(c, zero, n);
  vfloat32m1_t high_c = __riscv_vfredmax_vs_f32m4_f32m1(c, zero, n);
  vfloat32m1_t low_d = __riscv_vfredmin_vs_f32m4_f32m1(d, zero, n);
  vfloat32m1_t high_d = __riscv_vfredmax_vs_f32m4_f32m1(d, zero, n);
  in_turn(low_a, high_a), in_turn(low_b, high_b), in_turn(low_c, high_c), in_turn(low_d, high_d);
  __riscv_vse32_v_f32m1(to, low_a, 1), __riscv_vse32_v_f32m1(to + 1, high_a, 1);
  __riscv_vse32_v_f32m1(to + 2, low_b, 1), __riscv_vse32_v_f32m1(to + 3, high_b, 1);
  __riscv_vse32_v_f32m1(to + 4, low_c, 1), __riscv_vse32_v_f32m1(to + 5, high_c, 1);
  __riscv_vse32_v_f32m1(to + 6, low_d, 1), __riscv_vse32_v_f32m1(to + 7, high_d, 1);
}

void many(const float* x, float* to, size_t n) {
  const size_t lanes = __riscv_vsetvlmax_e32m8(), first = n < lanes ? n : lanes;
  const vfloat32m1_t zero = __riscv_vfmv_s_f_f32m1(0.0f, 1);
  Long low = __riscv_vfmv_v_f_f32m8(0.0f, first), high = low;
  for (size_t vl; n > 0; n -= vl, x += vl) {
    vl = __riscv_vsetvl_e32m8(n);
    const Long v = __riscv_vle32_v_f32m8(x, vl);
    low = __riscv_vfmin_vv_f32m8_tu(low, low, v, vl);
    high = __riscv_vfmax_vv_f32m8_tu(high, high, v, vl);
  }
  __riscv_vse32_v_f32m1(to, __riscv_vfredmin_vs_f32m8_f32m1(low, zero, first), 1);
  __riscv_vse32_v_f32m1(to + 1, __riscv_vfredmax_vs_f32m8_f32m1(high, zero, first), 1);
}

int32_t dynamic_range(const DLTensor* in, DLTensor* out, const presil_dsp_dynamic_range* params) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const DLTensor &x = in[0], &y = out[0];
  if (!is_float(x) || !is_float(y)) return PRESIL_DSP_REFUSED_TYPE;
  if (x.ndim < 1 || y.ndim < 1 || y.shape[y.ndim - 1] != 2 || !is_dense(x) || !is_dense(y)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const int64_t rows = presil_dsp_elements(&y) / 2;
  const auto length = static_cast<size_t>(x.shape[x.ndim - 1]);
  if (presil_dsp_elements(&x) != rows * static_cast<int64_t>(length)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const auto* from = static_cast<const float*>(presil_dsp_data(&x));
  auto* to = static_cast<float*>(presil_dsp_data(&y));
  if (params->together != 0) {
    many(from, to, length * static_cast<size_t>(rows));
    for (int64_t row = 1; row < rows; ++row) __builtin_memcpy(to + 2 * row, to, 2 * sizeof *to);
    return PRESIL_DSP_DONE;
  }
  const bool short_rows = length <= __riscv_vsetvlmax_e32m4();
  int64_t row = 0;
  for (; short_rows && row + 4 <= rows; row += 4) {
    four(from + row * static_cast<int64_t>(length), to + 2 * row, length);
  }
  for (; row < rows; ++row) {
    const float* own = from + row * static_cast<int64_t>(length);
    short_rows ? few(own, to + 2 * row, length) : many(own, to + 2 * row, length);
  }
  return PRESIL_DSP_DONE;
}

// ---- scale

/// Whole, ties away from zero, within -128..127.
int32_t zero_point(const Real& z) {
  const int down = -z.exponent;  // m has 53 bits: from 54 on less than a half is left
  uint64_t whole = 0;
  if (z.m != 0 && down <= 0) whole = 1024;
  if (z.m != 0 && down > 0 && down <= 53) whole = (z.m >> down) + (z.m >> (down - 1) & 1);
  const int most = z.negative ? 128 : 127;
  const int clamped = whole > static_cast<uint64_t>(most) ? most : static_cast<int>(whole);
  return z.negative ? -clamped : clamped;
}

Real magnitude(Real x) {
  x.negative = false;
  return x;
}

constexpr Real whole(uint32_t n) {  // 127 or 128
  return Real::of_double_bits(n == 128 ? 0x4060000000000000u : 0x405fc00000000000u);
}

/// In double, as TFLite does it.
Steps asymmetric(float low, float high) {
  const float span = high - low;
  if (span == 0.0f) return {0.0f, 1.0f, 0, 0};
  if (span == __builtin_inff()) {
    return {0.0f, span, high == __builtin_inff() ? -128 : 127, 0};
  }
  const Real step = Real::of_float(span).divided_by(255);
  const Real least = Real::of_float(low) / step, most = Real::of_float(high) / step;
  const Real from_low = whole(128) + magnitude(least), from_high = whole(127) + magnitude(most);
  const Real apart = from_low + -from_high;
  const bool less = apart.m != 0 && apart.negative;
  const Real zero = less ? -whole(128) + -least : whole(127) + -most;
  const float rounded = step.to_float();
  return {1.0f / rounded, rounded, zero_point(zero), 0};
}

void put(Steps* to, vfloat32m2_t inverse, vfloat32m2_t step, vint32m2_t zero, size_t vl) {
  constexpr ptrdiff_t kApart = sizeof(Steps);
  __riscv_vsse32_v_f32m2(&to->inverse, kApart, inverse, vl);
  __riscv_vsse32_v_f32m2(&to->step, kApart, step, vl);
  __riscv_vsse32_v_i32m2(&to->zero, kApart, zero, vl);
  __riscv_vsse32_v_i32m2(&to->reserved, kApart, __riscv_vmv_v_x_i32m2(0, vl), vl);
}

void symmetric(vfloat32m2_t low, vfloat32m2_t high, Steps* to, size_t vl) {
  const vfloat32m2_t most = __riscv_vfmax_vv_f32m2(__riscv_vfneg_v_f32m2(low, vl), high, vl);
  const vbool16_t none = __riscv_vmfeq_vf_f32m2_b16(most, 0.0f, vl);
  const vfloat32m2_t inverse =
      __riscv_vfmerge_vfm_f32m2(__riscv_vfrdiv_vf_f32m2(most, 127.0f, vl), 0.0f, none, vl);
  const vfloat32m2_t step =
      __riscv_vfmerge_vfm_f32m2(__riscv_vfdiv_vf_f32m2(most, 127.0f, vl), 1.0f, none, vl);
  put(to, inverse, step, __riscv_vmv_v_x_i32m2(0, vl), vl);
}

void qd8(vfloat32m2_t low, vfloat32m2_t high, Steps* to, size_t vl) {
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
  put(to, inverse, __riscv_vfrdiv_vf_f32m2(inverse, 1.0f, vl), __riscv_vfcvt_x_f_v_i32m2(zero, vl),
      vl);
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
  auto* to = static_cast<Steps*>(presil_dsp_data(&y));
  const bool together = results != rows;
  // The least of all numbers is one of the least, for none of these is above 0.
  float all[2];
  if (together) {
    many(ranges, all, static_cast<size_t>(2 * rows));
    ranges = all;
  }
  if (params->input == PRESIL_DSP_ASYMMETRIC) {
    for (int64_t row = 0; row < results; ++row, ranges += 2) {
      *to++ = asymmetric(ranges[0], ranges[1]);
    }
    return PRESIL_DSP_DONE;
  }
  for (size_t n = static_cast<size_t>(results), vl; n > 0; n -= vl, ranges += 2 * vl, to += vl) {
    vl = __riscv_vsetvl_e32m2(n);
    const vfloat32m2_t low = __riscv_vlse32_v_f32m2(ranges, 8, vl);
    const vfloat32m2_t high = __riscv_vlse32_v_f32m2(ranges + 1, 8, vl);
    params->input == PRESIL_DSP_SYMMETRIC ? symmetric(low, high, to, vl) : qd8(low, high, to, vl);
  }
  return PRESIL_DSP_DONE;
}

// ---- bytes

/// What is the same for all values of an image, or of a pixel.
struct Scale {
  uint32_t input;
  float inverse;
  int16_t zero;
};

/// @param half  0.5 in every lane
vint16m2_t whole_steps(Floats x, Floats half, uint32_t input, size_t vl) {
  const vbool8_t none = __riscv_vmfne_vv_f32m4_b8(x, x, vl);
  vint16m2_t steps;
  if (input == PRESIL_DSP_QD8) {
    steps = __riscv_vfncvt_x_f_w_i16m2(x, vl);
  } else {
    x = __riscv_vfadd_vv_f32m4(x, __riscv_vfsgnj_vv_f32m4(half, x, vl), vl);
    steps = __riscv_vfncvt_rtz_x_f_w_i16m2(x, vl);
  }
  return __riscv_vmerge_vxm_i16m2(steps, 0, none, vl);
}

vint8m1_t bytes_of(vint16m2_t steps, const Scale& scale, size_t vl) {
  steps = __riscv_vsadd_vx_i16m2(steps, scale.zero, vl);
  const vint8m1_t y = __riscv_vnclip_wx_i8m1(steps, 0, __RISCV_VXRM_RDN, vl);
  return scale.input == PRESIL_DSP_SYMMETRIC ? __riscv_vmax_vx_i8m1(y, -127, vl) : y;
}

/// Two vectors in turn: each step waits for the one before.
void put_bytes(const float* x, size_t n, const Scale& scale, int8_t* to) {
  const size_t lanes = __riscv_vsetvlmax_e32m4();
  const Floats half = __riscv_vfmv_v_f_f32m4(0.5f, lanes);
  while (n > lanes) {
    const size_t second = n - lanes < lanes ? n - lanes : lanes;
    Floats a = __riscv_vle32_v_f32m4(x, lanes), b = __riscv_vle32_v_f32m4(x + lanes, second);
    a = __riscv_vfmul_vf_f32m4(a, scale.inverse, lanes);
    b = __riscv_vfmul_vf_f32m4(b, scale.inverse, second);
    in_turn(a, b);
    vint16m2_t p = whole_steps(a, half, scale.input, lanes),
               q = whole_steps(b, half, scale.input, second);
    in_turn(p, q);
    vint8m1_t u = bytes_of(p, scale, lanes), v = bytes_of(q, scale, second);
    in_turn(u, v);
    __riscv_vse8_v_i8m1(to, u, lanes);
    __riscv_vse8_v_i8m1(to + lanes, v, second);
    x += lanes + second, to += lanes + second, n -= lanes + second;
  }
  if (n == 0) return;
  const Floats a = __riscv_vfmul_vf_f32m4(__riscv_vle32_v_f32m4(x, n), scale.inverse, n);
  __riscv_vse8_v_i8m1(to, bytes_of(whole_steps(a, half, scale.input, n), scale, n), n);
}

/// All of it; what lies between the rows of a block, or between pixels, too.
void fill(const Blocks& y, int8_t value) {
  const auto bytes = static_cast<size_t>((y.rows - 1) * y.row + y.columns * y.column);
  const int64_t blocks = y.block == Blocks::kLanes ? 1 : y.count;
  for (int64_t b = 0; b < blocks; ++b) __builtin_memset(y.data + b * y.block, value, bytes);
}

struct Image {
  const float* values;
  const Steps* scales;
  int64_t h, w, c, sets;
};

/// Where bytes of pixels lie one after another on their way to the blocks, and their scales.
struct Memory {
  static constexpr int64_t kBytes = 64 << 10;
  int8_t bytes[kBytes];
  Steps scales[(kWorkspaceBytes - kBytes) / sizeof(Steps)];
};

/// Of so many pixels from `first` on, `pitch` bytes apart.
void put_pixels(const Image& x, uint32_t input, int64_t first, int64_t count, int64_t pitch,
                int8_t* to) {
  const auto scale_of = [&](int64_t pixel) {
    const Steps& own = x.scales[x.sets == 1 ? 0 : pixel];
    return Scale{input, own.inverse, static_cast<int16_t>(own.zero)};
  };
  const float* pixels = x.values + first * x.c;
  if (x.sets == 1 && pitch == x.c) {
    return put_bytes(pixels, static_cast<size_t>(count * x.c), scale_of(0), to);
  }
  for (int64_t i = 0; i < count; ++i, pixels += x.c, to += pitch) {
    put_bytes(pixels, static_cast<size_t>(x.c), scale_of(first + i), to);
  }
}

void put_image(const Image& x, const Blocks& y, const presil_dsp_dynamic_bytes& p) {
  const int64_t left = p.pad_left < y.columns ? p.pad_left : y.columns;
  const int64_t width = left + x.w < y.columns ? x.w : y.columns - left;
  const bool margins = p.pad_top != 0 || width != y.columns || y.rows > x.h;
  if (margins) fill(y, static_cast<int8_t>(x.scales->zero));
  const int64_t top = p.pad_top > 0 ? p.pad_top : 0, skipped = top - p.pad_top;
  const int64_t rows = y.rows - top < x.h - skipped ? y.rows - top : x.h - skipped;
  if (y.block == Blocks::kLanes || y.count == 1) {
    for (int64_t row = 0; row < rows; ++row) {
      auto* to = reinterpret_cast<int8_t*>(y.at(top + row, left));
      put_pixels(x, p.input, (skipped + row) * x.w, width, y.column, to);
    }
    return;
  }
  // Some rows at a time, or a part of one.
  const int64_t pitch = (x.c + Blocks::kLanes - 1) / Blocks::kLanes * Blocks::kLanes;
  const int64_t room = Memory::kBytes / pitch, most = x.w < room ? x.w : room;
  const int64_t rows_at_once = room / most;
  int8_t* bytes = workspace<Memory>().bytes;
  for (int64_t row = 0, count; row < rows; row += count) {
    count = most < x.w ? 1 : rows - row < rows_at_once ? rows - row : rows_at_once;
    const int64_t first = (skipped + row) * x.w;
    for (int64_t column = 0; column < width; column += most) {
      const int64_t some = width - column < most ? width - column : most;
      put_pixels(x, p.input, first + column, (count - 1) * x.w + some, pitch, bytes);
      put_blocks(bytes, {top + row, left + column, count, some, pitch, x.w * pitch}, y);
    }
  }
}

/// Rows one after another are one, where nothing lies between them.
void join_rows(Image& x, Blocks& y, const presil_dsp_dynamic_bytes& p) {
  const bool whole = p.pad_top == 0 && p.pad_left == 0 && x.h == y.rows && x.w == y.columns;
  if (!whole || y.row != y.columns * y.column) return;
  x.w *= x.h, y.columns *= y.rows;
  x.h = y.rows = 1;
}

int32_t dynamic_bytes(const DLTensor* in, DLTensor* out, const presil_dsp_dynamic_bytes* params) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const presil_dsp_dynamic_bytes p = *params;
  const DLTensor &x = in[0], &scales = in[1];
  if (!is_float(x) || !is_float(scales) || !is_int8(*out)) return PRESIL_DSP_REFUSED_TYPE;
  Blocks y(*out);
  if (x.ndim != 3 || !is_dense(x) || !is_dense(scales) || !y.fits) return PRESIL_DSP_REFUSED_SHAPE;
  const int64_t h = x.shape[0], w = x.shape[1], c = x.shape[2];
  const int64_t sets = presil_dsp_elements(&scales) / 4;
  if (y.channels < c || (sets != 1 && sets != h * w)) return PRESIL_DSP_REFUSED_SHAPE;
  if (p.input > PRESIL_DSP_QD8) return PRESIL_DSP_REFUSED_PARAMS;
  const auto* steps = static_cast<const Steps*>(presil_dsp_data(&scales));
  Image image{static_cast<const float*>(presil_dsp_data(&x)),
              nearby(steps, static_cast<size_t>(sets), workspace<Memory>().scales),
              h,
              w,
              c,
              sets};
  join_rows(image, y, p);
  put_image(image, y, p);
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(dynamic_range)
PRESIL_KERNEL(dynamic_scale)
PRESIL_KERNEL(dynamic_bytes)

}  // namespace presil::dsp
