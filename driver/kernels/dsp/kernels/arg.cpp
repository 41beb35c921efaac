// Where along an axis the largest or smallest element is, the first of equal ones.
//
// Tensors: {x i8|i16|i32|f32} {y i32|i64}, y's extent 1 on the axis; any strides.
// Arithmetic: compiler_bridge/reference/operators/arg_{max,min}.cpp in words: an element is better
// if it is more (less) than the best so far, which what is no number never is.
// The smallest is the largest of complements, of floats with other signs.
// int8, a lane per result, 64 of them: vle8, vmslt vmax vmerge by the byte, 6 beats, and 3 for the
// mask, which does not chain: bound 0.094 cycles per element. Rows of 8 to 63 side by side: a
// vlsseg8e8 for eight columns, 64 cycles for each, and the store's 8: 200 for 64 rows of 21, 0.149.
// Words: vle32 vmsgt vmerge vmax vmerge: 0.5; floats, vle32 vmfgt vmerge vmerge: 0.38. A long row:
// its largest (0.03 of int8, 0.125 of floats), then where that is first (0.06 and 0.25 to the end,
// half as much on average), and 120 for the row.
#include "driver/kernels/dsp/integers.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/reduce.h"

namespace presil::dsp {
namespace {

void store_index(const DLTensor& y, char* to, int64_t step, vuint32m4_t index, size_t vl) {
  auto* words = reinterpret_cast<uint32_t*>(to);
  if (y.dtype.bits == 32 && step == 1) return __riscv_vse32_v_u32m4(words, index, vl);
  if (y.dtype.bits == 32) return __riscv_vsse32_v_u32m4(words, 4 * step, index, vl);
  const vuint32m4_t zero = __riscv_vmv_v_x_u32m4(0, vl);
  __riscv_vssseg2e32_v_u32m4x2(words, 8 * step, __riscv_vcreate_v_u32m4x2(index, zero), vl);
}

/// No int8 is worse.
template <bool kSmallest>
vint8m1_t worst(size_t vl) {
  return __riscv_vmv_v_x_i8m1(kSmallest ? 127 : -128, vl);
}
/// The best so far of int8, and where it is among 256, with the next, which is at `at`.
template <bool kSmallest>
[[gnu::always_inline]] inline void look_at(vint8m1_t& best, vuint8m1_t& index, vuint8m1_t next,
                                           size_t at, size_t vl) {
  const vint8m1_t v = __riscv_vreinterpret_v_u8m1_i8m1(next);
  const vbool8_t more =
      kSmallest ? __riscv_vmslt_vv_i8m1_b8(v, best, vl) : __riscv_vmsgt_vv_i8m1_b8(v, best, vl);
  best = kSmallest ? __riscv_vmin_vv_i8m1(best, v, vl) : __riscv_vmax_vv_i8m1(best, v, vl);
  index = __riscv_vmerge_vxm_u8m1(index, static_cast<uint8_t>(at), more, vl);
}

/// Results side by side of int8; 256 terms at a time.
template <bool kSmallest>
vuint32m4_t bytes(const char* x, int64_t x_step, int64_t k_step, size_t n, size_t vl) {
  const auto* from = reinterpret_cast<const uint8_t*>(x);
  const auto load = [&] {
    const uint8_t* at = from;
    from += k_step;
    return x_step == 1 ? __riscv_vle8_v_u8m1(at, vl) : __riscv_vlse8_v_u8m1(at, x_step, vl);
  };
  vint8m1_t best = worst<kSmallest>(vl);
  vuint8m1_t index = __riscv_vmv_v_x_u8m1(0, vl);
  vuint16m2_t all = __riscv_vmv_v_x_u16m2(0, vl);
  for (size_t first = 0; first < n; first += 256) {
    const vint8m1_t before = best;
    const size_t some = n - first < 256 ? n - first : 256;
    vuint8m1_t even = load(), odd;
    size_t k = 0;
    for (; k + 2 < some; k += 2) {
      odd = load();
      look_at<kSmallest>(best, index, even, k, vl);
      even = load();
      look_at<kSmallest>(best, index, odd, k + 1, vl);
    }
    if (k + 2 == some) odd = load();
    look_at<kSmallest>(best, index, even, k, vl);
    if (k + 2 == some) look_at<kSmallest>(best, index, odd, k + 1, vl);
    const vuint16m2_t here =
        __riscv_vadd_vx_u16m2(__riscv_vzext_vf2_u16m2(index, vl), static_cast<uint16_t>(first), vl);
    all = __riscv_vmerge_vvm_u16m2(all, here, __riscv_vmsne_vv_i8m1_b8(best, before, vl), vl);
  }
  return __riscv_vzext_vf2_u32m4(all, vl);
}

/// Rows of int8 side by side.
template <bool kSmallest>
void byte_rows(const char* x, int64_t x_step, size_t rows, size_t n, const DLTensor& out, char* y,
               int64_t y_step) {
  const size_t lanes = __riscv_vsetvlmax_e8m1();
  vint8m1_t best = worst<kSmallest>(lanes);
  vuint8m1_t index = __riscv_vmv_v_x_u8m1(0, lanes);
  each_column_of(
      reinterpret_cast<const uint8_t*>(x), x_step, rows, n,
      [&](vuint8m1_t column, size_t at, size_t vl) {
        look_at<kSmallest>(best, index, column, at, vl);
      },
      [&](size_t first, size_t vl) {
        char* to = y + static_cast<int64_t>(first) * y_step * (out.dtype.bits / 8);
        store_index(out, to, y_step, __riscv_vzext_vf4_u32m4(index, vl), vl);
        best = worst<kSmallest>(vl);
        index = __riscv_vmv_v_x_u8m1(0, vl);
      });
}

/// Of other integers.
vuint32m4_t words(const DLTensor& t, const char* x, int64_t x_step, int64_t k_step, size_t n,
                  bool smallest, size_t vl) {
  const int32_t mask = smallest ? -1 : 0;
  Int32 best = __riscv_vmv_v_x_i32m4(INT32_MIN, vl);
  vuint32m4_t index = __riscv_vmv_v_x_u32m4(0, vl);
  for (size_t k = 0; k < n; ++k, x += k_step * (t.dtype.bits / 8)) {
    const Int32 v = __riscv_vxor_vx_i32m4(load_integers(t, x, x_step, vl), mask, vl);
    const vbool8_t more = __riscv_vmsgt_vv_i32m4_b8(v, best, vl);
    best = __riscv_vmax_vv_i32m4(best, v, vl);
    index = __riscv_vmerge_vxm_u32m4(index, static_cast<uint32_t>(k), more, vl);
  }
  return index;
}

/// Of floats: what is no number and comes first stays.
vuint32m4_t floats(const char* x, int64_t x_step, int64_t k_step, size_t n, bool smallest,
                   size_t vl) {
  const auto load = [&] {
    const auto* from = reinterpret_cast<const float*>(x);
    x += 4 * k_step;
    const vfloat32m4_t v = x_step == 1 ? __riscv_vle32_v_f32m4(from, vl)
                                       : __riscv_vlse32_v_f32m4(from, 4 * x_step, vl);
    return smallest ? __riscv_vfneg_v_f32m4(v, vl) : v;
  };
  vfloat32m4_t best = load();
  vuint32m4_t index = __riscv_vmv_v_x_u32m4(0, vl);
  for (size_t k = 1; k < n; ++k) {
    const vfloat32m4_t v = load();
    const vbool8_t more = __riscv_vmfgt_vv_f32m4_b8(v, best, vl);
    best = __riscv_vmerge_vvm_f32m4(best, v, more, vl);
    index = __riscv_vmerge_vxm_u32m4(index, static_cast<uint32_t>(k), more, vl);
  }
  return index;
}

uint32_t row_i8(const int8_t* x, size_t n, bool smallest) {
  const size_t lanes = __riscv_vsetvlmax_e8m8();
  const int8_t mask = smallest ? -1 : 0;
  vint8m8_t best = __riscv_vmv_v_x_i8m8(-128, lanes);
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m8(n - i);
    best = __riscv_vmax_vv_i8m8_tu(
        best, best, __riscv_vxor_vx_i8m8(__riscv_vle8_v_i8m8(x + i, vl), mask, vl), vl);
  }
  const vint8m1_t low = __riscv_vmv_s_x_i8m1(-128, 1);
  const auto most = static_cast<int8_t>(
      __riscv_vmv_x_s_i8m1_i8(__riscv_vredmax_vs_i8m8_i8m1(best, low, lanes)) ^ mask);
  for (size_t i = 0, vl;; i += vl) {
    vl = __riscv_vsetvl_e8m8(n - i);
    const long at =
        __riscv_vfirst_m_b1(__riscv_vmseq_vx_i8m8_b1(__riscv_vle8_v_i8m8(x + i, vl), most, vl), vl);
    if (at >= 0) return static_cast<uint32_t>(i) + static_cast<uint32_t>(at);
  }
}

uint32_t row_f32(const float* x, size_t n, bool smallest) {
  if (x[0] != x[0]) return 0;
  const size_t lanes = __riscv_vsetvlmax_e32m8();
  const auto load = [&](size_t i, size_t vl) {
    const vfloat32m8_t v = __riscv_vle32_v_f32m8(x + i, vl);
    return smallest ? __riscv_vfneg_v_f32m8(v, vl) : v;
  };
  vfloat32m8_t best = __riscv_vfmv_v_f_f32m8(-__builtin_inff(), lanes);
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e32m8(n - i);
    best = __riscv_vfmax_vv_f32m8_tu(best, best, load(i, vl), vl);
  }
  const vfloat32m1_t low = __riscv_vfmv_s_f_f32m1(-__builtin_inff(), 1);
  const float most = __riscv_vfmv_f_s_f32m1_f32(__riscv_vfredmax_vs_f32m8_f32m1(best, low, lanes));
  for (size_t i = 0, vl;; i += vl) {
    vl = __riscv_vsetvl_e32m8(n - i);
    const long at = __riscv_vfirst_m_b4(__riscv_vmfeq_vf_f32m8_b4(load(i, vl), most, vl), vl);
    if (at >= 0) return static_cast<uint32_t>(i) + static_cast<uint32_t>(at);
  }
}

