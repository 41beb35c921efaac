// int16 as two bytes: the upper one, signed, and the lower one less 128.
//
// wide_bytes {x i16 [h, w, c]} {high i8, low i8}: params.h. 64 elements, beats of 16 halves:
// vle16 4, two vnsra 8, vxor 2, two vse8 4; then 16 bytes a cycle to the blocks. Bound: 0.2 cycles
// per element.
#include <riscv_vector.h>

#include "driver/kernels/dsp/blocks.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/short_row.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

/// Where bytes of pixels lie one after another on their way to the blocks.
struct Memory {
  static constexpr int64_t kBytes = kWorkspaceBytes / 2;
  int8_t high[kBytes], low[kBytes];
};

void put(const int16_t* x, size_t n, int8_t* high, int8_t* low) {
  for (size_t vl; n > 0; n -= vl, x += vl, high += vl, low += vl) {
    vl = __riscv_vsetvl_e16m4(n);
    const vint16m4_t v = __riscv_vle16_v_i16m4(x, vl);
    __riscv_vse8_v_i8m2(high, __riscv_vnsra_wx_i8m2(v, 8, vl), vl);
    __riscv_vse8_v_i8m2(low, __riscv_vxor_vx_i8m2(__riscv_vnsra_wx_i8m2(v, 0, vl), -128, vl), vl);
  }
}

bool is_one_row(const Blocks& y) {
  return y.row == y.columns * y.column;
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
  const auto* values = static_cast<const int16_t*>(presil_dsp_data(&x));
  const bool joined = is_one_row(high) && is_one_row(low);
  const int64_t rows = joined ? 1 : h, columns = joined ? h * w : w;
  const auto in_place = [](const Blocks& y) { return y.block == Blocks::kLanes || y.count == 1; };
  const bool direct = in_place(high) && in_place(low) && high.column == low.column;
  if (!direct && (in_place(high) || in_place(low))) return PRESIL_DSP_REFUSED_SHAPE;
  const int64_t blocks = (c + Blocks::kLanes - 1) / Blocks::kLanes;
  const int64_t pitch = direct ? high.column : blocks * Blocks::kLanes;
  const int64_t most = direct ? columns : Memory::kBytes / pitch;
  Memory& memory = workspace<Memory>();
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0, count; column < columns; column += count) {
      count = columns - column < most ? columns - column : most;
      const int16_t* from = values + (row * columns + column) * c;
      int8_t* upper = direct ? reinterpret_cast<int8_t*>(high.at(row, column)) : memory.high;
      int8_t* lower = direct ? reinterpret_cast<int8_t*>(low.at(row, column)) : memory.low;
      if (pitch == c) {
        put(from, static_cast<size_t>(count * c), upper, lower);
      } else {
        for (int64_t i = 0; i < count; ++i) {
          put(from + i * c, static_cast<size_t>(c), upper + i * pitch, lower + i * pitch);
        }
      }
      if (direct) continue;
      const Piece piece{row, column, 1, count, pitch, 0};
      put_blocks(upper, piece, high), put_blocks(lower, piece, low);
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(wide_bytes)

}  // namespace presil::dsp
