// Many elements to one: axes of x that y has not (extent 1 there) and those that both have.
//
// A lane is an element of y. Where only the last axis goes, lanes are terms of one sum.
#pragma once

#include "driver/kernels/dsp/moves.h"

namespace presil::dsp {

struct Reduction {
  Layout kept, gone;  // x and y; x alone
  size_t terms = 1;
  bool fits = true;

  Reduction(const DLTensor& x, const DLTensor& y) {
    fits = x.ndim == y.ndim;
    for (int32_t i = 0; fits && i < x.ndim; ++i) {
      if (x.shape[i] == y.shape[i]) {
        kept.add(x.shape[i], x.strides[i], y.strides[i]);
      } else {
        gone.add(x.shape[i], x.strides[i], 0);
        terms *= static_cast<size_t>(x.shape[i]);
        fits = y.shape[i] == 1 && x.shape[i] > 0;
      }
    }
  }
  /// Terms of an element lie dense, and lanes of several elements would not, or there are few.
  bool rows() const {
    if (gone.axes != 1 || gone.from[0] != 1) return false;
    return kept.axes == 0 || terms >= 64 || kept.extent[kept.axes - 1] < 16;
  }
  /// Neighbours among the lanes of each_lanes are neighbours in x.
  bool lanes_are_dense() const {
    for (int32_t i = 0; i < kept.axes; ++i) {
      if (kept.from[i] == 1) return true;
    }
    return false;
  }
};

/// f(x, y, how many, from one to the next of x, of y) for lanes of at most vlmax elements; bytes.
template <class F>
void each_lanes(const Reduction& r, const DLTensor& x, const DLTensor& y, const F& f) {
  const int64_t x_size = x.dtype.bits / 8, y_size = y.dtype.bits / 8;
  Layout outer = r.kept;
  int64_t n = 1, x_step = 1, y_step = 1;
  if (outer.axes > 0) {
    int32_t axis = outer.axes - 1;
    for (int32_t i = 0; i < outer.axes; ++i) {
      if (outer.from[i] == 1) axis = i;
    }
    n = outer.extent[axis], x_step = outer.from[axis], y_step = outer.to[axis];
    outer.drop(axis);
  }
  for (int32_t i = 0; i < outer.axes; ++i) {
    if (outer.extent[i] == 0) return;
  }
  if (n == 0) return;
  each_offset(outer, 1, [&](int64_t from, int64_t to) {
    f(bytes_of(x) + from * x_size, bytes_of(y) + to * y_size, static_cast<size_t>(n), x_step,
      y_step);
  });
}

/// f(x) for the terms of an element, the last axis fastest; in bytes.
template <class F>
[[gnu::always_inline]] inline void each_term(const Layout& gone, const char* x, int64_t size,
                                             const F& f) {
  int64_t index[PRESIL_DSP_MAX_RANK] = {};
  const int32_t last = gone.axes - 1;
  if (last < 0) return f(x);
  const int64_t n = gone.extent[last], step = gone.from[last] * size;
  for (;;) {
    const char* at = x;
    for (int64_t i = 0; i < n; ++i, at += step) f(at);
    int32_t axis = last - 1;
    for (; axis >= 0; --axis) {
      x += gone.from[axis] * size;
      if (++index[axis] < gone.extent[axis]) break;
      index[axis] = 0;
      x -= gone.from[axis] * gone.extent[axis] * size;
    }
    if (axis < 0) return;
  }
}

}  // namespace presil::dsp
