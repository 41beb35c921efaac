// A tensor's elements to where they stand in another of the same shape, whatever the strides: what
// transposes, concatenates, pads, slices and gathers.
//
// Runs that are dense in both: a vector load and store each; of short ones as many as a register
// has elements at once, by segment loads and stores, 8 or 32 bytes of a run a cycle. Bytes whose
// rows are dense in one axis there and in another here: eight columns at a time (columns.h), stored
// as rows; of few rows all at once, columns stored as runs. Else an element a cycle.
#pragma once

#include "driver/kernels/dsp/columns.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {

/// Extents and strides (in elements) of up to kMaxRank axes.
struct Layout {
  int32_t axes = 0;
  int64_t extent[PRESIL_DSP_MAX_RANK], from[PRESIL_DSP_MAX_RANK], to[PRESIL_DSP_MAX_RANK];

  void add(int64_t n, int64_t from_step, int64_t to_step) {
    if (n == 1) return;
    if (axes > 0 && from[axes - 1] == n * from_step && to[axes - 1] == n * to_step) {
      extent[axes - 1] *= n, from[axes - 1] = from_step, to[axes - 1] = to_step;
      return;
    }
    extent[axes] = n, from[axes] = from_step, to[axes] = to_step;
    ++axes;
  }
  /// Takes an axis out.
  void drop(int32_t axis) {
    for (--axes; axis < axes; ++axis) {
      extent[axis] = extent[axis + 1], from[axis] = from[axis + 1], to[axis] = to[axis + 1];
    }
  }
};

/// f(byte offset there, byte offset here) for all indices.
template <class F>
void each_offset(const Layout& layout, int64_t size, const F& f) {
  int64_t index[PRESIL_DSP_MAX_RANK] = {};
  int64_t from = 0, to = 0;
  for (;;) {
    f(from * size, to * size);
    int32_t axis = layout.axes - 1;
    for (; axis >= 0; --axis) {
      from += layout.from[axis], to += layout.to[axis];
      if (++index[axis] < layout.extent[axis]) break;
      index[axis] = 0;
      from -= layout.from[axis] * layout.extent[axis];
      to -= layout.to[axis] * layout.extent[axis];
    }
    if (axis < 0) return;
  }
}

/// Dense bytes. The next are loaded before those at hand are stored.
inline void copy_bytes(const char* x, char* y, size_t n) {
  const auto* from = reinterpret_cast<const uint8_t*>(x);
  auto* to = reinterpret_cast<uint8_t*>(y);
  for (size_t vl; n > 0; n -= vl, from += vl, to += vl) {
    vl = __riscv_vsetvl_e8m8(n);
    __riscv_vse8_v_u8m8(to, __riscv_vle8_v_u8m8(from, vl), vl);
  }
}

/// Runs of `units` elements of so many bits, `n` of them, so many bytes apart here and there. Of a
/// run the last eight elements may have been moved already.
#define PRESIL_DSP_RUNS(bits, count)                                            \
  case count:                                                                   \
    for (size_t left = n, vl; left > 0; left -= vl) {                           \
      vl = __riscv_vsetvl_e##bits##m1(left);                                    \
      __riscv_vssseg##count##e##bits##_v_u##bits##m1x##count(                   \
          reinterpret_cast<uint##bits##_t*>(y), to,                             \
          __riscv_vlsseg##count##e##bits##_v_u##bits##m1x##count(               \
              reinterpret_cast<const uint##bits##_t*>(x), from, vl),            \
          vl);                                                                  \
      x += static_cast<int64_t>(vl) * from, y += static_cast<int64_t>(vl) * to; \
    }                                                                           \
    return;
