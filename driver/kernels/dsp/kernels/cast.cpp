// The stored number as one of another type; scales play no part.
//
// cast {x: i8|u8|i16|i32|f32|bool} {y: the same}; one shape, any strides. bool is u8 of 0 and 1.
// Arithmetic: compiler_bridge/reference/operators/cast.cpp in words: low bits, the nearest float,
// floats without their fraction and within the type, no number as 0, or whether it is not 0.
// Through int32 in between, 128 elements, beats of 32 bytes: vzext 16, vfcvt 16; vse32 16. Bound:
// 0.25 cycles per element; of floats vmfne 16, vfcvt 16, vmerge 16, 2 vnclip 24: 0.56.
#include "driver/kernels/dsp/integers.h"

namespace presil::dsp {
namespace {

using Words = vint32m8_t;
using Floats = vfloat32m8_t;

Words widened(const DLTensor& t, const char* x, int64_t step, size_t vl) {
  const auto* bytes = reinterpret_cast<const int8_t*>(x);
  if (t.dtype.bits == 32) {
    const auto* words = reinterpret_cast<const int32_t*>(x);
    return step == 1 ? __riscv_vle32_v_i32m8(words, vl)
                     : __riscv_vlse32_v_i32m8(words, 4 * step, vl);
  }
  if (t.dtype.bits == 16) {
    const auto* halves = reinterpret_cast<const int16_t*>(x);
    return __riscv_vsext_vf2_i32m8(step == 1 ? __riscv_vle16_v_i16m4(halves, vl)
                                             : __riscv_vlse16_v_i16m4(halves, 2 * step, vl),
                                   vl);
  }
  const vint8m2_t v =
      step == 1 ? __riscv_vle8_v_i8m2(bytes, vl) : __riscv_vlse8_v_i8m2(bytes, step, vl);
  if (t.dtype.code == 0) return __riscv_vsext_vf4_i32m8(v, vl);
  return __riscv_vreinterpret_v_u32m8_i32m8(
      __riscv_vzext_vf4_u32m8(__riscv_vreinterpret_v_i8m2_u8m2(v), vl));
}

void store_words(char* y, int64_t step, Words v, size_t vl) {
  auto* to = reinterpret_cast<int32_t*>(y);
  step == 1 ? __riscv_vse32_v_i32m8(to, v, vl) : __riscv_vsse32_v_i32m8(to, 4 * step, v, vl);
}

void store_halves(char* y, int64_t step, vint16m4_t v, size_t vl) {
  auto* to = reinterpret_cast<int16_t*>(y);
  step == 1 ? __riscv_vse16_v_i16m4(to, v, vl) : __riscv_vsse16_v_i16m4(to, 2 * step, v, vl);
}
void store_bytes(char* y, int64_t step, vint8m2_t v, size_t vl) {
  auto* to = reinterpret_cast<int8_t*>(y);
  step == 1 ? __riscv_vse8_v_i8m2(to, v, vl) : __riscv_vsse8_v_i8m2(to, step, v, vl);
}

/// The low bits.
void store_low(const DLTensor& t, char* y, int64_t step, Words v, size_t vl) {
  if (t.dtype.bits == 32) return store_words(y, step, v, vl);
  const vint16m4_t half = __riscv_vnsra_wx_i16m4(v, 0, vl);
  if (t.dtype.bits == 16) return store_halves(y, step, half, vl);
  store_bytes(y, step, __riscv_vnsra_wx_i8m2(half, 0, vl), vl);
}

/// Saturated; what is no number is 0.
Words without_fraction(Words bits, size_t vl) {
  const Floats x = __riscv_vreinterpret_v_i32m8_f32m8(bits);
  const vbool4_t none = __riscv_vmfne_vv_f32m8_b4(x, x, vl);
  return __riscv_vmerge_vxm_i32m8(__riscv_vfcvt_rtz_x_f_v_i32m8(x, vl), 0, none, vl);
}

/// Within the type.
void store_saturated(const DLTensor& t, char* y, int64_t step, Words v, size_t vl) {
  if (t.dtype.bits == 32) return store_words(y, step, v, vl);
  const vint16m4_t half = __riscv_vnclip_wx_i16m4(v, 0, __RISCV_VXRM_RDN, vl);
  if (t.dtype.bits == 16) return store_halves(y, step, half, vl);
  if (t.dtype.code == 0) {
    return store_bytes(y, step, __riscv_vnclip_wx_i8m2(half, 0, __RISCV_VXRM_RDN, vl), vl);
  }
  const vuint16m4_t plus = __riscv_vreinterpret_v_i16m4_u16m4(__riscv_vmax_vx_i16m4(half, 0, vl));
  store_bytes(
      y, step,
      __riscv_vreinterpret_v_u8m2_i8m2(__riscv_vnclipu_wx_u8m2(plus, 0, __RISCV_VXRM_RDN, vl)), vl);
}

/// 1 where it is not 0, of floats too: -0 is 0, what is no number is not.
Words truth(bool of_floats, Words v, size_t vl) {
  const vbool4_t is_set =
      of_floats ? __riscv_vmfne_vf_f32m8_b4(__riscv_vreinterpret_v_i32m8_f32m8(v), 0.0f, vl)
                : __riscv_vmsne_vx_i32m8_b4(v, 0, vl);
  return __riscv_vmerge_vxm_i32m8(__riscv_vmv_v_x_i32m8(0, vl), 1, is_set, vl);
}

bool is_number(const DLTensor& t) {
  return is_integer(t) || is_float(t);
}

int32_t cast(const DLTensor* in, DLTensor* out, const presil_dsp_cast* params) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!same_shape(*in, *out)) return PRESIL_DSP_REFUSED_SHAPE;
  if (!is_number(*in) || !is_number(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const bool to_truth = params->truth != 0, from_float = is_float(*in), to_float = is_float(*out);
  const int64_t x_bytes = in->dtype.bits / 8, y_bytes = out->dtype.bits / 8;
  for (Walk<2> walk({in, out}, *out); walk; walk.next()) {
    const char* x = walk.at<char>(0);
    char* y = walk.at<char>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    size_t n = walk.run();
    for (size_t vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e32m8(n);
      Words v = widened(*in, x, x_step, vl);
      bool whole = !from_float;
      if (to_truth) v = truth(from_float, v, vl), whole = true;
      if (whole && to_float) {
        v = __riscv_vreinterpret_v_f32m8_i32m8(__riscv_vfcvt_f_x_v_f32m8(v, vl));
      }
      if (whole || to_float) {
        store_low(*out, y, y_step, v, vl);
      } else {
        store_saturated(*out, y, y_step, without_fraction(v, vl), vl);
      }
      x += static_cast<int64_t>(vl) * x_step * x_bytes;
      y += static_cast<int64_t>(vl) * y_step * y_bytes;
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(cast)

}  // namespace presil::dsp
