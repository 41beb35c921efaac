/* What the ARM computes itself when no engine can: one kernel one operator one file. C11 and C++17.
 *
 * No heap, no libm, no exceptions; of libc only memcpy and memset. Tensors are dense, NHWC, in the
 * machine's little-endian order. The same files serve the native host and firmware.
 *
 * A task is (kernel id, tensors, attributes). Tensors come in a fixed order: everything that is
 * read (operands, then constants), then everything that is written (scratch, then results).
 * Multipliers, shifts, tables and clamps are computed by the compiler; a kernel only does integer
 * arithmetic and the float operations that its comment lists, in that order, never contracted.
 */
#ifndef PRESIL_DRIVER_KERNELS_H
#define PRESIL_DRIVER_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/kernels/host/attributes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values as in rtl/soc/loadable.fbs. */
enum presil_dtype {
  PRESIL_INT8 = 0,
  PRESIL_UINT8 = 1,
  PRESIL_INT16 = 2,
  PRESIL_INT32 = 3,
  PRESIL_INT64 = 4,
  PRESIL_FLOAT32 = 5,
  PRESIL_BOOL = 6
};

typedef struct presil_kernel_tensor {
  void* data;
  uint32_t dtype; /* enum presil_dtype */
  uint32_t rank;  /* 0..6; rank 0 is one element */
  uint32_t shape[PRESIL_KERNEL_MAX_RANK];
  float scale; /* 0 where not quantised */
  int32_t zero_point;
} presil_kernel_tensor;

/* From a sum to a result; the arithmetic is that of rtl/dla/README.md, same numbers. */
enum presil_rule {
  /* Doubling high multiply with rounding, then rounding shift; shift > 0 is left. */
  PRESIL_RULE_DOUBLE = 0,
  /* rint_even(float(x) * scale), scale = the float32 whose bits are `multiplier`. */
  PRESIL_RULE_FLOAT = 1,
  /* As double, but the halves of the second rounding go up, to the larger number. */
  PRESIL_RULE_DOUBLE_UP = 2,
  /* (x * multiplier + 128) >> 8: requantise and leaky relu of XNNPACK. */
  PRESIL_RULE_FIXED8 = 8,
  /* Of int64: with m = min((multiplier + 2^15) >> 16, 32767), the low 32 bits of
   * (x * m + 2^(14 - shift)) >> (15 - shift), arithmetic; 64 bits wrap; shift -31..7. */
  PRESIL_RULE_WIDE = 16,
  /* Of int64, magnitude below 2^47: (x * multiplier + 2^(30 - shift)) >> (31 - shift), the product
   * exact, the shift arithmetic; shift -31..7. */
  PRESIL_RULE_ONCE = 17,
  /* As float, but halves go away from zero. */
  PRESIL_RULE_FLOAT_AWAY = 18,
  /* Of means: as float, and the zero point after it; with float it is added before rounding. */
  PRESIL_RULE_FLOAT_THEN_ZERO = 19
};

enum presil_numerics {
  PRESIL_NUMERICS_TFLITE = 0,
  PRESIL_NUMERICS_XNNPACK = 1,
  PRESIL_NUMERICS_ONNX = 2, /* of quantise alone: x / scale, halves to even */
};

enum presil_kernel {
  PRESIL_KERNEL_NONE = 0,
#define X(NAME, Name) PRESIL_KERNEL_##NAME,
  PRESIL_HOST_KERNELS(X)
#undef X
      PRESIL_KERNELS
};

/* Why a task is not taken. `what` is a static text such as "weights: input channels". */
typedef struct presil_kernel_refusal {
  const char* what;
  int32_t tensor; /* index in the list, -1 when it is not about one tensor */
  int64_t got;
  int64_t expected;
} presil_kernel_refusal;

/* Looks at types, shapes and attributes only (never at data): true if presil_kernel_run would run.
 */
bool presil_kernel_check(uint32_t kernel, const presil_kernel_tensor* tensors, uint32_t count,
                         const void* attributes, uint32_t attribute_bytes,
                         presil_kernel_refusal* refusal);

/* Checks, then runs. False, with nothing written, if the check fails. */
bool presil_kernel_run(uint32_t kernel, const presil_kernel_tensor* tensors, uint32_t count,
                       const void* attributes, uint32_t attribute_bytes,
                       presil_kernel_refusal* refusal);

/* "softmax_i8", or NULL for a number that is no kernel. */
const char* presil_kernel_name(uint32_t kernel);

/* The number of a name, 0 if there is none. */
uint32_t presil_kernel_id(const char* name);

/* How many of `count` tensors, from the first on, are read; the others are written. */
uint32_t presil_kernel_reads(uint32_t kernel, uint32_t count);

/* What a task's cost is counted in: multiply-accumulates of conv2d, depthwise, transpose_conv2d,
 * fully connected, batch_matmul and lstm; taps of pools; elements read by mean, reduce and arg, by
 * top_k once for each result of a row;
 * candidates (rows * classes) of nms and detection_post_process; scores read by box_decode;
 * layer_norm counts each element written three times, functions of floats one as attributes.h says;
 * else elements written. The task must have passed presil_kernel_check. */
uint64_t presil_kernel_elements(uint32_t kernel, const presil_kernel_tensor* tensors,
                                uint32_t count, const void* attributes);

/* What the price of a task is listed under (models/soc/host_prices.h): the kernel's name, and what
 * tells its ways apart where one takes several times another's cycles: "function_f32_exp",
 * "pair_f32_pow", "softmax_i8_table", "cast_from_float", "resize_bilinear_i8_float". The task must
 * have passed presil_kernel_check. */
const char* presil_kernel_price(uint32_t kernel, const presil_kernel_tensor* tensors,
                                uint32_t count, const void* attributes);
/* The same of function_f32 and pair_f32, by their function; NULL for a number that is none. */
const char* presil_f32_function_price(uint32_t function);
const char* presil_f32_pair_price(uint32_t function);

/* Bytes of one element, 0 for an unknown type; elements and bytes of a tensor. */
uint32_t presil_dtype_bytes(uint32_t dtype);
uint64_t presil_tensor_elements(const presil_kernel_tensor* tensor);
uint64_t presil_tensor_bytes(const presil_kernel_tensor* tensor);

#ifdef __cplusplus
}
#endif
#endif
