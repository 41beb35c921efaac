// Sum, mean, largest and smallest of integers over some axes.
//
// Tensors: {x i8|u8|i16|i32} {y}, y's extent 1 on the axes that go; any strides.
// Arithmetic: compiler_bridge/reference/operators/{sum,mean,reduce_max,reduce_min}.cpp in words:
// sums wrap in 32 bits; scaled: sum - n * in_zero, the rule, + out_zero, saturated.
// int8, a lane per channel: vle8, vwadd to 16 bits (256 of them fit), 4 beats of 64; bound 0.063
// cycles per element, and 60 for the rule of 64 results. Rows: 16 beats of vwadd for 256, 0.063;
// for a row 90: vmv 16, vwredsum 40, its rule as 6 operations of one lane. Other types and
// functions by 32 bits: vle8 vsext vmax, 0.25.
#include "driver/dsp/reduce.h"

#include "driver/dsp/integers.h"
#include "driver/dsp/params.h"

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
  return __riscv_vfcvt_x_f_v_i32m4(
      __riscv_vfadd_vf_f32m4(product, static_cast<float>(p.out_zero), vl), vl);
}

/// Sums of int8, `vl` side by side: two sums of 16 bits in turn, an addition waits for the last.
Int32 sums_i8(const Reduction& r, const char* x, size_t vl) {
  constexpr size_t kFit = 256;
  Layout runs = r.gone;
  size_t n = 1;
  int64_t step = 0;
  if (runs.axes > 0) {
    const int32_t last = runs.axes - 1;
    n = static_cast<size_t>(runs.extent[last]), step = runs.from[last];
    runs.drop(last);
  }
  Int32 sum = __riscv_vmv_v_x_i32m4(0, vl);
  const vint16m2_t zero = __riscv_vmv_v_x_i16m2(0, vl);
  vint16m2_t even = zero, odd = zero;
  const auto plus = [&](vint16m2_t part, const char* at) {
    return __riscv_vwadd_wv_i16m2(part,
                                  __riscv_vle8_v_i8m1(reinterpret_cast<const int8_t*>(at), vl), vl);
  };
  size_t room = kFit;
  each_term(runs, x, 1, [&](const char* at) {
    for (size_t left = n, some; left > 0; left -= some) {
      some = left < room ? left : room;
      room -= some;
      size_t i = some;
      for (; i >= 4; i -= 4, at += 4 * step) {
        even = plus(even, at);
        odd = plus(odd, at + step);
        even = plus(even, at + 2 * step);
        odd = plus(odd, at + 3 * step);
      }
      for (; i > 0; --i, at += step) even = plus(even, at);
      if (room == 0) {
        room = kFit;
        sum = __riscv_vwadd_wv_i32m4(__riscv_vwadd_wv_i32m4(sum, even, vl), odd, vl);
        even = odd = zero;
      }
    }
  });
  return __riscv_vwadd_wv_i32m4(__riscv_vwadd_wv_i32m4(sum, even, vl), odd, vl);
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
  const int32_t start = p.function == PRESIL_DSP_REDUCE_MAX   ? INT32_MIN
                        : p.function == PRESIL_DSP_REDUCE_MIN ? INT32_MAX
                                                              : 0;
  const bool short_sums = start == 0 && is_int8(*in), rows = r.rows();
  each_lanes(r, *in, *out, [&](const char* x, char* y, size_t n, int64_t x_step, int64_t y_step) {
    const int64_t x_size = in->dtype.bits / 8, y_size = out->dtype.bits / 8;
    for (size_t vl; n > 0; n -= vl) {
      vl = rows ? 1 : __riscv_vsetvl_e32m4(n);
      Int32 y_of = __riscv_vmv_v_x_i32m4(start, vl);
      if (rows) {
        const auto* bytes = reinterpret_cast<const int8_t*>(x);
        y_of = __riscv_vmv_s_x_i32m4(
            short_sums ? row_sum_i8(bytes, r.terms) : row(*in, x, r.terms, p.function, start), 1);
      } else if (short_sums && x_step == 1) {
        y_of = sums_i8(r, x, vl);
      } else {
        each_term(r.gone, x, x_size, [&](const char* at) {
          y_of = better(p.function, y_of, load_integers(*in, at, x_step, vl), vl);
        });
      }
      store_integers(*out, y, y_step, finish(y_of, p, r.terms, vl), vl);
      x += static_cast<int64_t>(vl) * x_step * x_size;
      y += static_cast<int64_t>(vl) * y_step * y_size;
    }
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(reduce)

}  // namespace presil::dsp