#define PRESIL_DSP_COPY_RUNS(bits)                                                           \
  inline void copy_pieces_##bits(const char* x, int64_t from, char* y, int64_t to, size_t n, \
                                 size_t units) {                                             \
    switch (units) {                                                                         \
      PRESIL_DSP_RUNS(bits, 2)                                                               \
      PRESIL_DSP_RUNS(bits, 4)                                                               \
      PRESIL_DSP_RUNS(bits, 8)                                                               \
      default:                                                                               \
        return;                                                                              \
    }                                                                                        \
  }                                                                                          \
  inline void copy_runs_##bits(const char* x, int64_t from, char* y, int64_t to, size_t n,   \
                               size_t units) {                                               \
    constexpr size_t kMost = 8, kHalf = 4, kQuarter = 2;                                     \
    const size_t some = units >= kMost ? kMost : units >= kHalf ? kHalf : kQuarter;          \
    for (size_t at = 0;; at = at + 2 * some < units ? at + some : units - some) {            \
      const size_t byte = at * (bits / 8);                                                   \
      copy_pieces_##bits(x + byte, from, y + byte, to, n, some);                             \
      if (at + some == units) return;                                                        \
    }                                                                                        \
  }
PRESIL_DSP_COPY_RUNS(8)
PRESIL_DSP_COPY_RUNS(32)
#undef PRESIL_DSP_COPY_RUNS
#undef PRESIL_DSP_RUNS

/// x[r, c], rows x_step bytes apart, to y[c, r].
inline void transpose_bytes(const char* x, int64_t x_step, char* y, int64_t y_step, size_t rows,
                            size_t columns) {
  for (size_t r = 0, vl; r < rows; r += vl) {
    vl = __riscv_vsetvl_e8m1(rows - r);
    auto* to = reinterpret_cast<uint8_t*>(y) + r;
    uint8_t* next = to;
    each_column(reinterpret_cast<const uint8_t*>(x) + static_cast<int64_t>(r) * x_step, x_step,
                columns, vl, [&](vuint8m1_t column, size_t c, int i) {
                  if (i == 0) next = to + static_cast<int64_t>(c) * y_step;
                  __riscv_vse8_v_u8m1(next, column, vl);
                  next += y_step;
                });
  }
}

/// The same of 2 to PRESIL_DSP_FEW_ROWS rows: a lane is a column, which is stored as a run.
inline void transpose_few(const char* x, int64_t x_step, char* y, int64_t y_step, size_t rows,
                          size_t columns) {
  const auto* from = reinterpret_cast<const uint8_t*>(x);
  auto* to = reinterpret_cast<uint8_t*>(y);
#define PRESIL_DSP_ROW(r) __riscv_vle8_v_u8m1(from + (r)*x_step, vl)
#define PRESIL_DSP_COLUMNS(n, ...)                                                               \
  case n:                                                                                        \
    for (size_t vl; columns > 0; columns -= vl, from += vl) {                                    \
      vl = __riscv_vsetvl_e8m1(columns);                                                         \
      __riscv_vssseg##n##e8_v_u8m1x##n(to, y_step, __riscv_vcreate_v_u8m1x##n(__VA_ARGS__), vl); \
      to += static_cast<int64_t>(vl) * y_step;                                                   \
    }                                                                                            \
    return;
  switch (rows) {
    PRESIL_DSP_COLUMNS(2, PRESIL_DSP_ROW(0), PRESIL_DSP_ROW(1))
    PRESIL_DSP_COLUMNS(3, PRESIL_DSP_ROW(0), PRESIL_DSP_ROW(1), PRESIL_DSP_ROW(2))
    PRESIL_DSP_COLUMNS(4, PRESIL_DSP_ROW(0), PRESIL_DSP_ROW(1), PRESIL_DSP_ROW(2),
                       PRESIL_DSP_ROW(3))
    default:
      return;
  }
#undef PRESIL_DSP_COLUMNS
#undef PRESIL_DSP_ROW
}

/// `n` elements of `size` bytes, strides in elements.
inline void copy_strided(const char* x, int64_t from, char* y, int64_t to, size_t n, int64_t size) {
  for (size_t vl; n > 0; n -= vl) {
    switch (size) {
      case 1:
        vl = __riscv_vsetvl_e8m8(n);
        __riscv_vsse8_v_u8m8(reinterpret_cast<uint8_t*>(y), to,
                             __riscv_vlse8_v_u8m8(reinterpret_cast<const uint8_t*>(x), from, vl),
                             vl);
        break;
      case 2:
        vl = __riscv_vsetvl_e16m8(n);
        __riscv_vsse16_v_u16m8(
            reinterpret_cast<uint16_t*>(y), 2 * to,
            __riscv_vlse16_v_u16m8(reinterpret_cast<const uint16_t*>(x), 2 * from, vl), vl);
        break;
      default:
        vl = __riscv_vsetvl_e32m8(n);
        __riscv_vsse32_v_u32m8(
            reinterpret_cast<uint32_t*>(y), 4 * to,
            __riscv_vlse32_v_u32m8(reinterpret_cast<const uint32_t*>(x), 4 * from, vl), vl);
    }
    x += static_cast<int64_t>(vl) * from * size, y += static_cast<int64_t>(vl) * to * size;
  }
}

