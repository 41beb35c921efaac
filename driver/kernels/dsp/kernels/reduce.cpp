// Sum, mean, largest and smallest of integers over some axes.
//
// Tensors: {x i8|u8|i16|i32} {y}, y's extent 1 on the axes that go; any strides.
// Arithmetic: compiler_bridge/reference/operators/{sum,mean,reduce_max,reduce_min}.cpp in words:
// sums wrap in 32 bits; scaled: sum - n * in_zero, the rule, + out_zero, saturated.
// Sums of int8, a lane per channel: vle8, vwadd to 16 bits (256 of them fit), 8 beats of 128; bound
// 0.063 cycles per element, and for 64 results the rule's 60. Rows: 16 beats of
// vwadd for 256, 0.063; for a row 90: vmv 16, vwredsum 40, its rule as 6 operations of one lane.
// Largest of int8: vle8 beside vmax, 1 beat of 32: 0.031; for a row 70: vmv 16, vredmax 36, store.
// Other types by 32 bits: vle16 vsext vmax, 0.25.
#include "driver/kernels/dsp/reduce.h"

#include "driver/kernels/dsp/integers.h"
#include "driver/kernels/dsp/params.h"

namespace presil::dsp {
namespace {

using Params = presil_dsp_reduce;

Int32 finish(Int32 sum, const Params& p, size_t terms, size_t vl) {
  if (p.function != PRESIL_DSP_REDUCE_SCALED) return sum;
  sum = __riscv_vsub_vx_i32m4(sum, static_cast<int32_t>(terms) * p.in_zero, vl);
  if (p.rule == 0) {
    return __riscv_vsadd_vx_i32m4(scaled(sum, p.multiplier, p.shift, vl), p.out_zero, vl);
  }
  const vfloat32m4_t product =
      __riscv_vfmul_vf_f32m4(__riscv_vfcvt_f_x_v_f32m4(sum, vl), float_of_bits(p.multiplier), vl);
  if (p.rule == 2) {
    return __riscv_vsadd_vx_i32m4(__riscv_vfcvt_x_f_v_i32m4(product, vl), p.out_zero, vl);
  }
  return __riscv_vfcvt_x_f_v_i32m4(
      __riscv_vfadd_vf_f32m4(product, static_cast<float>(p.out_zero), vl), vl);
}

/// f(x, from one to the next in bytes, how many) for the runs of terms of an element.
template <class F>
[[gnu::always_inline]] inline void each_run_of_terms(const Layout& gone, const char* x,
                                                     const F& f) {
  Layout runs = gone;
  size_t n = 1;
  int64_t step = 0;
  if (runs.axes > 0) {
    const int32_t last = runs.axes - 1;
    n = static_cast<size_t>(runs.extent[last]), step = runs.from[last];
    runs.drop(last);
  }
  each_term(runs, x, 1, [&](const char* at) { f(reinterpret_cast<const int8_t*>(at), step, n); });
}

/// Sums of int8, `vl` side by side: two sums of 16 bits in turn, the next two terms loaded before
/// two are added.
vint32m8_t sums_i8(const Reduction& r, const char* x, size_t vl) {
  constexpr size_t kFit = 256;
  vint32m8_t sum = __riscv_vundefined_i32m8();
  vint16m4_t even = __riscv_vmv_v_x_i16m4(0, vl), odd = even;
  bool begun = false;
  const auto all = [&] {
    return begun ? __riscv_vwadd_wv_i32m8(__riscv_vwadd_wv_i32m8(sum, even, vl), odd, vl)
                 : __riscv_vwadd_vv_i32m8(even, odd, vl);
  };
  const auto load = [&](const int8_t* at) { return __riscv_vle8_v_i8m2(at, vl); };
  size_t room = kFit;
  each_run_of_terms(r.gone, x, [&](const int8_t* at, int64_t step, size_t n) {
    for (size_t left = n, some; left > 0; left -= some) {
      some = left < room ? left : room;
      room -= some;
      size_t i = some;
      if (i >= 4) {
        vint8m2_t v0 = load(at), v1 = load(at + step);
        for (at += 2 * step; i >= 6; i -= 4, at += 4 * step) {
          const vint8m2_t v2 = load(at), v3 = load(at + step);
          even = __riscv_vwadd_wv_i16m4(even, v0, vl);
          odd = __riscv_vwadd_wv_i16m4(odd, v1, vl);
          in_order(odd);
          v0 = load(at + 2 * step), v1 = load(at + 3 * step);
          even = __riscv_vwadd_wv_i16m4(even, v2, vl);
          odd = __riscv_vwadd_wv_i16m4(odd, v3, vl);
          in_order(odd);
        }
        even = __riscv_vwadd_wv_i16m4(even, v0, vl);
        odd = __riscv_vwadd_wv_i16m4(odd, v1, vl);
        i -= 2;
      }
      for (; i > 0; --i, at += step) even = __riscv_vwadd_wv_i16m4(even, load(at), vl);
      if (room == 0) {
        room = kFit;
        sum = all();
        begun = true;
        even = odd = __riscv_vmv_v_x_i16m4(0, vl);
      }
    }
  });
  return all();
}

template <bool kSmallest>
vint8m8_t better_i8(vint8m8_t a, vint8m8_t b, size_t vl) {
  return kSmallest ? __riscv_vmin_vv_i8m8_tu(a, a, b, vl) : __riscv_vmax_vv_i8m8_tu(a, a, b, vl);
}
template <bool kSmallest>
vint8m8_t worst_i8(size_t vl) {
  return __riscv_vmv_v_x_i8m8(kSmallest ? 127 : -128, vl);
}

/// Largest of int8, `vl` side by side.
template <bool kSmallest>
vint8m8_t most_i8(const Reduction& r, const char* x, size_t vl) {
  vint8m8_t best = worst_i8<kSmallest>(vl);
  each_run_of_terms(r.gone, x, [&](const int8_t* at, int64_t step, size_t n) {
    for (; n > 0; --n, at += step) {
      best = better_i8<kSmallest>(best, __riscv_vle8_v_i8m8(at, vl), vl);
    }
  });
  return best;
}

template <bool kSmallest>
int8_t row_most_i8(const int8_t* x, size_t n) {
  const size_t lanes = __riscv_vsetvl_e8m8(n);
  vint8m8_t best = worst_i8<kSmallest>(lanes);
  for (size_t vl; n > 0; n -= vl, x += vl) {
    vl = __riscv_vsetvl_e8m8(n);
    best = better_i8<kSmallest>(best, __riscv_vle8_v_i8m8(x, vl), vl);
  }
  const vint8m1_t first = __riscv_vmv_s_x_i8m1(kSmallest ? 127 : -128, 1);
  return __riscv_vmv_x_s_i8m1_i8(kSmallest ? __riscv_vredmin_vs_i8m8_i8m1(best, first, lanes)
                                           : __riscv_vredmax_vs_i8m8_i8m1(best, first, lanes));
}

/// Largest or smallest of int8 as int8, where terms or results lie dense.
template <bool kSmallest>
void all_most_i8(const Reduction& r, const DLTensor& in, const DLTensor& out) {
  const bool rows = r.rows();
  each_lanes(r, in, out, [&](const char* x, char* y, size_t n, int64_t x_step, int64_t y_step) {
    const auto* from = reinterpret_cast<const int8_t*>(x);
    auto* to = reinterpret_cast<int8_t*>(y);
    for (; rows && n > 0; --n, from += x_step, to += y_step) {
      *to = row_most_i8<kSmallest>(from, r.terms);
    }
    for (size_t vl; n > 0; n -= vl, x += vl, to += static_cast<int64_t>(vl) * y_step) {
      vl = __riscv_vsetvl_e8m8(n);
      const vint8m8_t most = most_i8<kSmallest>(r, x, vl);
      y_step == 1 ? __riscv_vse8_v_i8m8(to, most, vl) : __riscv_vsse8_v_i8m8(to, y_step, most, vl);
    }
  });
}

int32_t row_sum_i8(const int8_t* x, size_t n) {
  const size_t lanes = __riscv_vsetvlmax_e8m4();
  int32_t sum = 0;
  while (n > 0) {
    vint16m8_t part = __riscv_vmv_v_x_i16m8(0, lanes);
    for (size_t terms = 256, vl; terms > 0 && n > 0; --terms, n -= vl, x += vl) {
      vl = __riscv_vsetvl_e8m4(n);
      part = __riscv_vwadd_wv_i16m8_tu(part, part, __riscv_vle8_v_i8m4(x, vl), vl);
    }
    const vint32m1_t start = __riscv_vmv_s_x_i32m1(sum, 1);
    sum = __riscv_vmv_x_s_i32m1_i32(__riscv_vwredsum_vs_i16m8_i32m1(part, start, lanes));
  }
  return sum;
}

Int32 better(uint32_t function, Int32 a, Int32 b, size_t vl) {
  switch (function) {
    case PRESIL_DSP_REDUCE_MAX:
      return __riscv_vmax_vv_i32m4(a, b, vl);
    case PRESIL_DSP_REDUCE_MIN:
      return __riscv_vmin_vv_i32m4(a, b, vl);
    default:
      return __riscv_vadd_vv_i32m4(a, b, vl);
  }
}

int32_t row(const DLTensor& t, const char* x, size_t n, uint32_t function, int32_t start) {
  const size_t lanes = __riscv_vsetvlmax_e32m4();
  Int32 best = __riscv_vmv_v_x_i32m4(start, lanes);
  for (size_t vl; n > 0; n -= vl, x += vl * (t.dtype.bits / 8)) {
    vl = __riscv_vsetvl_e32m4(n);
    const Int32 some = __riscv_vmv_v_x_i32m4(start, lanes);
    const Int32 v = __riscv_vmv_v_v_i32m4_tu(some, load_integers(t, x, 1, vl), vl);
    best = better(function, best, v, lanes);
  }
  const vint32m1_t first = __riscv_vmv_s_x_i32m1(start, 1);
  const vint32m1_t y =
      function == PRESIL_DSP_REDUCE_MAX   ? __riscv_vredmax_vs_i32m4_i32m1(best, first, lanes)
      : function == PRESIL_DSP_REDUCE_MIN ? __riscv_vredmin_vs_i32m4_i32m1(best, first, lanes)
                                          : __riscv_vredsum_vs_i32m4_i32m1(best, first, lanes);
  return __riscv_vmv_x_s_i32m1_i32(y);
}

int32_t reduce(const DLTensor* in, DLTensor* out, const Params* params) {
  const Params p = *params;
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_integer(*in) || !is_integer(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const Reduction r(*in, *out);
  if (!r.fits) return PRESIL_DSP_REFUSED_SHAPE;
  if (p.function > PRESIL_DSP_REDUCE_SCALED || p.shift < -31 || p.shift > 31) {
    return PRESIL_DSP_REFUSED_PARAMS;
  }
  const bool rows = r.rows(), dense = rows || r.lanes_are_dense();
  if (p.function == PRESIL_DSP_REDUCE_MAX && is_int8(*in) && is_int8(*out) && dense) {
    all_most_i8<false>(r, *in, *out);
    return PRESIL_DSP_DONE;
  }
  if (p.function == PRESIL_DSP_REDUCE_MIN && is_int8(*in) && is_int8(*out) && dense) {
    all_most_i8<true>(r, *in, *out);
    return PRESIL_DSP_DONE;
  }
  const int32_t start = p.function == PRESIL_DSP_REDUCE_MAX   ? INT32_MIN
                        : p.function == PRESIL_DSP_REDUCE_MIN ? INT32_MAX
                                                              : 0;
  const bool short_sums = start == 0 && is_int8(*in);
  each_lanes(r, *in, *out, [&](const char* x, char* y, size_t n, int64_t x_step, int64_t y_step) {
    const int64_t x_size = in->dtype.bits / 8, y_size = out->dtype.bits / 8;
    const auto put = [&](Int32 sum, size_t vl) {
      store_integers(*out, y, y_step, finish(sum, p, r.terms, vl), vl);
      x += static_cast<int64_t>(vl) * x_step * x_size;
      y += static_cast<int64_t>(vl) * y_step * y_size;
      n -= vl;
    };
    while (rows && n > 0) {
      const int32_t sum = short_sums ? row_sum_i8(reinterpret_cast<const int8_t*>(x), r.terms)
                                     : row(*in, x, r.terms, p.function, start);
      put(__riscv_vmv_s_x_i32m4(sum, 1), 1);
    }
    while (short_sums && dense && n > 0) {
      const vint32m8_t sum = sums_i8(r, x, __riscv_vsetvl_e8m2(n));
      const size_t all = __riscv_vsetvl_e8m2(n), half = __riscv_vsetvl_e32m4(n);
      put(__riscv_vget_v_i32m8_i32m4(sum, 0), half);
      if (half < all) put(__riscv_vget_v_i32m8_i32m4(sum, 1), all - half);
    }
    while (n > 0) {
      const size_t vl = __riscv_vsetvl_e32m4(n);
      Int32 y_of = __riscv_vmv_v_x_i32m4(start, vl);
      each_term(r.gone, x, x_size, [&](const char* at) {
        y_of = better(p.function, y_of, load_integers(*in, at, x_step, vl), vl);
      });
      put(y_of, vl);
    }
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(reduce)

}  // namespace presil::dsp
