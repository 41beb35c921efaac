// What moves elements and computes nothing: transpose, concat, pad, strided_slice, gather.
//
// Tensors of one type of 8, 16 or 32 bits, any strides; shapes in params.h.
// Arithmetic: none;
// compiler_bridge/reference/operators/{transpose,concat,pad,strided_slice,gather}. Dense runs:
// vle8, vse8. Bound: SRAM's port, 2 bytes per DLEN = 0.063 cycles per byte. Transposed bytes:
// vlsseg8e8, 8 vse8: 0.125 + 0.031 (64 rows and more). Else: an element a cycle.
#include "driver/kernels/dsp/moves.h"

#include "driver/kernels/dsp/params.h"

namespace presil::dsp {
namespace {

int32_t counted(uint32_t in, uint32_t out) {
  return presil_dsp_inputs() == in && presil_dsp_outputs() == out ? PRESIL_DSP_DONE
                                                                  : PRESIL_DSP_REFUSED_COUNT;
}

int32_t transpose(const DLTensor* in, DLTensor* out, const presil_dsp_transpose* p) {
  if (const int32_t refused = counted(1, 1)) return refused;
  if (!same_type(*in, *out)) return PRESIL_DSP_REFUSED_TYPE;
  if (in->ndim != out->ndim || in->ndim > PRESIL_DSP_MAX_RANK) return PRESIL_DSP_REFUSED_SHAPE;
  Layout layout;
  for (int32_t i = 0; i < out->ndim; ++i) {
    const auto axis = static_cast<int32_t>(p->perm[i]);
    if (axis < 0 || axis >= in->ndim || in->shape[axis] != out->shape[i]) {
      return PRESIL_DSP_REFUSED_SHAPE;
    }
    layout.add(out->shape[i], in->strides[axis], out->strides[i]);
  }
  move(layout, bytes_of(*in), bytes_of(*out), out->dtype.bits / 8);
  return PRESIL_DSP_DONE;
}

int32_t concat(const DLTensor* in, DLTensor* out, const presil_dsp_concat* p) {
  const uint32_t count = presil_dsp_inputs();
  const auto axis = static_cast<int32_t>(p->axis);
  if (count == 0 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (axis < 0 || axis >= out->ndim) return PRESIL_DSP_REFUSED_PARAMS;
  const int64_t size = out->dtype.bits / 8;
  int64_t at = 0;
  for (uint32_t k = 0; k < count; ++k) {
    const DLTensor& x = in[k];
    if (!same_type(x, *out)) return PRESIL_DSP_REFUSED_TYPE;
    if (x.ndim != out->ndim) return PRESIL_DSP_REFUSED_SHAPE;
    Layout layout;
    for (int32_t i = 0; i < x.ndim; ++i) {
      if (i != axis && x.shape[i] != out->shape[i]) return PRESIL_DSP_REFUSED_SHAPE;
      layout.add(x.shape[i], x.strides[i], out->strides[i]);
    }
    if (at + x.shape[axis] > out->shape[axis]) return PRESIL_DSP_REFUSED_SHAPE;
    move(layout, bytes_of(x), bytes_of(*out) + at * out->strides[axis] * size, size);
    at += x.shape[axis];
  }
  return at == out->shape[axis] ? PRESIL_DSP_DONE : PRESIL_DSP_REFUSED_SHAPE;
}

/// Fills runs of y; what is inside is written over.
void fill(const DLTensor& y, int32_t value) {
  const int64_t size = y.dtype.bits / 8;
  for (Walk<1> walk({&y}, y); walk; walk.next()) {
    size_t n = walk.run();
    char* to = walk.at<char>(0);
    for (size_t vl; n > 0; n -= vl, to += static_cast<int64_t>(vl) * walk.step(0) * size) {
      vl = __riscv_vsetvl_e32m8(n);
      const vint32m8_t words = __riscv_vmv_v_x_i32m8(value, vl);
      if (size == 4) {
        __riscv_vsse32_v_i32m8(reinterpret_cast<int32_t*>(to), 4 * walk.step(0), words, vl);
        continue;
      }
      const vint16m4_t halves = __riscv_vnsra_wx_i16m4(words, 0, vl);
      if (size == 2) {
        __riscv_vsse16_v_i16m4(reinterpret_cast<int16_t*>(to), 2 * walk.step(0), halves, vl);
        continue;
      }
      const vint8m2_t bytes = __riscv_vnsra_wx_i8m2(halves, 0, vl);
      auto* at = reinterpret_cast<int8_t*>(to);
      walk.dense(0) ? __riscv_vse8_v_i8m2(at, bytes, vl)
                    : __riscv_vsse8_v_i8m2(at, walk.step(0), bytes, vl);
    }
  }
}

int32_t pad(const DLTensor* in, DLTensor* out, const presil_dsp_pad* p) {
  if (const int32_t refused = counted(1, 1)) return refused;
  if (!same_type(*in, *out)) return PRESIL_DSP_REFUSED_TYPE;
  if (in->ndim != out->ndim || in->ndim > PRESIL_DSP_MAX_RANK) return PRESIL_DSP_REFUSED_SHAPE;
  Layout layout;
  int64_t at = 0;
  for (int32_t i = 0; i < in->ndim; ++i) {
    if (p->before[i] + in->shape[i] > out->shape[i]) return PRESIL_DSP_REFUSED_SHAPE;
    at += p->before[i] * out->strides[i];
    layout.add(in->shape[i], in->strides[i], out->strides[i]);
  }
  fill(*out, p->value);
  const int64_t size = out->dtype.bits / 8;
  move(layout, bytes_of(*in), bytes_of(*out) + at * size, size);
  return PRESIL_DSP_DONE;
}

int32_t strided_slice(const DLTensor* in, DLTensor* out, const presil_dsp_strided_slice* p) {
  if (const int32_t refused = counted(1, 1)) return refused;
  if (!same_type(*in, *out)) return PRESIL_DSP_REFUSED_TYPE;
  if (in->ndim != out->ndim || in->ndim > PRESIL_DSP_MAX_RANK) return PRESIL_DSP_REFUSED_SHAPE;
  Layout layout;
  int64_t at = 0;
  for (int32_t i = 0; i < in->ndim; ++i) {
    const int64_t n = out->shape[i], last = p->begin[i] + (n - 1) * p->step[i];
    if (p->begin[i] < 0 || p->begin[i] >= in->shape[i] || last < 0 || last >= in->shape[i]) {
      return PRESIL_DSP_REFUSED_SHAPE;
    }
    at += p->begin[i] * in->strides[i];
    layout.add(n, p->step[i] * in->strides[i], out->strides[i]);
  }
  const int64_t size = out->dtype.bits / 8;
  move(layout, bytes_of(*in) + at * size, bytes_of(*out), size);
  return PRESIL_DSP_DONE;
}

/// Seen as x [batches, outer, axis, inner], indices [batches, picked], y [batches, outer, picked,
/// inner]: all dense.
int32_t gather(const DLTensor* in, DLTensor* out, const presil_dsp_gather* p) {
  if (const int32_t refused = counted(2, 1)) return refused;
  const DLTensor &x = in[0], &indices = in[1];
  if (!same_type(x, *out) || !is(indices, 0, 32)) return PRESIL_DSP_REFUSED_TYPE;
  const auto axis = static_cast<int32_t>(p->axis), batch = static_cast<int32_t>(p->batch_dims);
  if (axis >= x.ndim || batch > axis || batch > indices.ndim || axis < 0 || batch < 0) {
    return PRESIL_DSP_REFUSED_PARAMS;
  }
  const auto product = [](const DLTensor& t, int32_t from, int32_t to) {
    int64_t n = 1;
    for (; from < to; ++from) n *= t.shape[from];
    return n;
  };
  const auto dense = [](const DLTensor& t) {
    int64_t step = 1;
    for (int32_t i = t.ndim; i-- > 0; step *= t.shape[i]) {
      if (t.shape[i] != 1 && t.strides[i] != step) return false;
    }
    return true;
  };
  const int64_t batches = product(x, 0, batch), outer = product(x, batch, axis),
                extent = x.shape[axis], picked = product(indices, batch, indices.ndim),
                inner = product(x, axis + 1, x.ndim), bytes = inner * (x.dtype.bits / 8);
  if (!dense(x) || !dense(indices) || !dense(*out) ||
      presil_dsp_elements(out) != batches * outer * picked * inner) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const char* from = bytes_of(x);
  char* to = bytes_of(*out);
  const auto* rows = static_cast<const int32_t*>(presil_dsp_data(&indices));
  for (int64_t b = 0; b < batches; ++b, rows += picked) {
    for (int64_t o = 0; o < outer; ++o, from += extent * bytes) {
      for (int64_t k = 0; k < picked; ++k, to += bytes) {
        const int64_t row = rows[k] < 0 ? 0 : rows[k] >= extent ? extent - 1 : rows[k];
        copy_bytes(from + row * bytes, to, static_cast<size_t>(bytes));
      }
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(transpose)
PRESIL_KERNEL(concat)
PRESIL_KERNEL(pad)
PRESIL_KERNEL(strided_slice)
PRESIL_KERNEL(gather)

}  // namespace presil::dsp
