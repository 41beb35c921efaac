// The table of kernels and what is common to all: names, checks of the list, sizes.
#include "driver/kernels/host/kernels.h"

#include "driver/kernels/host/kernel.h"

namespace presil::kernels {

namespace {

// Index = enum presil_kernel.
const Kernel* const kTable[PRESIL_KERNELS] = {nullptr,
#define X(NAME, Name) &k##Name,
                                              PRESIL_HOST_KERNELS(X)
#undef X
};

// Offsets of elements stay far inside int64, element counts inside int32.
constexpr uint64_t kMaxElements = 1ull << 31;

const Kernel* find(uint32_t id) {
  return id < PRESIL_KERNELS ? kTable[id] : nullptr;
}

}  // namespace

uint64_t elements_written(const Task& task) {
  return presil_tensor_elements(&task.tensors[task.count - 1]);
}

void Check::refuse(const char* what, int tensor, int64_t got, int64_t expected) {
  if (!m_ok) return;
  m_ok = false;
  if (m_refusal) *m_refusal = {what, tensor, got, expected};
}
bool Check::count(uint32_t expected) {
  if (m_task.count != expected) refuse("number of tensors", -1, m_task.count, expected);
  return m_ok;
}
void Check::dtype(uint32_t tensor, uint32_t expected) {
  if (m_task[tensor].dtype != expected) refuse("type", tensor, m_task[tensor].dtype, expected);
}
void Check::rank(uint32_t tensor, uint32_t expected) {
  if (m_task[tensor].rank != expected) refuse("rank", tensor, m_task[tensor].rank, expected);
}
void Check::dim(uint32_t tensor, uint32_t axis, int64_t expected) {
  static const char* const kAxis[PRESIL_KERNEL_MAX_RANK] = {"size of axis 0", "size of axis 1",
                                                            "size of axis 2", "size of axis 3",
                                                            "size of axis 4", "size of axis 5"};
  const Tensor& t = m_task[tensor];
  if (axis >= t.rank) return refuse("rank", tensor, t.rank, axis + 1);
  if (t.shape[axis] != expected) refuse(kAxis[axis], tensor, t.shape[axis], expected);
}
void Check::elements(uint32_t tensor, uint64_t expected) {
  const uint64_t got = presil_tensor_elements(&m_task[tensor]);
  if (got != expected) {
    refuse("number of elements", tensor, static_cast<int64_t>(got), static_cast<int64_t>(expected));
  }
}
void Check::at_least(const char* what, int64_t got, int64_t lowest) {
  if (got < lowest) refuse(what, -1, got, lowest);
}
void Check::at_most(const char* what, int64_t got, int64_t highest) {
  if (got > highest) refuse(what, -1, got, highest);
}
void Check::range(const char* what, int64_t got, int64_t lowest, int64_t highest) {
  at_least(what, got, lowest);
  at_most(what, got, highest);
}
void Check::clamp(int32_t act_min, int32_t act_max) {
  range("act_min", act_min, -128, 127);
  range("act_max", act_max, act_min, 127);
}
void Check::clamp16(int32_t act_min, int32_t act_max) {
  range("act_min", act_min, INT16_MIN, INT16_MAX);
  range("act_max", act_max, act_min, INT16_MAX);
}
void Check::broadcasts(uint32_t tensor, uint32_t y) {
  const Tensor& a = m_task[tensor];
  const Tensor& b = m_task[y];
  if (a.rank > b.rank) return refuse("rank", tensor, a.rank, b.rank);
  for (uint32_t i = 0; i < a.rank; ++i) {
    if (a.shape[i] != 1) dim(tensor, i, b.shape[i + b.rank - a.rank]);
  }
}

}  // namespace presil::kernels

using presil::kernels::Check;
using presil::kernels::Kernel;
using presil::kernels::Task;

