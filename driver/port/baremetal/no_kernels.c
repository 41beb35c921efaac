/* A program without kernels of the host: what the driver asks of them. Networks with an operator of
 * the host are refused when they are loaded. */
#include <stddef.h>

#include "driver/kernels/host/kernels.h"

bool presil_kernel_check(uint32_t kernel, const presil_kernel_tensor* tensors, uint32_t count,
                         const void* attributes, uint32_t attribute_bytes,
                         presil_kernel_refusal* refusal) {
  (void)tensors, (void)count, (void)attributes, (void)attribute_bytes;
  const presil_kernel_refusal none = {"kernels of this firmware", -1, kernel, 0};
  if (refusal) *refusal = none;
  return false;
}
bool presil_kernel_run(uint32_t kernel, const presil_kernel_tensor* tensors, uint32_t count,
                       const void* attributes, uint32_t attribute_bytes,
                       presil_kernel_refusal* refusal) {
  return presil_kernel_check(kernel, tensors, count, attributes, attribute_bytes, refusal);
}
const char* presil_kernel_name(uint32_t kernel) {
  (void)kernel;
  return NULL;
}
uint32_t presil_kernel_reads(uint32_t kernel, uint32_t count) {
  (void)kernel, (void)count;
  return 0;
}
uint64_t presil_kernel_elements(uint32_t kernel, const presil_kernel_tensor* tensors,
                                uint32_t count, const void* attributes) {
  (void)kernel, (void)tensors, (void)count, (void)attributes;
  return 0;
}
uint64_t presil_tensor_bytes(const presil_kernel_tensor* tensor) {
  (void)tensor;
  return 0;
}
