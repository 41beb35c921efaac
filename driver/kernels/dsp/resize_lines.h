// Images to another size, between four pixels: first along the rows of x, each once, then between
// two of these lines. Lines lie in DTCM, so that all that is left of a row of y is one dense run,
// however few channels there are.
#pragma once

#include "driver/kernels/dsp/resize.h"
#include "driver/kernels/dsp/resize_phases.h"
#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {

constexpr size_t kLine = 8192;  // elements of a part of a line

/// Of an axis: between which two, and how much of the second.
template <class Weight>
struct Between {
  int32_t low, high;
  Weight weight;
};
template <class Kind>
struct Lines {
  Between<typename Kind::Weight> columns[kMostColumns];
  typename Kind::Line lines[2][kLine];
};
/// Of a kind that makes them by phases, instead of columns.
template <class Kind>
struct LinesOfPhases {
  PhaseLines<Kind> phases;
  typename Kind::Line lines[2][kLine];
};

/// `count` pixels of `kc` channels between pixels of one row of x. Four in turn: each instruction
/// of one waits for the one before.
template <class Kind>
[[gnu::noinline]] void across(const Kind& kind, const typename Kind::X* row,
                              const Between<typename Kind::Weight>* columns, size_t count,
                              size_t kc, typename Kind::Line* to) {
  for (size_t k = 0, vl; k < kc; k += vl) {
    vl = Kind::most(kc - k);
    const auto pixel = [&](size_t i) {
      const auto& at = columns[i];
      return kind.between(kind.load(row + at.low + k, vl), kind.load(row + at.high + k, vl),
                          at.weight, vl);
    };
    auto* line = to + k;
    size_t i = 0;
    for (; i + 4 <= count; i += 4, line += 4 * kc) {
      auto a = pixel(i), b = pixel(i + 1), c = pixel(i + 2), d = pixel(i + 3);
      in_turn(a, b), in_turn(c, d);
      kind.store(line, a, vl), kind.store(line + kc, b, vl);
      kind.store(line + 2 * kc, c, vl), kind.store(line + 3 * kc, d, vl);
    }
    for (; i < count; ++i, line += kc) kind.store(line, pixel(i), vl);
  }
}

/// The two lines of x that a row of y lies between; what is there stays.
template <class Kind, class Make>
struct TwoLines {
  const Make& make;
  typename Kind::Line* line[2];
  int32_t row[2] = {-1, -1};

  [[gnu::noinline]] void between(int32_t low, int32_t high) {
    if (row[1] == low) swap();
    hold(0, low);
    if (high != low) hold(1, high);
  }

 private:
  void swap() {
    auto* const first = line[0];
    const int32_t of_first = row[0];
    line[0] = line[1], line[1] = first;
    row[0] = row[1], row[1] = of_first;
  }
  void hold(int which, int32_t of) {
    if (row[which] == of) return;
    make(of, line[which]);
    row[which] = of;
  }
};

/// Rows of y between lines, which make(row of x, line) makes. `some` channels of a pixel.
template <class Kind, class Make, class RowsOf>
[[clang::minsize]] void each_row(const Kind& kind, typename Kind::Line (&room)[2][kLine],
                                 const Resized& s, typename Kind::X* y, int64_t y_row,
                                 int64_t y_step, size_t count, size_t some, const Make& make,
                                 const RowsOf& rows_of, int64_t first_row) {
  // Pixels of y one after another are one run.
  const bool dense = y_step == static_cast<int64_t>(some);
  const size_t runs = dense ? 1 : count, run = dense ? count * some : some;
  TwoLines<Kind, Make> lines{make, {room[0], room[1]}};
  for (int64_t oy = 0; oy < s.oh; ++oy, y += y_row) {
    auto row = rows_of(oy);
    row.low -= static_cast<int32_t>(first_row), row.high -= static_cast<int32_t>(first_row);
    lines.between(row.low, row.high);
    const auto* upper = lines.line[0];
    const auto* lower = row.high == row.low ? upper : lines.line[1];
    for (size_t i = 0; i < runs; ++i, upper += run, lower += run) {
      kind.down(upper, lower, row.weight, y + static_cast<int64_t>(i) * y_step, run);
    }
  }
}

/// @param columns_of  of x, by a column of y; rows_of likewise, of the image
/// @param first_row   of the image that `in` has
template <class Kind, class Columns, class RowsOf>
[[clang::minsize]] void resize_by_lines(const Kind& kind, const DLTensor& in, const DLTensor& out,
                                        const Resized& s, const Columns& columns_of,
                                        const RowsOf& rows_of, int64_t first_row) {
  using X = typename Kind::X;
  const int32_t n = in.ndim;
  const int64_t x_row = in.strides[n - 3], y_row = out.strides[n - 3], y_step = out.strides[n - 2];
  auto& memory = workspace<Lines<Kind>>();
  for (int64_t ox = 0; ox < s.ow; ++ox) {
    auto& c = memory.columns[ox];
    c = columns_of(ox);
    c.low *= static_cast<int32_t>(in.strides[n - 2]);
    c.high *= static_cast<int32_t>(in.strides[n - 2]);
  }
  const auto channels = static_cast<size_t>(s.c), columns = static_cast<size_t>(s.ow);
  const size_t kc = channels < kLine ? channels : kLine, most = kLine / kc;
  each_offset(s.outer, sizeof(X), [&](int64_t from, int64_t to) {
    const auto* x = reinterpret_cast<const X*>(bytes_of(in) + from);
    auto* y = reinterpret_cast<X*>(bytes_of(out) + to);
    for (size_t k = 0; k < channels; k += kc) {
      const size_t some = channels - k < kc ? channels - k : kc;
      for (size_t ox = 0; ox < columns; ox += most) {
        const size_t count = columns - ox < most ? columns - ox : most;
        const auto make = [&](int32_t row, typename Kind::Line* line) {
          across(kind, x + k + row * x_row, memory.columns + ox, count, some, line);
        };
        each_row(kind, memory.lines, s, y + static_cast<int64_t>(ox) * y_step + k, y_row, y_step,
                 count, some, make, rows_of, first_row);
      }
    }
  });
}

/// The same, `phases` times as wide (resize_phases.h).
template <class Kind, class Columns, class RowsOf>
[[clang::minsize]] void resize_by_phases(const Kind& kind, const DLTensor& in, const DLTensor& out,
                                         const Resized& s, int64_t phases,
                                         const Columns& columns_of, const RowsOf& rows_of,
                                         int64_t first_row) {
  using X = typename Kind::X;
  const int32_t n = in.ndim;
  const int64_t x_row = in.strides[n - 3], y_row = out.strides[n - 3], y_step = out.strides[n - 2];
  auto& memory = workspace<LinesOfPhases<Kind>>();
  for (int64_t p = 0; p < phases; ++p) {
    const auto column = columns_of(phases + p);  // of pixel 1 of x, which is at no edge
    memory.phases.of[p].low = column.low - 1, memory.phases.of[p].weight = column.weight;
  }
  each_offset(s.outer, sizeof(X), [&](int64_t from, int64_t to) {
    const auto* x = reinterpret_cast<const X*>(bytes_of(in) + from);
    const auto make = [&](int32_t row, typename Kind::Line* line) {
      across_by_phases(kind, x + row * x_row, s.w, s.c, phases, memory.phases, line);
    };
    each_row(kind, memory.lines, s, reinterpret_cast<X*>(bytes_of(out) + to), y_row, y_step,
             static_cast<size_t>(s.ow), static_cast<size_t>(s.c), make, rows_of, first_row);
  });
}

}  // namespace presil::dsp
