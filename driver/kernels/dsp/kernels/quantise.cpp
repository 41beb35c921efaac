// Between floats and integers.
//
// quantise {x f32} {y i8|u8|i16}, dequantise {x i8|u8|i16} {y f32}; one shape, any strides.
// Arithmetic: compiler_bridge/reference/operators/{quantize,dequantize}.cpp in words. Halves away
// from zero is the rounding mode rmm. 128 elements, beats of 8 floats:
//   quantise    vfmax 16, vfmul vfmacc 32, vfnmsac vfmacc 32, vfncvt 16, vsadd 8, vnclip 8. Bound:
//               0.88 cycles per element; xnnpack vfmul, vfmax, .. : 0.5
//   dequantise  vwsub 8, vfwcvt 16, vfmul 16. Bound: 0.31
//
// A quotient x / s without a division, rounded as one: h + l is 1 / s to 48 bits, q = x * h + x * l
// is less than one unit of its last digit from x / s, so that r = x - q * s is exact and q + r * h
// rounds to the float that x / s rounds to (P. Markstein, IBM J. Res. Dev. 34, 1990). Scales of
// 2^-100 to 2^100 keep all of it in range where the quotient is 1/4 to 10^6. Smaller ones become 0.
// Where x * h is infinite, r is no number, which converts to the largest integer, as it has to;
// downwards, and where x is no number, the clamp of x is in front.
#include "driver/kernels/dsp/integers.h"

