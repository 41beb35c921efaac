// Tensors of one shape, walked along together in runs that lie dense in all of them.
//
// Axes of extent 1 go, neighbours that follow one another in every tensor become one axis; what
// is then the last axis is the run. Blocks of 16 channels, dense tensors and tiles of larger ones
// are all walked so; a tensor that is broadcast has stride 0.
#pragma once

#include <presil/dsp_kernel.h>

namespace presil::dsp {

template <int kTensors>
class Walk {
 public:
  /// @param shape of all, but where a tensor's own axis is absent in front or has extent 1: then it
  ///   is broadcast
  Walk(const DLTensor* const (&tensors)[kTensors], const DLTensor& shape) {
    for (int t = 0; t < kTensors; ++t) {
      m_at[t] = static_cast<char*>(presil_dsp_data(tensors[t]));
      m_bytes[t] = tensors[t]->dtype.bits / 8;
    }
    // From the last axis on; [0] is the run.
    for (int32_t axis = shape.ndim - 1; axis >= 0; --axis) {
      const int64_t extent = shape.shape[axis];
      if (extent == 1) continue;
      int64_t stride[kTensors];
      for (int t = 0; t < kTensors; ++t) {
        const int32_t own = axis - (shape.ndim - tensors[t]->ndim);
        stride[t] = own < 0 || tensors[t]->shape[own] == 1 ? 0 : tensors[t]->strides[own];
      }
      bool dense = m_axes > 0;
      for (int t = 0; dense && t < kTensors; ++t) {
        dense = stride[t] == m_stride[m_axes - 1][t] * m_extent[m_axes - 1];
      }
      if (dense) {
        m_extent[m_axes - 1] *= extent;
        continue;
      }
      if (m_axes == PRESIL_DSP_MAX_RANK) break;
      m_extent[m_axes] = extent;
      for (int t = 0; t < kTensors; ++t) m_stride[m_axes][t] = stride[t];
      ++m_axes;
    }
    if (m_axes == 0) {
      m_axes = 1, m_extent[0] = 1;
      for (int t = 0; t < kTensors; ++t) m_stride[0][t] = 1;
    }
    for (int axis = 0; axis < m_axes; ++axis) m_more = m_more && m_extent[axis] > 0;
  }

  /// Elements of a run, and how far they are apart in a tensor: 1, or 0 where it is broadcast, or
  /// what the tensor has.
  size_t run() const { return static_cast<size_t>(m_extent[0]); }
  int64_t step(int tensor) const { return m_stride[0][tensor]; }
  bool dense(int tensor) const { return m_stride[0][tensor] == 1; }
  /// Axes that are left, [0] the run; how many elements and how far apart.
  int axes() const { return m_axes; }
  size_t extent(int axis) const { return static_cast<size_t>(m_extent[axis]); }
  int64_t stride(int axis, int tensor) const { return m_stride[axis][tensor]; }

  explicit operator bool() const { return m_more; }
  template <class T>
  T* at(int tensor) const {
    return reinterpret_cast<T*>(m_at[tensor]);
  }
  /// To the next run; `first` 2: past all runs of an axis.
  void next(int first = 1) {
    for (int axis = first; axis < m_axes; ++axis) {
      const bool wraps = ++m_index[axis] == m_extent[axis];
      const int64_t steps = wraps ? 1 - m_extent[axis] : 1;
      for (int t = 0; t < kTensors; ++t) m_at[t] += steps * m_stride[axis][t] * m_bytes[t];
      if (!wraps) return;
      m_index[axis] = 0;
    }
    m_more = false;
  }

 private:
  char* m_at[kTensors];
  int64_t m_bytes[kTensors];
  int m_axes = 0;
  int64_t m_extent[PRESIL_DSP_MAX_RANK];
  int64_t m_stride[PRESIL_DSP_MAX_RANK][kTensors];
  int64_t m_index[PRESIL_DSP_MAX_RANK] = {};
  bool m_more = true;
};

/// Loads and stores stay on their side of it, `v` is computed before: left alone, the compiler puts
/// all loads first, and spills registers.
template <class Vector>
inline void in_order(Vector& v) {
  __asm__ volatile("" : "+vr"(v) : : "memory");
}

/// Both are computed before what is made of either: two chains of instructions, each of which waits
/// for the one before, go in turn.
template <class Vector>
inline void in_turn(Vector& a, Vector& b) {
  __asm__ volatile("" : "+vr"(a), "+vr"(b) : : "memory");
}

inline bool is(const DLTensor& t, uint8_t code, uint8_t bits) {
  return t.dtype.code == code && t.dtype.bits == bits;
}
inline bool is_int8(const DLTensor& t) {
  return is(t, 0, 8);
}
inline bool is_float(const DLTensor& t) {
  return is(t, 2, 32);
}
inline bool same_shape(const DLTensor& a, const DLTensor& b) {
  if (a.ndim != b.ndim) return false;
  for (int32_t i = 0; i < a.ndim; ++i) {
    if (a.shape[i] != b.shape[i]) return false;
  }
  return true;
}
/// May `t` be read in the place of a tensor of y's shape, as in numpy?
inline bool broadcasts(const DLTensor& t, const DLTensor& y) {
  if (t.ndim > y.ndim) return false;
  for (int32_t i = 0; i < t.ndim; ++i) {
    if (t.shape[i] != 1 && t.shape[i] != y.shape[y.ndim - t.ndim + i]) return false;
  }
  return true;
}
/// The last axis, whose elements lie one after the other.
inline bool rows_are_dense(const DLTensor& t) {
  return t.ndim > 0 && (t.shape[t.ndim - 1] == 1 || t.strides[t.ndim - 1] == 1);
}
/// A tensor of rows as one of its rows' first elements: the last axis has extent 1.
struct Heads {
  DLTensor tensor;
  int64_t shape[PRESIL_DSP_MAX_RANK];
  explicit Heads(const DLTensor& of) : tensor(of) {
    for (int32_t i = 0; i < of.ndim; ++i) shape[i] = of.shape[i];
    shape[of.ndim - 1] = 1;
    tensor.shape = shape;
  }
};

}  // namespace presil::dsp
