/* What the driver asks of the parts in C++, which firmware does not have yet: loadables and
 * kernels. None of it is reached before a network has been loaded, and none can be. */
#include <stddef.h>

#include "driver/core/loadable.h"
#include "driver/kernels/host/kernels.h"

presil_loadable_command presil_loadable_get_command(const presil_loadable* loadable, uint32_t i) {
  (void)loadable, (void)i;
  const presil_loadable_command none = {0};
  return none;
}
const char* presil_loadable_get_layer(const presil_loadable* loadable, uint32_t i) {
  (void)loadable, (void)i;
  return "";
}
bool presil_kernel_check(uint32_t kernel, const presil_kernel_tensor* tensors, uint32_t count,
                         const void* attributes, uint32_t attribute_bytes,
                         presil_kernel_refusal* refusal) {
  (void)kernel, (void)tensors, (void)count, (void)attributes, (void)attribute_bytes, (void)refusal;
  return false;
}
const char* presil_kernel_name(uint32_t kernel) {
  (void)kernel;
  return "";
}
uint32_t presil_kernel_reads(uint32_t kernel, uint32_t count) {
  (void)kernel, (void)count;
  return 0;
}
uint64_t presil_tensor_bytes(const presil_kernel_tensor* tensor) {
  (void)tensor;
  return 0;
}
