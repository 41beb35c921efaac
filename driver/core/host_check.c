/* A host task: its tensor list and attributes in the image, and whether the kernel takes them. */
#include <string.h>

#include "driver/core/engine.h"
#include "driver/core/host_task.h"
#include "rtl/host/host.h"

#define F(name) presil_field_get(words, &presil_host_command_fields()[PRESIL_HOST_COMMAND_##name])

_Static_assert(sizeof(struct presil_host_tensor) == PRESIL_HOST_TENSOR_BYTES, "as in the image");

presil_host_task presil_host_task_of(const uint32_t* words, const uint8_t* image) {
  presil_host_task task;
  memset(&task, 0, sizeof task);
  task.kernel = (uint32_t)F(KERNEL_ID);
  task.count = (uint32_t)(F(TENSORS_BYTES) / PRESIL_HOST_TENSOR_BYTES);
  task.attributes = image + F(ATTRIBUTES_OFFSET);
  task.attribute_bytes = (uint32_t)F(ATTRIBUTES_BYTES);
  for (uint32_t i = 0; i < task.count; ++i) {
    struct presil_host_tensor* entry = &task.entries[i];
    memcpy(entry, image + F(TENSORS_OFFSET) + i * PRESIL_HOST_TENSOR_BYTES, sizeof *entry);
    presil_kernel_tensor* tensor = &task.tensors[i];
    tensor->dtype = entry->dtype;
    tensor->rank = entry->rank;
    memcpy(tensor->shape, entry->shape, sizeof tensor->shape);
    tensor->scale = entry->scale;
    tensor->zero_point = entry->zero_point;
  }
  return task;
}

static bool in_image(presil_finding* f, const presil_limits* limits, const char* what,
                     int64_t offset, int64_t bytes) {
  if (presil_within(f, 0, what, offset + bytes, 0, (int64_t)limits->image_bytes,
                    "the image ends there")) {
    return true;
  }
  f->code = PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE;
  return false;
}

static bool tensor_in_region(presil_finding* f, const presil_limits* limits,
                             const presil_host_task* task, uint32_t i, bool written) {
  const struct presil_host_tensor* e = &task->entries[i];
  if (!presil_within(f, 0, "region of a tensor", e->region, written ? 1 : 0, PRESIL_REGIONS - 1,
                     written ? "a result is not a constant" : "regions are 0 to 7") ||
      !presil_within(f, 0, "reserved word of a tensor",
                     e->reserved0 | e->reserved1[0] | e->reserved1[1], 0, 0, NULL) ||
      !presil_within(f, 0, "offset of a tensor modulo 16",
                     e->offset % PRESIL_HOST_TENSOR_DATA_ALIGN, 0, 0, NULL)) {
    return false;
  }
  /* The kernel's check has seen at most 2^31 elements of 8 bytes. */
  const int64_t limit = (int64_t)limits->region_pages[e->region] * 4096;
  const int64_t offset = e->offset > (uint64_t)limit ? limit : (int64_t)e->offset;
  const int64_t end = offset + (int64_t)presil_tensor_bytes(&task->tensors[i]);
  if (presil_within(f, 0, "end of a tensor", end, 0, limit, "the region ends there")) return true;
  f->code = PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE;
  return false;
}

static bool check(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  if (F(OP) == PRESIL_HOST_OP_NOP) return true;
  const int64_t list = F(TENSORS_BYTES);
  if (!presil_within(f, 0, "tensors_bytes", list, PRESIL_HOST_TENSOR_BYTES,
                     PRESIL_KERNEL_MAX_TENSORS * PRESIL_HOST_TENSOR_BYTES, "1 to 32 tensors") ||
      !in_image(f, limits, "end of the tensor list", F(TENSORS_OFFSET), list) ||
      !in_image(f, limits, "end of the attributes", F(ATTRIBUTES_OFFSET), F(ATTRIBUTES_BYTES))) {
    return false;
  }
  const presil_host_task task = presil_host_task_of(words, limits->image);
  presil_kernel_refusal refusal = {NULL, -1, 0, 0};
  if (!presil_kernel_check(task.kernel, task.tensors, task.count, task.attributes,
                           task.attribute_bytes, &refusal)) {
    const char* const kernel = presil_kernel_name(task.kernel);
    return presil_found(f, 0, refusal.what, refusal.got, refusal.expected, refusal.expected,
                        kernel ? kernel : "kernels are numbered from 1");
  }
  const uint32_t reads = presil_kernel_reads(task.kernel, task.count);
  for (uint32_t i = 0; i < task.count; ++i) {
    if (!tensor_in_region(f, limits, &task, i, i >= reads)) return false;
  }
  return true;
}

const presil_engine_driver presil_host_driver = {.check = check};
