// One row for all rows of a tensor: short runs would cost more than what they compute, so the row
// is written again and again, and runs are of many rows.
#pragma once

#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/walk.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {

inline bool is_dense(const DLTensor& t) {
  int64_t step = 1;
  for (int32_t i = t.ndim; i-- > 0; step *= t.shape[i]) {
    if (t.shape[i] != 1 && t.strides[i] != step) return false;
  }
  return true;
}

/// Of one row, for all rows of y; the other operand lies as y does.
inline bool is_short_row(const DLTensor& row, const DLTensor& other, const DLTensor& y) {
  const int64_t n = presil_dsp_elements(&row);
  return n > 1 && n <= PRESIL_DSP_SHORT_ROW && y.shape[y.ndim - 1] == n &&
         row.shape[row.ndim - 1] == n && is_dense(row) && same_shape(other, y) && is_dense(other) &&
         is_dense(y);
}

constexpr int64_t kRepeated = 4096;  // elements

/// As many rows at a time as there are copies of the one row, operand number `one`.
/// compute(in, out, p) of tensors of one axis.
template <class T, class Params, class Compute>
int32_t by_copies(const DLTensor* in, DLTensor* out, const Params* p, int one,
                  const Compute& compute) {
  const int64_t n = presil_dsp_elements(&in[one]), total = presil_dsp_elements(out);
  const int64_t room = kRepeated / n * n, length = room < total ? room : total;
  T* copies = workspace<T[kRepeated]>();
  __builtin_memcpy(copies, presil_dsp_data(&in[one]), static_cast<size_t>(n) * sizeof(T));
  for (int64_t made = n, more; made < length; made += more) {
    more = length - made < made ? length - made : made;
    __builtin_memcpy(copies + made, copies, static_cast<size_t>(more) * sizeof(T));
  }
  auto* x = static_cast<T*>(presil_dsp_data(&in[1 - one]));
  auto* y = static_cast<T*>(presil_dsp_data(out));
  int64_t step = 1;
  for (int64_t at = 0, shape; at < total; at += shape) {
    shape = total - at < length ? total - at : length;
    const auto flat = [&](const DLTensor& like, T* data) {
      DLTensor t = like;
      t.data = data, t.byte_offset = 0, t.ndim = 1, t.shape = &shape, t.strides = &step;
      return t;
    };
    DLTensor operands[] = {flat(in[0], copies), flat(in[1], copies)}, result = flat(*out, y + at);
    operands[1 - one].data = x + at;
    if (const int32_t refused = compute(operands, &result, p)) return refused;
  }
  return PRESIL_DSP_DONE;
}

}  // namespace presil::dsp
