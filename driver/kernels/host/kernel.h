// What a kernel's file sees: its task, the checks it can make, and its row of the table.
#pragma once

#include <cstdint>
#include <cstring>

#include "driver/kernels/host/kernels.h"

namespace presil::kernels {

using Tensor = presil_kernel_tensor;

/// One task: tensors in the order of kernels.h and the attribute struct, which may be unaligned.
struct Task {
  const Tensor* tensors;
  uint32_t count;
  const void* attributes;

  const Tensor& operator[](uint32_t i) const { return tensors[i]; }
  template <class T>
  T* data(uint32_t i) const {
    return static_cast<T*>(tensors[i].data);
  }
  template <class A>
  A as() const {
    A a;
    std::memcpy(&a, attributes, sizeof a);
    return a;
  }
};

/// Collects the first reason why a task is not taken; later questions then have no effect.
class Check {
 public:
  Check(const Task& task, presil_kernel_refusal* refusal) : m_task(task), m_refusal(refusal) {}

  bool ok() const { return m_ok; }
  void refuse(const char* what, int tensor, int64_t got, int64_t expected);

  bool count(uint32_t expected);
  void dtype(uint32_t tensor, uint32_t expected);
  void rank(uint32_t tensor, uint32_t expected);
  void dim(uint32_t tensor, uint32_t axis, int64_t expected);
  void elements(uint32_t tensor, uint64_t expected);
  void at_least(const char* what, int64_t got, int64_t lowest);
  void at_most(const char* what, int64_t got, int64_t highest);
  void range(const char* what, int64_t got, int64_t lowest, int64_t highest);
  /// act_min <= act_max, both int8.
  void clamp(int32_t act_min, int32_t act_max);
  /// The same, both int16.
  void clamp16(int32_t act_min, int32_t act_max);
  /// Every dimension of `tensor` is 1 or that of `y` counted from the right.
  void broadcasts(uint32_t tensor, uint32_t y);

 private:
  const Task& m_task;
  presil_kernel_refusal* m_refusal;
  bool m_ok = true;
};

/// A row of the table.
struct Kernel {
  const char* name;
  uint32_t attribute_bytes;
  uint32_t written;  ///< tensors at the end of the list that are written
  void (*check)(const Task&, Check&);
  void (*run)(const Task&);
  uint64_t (*elements)(const Task&);  ///< what its cost is counted in
  /// What its price is listed under; none: the name, for all tasks take alike.
  const char* (*price)(const Task&) = nullptr;
};

// Each stands in the file that computes it, with its tensors in words.
#define X(NAME, Name) extern const Kernel k##Name;
PRESIL_HOST_KERNELS(X)
#undef X

/// The usual cost: elements of the last tensor.
uint64_t elements_written(const Task& task);

}  // namespace presil::kernels
