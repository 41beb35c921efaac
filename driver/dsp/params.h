/* What each kernel is told besides its tensors: little-endian 32-bit fields without padding, C11
 * and C++17, shared by the kernels and by who lays out argument blocks. Tensors in the order of the
 * lists; "rows" are along the last axis and lie dense, other axes have any stride. */
#ifndef PRESIL_DRIVER_DSP_PARAMS_H
#define PRESIL_DRIVER_DSP_PARAMS_H

#include <stdint.h>

/* softmax_i8 {x i8} {y i8}, rows; as presil_softmax_attributes of the host's kernels:
 * min(beta * scale * 2^26, 2^31 - 1) = multiplier * 2^(left_shift - 31); below diff_min an element
 * counts 0. */
typedef struct presil_dsp_softmax_i8 {
  int32_t multiplier;
  int32_t left_shift; /* 0..31 */
  int32_t diff_min;   /* <= 0 */
} presil_dsp_softmax_i8;

/* table_i8 {x i8, table i8 [256]} {y i8}: y = table[x as uint8]; any strides. */
typedef struct presil_dsp_table_i8 {
  uint32_t reserved; /* 0 */
} presil_dsp_table_i8;

#endif