bool presil_kernel_check(uint32_t id, const presil_kernel_tensor* tensors, uint32_t count,
                         const void* attributes, uint32_t attribute_bytes,
                         presil_kernel_refusal* refusal) {
  const Task task{tensors, count, attributes};
  Check check(task, refusal);
  const Kernel* kernel = presil::kernels::find(id);
  if (!kernel) {
    check.refuse("kernel number", -1, id, PRESIL_KERNELS - 1);
    return false;
  }
  check.at_most("number of tensors", count, PRESIL_KERNEL_MAX_TENSORS);
  check.at_least("number of tensors", count, kernel->written + 1);
  if (attribute_bytes != kernel->attribute_bytes) {
    check.refuse("bytes of attributes", -1, attribute_bytes, kernel->attribute_bytes);
  }
  for (uint32_t i = 0; i < count && check.ok(); ++i) {
    const presil_kernel_tensor& t = tensors[i];
    if (t.rank > PRESIL_KERNEL_MAX_RANK) check.refuse("rank", i, t.rank, PRESIL_KERNEL_MAX_RANK);
    if (!check.ok()) return false;
    if (presil_dtype_bytes(t.dtype) == 0) check.refuse("type", i, t.dtype, PRESIL_BOOL);
    const uint64_t n = presil_tensor_elements(&t);
    if (n == 0) check.refuse("number of elements", i, 0, 1);
    if (n > presil::kernels::kMaxElements) {
      check.refuse("number of elements", i, static_cast<int64_t>(n >> 1),
                   presil::kernels::kMaxElements);
    }
  }
  if (check.ok()) kernel->check(task, check);
  return check.ok();
}

bool presil_kernel_run(uint32_t id, const presil_kernel_tensor* tensors, uint32_t count,
                       const void* attributes, uint32_t attribute_bytes,
                       presil_kernel_refusal* refusal) {
  if (!presil_kernel_check(id, tensors, count, attributes, attribute_bytes, refusal)) return false;
  presil::kernels::find(id)->run(Task{tensors, count, attributes});
  return true;
}

const char* presil_kernel_name(uint32_t id) {
  const Kernel* kernel = presil::kernels::find(id);
  return kernel ? kernel->name : nullptr;
}

uint32_t presil_kernel_id(const char* name) {
  for (uint32_t id = 1; id < PRESIL_KERNELS; ++id) {
    const char* a = presil_kernel_name(id);
    const char* b = name;
    while (*a && *a == *b) ++a, ++b;
    if (*a == *b) return id;
  }
  return 0;
}

uint32_t presil_kernel_reads(uint32_t id, uint32_t count) {
  const Kernel* kernel = presil::kernels::find(id);
  return kernel && count > kernel->written ? count - kernel->written : 0;
}

uint64_t presil_kernel_elements(uint32_t id, const presil_kernel_tensor* tensors, uint32_t count,
                                const void* attributes) {
  const Kernel* kernel = presil::kernels::find(id);
  return kernel ? kernel->elements(Task{tensors, count, attributes}) : 0;
}

const char* presil_kernel_price(uint32_t id, const presil_kernel_tensor* tensors, uint32_t count,
                                const void* attributes) {
  const Kernel* kernel = presil::kernels::find(id);
  if (!kernel) return nullptr;
  return kernel->price ? kernel->price(Task{tensors, count, attributes}) : kernel->name;
}

uint32_t presil_dtype_bytes(uint32_t dtype) {
  static const uint8_t kBytes[] = {1, 1, 2, 4, 8, 4, 1};
  return dtype < sizeof kBytes ? kBytes[dtype] : 0;
}

uint64_t presil_tensor_elements(const presil_kernel_tensor* tensor) {
  uint64_t n = 1;
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    const uint64_t d = tensor->shape[i];
    if (d != 0 && n > UINT64_MAX / d) return UINT64_MAX;
    n *= d;
  }
  return n;
}

uint64_t presil_tensor_bytes(const presil_kernel_tensor* tensor) {
  const uint64_t n = presil_tensor_elements(tensor);
  const uint32_t size = presil_dtype_bytes(tensor->dtype);
  return size != 0 && n > UINT64_MAX / size ? UINT64_MAX : n * size;
}