/// Runs of so many bytes that are dense there and here.
inline void move_runs(Layout layout, const char* x, char* y, int64_t size, size_t bytes) {
  int32_t most = -1;
  for (int32_t i = 0; i < layout.axes; ++i) {
    if (most < 0 || layout.extent[i] > layout.extent[most]) most = i;
  }
  if (most >= 0) {
    const auto n = static_cast<size_t>(layout.extent[most]);
    const int64_t from_step = layout.from[most] * size, to_step = layout.to[most] * size;
    uint64_t odd = reinterpret_cast<uintptr_t>(x) | reinterpret_cast<uintptr_t>(y) | bytes;
    for (int32_t i = 0; i < layout.axes; ++i) {
      odd |= static_cast<uint64_t>((layout.from[i] | layout.to[i]) * size);
    }
    const bool words = odd % 4 == 0 && bytes > 4;
    if (bytes > 1 && bytes <= (words ? PRESIL_DSP_SHORT_WORDS : PRESIL_DSP_SHORT_BYTES)) {
      layout.drop(most);
      return each_offset(layout, size, [&](int64_t from, int64_t to) {
        words ? copy_runs_32(x + from, from_step, y + to, to_step, n, bytes / 4)
              : copy_runs_8(x + from, from_step, y + to, to_step, n, bytes);
      });
    }
  }
  each_offset(layout, size, [&](int64_t from, int64_t to) { copy_bytes(x + from, y + to, bytes); });
}

inline void move(Layout layout, const char* x, char* y, int64_t size) {
  for (int32_t i = 0; i < layout.axes; ++i) {
    if (layout.extent[i] == 0) return;
  }
  int32_t there = -1, here = -1;  // the axes that are dense
  for (int32_t i = 0; i < layout.axes; ++i) {
    if (layout.from[i] == 1) there = i;
    if (layout.to[i] == 1) here = i;
  }
  if (layout.axes == 0) return copy_bytes(x, y, static_cast<size_t>(size));
  if (there >= 0 && there == here) {
    const auto bytes = static_cast<size_t>(layout.extent[here] * size);
    layout.drop(here);
    return move_runs(layout, x, y, size, bytes);
  }
  if (there >= 0 && here >= 0 && size == 1) {
    const auto rows = static_cast<size_t>(layout.extent[here]),
               columns = static_cast<size_t>(layout.extent[there]);
    const int64_t x_step = layout.from[here], y_step = layout.to[there];
    layout.drop(here > there ? here : there);
    layout.drop(here > there ? there : here);
    return each_offset(layout, 1, [&](int64_t from, int64_t to) {
      if (rows >= 2 && rows <= PRESIL_DSP_FEW_ROWS && columns > rows) {
        return transpose_few(x + from, x_step, y + to, y_step, rows, columns);
      }
      transpose_bytes(x + from, x_step, y + to, y_step, rows, columns);
    });
  }
  const int32_t run = here >= 0 ? here : layout.axes - 1;
  const int64_t n = layout.extent[run], from_step = layout.from[run], to_step = layout.to[run];
  layout.drop(run);
  each_offset(layout, size, [&](int64_t from, int64_t to) {
    copy_strided(x + from, from_step, y + to, to_step, static_cast<size_t>(n), size);
  });
}

inline bool same_type(const DLTensor& a, const DLTensor& b) {
  return a.dtype.code == b.dtype.code && a.dtype.bits == b.dtype.bits && a.dtype.bits >= 8 &&
         a.dtype.bits <= 32;
}
inline char* bytes_of(const DLTensor& t) {
  return static_cast<char*>(presil_dsp_data(&t));
}

}  // namespace presil::dsp
