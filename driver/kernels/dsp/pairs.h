// Two int8 tensors of any strides, broadcast as in numpy, become one.
//
// An operand that is one value for a short run of the other, or one short run for all runs, is
// written out: what the operator makes of it alone is computed once and stored in DTCM as often as
// the other has elements, so that runs are long and that much less is computed of each.
#pragma once

#include "driver/kernels/dsp/integers.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {

inline int32_t check_pair(const DLTensor* in, const DLTensor* out, const presil_dsp_pair_i8& p) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_int8(in[0]) || !is_int8(in[1]) || !is_int8(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (!broadcasts(in[0], *out) || !broadcasts(in[1], *out)) return PRESIL_DSP_REFUSED_SHAPE;
  const int32_t shifts[] = {p.a_shift, p.b_shift, p.out_shift};
  for (const int32_t s : shifts) {
    if (s < -31 || s > 31) return PRESIL_DSP_REFUSED_PARAMS;
  }
  return PRESIL_DSP_DONE;
}

// What an operator makes of one operand alone, in DTCM.
inline void store_part(int16_t* to, vint16m2_t v, size_t vl) {
  __riscv_vse16_v_i16m2(to, v, vl);
}
inline void store_part(int32_t* to, vint32m4_t v, size_t vl) {
  __riscv_vse32_v_i32m4(to, v, vl);
}
inline vint16m2_t load_part(const int16_t* from, size_t vl) {
  return __riscv_vle16_v_i16m2(from, vl);
}
inline vint32m4_t load_part(const int32_t* from, size_t vl) {
  return __riscv_vle32_v_i32m4(from, vl);
}
inline vint16m2_t copies(int16_t value, size_t vl) {
  return __riscv_vmv_v_x_i16m2(value, vl);
}
inline vint32m4_t copies(int32_t value, size_t vl) {
  return __riscv_vmv_v_x_i32m4(value, vl);
}

/// Each of `rows` values `run` times. Four rows in turn: a store waits for what it stores.
template <class T>
void fill_rows(T* to, const T* values, size_t rows, size_t run) {
  for (size_t at = 0, vl; at < run; at += vl) {
    vl = __riscv_vsetvl_e8m1(run - at);
    T* row = to + at;
    size_t i = 0;
    for (; i + 4 <= rows; i += 4, row += 4 * run) {
      auto a = copies(values[i], vl), b = copies(values[i + 1], vl);
      auto c = copies(values[i + 2], vl), d = copies(values[i + 3], vl);
      in_turn(a, b), in_turn(c, d);
      store_part(row, a, vl), store_part(row + run, b, vl);
      store_part(row + 2 * run, c, vl), store_part(row + 3 * run, d, vl);
    }
    for (; i < rows; ++i, row += run) store_part(row, copies(values[i], vl), vl);
  }
}

constexpr size_t kParts = 4096;
template <class T>
struct Parts {
  T all[kParts], of_rows[kParts];
};

/// Which operand of a walk is the same along one of two axes that the other and y have dense; of
/// `from` and those after it. -1: none is, or runs are long enough.
inline int shared_operand(const Walk<3>& walk, int from) {
  constexpr int kResult = 2;
  const size_t run = walk.run();
  if (walk.axes() < 2 || run > PRESIL_DSP_LONG_RUN) return -1;
  for (int one = from; one < kResult; ++one) {
    const bool column = walk.stride(0, one) == 0, row = walk.stride(1, one) == 0;
    bool dense = column || (row && walk.stride(0, one) == 1);
    for (int t = 0; t <= kResult; ++t) {
      if (t == one) continue;
      dense = dense && walk.stride(0, t) == 1 && walk.stride(1, t) == static_cast<int64_t>(run);
    }
    if (dense) return one;
  }
  return -1;
}

/// Copies of what `part` makes of n elements that are `step` apart.
template <class T, class Part>
void store_parts(T* to, const int8_t* x, int64_t step, size_t n, const Part& part) {
  for (size_t vl; n > 0; n -= vl, x += static_cast<int64_t>(vl) * step, to += vl) {
    vl = __riscv_vsetvl_e8m1(n);
    store_part(to, part(load_i8(x, step, vl), vl), vl);
  }
}

/// y = join(of_x(x), part(shared)): operand `one` is shared by the elements of a row, or by rows.
template <class T, class Of, class Join>
void each_with_part(Walk<3>& walk, int one, const Of& of_x, const Of& part, const Join& join) {
  Parts<T>& parts = workspace<Parts<T>>();
  const size_t run = walk.run(), rows = walk.extent(1);
  const size_t fit = kParts / run, most = fit < rows ? fit : rows;
  const bool column = walk.stride(0, one) == 0;
  const int64_t step = walk.stride(1, one);
  for (; walk; walk.next(2)) {
    const auto *shared = walk.at<int8_t>(one), *x = walk.at<int8_t>(1 - one);
    auto* y = walk.at<int8_t>(2);
    if (!column) {
      store_parts(parts.all, shared, 1, run, part);
      for (size_t made = run, more; made < most * run; made += more) {
        more = most * run - made < made ? most * run - made : made;
        __builtin_memcpy(parts.all + made, parts.all, more * sizeof(T));
      }
    }
    for (size_t row = 0, some; row < rows; row += some) {
      some = rows - row < most ? rows - row : most;
      if (column) {
        store_parts(parts.of_rows, shared, step, some, part);
        fill_rows(parts.all, parts.of_rows, some, run);
        shared += static_cast<int64_t>(some) * step;
      }
      const T* from = parts.all;
      for (size_t n = some * run, vl; n > 0; n -= vl, x += vl, y += vl, from += vl) {
        vl = __riscv_vsetvl_e8m1(n);
        const auto of = of_x(__riscv_vle8_v_i8m1(x, vl), vl);
        __riscv_vse8_v_i8m1(y, join(of, load_part(from, vl), vl), vl);
      }
    }
  }
}

/// y = join(of_a(a), of_b(b)) for all of them; T: what of_a and of_b make of one element.
/// @param commutes whether the join does
template <class T, class Of, class Join>
void each_pair(const DLTensor* in, DLTensor* out, const Of& of_a, const Of& of_b, bool commutes,
               const Join& join) {
  Walk<3> walk({&in[0], &in[1], out}, *out);
  const int one = shared_operand(walk, commutes ? 0 : 1);
  if (one >= 0) {
    return each_with_part<T>(walk, one, one == 0 ? of_b : of_a, one == 0 ? of_a : of_b, join);
  }
  for (; walk; walk.next()) {
    const int8_t *a = walk.at<int8_t>(0), *b = walk.at<int8_t>(1);
    int8_t* y = walk.at<int8_t>(2);
    const int64_t a_step = walk.step(0), b_step = walk.step(1), y_step = walk.step(2);
    size_t n = walk.run();
    for (size_t vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e8m1(n);
      const vint8m1_t v = load_i8(a, a_step, vl), w = load_i8(b, b_step, vl);
      store_i8(y, y_step, join(of_a(v, vl), of_b(w, vl), vl), vl);
      a += static_cast<int64_t>(vl) * a_step, b += static_cast<int64_t>(vl) * b_step;
      y += static_cast<int64_t>(vl) * y_step;
    }
  }
}

}  // namespace presil::dsp
