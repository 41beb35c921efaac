/* A host command as the kernels take it. */
#ifndef PRESIL_DRIVER_HOST_TASK_H
#define PRESIL_DRIVER_HOST_TASK_H

#include "driver/kernels/host/kernels.h"
#include "rtl/host/host_task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct presil_host_task {
  uint32_t kernel;
  uint32_t count;
  presil_kernel_tensor tensors[PRESIL_KERNEL_MAX_TENSORS]; /* without data pointers */
  struct presil_host_tensor entries[PRESIL_KERNEL_MAX_TENSORS];
  const void* attributes;
  uint32_t attribute_bytes;
} presil_host_task;

/* @param words a `run` command whose list and attributes lie inside the image */
presil_host_task presil_host_task_of(const uint32_t* words, const uint8_t* image);

#ifdef __cplusplus
}
#endif

#endif
