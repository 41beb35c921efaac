// int16 as two bytes: the upper one, signed, and the lower one less 128.
//
// wide_bytes {x i16 [h, w, c]} {high i8, low i8}: params.h. 64 elements, beats of 16 halves:
// vle16 4, two vnsra 8, vxor 2, two times 4 vse8 and 3 slides. Bound: 0.5 cycles per element.
#include <riscv_vector.h>

#include "driver/kernels/dsp/blocks.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/short_row.h"

namespace presil::dsp {
namespace {

/// 16 and 16 of them are `block` bytes apart.
void put(int8_t* to, vint8m1_t bytes, size_t n, int64_t block) {
  for (;; to += block) {
    const size_t some = n < Blocks::kLanes ? n : Blocks::kLanes;
    __riscv_vse8_v_i8m1(to, bytes, some);
    n -= some;
    if (n == 0) return;
    bytes = __riscv_vslidedown_vx_i8m1(bytes, Blocks::kLanes, n);
  }
}

int32_t wide_bytes(const DLTensor* in, DLTensor* out, const void*) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 2) return PRESIL_DSP_REFUSED_COUNT;
  const DLTensor& x = in[0];
  if (!is(x, 0, 16) || !is_int8(out[0]) || !is_int8(out[1])) return PRESIL_DSP_REFUSED_TYPE;
  const Blocks high(out[0]), low(out[1]);
  if (x.ndim != 3 || !is_dense(x) || !high.fits || !low.fits) return PRESIL_DSP_REFUSED_SHAPE;
  const int64_t h = x.shape[0], w = x.shape[1], c = x.shape[2];
  const auto fits = [&](const Blocks& y) {
    return y.rows == h && y.columns == w && y.channels >= c;
  };
  if (!fits(high) || !fits(low)) return PRESIL_DSP_REFUSED_SHAPE;
  const auto* from = static_cast<const int16_t*>(presil_dsp_data(&x));
  const auto dense = [c](const Blocks& y) { return y.is_dense() && y.channels == c; };
  const bool rows_at_once = dense(high) && dense(low);
  for (int64_t row = 0; row < h; ++row) {
    for (int64_t column = 0; column < w; ++column) {
      auto* upper = reinterpret_cast<int8_t*>(high.at(row, column));
      auto* lower = reinterpret_cast<int8_t*>(low.at(row, column));
      size_t n = static_cast<size_t>(rows_at_once ? w * c : c);
      for (size_t vl; n > 0; n -= vl, from += vl) {
        vl = __riscv_vsetvl_e16m2(n);
        const vint16m2_t v = __riscv_vle16_v_i16m2(from, vl);
        const vint8m1_t up = __riscv_vnsra_wx_i8m1(v, 8, vl);
        const vint8m1_t down = __riscv_vxor_vx_i8m1(__riscv_vnsra_wx_i8m1(v, 0, vl), -128, vl);
        if (rows_at_once) {
          __riscv_vse8_v_i8m1(upper, up, vl);
          __riscv_vse8_v_i8m1(lower, down, vl);
          upper += vl, lower += vl;
          continue;
        }
        put(upper, up, vl, high.block), put(lower, down, vl, low.block);
        const auto blocks = static_cast<int64_t>(vl) / Blocks::kLanes;
        upper += blocks * high.block, lower += blocks * low.block;
      }
      if (rows_at_once) break;
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(wide_bytes)

}  // namespace presil::dsp
