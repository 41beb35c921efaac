// Images to another size: the nearest pixel.
//
// Tensors: {x [.., h, w, c]} {y [.., oh, ow, c]}, of 8, 16 or 32 bits; axes in front alike,
// channels dense: blocks of 16 channels (n, block, h, w, 16) too. Arithmetic:
// compiler_bridge/reference/operators/resize_nearest.cpp in words. Positions are computed once per
// row and column, in DTCM; a pixel is a copy, a row that stands there already too. Bound: SRAM's
// port, 2 x bytes / 32 beats and 4 scalar instructions per pixel.
#include <riscv_vector.h>

#include "driver/kernels/dsp/resize.h"

namespace presil::dsp {
namespace {

struct Memory {
  int32_t columns[kMostColumns];
};

/// Which one of `in` is nearest.
struct Nearest {
  int64_t last;
  float scale, half;
  bool rounds;

  Nearest(const presil_dsp_resize& p, int64_t in, int64_t out)
      : last(in - 1),
        scale(p.align_corners != 0 && out > 1
                  ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                  : static_cast<float>(in) / static_cast<float>(out)),
        half(p.half_pixel_centers != 0 ? 0.5f : 0.0f),
        rounds(p.align_corners != 0) {}
  int64_t at(int64_t o) const {
    const float position = (static_cast<float>(o) + half) * scale;  // never below 0
    auto whole = static_cast<int64_t>(position);
    if (rounds && position - static_cast<float>(whole) >= 0.5f) ++whole;
    return whole < last ? whole : last;
  }
};

int32_t resize_nearest(const DLTensor* in, DLTensor* out, const presil_dsp_resize* p) {
  Resized s;
  if (const int32_t refused = check_resize(in, out, s)) return refused;
  const int32_t n = in->ndim;
  const int64_t bytes = in->dtype.bits / 8;
  int32_t* columns = workspace<Memory>().columns;
  const Rows rows(*p, s);
  const Nearest row(*p, rows.in, rows.out), column(*p, s.w, s.ow);
  const int64_t x_step = in->strides[n - 2] * bytes, ow = s.ow;
  for (int64_t ox = 0; ox < ow; ++ox) columns[ox] = static_cast<int32_t>(column.at(ox) * x_step);
  const auto c = static_cast<size_t>(s.c * bytes);
  const int64_t y_step = out->strides[n - 2] * bytes;
  const bool whole = out->strides[n - 2] == s.c;
  each_offset(s.outer, bytes, [&](int64_t from, int64_t to) {
    int64_t last = -1;
    const char* row_before = nullptr;
    for (int64_t oy = 0; oy < s.oh; ++oy) {
      const int64_t iy = row.at(oy + rows.first_out) - rows.first_in;
      char* y = bytes_of(*out) + to + oy * out->strides[n - 3] * bytes;
      if (iy == last && whole) {  // the row that stands there already
        copy_bytes(row_before, y, static_cast<size_t>(s.ow) * c);
        continue;
      }
      last = iy, row_before = y;
      const auto* x =
          reinterpret_cast<const uint8_t*>(bytes_of(*in)) + from + iy * in->strides[n - 3] * bytes;
      auto* pixel = reinterpret_cast<uint8_t*>(y);
      for (size_t k = 0, vl; k < c; k += vl) {
        vl = __riscv_vsetvl_e8m4(c - k);
        const auto* first = x + k;
        const auto load = [&](int32_t at) { return __riscv_vle8_v_u8m4(first + at, vl); };
        auto* to = pixel + k;
        const auto store = [&](vuint8m4_t v) {
          __riscv_vse8_v_u8m4(to, v, vl);
          to += y_step;
          __asm__("" : "+r"(to));  // one addition each
        };
        const int32_t *next = columns, *const end = columns + s.ow, *const fours = end - 3;
        for (; next < fours; next += 4) {
          const vuint8m4_t a = load(next[0]), b = load(next[1]), d = load(next[2]),
                           e = load(next[3]);
          store(a), store(b), store(d), store(e);
        }
        for (; next < end; ++next) store(load(*next));
      }
    }
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(resize_nearest)

}  // namespace presil::dsp