int32_t arg(const DLTensor* in, DLTensor* out, const presil_dsp_arg* params) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const bool floating = is_float(*in), small = is_int8(*in);
  if ((!floating && !is_integer(*in)) || out->dtype.code != 0 || out->dtype.bits < 32) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  Reduction r(*in, *out);
  const uint32_t axis = params->axis;
  if (!r.fits || axis >= static_cast<uint32_t>(in->ndim) || r.gone.axes > 1 ||
      r.terms != static_cast<size_t>(in->shape[axis]) || (small && r.terms > 65536)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const bool smallest = params->smallest != 0, rows = r.rows() && (floating || small);
  const int64_t k_step = in->strides[axis];
  each_lanes(r, *in, *out, [&](const char* x, char* y, size_t n, int64_t x_step, int64_t y_step) {
    if (small && !rows && k_step == 1 && r.terms >= 8 && r.terms <= 256) {
      return smallest ? byte_rows<true>(x, x_step, n, r.terms, *out, y, y_step)
                      : byte_rows<false>(x, x_step, n, r.terms, *out, y, y_step);
    }
    for (size_t vl; n > 0; n -= vl) {
      vl = rows ? 1 : __riscv_vsetvl_e32m4(n);
      if (rows) {
        const uint32_t at = floating
                                ? row_f32(reinterpret_cast<const float*>(x), r.terms, smallest)
                                : row_i8(reinterpret_cast<const int8_t*>(x), r.terms, smallest);
        store_index(*out, y, y_step, __riscv_vmv_v_x_u32m4(at, 1), 1);
      } else {
        store_index(*out, y, y_step,
                    floating   ? floats(x, x_step, k_step, r.terms, smallest, vl)
                    : !small   ? words(*in, x, x_step, k_step, r.terms, smallest, vl)
                    : smallest ? bytes<true>(x, x_step, k_step, r.terms, vl)
                               : bytes<false>(x, x_step, k_step, r.terms, vl),
                    vl);
      }
      x += static_cast<int64_t>(vl) * x_step * (in->dtype.bits / 8);
      y += static_cast<int64_t>(vl) * y_step * (out->dtype.bits / 8);
    }
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(arg)

}  // namespace presil::dsp
