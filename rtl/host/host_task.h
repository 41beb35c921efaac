/* A host task's tensor list, as it lies in the image (constants region). C11.
 *
 * A host command (host.rdl, 64 B) names a kernel of driver/kernels/host, offset and bytes of its
 * tensor list, offset and bytes of its attributes (the kernel's own struct, kernels.h). The
 * compiler writes the list, the driver turns each entry into a pointer: base of the region in this
 * job + offset. Order: what the kernel reads first, then what it writes. */
#ifndef PRESIL_RTL_HOST_TASK_H
#define PRESIL_RTL_HOST_TASK_H

#include <stdint.h>

#define PRESIL_HOST_TENSOR_BYTES 64u
#define PRESIL_HOST_TENSOR_ALIGN 64u      /* of a tensor list in the image */
#define PRESIL_HOST_ATTRIBUTE_ALIGN 16u   /* of an attribute struct in the image */
#define PRESIL_HOST_TENSOR_DATA_ALIGN 16u /* of a tensor in its region */

/* 64 bytes, little-endian, no padding. */
struct presil_host_tensor {
  uint32_t dtype;     /* enum presil_dtype = DType of loadable.fbs */
  uint32_t rank;      /* 0..6 */
  uint32_t shape[6];  /* dense NHWC; entries from `rank` on are 0 */
  uint32_t region;    /* enum presil_region */
  uint32_t reserved0; /* 0 */
  uint64_t offset;    /* of the first element in the region, multiple of 16 */
  float scale;        /* 0 where not quantised */
  int32_t zero_point;
  uint32_t reserved1[2]; /* 0 */
};

#endif
