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
  PRESIL_RULE_WIDE = 16
};

enum presil_numerics { PRESIL_NUMERICS_TFLITE = 0, PRESIL_NUMERICS_XNNPACK = 1 };

enum presil_kernel {
  /* {x, y}: the bytes of x; same type and number of elements, any shapes (reshape); no attributes.
   */
  PRESIL_KERNEL_COPY = 1,
  /* {x i8, table f32 [256] or none, y i8}: over the last axis;
   * presil_softmax_attributes, of which none count where there is a table. */
  PRESIL_KERNEL_SOFTMAX_I8,
  /* {a i8, b i8, y i8}: a + b or a - b, numpy broadcasting; presil_elementwise_attributes. */
  PRESIL_KERNEL_ADD_I8,
  /* {a i8, b i8, y i8}: a * b, numpy broadcasting; presil_elementwise_attributes. */
  PRESIL_KERNEL_MUL_I8,
  /* {x i8, table i8 [256], y i8}: y = table[uint8(x)]; shapes of equal size. No attributes. */
  PRESIL_KERNEL_LUT_I8,
  /* {x i8 [n,h,w,c], y i8 [n,oh,ow,c]}: mean of the taps inside the image, halves away from zero or
   * up; x and y share scale and zero point; presil_pool_attributes. */
  PRESIL_KERNEL_AVERAGE_POOL_I8,
  /* The same tensors and attributes: largest tap inside the image. */
  PRESIL_KERNEL_MAX_POOL_I8,
  /* {x i8 [n,h,w,ic], weights i8 [oc,kh,kw,ic/groups], bias i32 [oc], multiplier i32 [oc],
   *  shift i8 [oc], y i8 [n,oh,ow,oc]}: presil_conv_attributes. The bias is the plain one: zero
   * points are subtracted from every x and weight, taps outside the image count 0. */
  PRESIL_KERNEL_CONV2D_I8,
  /* {x i8 [n,h,w,ic], weights i8 [1,kh,kw,ic*m], bias, multiplier, shift [ic*m], y i8
   * [n,oh,ow,ic*m]}: presil_conv_attributes with `groups` = ic; output channel c*m + j reads input
   * channel c. */
  PRESIL_KERNEL_DEPTHWISE_CONV2D_I8,
  /* {x i8 [.. in], weights i8 [out,in], bias i32, multiplier i32, shift i8 [out], y i8 [.. out]}:
   * rows of `in` values whatever x's shape; presil_fully_connected_attributes. */
  PRESIL_KERNEL_FULLY_CONNECTED_I8,
  /* {x0 .. xk-1, y}, one type, or, with `requantise`, i8 and {x0 .. xk-1, tables i8 [k,256], y}:
   * each value of xi goes through row i of the tables; presil_concat_attributes. */
  PRESIL_KERNEL_CONCAT,
  /* {x [n,h,w,c], y [n,oh,ow,c]}, any type: presil_resize_attributes. */
  PRESIL_KERNEL_RESIZE_NEAREST,
  /* {x, y}, any type, same rank: presil_pad_attributes. */
  PRESIL_KERNEL_PAD,
  /* {x i8, y i8}: sum over the axes of the mask, then rule; presil_mean_attributes. */
  PRESIL_KERNEL_MEAN_I8,
  /* {x, y}, each i8|u8|i16|i32: rule(x - in_zero) + out_zero, saturated; x - in_zero wraps;
   * presil_requantise_attributes. */
  PRESIL_KERNEL_REQUANTISE,
  /* {x, y}, any type: y axis i is x axis perm[i]; presil_transpose_attributes. */
  PRESIL_KERNEL_TRANSPOSE,
  /* {head i8 [1,h,w,A*(5+C)], sigmoid f32 [256] or [2,256], exp f32 [256], rows f32 [h*w*A, 4+C]}:
   * presil_yolo_decode_attributes. Tables are indexed by the value as uint8. */
  PRESIL_KERNEL_YOLO_DECODE,
  /* {rows0 .. rowsk-1 f32 [ni, 4+C], or [ni, 6] labelled, scratch i32 [n*C] (n = sum of ni),
   *  detections f32 [max,6], count i32 [1]}: presil_nms_attributes. */
  PRESIL_KERNEL_NMS,
  /* {x, y}, any type: y element i is x[begin + i*step]; y may leave out axes of size 1;
   * presil_strided_slice_attributes. */
  PRESIL_KERNEL_STRIDED_SLICE,
  /* {x i8 [n,h,w,c], y i8 [n,oh,ow,c]}: weights in Q10, TFLite's integer rule, or of float32
   * positions in Q11, XNNPACK's; presil_resize_attributes. */
  PRESIL_KERNEL_RESIZE_BILINEAR_I8,
  /* {x f32, y i8|u8|i16}: presil_quantise_attributes. */
  PRESIL_KERNEL_QUANTISE,
  /* {x i8|u8|i16, y f32}: float(x - zero) * scale; presil_quantise_attributes. */
  PRESIL_KERNEL_DEQUANTISE,
  /* int16 activations, int8 weights, zero points 0, sums of int64 that wrap. The attributes are
   * those of the int8 kernels with zeros of 0 and the rule wide, or double: then of the sum's low
   * 32 bits. {x i16, weights i8, bias i64, multiplier i32, shift i8, y i16}, shapes as there. */
  PRESIL_KERNEL_CONV2D_I16,
  PRESIL_KERNEL_DEPTHWISE_CONV2D_I16,
  PRESIL_KERNEL_FULLY_CONNECTED_I16,
  /* {a i16, b i16, y i16}: as their int8 kernels, numerics tflite. */
  PRESIL_KERNEL_ADD_I16,
  PRESIL_KERNEL_MUL_I16,
  /* {x i16, y i16}: rule double, of its own above and below 0; presil_leaky_relu_attributes. */
  PRESIL_KERNEL_LEAKY_RELU_I16,
  /* {x i8, 4 weights of x i8 [units,in], 4 of the state i8 [units,units], 4 biases i32 [units]
   * (each in the order input, forget, cell, output gate), sigmoid i32 [256], h i8, c i16
   * [batch,units], y i8, h i8, c i16}: presil_lstm_attributes. */
  PRESIL_KERNEL_LSTM,
  /* {x i8 [n,h,w,ic], weights i8 [oc,kh,kw,ic], bias i32 [oc], multiplier i32 [oc], shift i8 [oc],
   *  y i8 [n,oh,ow,oc]}: presil_transpose_conv_attributes. Input pixel (iy, ix) is added, times tap
   * (ky, kx), to the sum of pixel (iy * stride_h + ky - pad_top, ...) of y where there is one. */
  PRESIL_KERNEL_TRANSPOSE_CONV2D_I8,
  /* {x0 .. xk-1 [n,hi,wi,c], y [n,h,w,c]}, any type: y pixel (r * stride_h + i, c * stride_w + j)
   * is pixel (r, c) of x(i * stride_w + j); presil_interleave_attributes. */
  PRESIL_KERNEL_INTERLEAVE,
  /* {a [.., m,k], b [.., k,n], y [.., m,n]}, i8: rule double of the sum over k of (a - a_zero) *
   * (b - b_zero); axes before the last two broadcast as in numpy; presil_batch_matmul_attributes.
   * I16: i16, zeros 0, sums of int64 that wrap, rule wide. */
  PRESIL_KERNEL_BATCH_MATMUL_I8,
  PRESIL_KERNEL_BATCH_MATMUL_I16,
  /* {x, y}, any type, same rank: y = x as often along each axis as y is larger. No attributes. */
  PRESIL_KERNEL_TILE,
  /* {x, y}, any type, same rank: outside x its mirror image; presil_mirror_pad_attributes. */
  PRESIL_KERNEL_MIRROR_PAD,
  /* {x, indices i32|i64, y}: y [x axes before `axis`.., indices axes behind batch_dims.., x axes
   * behind..] = x at each index, the nearest inside; presil_gather_attributes. */
  PRESIL_KERNEL_GATHER,
  /* {x, indices i32|i64 [.., k], y [.., x axes from k on]}: y = x[row of indices], each the nearest
   * inside. No attributes. */
  PRESIL_KERNEL_GATHER_ND,
  /* {condition bool, a, b, y}, a, b, y of any one type, numpy broadcasting: y = condition ? a : b.
   * No attributes. */
  PRESIL_KERNEL_SELECT,
  /* {indices i32|i64, on [1], off [1], y}, on, off, y of any one type: y has one axis more, on
   * where the position along it is the index; presil_one_hot_attributes. */
  PRESIL_KERNEL_ONE_HOT,
  /* {x, y}, each any type, as many elements: the stored number as one of y's type. Of an integer
   * the low bits or the nearest float; of a float what is before the point, saturated, NaN 0; bool
   * 0 or
   * 1. No attributes. */
  PRESIL_KERNEL_CAST,
  /* {boxes [1,n,4 or more], scores [1,n,classes or one more in front], anchors [n,4], decoded f32
   * [n,4], best f32 [n], order i32 [n], y f32 [1,m,4], classes f32 [1,m], scores f32 [1,m], count
   * f32 [1]}; boxes, anchors: both i8 or both f32; scores: i8 or f32; m = max * classes_per_box;
   * presil_detection_attributes. */
  PRESIL_KERNEL_DETECTION_POST_PROCESS,
  /* Floats: all tensors f32, in the order of operations that float_math.h states.
   * {x [n,h,w,ic], weights [oc,kh,kw,ic/groups], bias [oc], y}: presil_conv_f32_attributes. */
  PRESIL_KERNEL_CONV2D_F32,
  /* {x, weights [1,kh,kw,ic*m], bias, y}: likewise with `groups` = ic. */
  PRESIL_KERNEL_DEPTHWISE_CONV2D_F32,
  /* {x, weights [oc,kh,kw,ic], bias, y}, as the int8 one: likewise, dilations and groups 1. */
  PRESIL_KERNEL_TRANSPOSE_CONV2D_F32,
  /* {x [.. in], weights [out,in], bias [out], y [.. out]}: presil_clamp_f32_attributes. */
  PRESIL_KERNEL_FULLY_CONNECTED_F32,
  /* As the int8 one; zeros 0, no multiplier. */
  PRESIL_KERNEL_BATCH_MATMUL_F32,
  /* {a, b, y}: a function of two values, numpy broadcasting; presil_pair_f32_attributes. */
  PRESIL_KERNEL_PAIR_F32,
  /* {x, y}: a function of one value; presil_function_f32_attributes. */
  PRESIL_KERNEL_FUNCTION_F32,
  /* {x [n,h,w,c], y}: presil_pool_f32_attributes. */
  PRESIL_KERNEL_AVERAGE_POOL_F32,
  PRESIL_KERNEL_MAX_POOL_F32,
  /* {x, y}: along the axes of the mask; presil_reduce_f32_attributes. */
  PRESIL_KERNEL_REDUCE_F32,
  /* {x, y}: over the last axis; presil_softmax_f32_attributes. */
  PRESIL_KERNEL_SOFTMAX_F32,
  /* {x [n,h,w,c], y [n,oh,ow,c]}: presil_resize_attributes. */
  PRESIL_KERNEL_RESIZE_BILINEAR_F32,
  /* {x, y}: rows of the last axis by their length; presil_clamp_f32_attributes. */
  PRESIL_KERNEL_L2_NORMALIZE_F32,
  /* {x, gamma [n], beta [n], y}: rows of the last axis; presil_layer_norm_attributes. */
  PRESIL_KERNEL_LAYER_NORM_F32,
  /* As conv2d_f32 and fully_connected_f32 with weights i8: {x f32, weights i8, bias f32, scratch i8
   * of x's size, y f32}: presil_hybrid_attributes, of whose fields the second takes the scale and
   * the clamp alone. */
  PRESIL_KERNEL_CONV2D_HYBRID,
  PRESIL_KERNEL_FULLY_CONNECTED_HYBRID,
  /* MEAN of int16: zeros 0. */
  PRESIL_KERNEL_MEAN_I16,
  /* {x, y}, one type of integers or bool: stored values along the axes of the mask to one;
   * presil_reduce_attributes. */
  PRESIL_KERNEL_REDUCE,
  /* {x, y i32|i64}, x of any type: index of the best stored value along an axis, which y
   * lacks; presil_arg_attributes. */
  PRESIL_KERNEL_ARG,
  /* {a, b, y}, one type of integers or bool, numpy broadcasting: a function of two stored values;
   * presil_pair_attributes. */
  PRESIL_KERNEL_PAIR,
  /* {a, b, y}, all i8 or all i16, numpy broadcasting: (a - b) squared, numerics tflite;
   * presil_elementwise_attributes. */
  PRESIL_KERNEL_SQUARED_DIFFERENCE_I8,
  PRESIL_KERNEL_SQUARED_DIFFERENCE_I16,
  /* {a, b, y}, all i8, numpy broadcasting: a / b; presil_elementwise_attributes. */
  PRESIL_KERNEL_DIV_I8,
  /* {x, alpha i8, y}, x and y i8 or i16: rule double of x - in_zero, below 0 of its product with
   * alpha - alpha_zero, which broadcasts; presil_prelu_attributes. */
  PRESIL_KERNEL_PRELU,
  /* int16, as their int8 kernels: {x i16, y i16}; ties away from zero; numerics tflite. */
  PRESIL_KERNEL_AVERAGE_POOL_I16,
  PRESIL_KERNEL_MAX_POOL_I16,
  PRESIL_KERNEL_RESIZE_BILINEAR_I16,
  /* {x i16, table i32 [256], y i16}: y in steps of 2^-15; presil_sigmoid_attributes. */
  PRESIL_KERNEL_SIGMOID_I16,
  /* {x i16, exponential i16 [513], reciprocal i16 [513], y i16}: over the last axis, y in steps of
   * 2^-15; presil_softmax_i16_attributes. */
  PRESIL_KERNEL_SOFTMAX_I16,
  /* {x i16, y i16}: 1 / sqrt(x), rule double; presil_scale_attributes. */
  PRESIL_KERNEL_RSQRT_I16,
  /* {x i8, y i8}: rows of the last axis by their length; presil_l2_normalize_attributes. */
  PRESIL_KERNEL_L2_NORMALIZE_I8,
  /* {a, b, y bool}, a and b of any one type, numpy broadcasting; presil_compare_attributes. */
  PRESIL_KERNEL_COMPARE,
  /* {x, y, indices i32}, x and y of any one type, of the last axis as many as y has: the largest
   * stored numbers of each row and where they are. No attributes. */
  PRESIL_KERNEL_TOP_K,
  /* {x i8 [1,4+C,n] or [1,n,4+C] (5+C), rows f32 [n,6]}: presil_box_decode_attributes. */
  PRESIL_KERNEL_BOX_DECODE,
  PRESIL_KERNELS
};

/* Why a task is not taken. `what` is a static text such as "weights: input channels". */
typedef struct presil_kernel_refusal {
  const char* what;
  int32_t tensor; /* index in the list, -1 when it is not about one tensor */
  int64_t got;
  int64_t wanted;
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

/* Bytes of one element, 0 for an unknown type; elements and bytes of a tensor. */
uint32_t presil_dtype_bytes(uint32_t dtype);
uint64_t presil_tensor_elements(const presil_kernel_tensor* tensor);
uint64_t presil_tensor_bytes(const presil_kernel_tensor* tensor);

#ifdef __cplusplus
}
#endif
#endif
