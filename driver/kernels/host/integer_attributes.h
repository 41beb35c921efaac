/* What kernels of stored integers must know besides their tensors: TOSA's operators. As
 * attributes.h, which includes this. */
#ifndef PRESIL_DRIVER_KERNEL_INTEGER_ATTRIBUTES_H
#define PRESIL_DRIVER_KERNEL_INTEGER_ATTRIBUTES_H

#include <stdint.h>

/* y = ((x - in_zero) * multiplier + half) >> shift, + out_zero, saturated; 64 bits, which wrap.
 * half = 2^(shift - 1); round_twice: where shift is above 31, 2^30 more for values from 0 on, 2^30
 * less below. A shift outside 2..62 acts as the nearest of these. */
typedef struct presil_rescale_attributes {
  int32_t in_zero, out_zero;
  uint32_t round_twice;               /* 0 or 1, as those below */
  uint32_t in_unsigned, out_unsigned; /* the bits of x, of y are an unsigned number */
} presil_rescale_attributes;

/* Three axes of space; of two the first entries are 1, of `before` 0. */
typedef struct presil_conv_sums_attributes {
  uint32_t stride[3], dilation[3]; /* 1..65535 */
  int32_t before[3];               /* -65535..65535; transposed: what is cut off */
  int32_t in_zero, weight_zero;
  uint32_t depthwise, transposed; /* 0 or 1 */
} presil_conv_sums_attributes;

typedef struct presil_matmul_sums_attributes {
  int32_t a_zero, b_zero;
} presil_matmul_sums_attributes;

/* The mean of n values inside the image: with k = bits of n - 1 and m = ((2^30 + 1) << k) / n,
 * (sum (x - in_zero) * m + 2^(29 + k)) >> (30 + k), + out_zero, saturated; of none out_zero. */
typedef struct presil_mean_pool_attributes {
  uint32_t kernel_h, kernel_w; /* 1..65535 */
  uint32_t stride_h, stride_w;
  uint32_t pad_top, pad_left; /* bottom and right follow from the shapes */
  int32_t in_zero, out_zero;
} presil_mean_pool_attributes;

/* Row r of y is at p = r * denominator + offset in numerators of a row of x: row floor(p /
 * numerator), rest d; columns alike. nearest: the next one where 2 * d >= numerator. Else the four
 * around, weighted by numerator - d and d. What lies outside is the nearest inside. */
typedef struct presil_resize_by_ratio_attributes {
  uint32_t numerator_y, denominator_y; /* 1..2048, 1..32768 */
  uint32_t numerator_x, denominator_x;
  int32_t offset_y, offset_x; /* -32768..32767 */
  uint32_t nearest;           /* 0 or 1 */
} presil_resize_by_ratio_attributes;

/* Results keep their low bits; shifts are of 64 bits and count the last six of b. */
enum presil_bits {
  PRESIL_BITS_XOR = 0,
  PRESIL_BITS_SHIFT_LEFT,
  PRESIL_BITS_SHIFT_RIGHT,         /* arithmetic */
  PRESIL_BITS_SHIFT_RIGHT_ROUND,   /* and the last bit that is shifted out added */
  PRESIL_BITS_SHIFT_RIGHT_LOGICAL, /* zeros come in, within the type */
  PRESIL_BITS_DIV,                 /* without the fraction; by 0 it is 0 */
  PRESIL_BITS_MUL_SHIFT,           /* (a * b + 2^(shift - 1)) >> shift, i32, the product exact */
  PRESIL_BITS
};

typedef struct presil_bits_attributes {
  uint32_t function; /* enum presil_bits */
  uint32_t shift;    /* of MUL_SHIFT, 1..63 */
} presil_bits_attributes;

#endif