namespace presil::dsp {
namespace {

using Floats = vfloat32m8_t;

/// Below every value, as what is no number is.
constexpr float kLeast = -1e6f;

int32_t check(const DLTensor* in, const DLTensor* out) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  return same_shape(*in, *out) ? PRESIL_DSP_DONE : PRESIL_DSP_REFUSED_SHAPE;
}

Floats load_floats(const float* x, int64_t step, size_t vl) {
  return step == 1 ? __riscv_vle32_v_f32m8(x, vl) : __riscv_vlse32_v_f32m8(x, 4 * step, vl);
}

/// int16 as what y has, saturated.
void store_halves(const DLTensor& t, char* y, int64_t step, vint16m4_t v, size_t vl) {
  if (t.dtype.bits == 16) {
    auto* to = reinterpret_cast<int16_t*>(y);
    step == 1 ? __riscv_vse16_v_i16m4(to, v, vl) : __riscv_vsse16_v_i16m4(to, 2 * step, v, vl);
    return;
  }
  vint8m2_t bytes;
  if (t.dtype.code == 0) {
    bytes = __riscv_vnclip_wx_i8m2(v, 0, __RISCV_VXRM_RDN, vl);
  } else {
    v = __riscv_vmax_vx_i16m4(v, 0, vl);
    bytes = __riscv_vreinterpret_v_u8m2_i8m2(
        __riscv_vnclipu_wx_u8m2(__riscv_vreinterpret_v_i16m4_u16m4(v), 0, __RISCV_VXRM_RDN, vl));
  }
  auto* to = reinterpret_cast<int8_t*>(y);
  step == 1 ? __riscv_vse8_v_i8m2(to, bytes, vl) : __riscv_vsse8_v_i8m2(to, step, bytes, vl);
}

/// How x is divided by the scale.
enum class Way { kProducts, kDivision, kReciprocal };

/// 1 / scale is high + low.
struct Scale {
  Way way;
  float scale, high, low;
  bool even;  ///< halves go to the even number, else away from zero
};

Floats begun(const Scale& s, Way way, Floats x, size_t vl) {
  if (way == Way::kDivision) return __riscv_vfdiv_vf_f32m8(x, s.scale, vl);
  if (way == Way::kReciprocal) return __riscv_vfmul_vf_f32m8(x, s.high, vl);
  return __riscv_vfmax_vf_f32m8(x, kLeast * s.scale, vl);
}

/// Of what has begun; before the zero point.
vint16m4_t whole(const Scale& s, Way way, Floats x, size_t vl) {
  if (way == Way::kProducts) {
    Floats q = __riscv_vfmacc_vf_f32m8(__riscv_vfmul_vf_f32m8(x, s.low, vl), s.high, x, vl);
    x = __riscv_vfmacc_vf_f32m8(q, s.high, __riscv_vfnmsac_vf_f32m8(x, s.scale, q, vl), vl);
  } else {
    x = __riscv_vfmax_vf_f32m8(x, kLeast, vl);
  }
  return s.even ? __riscv_vfncvt_x_f_w_i16m4(x, vl)
                : __riscv_vfncvt_x_f_w_i16m4_rm(x, __RISCV_FRM_RMM, vl);
}

int32_t quantise(const DLTensor* in, DLTensor* out, const presil_dsp_quantise* params) {
  const int32_t refused = check(in, out);
  if (refused != 0) return refused;
  if (!is_float(*in) || !is_integer(*out) || out->dtype.bits > 16) return PRESIL_DSP_REFUSED_TYPE;
  const float scale = params->scale, high = 1.0f / scale;
  const bool in_range = scale >= 0x1p-100f && scale <= 0x1p100f;
  const Scale divisor = {params->numerics == 1 ? Way::kReciprocal
                         : in_range            ? Way::kProducts
                                               : Way::kDivision,
                         scale, high, __builtin_fmaf(-scale, high, 1.0f) * high,
                         params->numerics != 0};
  const auto zero = static_cast<int16_t>(params->zero);
  const int64_t y_bytes = out->dtype.bits / 8;
  for (Walk<2> walk({in, out}, *out); walk; walk.next()) {
    const float* x = walk.at<float>(0);
    char* y = walk.at<char>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    // What comes next is loaded when what is at hand has begun; at the end that is nothing.
    size_t n = walk.run(), vl = __riscv_vsetvl_e32m8(n);
    Floats now = load_floats(x, x_step, vl);
    while (vl > 0) {
      Way way = divisor.way;
      __asm__("" : "+r"(way));  // one loop for all: it waits for the vectors
      Floats first = begun(divisor, way, now, vl);
      in_order(first);
      x += static_cast<int64_t>(vl) * x_step;
      n -= vl;
      const size_t left = __riscv_vsetvl_e32m8(n);
      now = load_floats(x, x_step, left);
      const vint16m4_t half = whole(divisor, way, first, vl);
      store_halves(*out, y, y_step, __riscv_vsadd_vx_i16m4(half, zero, vl), vl);
      y += static_cast<int64_t>(vl) * y_step * y_bytes;
      vl = left;
    }
  }
  return PRESIL_DSP_DONE;
}

/// Less the zero point.
vint16m4_t load_halves(const DLTensor& t, const char* x, int64_t step, int32_t zero, size_t vl) {
  if (t.dtype.bits == 16) {
    const auto* from = reinterpret_cast<const int16_t*>(x);
    const vint16m4_t v =
        step == 1 ? __riscv_vle16_v_i16m4(from, vl) : __riscv_vlse16_v_i16m4(from, 2 * step, vl);
    return zero == 0 ? v : __riscv_vssub_vx_i16m4(v, static_cast<int16_t>(zero), vl);
  }
  const auto* from = reinterpret_cast<const int8_t*>(x);
  const vint8m2_t bytes =
      step == 1 ? __riscv_vle8_v_i8m2(from, vl) : __riscv_vlse8_v_i8m2(from, step, vl);
  if (t.dtype.code == 0) return __riscv_vwsub_vx_i16m4(bytes, static_cast<int8_t>(zero), vl);
  return __riscv_vreinterpret_v_u16m4_i16m4(__riscv_vwsubu_vx_u16m4(
      __riscv_vreinterpret_v_i8m2_u8m2(bytes), static_cast<uint8_t>(zero), vl));
}

int32_t dequantise(const DLTensor* in, DLTensor* out, const presil_dsp_quantise* params) {
  const int32_t refused = check(in, out);
  if (refused != 0) return refused;
  if (!is_integer(*in) || in->dtype.bits > 16 || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const presil_dsp_quantise p = *params;
  const int64_t x_bytes = in->dtype.bits / 8;
  for (Walk<2> walk({in, out}, *out); walk; walk.next()) {
    const char* x = walk.at<char>(0);
    float* y = walk.at<float>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    size_t n = walk.run(), vl = __riscv_vsetvl_e32m8(n);
    vint16m4_t now = load_halves(*in, x, x_step, p.zero, vl);
    while (vl > 0) {
      Floats v = __riscv_vfwcvt_f_x_v_f32m8(now, vl);
      in_order(v);
      x += static_cast<int64_t>(vl) * x_step * x_bytes;
      n -= vl;
      const size_t left = __riscv_vsetvl_e32m8(n);
      now = load_halves(*in, x, x_step, p.zero, left);
      v = __riscv_vfmul_vf_f32m8(v, p.scale, vl);
      y_step == 1 ? __riscv_vse32_v_f32m8(y, v, vl) : __riscv_vsse32_v_f32m8(y, 4 * y_step, v, vl);
      y += static_cast<int64_t>(vl) * y_step;
      vl = left;
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(quantise)
PRESIL_KERNEL(dequantise)

}  // namespace presil::dsp
