// Images to another size: what kernels that resize have in common.
#pragma once

#include "driver/kernels/dsp/moves.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {

constexpr int64_t kMostColumns = 4096;  // of y

/// An image of y is made of one of x; channels are dense, axes in front alike.
struct Resized {
  int64_t h, w, c, oh, ow;
  Layout outer;
};

/// Rows of the images that x and y are, or are part of.
struct Rows {
  int64_t in, out, first_in, first_out;

  Rows(const presil_dsp_resize& p, const Resized& s)
      : in(s.h), out(s.oh), first_in(p.part.x_first), first_out(p.part.y_first) {
    if (p.part.y_rows != 0) in = p.part.x_rows, out = p.part.y_rows;
  }
};

[[gnu::noinline]] inline int32_t check_resize(const DLTensor* in, const DLTensor* out, Resized& s) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (in->dtype.bits != out->dtype.bits) return PRESIL_DSP_REFUSED_TYPE;
  const int32_t n = in->ndim;
  if (n < 3 || n != out->ndim || n > PRESIL_DSP_MAX_RANK || !rows_are_dense(*in) ||
      !rows_are_dense(*out) || in->shape[n - 1] != out->shape[n - 1] ||
      out->shape[n - 2] > kMostColumns) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  s.h = in->shape[n - 3], s.w = in->shape[n - 2], s.c = in->shape[n - 1];
  s.oh = out->shape[n - 3], s.ow = out->shape[n - 2];
  for (int32_t i = 0; i < n - 3; ++i) {
    if (in->shape[i] != out->shape[i]) return PRESIL_DSP_REFUSED_SHAPE;
    s.outer.add(in->shape[i], in->strides[i], out->strides[i]);
  }
  return s.h > 0 && s.w > 0 && s.oh > 0 && s.ow > 0 ? PRESIL_DSP_DONE : PRESIL_DSP_REFUSED_SHAPE;
}

}  // namespace presil::dsp
