// Sums of bytes times weights to int16.
//
// wide_result {high i8, low i8, terms i32 [4, 16 b]} {y i16 [h, w, c]}: params.h. The sums of
// int16 times weights are 256 high + low. Arithmetic: compiler_bridge/reference/requantize.h in
// words (WideRequantizer).
//   wide    (256 high + low) * m + k, of 64 bits in two halves, shifted to the right: 16 channels
//           of a pixel, beats of 8: two loads, 4 for the sum, 4 products, 3 sums, 4 shifts, clamp,
//           narrowing, store: 42. Bound: 2.6 cycles per element; 2.1 of sums within 32 bits
//   double  the sum's low 32 bits, as depthwise_conv2d_i8
//   others  one by one
#include "driver/kernels/dsp/integers.h"
#include "driver/kernels/dsp/short_row.h"
#include "driver/kernels/dsp/sums.h"

namespace presil::dsp {
namespace {

using Params = presil_dsp_wide_result;
using Words = vuint32m2_t;
using Sum = vint32m2_t;

Words words(Sum v) {
  return __riscv_vreinterpret_v_i32m2_u32m2(v);
}
Sum integers(Words v) {
  return __riscv_vreinterpret_v_u32m2_i32m2(v);
}

void store(int16_t* to, Sum v, const Params& p, size_t vl) {
  v = __riscv_vmin_vx_i32m2(__riscv_vmax_vx_i32m2(v, p.act_min, vl), p.act_max, vl);
  __riscv_vse16_v_i16m1(to, __riscv_vncvt_x_x_w_i16m1(v, vl), vl);
}

/// Upper and lower half of a product of 64 bits, shifted to the right by 1..63: the low 32 bits.
/// @param far  some of the shifts are 32 or more
Sum shifted(Sum upper, Words lower, Words by, bool far, size_t vl) {
  // (upper << 1) << (31 - by), for 32 - by may be 32
  const Words rest = __riscv_vxor_vx_u32m2(by, 31, vl);
  const Words carried = __riscv_vsll_vv_u32m2(__riscv_vsll_vx_u32m2(words(upper), 1, vl), rest, vl);
  const Words near = __riscv_vor_vv_u32m2(__riscv_vsrl_vv_u32m2(lower, by, vl), carried, vl);
  if (!far) return integers(near);
  return __riscv_vmerge_vvm_i32m2(integers(near), __riscv_vsra_vv_i32m2(upper, by, vl),
                                  __riscv_vmsgtu_vx_u32m2_b16(by, 31, vl), vl);
}

/// Of one pixel. @param m, k_low, k_high, by  of its channels; far: as above
Sum wide(Sum high, Sum low, Sum m, Words k_low, Sum k_high, Words by, bool within_words, bool far,
         size_t vl) {
  const Words scaled = __riscv_vsll_vx_u32m2(words(high), 8, vl);
  const Words sum = __riscv_vadd_vv_u32m2(scaled, words(low), vl);
  const Words lower = __riscv_vmul_vv_u32m2(sum, words(m), vl);
  Sum upper;
  if (within_words) {
    upper = __riscv_vmulh_vv_i32m2(integers(sum), m, vl);
  } else {
    const vbool16_t carry = __riscv_vmsltu_vv_u32m2_b16(sum, scaled, vl);
    const Sum above = __riscv_vadc_vvm_i32m2(__riscv_vsra_vx_i32m2(high, 24, vl),
                                             __riscv_vsra_vx_i32m2(low, 31, vl), carry, vl);
    upper = integers(__riscv_vmulhu_vv_u32m2(sum, words(m), vl));
    upper = __riscv_vmacc_vv_i32m2(upper, above, m, vl);
  }
  const Words total = __riscv_vadd_vv_u32m2(lower, k_low, vl);
  upper = __riscv_vadc_vvm_i32m2(upper, k_high, __riscv_vmsltu_vv_u32m2_b16(total, k_low, vl), vl);
  return shifted(upper, total, by, far, vl);
}

/// Of two pixels whose sums int32 holds, by shifts of less than 32, in turn: each step waits for
/// the one before.
void two_within_words(const int32_t* high, const int32_t* low, Sum m, Words k_low, Sum k_high,
                      Words by, int16_t* to, int64_t apart, const Params& p, size_t vl) {
  Words a = words(__riscv_vle32_v_i32m2(high, vl));
  Words b = words(__riscv_vle32_v_i32m2(high + Blocks::kLanes, vl));
  const Sum c = __riscv_vle32_v_i32m2(low, vl);
  const Sum d = __riscv_vle32_v_i32m2(low + Blocks::kLanes, vl);
  a = __riscv_vsll_vx_u32m2(a, 8, vl), b = __riscv_vsll_vx_u32m2(b, 8, vl);
  a = __riscv_vadd_vv_u32m2(a, words(c), vl), b = __riscv_vadd_vv_u32m2(b, words(d), vl);
  in_turn(a, b);
  Sum u = __riscv_vmulh_vv_i32m2(integers(a), m, vl),
      v = __riscv_vmulh_vv_i32m2(integers(b), m, vl);
  a = __riscv_vmul_vv_u32m2(a, words(m), vl), b = __riscv_vmul_vv_u32m2(b, words(m), vl);
  in_turn(a, b);
  a = __riscv_vadd_vv_u32m2(a, k_low, vl), b = __riscv_vadd_vv_u32m2(b, k_low, vl);
  in_turn(a, b);
  const vbool16_t of_a = __riscv_vmsltu_vv_u32m2_b16(a, k_low, vl);
  const vbool16_t of_b = __riscv_vmsltu_vv_u32m2_b16(b, k_low, vl);
  u = __riscv_vadc_vvm_i32m2(u, k_high, of_a, vl), v = __riscv_vadc_vvm_i32m2(v, k_high, of_b, vl);
  in_turn(u, v);
  const Words rest = __riscv_vxor_vx_u32m2(by, 31, vl);
  a = __riscv_vsrl_vv_u32m2(a, by, vl), b = __riscv_vsrl_vv_u32m2(b, by, vl);
  Words e = __riscv_vsll_vx_u32m2(words(u), 1, vl), f = __riscv_vsll_vx_u32m2(words(v), 1, vl);
  in_turn(e, f);
  e = __riscv_vsll_vv_u32m2(e, rest, vl), f = __riscv_vsll_vv_u32m2(f, rest, vl);
  in_turn(e, f);
  store(to, integers(__riscv_vor_vv_u32m2(a, e, vl)), p, vl);
  store(to + apart, integers(__riscv_vor_vv_u32m2(b, f, vl)), p, vl);
}

// ---- one by one

/// The doubled product's high half, shifted to the right with halves up.
int32_t times_double_up(int32_t x, int32_t multiplier, int shift) {
  if (shift > 0) x = static_cast<int32_t>(static_cast<uint32_t>(x) << shift);
  const int64_t high = times(x, multiplier);
  return static_cast<int32_t>(shift >= 0 ? high : (high + (int64_t{1} << (-shift - 1))) >> -shift);
}

int64_t times_once(int64_t x, int32_t multiplier, int shift) {
  const int n = 31 - shift;
  const int64_t upper = x >> 16, lower = x & 0xffff;
  const int64_t carried = (lower * multiplier + (int64_t{1} << (n - 1))) >> 16;
  return (upper * multiplier + carried) >> (n - 16);
}

int16_t one(int64_t sum, const int32_t* terms, int64_t row, const Params& p) {
  const auto bias = static_cast<int64_t>(static_cast<uint64_t>(terms[2 * row]) << 32 |
                                         static_cast<uint32_t>(terms[row]));
  const auto total = static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(bias));
  const int shift = terms[3 * row];
  const int64_t v = p.rule == PRESIL_DSP_WIDE_ONCE
                        ? times_once(total, *terms, shift)
                        : times_double_up(static_cast<int32_t>(total), *terms, shift);
  return static_cast<int16_t>(v < p.act_min ? p.act_min : v > p.act_max ? p.act_max : v);
}

int32_t wide_result(const DLTensor* in, DLTensor* out, const Params* params) {
  if (presil_dsp_inputs() != 3 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const Params p = *params;
  const DLTensor &terms = in[2], &y = *out;
  if (!is_int8(in[0]) || !is_int8(in[1]) || !is(terms, 0, 32) || !is(y, 0, 16)) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  const Sums high(in[0]), low(in[1]);
  if (!high.fits || !low.fits || y.ndim != 3 || !is_dense(y) || !is_dense(terms)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const int64_t h = y.shape[0], w = y.shape[1], c = y.shape[2], row = high.channels();
  const auto fits = [&](const Sums& sums) {
    return sums.rows() == h && sums.columns() == w && sums.channels() == row;
  };
  if (!fits(high) || !fits(low)) return PRESIL_DSP_REFUSED_SHAPE;
  const bool joined = high.is_one_row() && low.is_one_row();
  const int64_t rows = joined ? 1 : h, columns = joined ? h * w : w;
  if (c > row || presil_dsp_elements(&terms) != 4 * row) return PRESIL_DSP_REFUSED_SHAPE;
  if (p.rule > PRESIL_DSP_WIDE_ONCE) return PRESIL_DSP_REFUSED_PARAMS;
  const auto* constants = static_cast<const int32_t*>(presil_dsp_data(&terms));
  auto* results = static_cast<int16_t*>(presil_dsp_data(&y));
  const auto lanes = static_cast<int64_t>(__riscv_vsetvl_e32m2(Blocks::kLanes));
  for (int64_t first = 0, some; first < c; first += some) {
    const int64_t left = c - first, block = Blocks::kLanes - first % Blocks::kLanes;
    some = left < block ? left : block;
    if (some > lanes) some = lanes;
    const auto vl = static_cast<size_t>(some);
    const int32_t* own = constants + first;
    const Sum multiplier = __riscv_vle32_v_i32m2(own, vl);
    const Sum second = __riscv_vle32_v_i32m2(own + row, vl);
    const Sum third = __riscv_vle32_v_i32m2(own + 2 * row, vl);
    const Words last = words(__riscv_vle32_v_i32m2(own + 3 * row, vl));
    const vbool16_t above = __riscv_vmsgtu_vx_u32m2_b16(last, 31, vl);
    const bool far = __riscv_vfirst_m_b16(above, vl) >= 0;
    const vbool16_t right = __riscv_vmsne_vx_u32m2_b16(last, 0, vl);
    const bool two =
        p.rule == PRESIL_DSP_WIDE_WITHIN_WORDS && !far && high.is_in_words() && low.is_in_words();
    int16_t* to = results + first;
    for (int64_t oy = 0; oy < rows; ++oy) {
      int64_t ox = 0;
      for (; two && ox + 2 <= columns; ox += 2, to += 2 * c) {
        const int64_t at = ox * Blocks::kLanes;
        two_within_words(high.words(first, oy) + at, low.words(first, oy) + at, multiplier,
                         words(second), third, last, to, c, p, vl);
      }
      for (; ox < columns; ++ox, to += c) {
        if (p.rule > PRESIL_DSP_WIDE_DOUBLE) {
          for (int64_t k = 0; k < static_cast<int64_t>(vl); ++k) {
            const int64_t sum =
                int64_t{high.one(first + k, oy, ox)} * 256 + low.one(first + k, oy, ox);
            to[k] = one(sum, own + k, row, p);
          }
          continue;
        }
        const Sum a = high.load(first, oy, ox, vl), b = low.load(first, oy, ox, vl);
        if (p.rule != PRESIL_DSP_WIDE_DOUBLE) {
          const bool within_words = p.rule == PRESIL_DSP_WIDE_WITHIN_WORDS;
          store(to, wide(a, b, multiplier, words(second), third, last, within_words, far, vl), p,
                vl);
          continue;
        }
        Sum x = __riscv_vadd_vv_i32m2(__riscv_vsll_vx_i32m2(a, 8, vl), b, vl);
        x = __riscv_vsll_vv_i32m2(__riscv_vadd_vv_i32m2(x, second, vl), words(third), vl);
        x = __riscv_vsmul_vv_i32m2(x, multiplier, __RISCV_VXRM_RNU, vl);
        // Halves go away from zero, where there is a shift: one less below zero, then up.
        x = __riscv_vsadd_vv_i32m2_mu(right, x, x, __riscv_vsra_vx_i32m2(x, 31, vl), vl);
        store(to, __riscv_vssra_vv_i32m2(x, last, __RISCV_VXRM_RNU, vl), p, vl);
      }
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(wide_result)

}  // namespace presil::dsp
