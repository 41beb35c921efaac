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

#define PRESIL_KERNEL_MAX_RANK 6
#define PRESIL_KERNEL_MAX_TENSORS 32
#define PRESIL_KERNEL_MAX_ANCHORS 16

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
  /* {x i8, y i8}: over the last axis; presil_softmax_attributes. */
  PRESIL_KERNEL_SOFTMAX_I8 = 2,
  /* {a i8, b i8, y i8}: a + b or a - b, numpy broadcasting; presil_elementwise_attributes. */
  PRESIL_KERNEL_ADD_I8 = 3,
  /* {a i8, b i8, y i8}: a * b, numpy broadcasting; presil_elementwise_attributes. */
  PRESIL_KERNEL_MUL_I8 = 4,
  /* {x i8, table i8 [256], y i8}: y = table[uint8(x)]; shapes of equal size. No attributes. */
  PRESIL_KERNEL_LUT_I8 = 5,
  /* {x i8 [n,h,w,c], y i8 [n,oh,ow,c]}: mean of the taps inside the image, halves away from zero or
   * up; x and y share scale and zero point; presil_pool_attributes. */
  PRESIL_KERNEL_AVERAGE_POOL_I8 = 6,
  /* The same tensors and attributes: largest tap inside the image. */
  PRESIL_KERNEL_MAX_POOL_I8 = 7,
  /* {x i8 [n,h,w,ic], weights i8 [oc,kh,kw,ic/groups], bias i32 [oc], multiplier i32 [oc],
   *  shift i8 [oc], y i8 [n,oh,ow,oc]}: presil_conv_attributes. The bias is the plain one: zero
   * points are subtracted from every x and weight, taps outside the image count 0. */
  PRESIL_KERNEL_CONV2D_I8 = 8,
  /* {x i8 [n,h,w,ic], weights i8 [1,kh,kw,ic*m], bias, multiplier, shift [ic*m], y i8
   * [n,oh,ow,ic*m]}: presil_conv_attributes with `groups` = ic; output channel c*m + j reads input
   * channel c. */
  PRESIL_KERNEL_DEPTHWISE_CONV2D_I8 = 9,
  /* {x i8 [.. in], weights i8 [out,in], bias i32, multiplier i32, shift i8 [out], y i8 [.. out]}:
   * rows of `in` values whatever x's shape; presil_fully_connected_attributes. */
  PRESIL_KERNEL_FULLY_CONNECTED_I8 = 10,
  /* {x0 .. xk-1, y}, one type, or, with `requantise`, i8 and {x0 .. xk-1, tables i8 [k,256], y}:
   * each value of xi goes through row i of the tables; presil_concat_attributes. */
  PRESIL_KERNEL_CONCAT = 11,
  /* {x [n,h,w,c], y [n,oh,ow,c]}, 1-byte type: presil_resize_attributes. */
  PRESIL_KERNEL_RESIZE_NEAREST_I8 = 12,
  /* {x, y}, an integer type of 1 or 2 bytes, same rank: presil_pad_attributes. */
  PRESIL_KERNEL_PAD = 13,
  /* {x i8, y i8}: sum over the axes of the mask, then rule; presil_mean_attributes. */
  PRESIL_KERNEL_MEAN_I8 = 14,
  /* {x, y}, each i8|u8|i16|i32: rule(x - in_zero) + out_zero, saturated; x - in_zero wraps;
   * presil_requantise_attributes. */
  PRESIL_KERNEL_REQUANTISE = 15,
  /* {x, y}, any type: y axis i is x axis perm[i]; presil_transpose_attributes. */
  PRESIL_KERNEL_TRANSPOSE = 16,
  /* {head i8 [1,h,w,A*(5+C)], sigmoid f32 [256], exp f32 [256], rows f32 [h*w*A, 4+C]}:
   * presil_yolo_decode_attributes. Tables are indexed by the value as uint8. */
  PRESIL_KERNEL_YOLO_DECODE = 17,
  /* {rows0 .. rowsk-1 f32 [ni, 4+C], scratch i32 [n*C] (n = sum of ni), detections f32 [max,6],
   *  count i32 [1]}: presil_nms_attributes. */
  PRESIL_KERNEL_NMS = 18,
  /* {x, y}, any type: y element i is x[begin + i*step]; y may leave out axes of size 1;
   * presil_strided_slice_attributes. */
  PRESIL_KERNEL_STRIDED_SLICE = 19,
  /* {x i8 [n,h,w,c], y i8 [n,oh,ow,c]}: weights in Q10, TFLite's integer rule;
     presil_resize_attributes. */
  PRESIL_KERNEL_RESIZE_BILINEAR_I8 = 20,
  /* {x f32, y i8|u8|i16}: presil_quantise_attributes. */
  PRESIL_KERNEL_QUANTISE = 21,
  /* {x i8|u8|i16, y f32}: float(x - zero) * scale; presil_quantise_attributes. */
  PRESIL_KERNEL_DEQUANTISE = 22,
  /* int16 activations, int8 weights, zero points 0, sums of int64 that wrap. The attributes are
   * those of the int8 kernels with zeros of 0 and the rule wide, or double: then of the sum's low
   * 32 bits. {x i16, weights i8, bias i64, multiplier i32, shift i8, y i16}, shapes as there. */
  PRESIL_KERNEL_CONV2D_I16 = 23,
  PRESIL_KERNEL_DEPTHWISE_CONV2D_I16 = 24,
  PRESIL_KERNEL_FULLY_CONNECTED_I16 = 25,
  /* {a i16, b i16, y i16}: as their int8 kernels, numerics tflite. */
  PRESIL_KERNEL_ADD_I16 = 26,
  PRESIL_KERNEL_MUL_I16 = 27,
  /* {x i16, y i16}: rule double, of its own above and below 0; presil_leaky_relu_attributes. */
  PRESIL_KERNEL_LEAKY_RELU_I16 = 28,
  /* {x i8, 4 weights of x i8 [units,in], 4 of the state i8 [units,units], 4 biases i32 [units]
   * (each in the order input, forget, cell, output gate), sigmoid i32 [256], h i8, c i16
   * [batch,units], y i8, h i8, c i16}: presil_lstm_attributes. */
  PRESIL_KERNEL_LSTM = 29,
  /* {x i8 [n,h,w,ic], weights i8 [oc,kh,kw,ic], bias i32 [oc], multiplier i32 [oc], shift i8 [oc],
   *  y i8 [n,oh,ow,oc]}: presil_transpose_conv_attributes. Input pixel (iy, ix) is added, times tap
   * (ky, kx), to the sum of pixel (iy * stride_h + ky - pad_top, ...) of y where there is one. */
  PRESIL_KERNEL_TRANSPOSE_CONV2D_I8 = 30,
  /* {x0 .. xk-1 [n,hi,wi,c], y [n,h,w,c]}, any type: y pixel (r * stride_h + i, c * stride_w + j)
   * is pixel (r, c) of x(i * stride_w + j); presil_interleave_attributes. */
  PRESIL_KERNEL_INTERLEAVE = 31,
  /* {a [.., m,k], b [.., k,n], y [.., m,n]}, i8: rule double of the sum over k of (a - a_zero) *
   * (b - b_zero); axes before the last two broadcast as in numpy; presil_batch_matmul_attributes.
   * I16: i16, zeros 0, sums of int64 that wrap, rule wide. */
  PRESIL_KERNEL_BATCH_MATMUL_I8 = 32,
  PRESIL_KERNEL_BATCH_MATMUL_I16 = 33,
  /* {boxes [1,n,4 or more], scores [1,n,classes or one more in front], anchors [n,4], decoded f32
   * [n,4], best f32 [n], order i32 [n], y f32 [1,m,4], classes f32 [1,m], scores f32 [1,m], count
   * f32 [1]}; boxes, anchors: both i8 or both f32; scores: i8 or f32; m = max * classes_per_box;
   * presil_detection_attributes. */
  PRESIL_KERNEL_DETECTION_POST_PROCESS = 34,
  PRESIL_KERNELS = 35
};

/* Attributes: little-endian 32-bit fields without padding, stored in the image as they are. */

/* scale of x times beta as multiplier and left shift of a Q5.26 number, as TFLite prepares them:
 * real = min(beta * scale * 2^26, 2^31 - 1) = multiplier * 2^(left_shift - 31), multiplier in
 * [2^30, 2^31); diff_min = -floor(31 * 2^26 / 2^left_shift): below it an element counts 0 and the
 * result is -128. */
typedef struct presil_softmax_attributes {
  int32_t multiplier;
  int32_t left_shift; /* 0..31 */
  int32_t diff_min;   /* <= 0 */
} presil_softmax_attributes;

/* add, tflite: rule0(rule0((a - a_zero) << left_shift; a_mult, a_shift) +- rule0(the same of b);
 *              out_mult, out_shift) + out_zero, clamped.
 * add, xnnpack: ((a * a_mult +- b * b_mult + out_mult) >> out_shift) + out_zero, clamped; int32,
 * wraps. mul: rule((a - a_zero) * (b - b_zero); out_mult, out_shift) + out_zero, clamped; rule
 * double under tflite, float under xnnpack. */
typedef struct presil_elementwise_attributes {
  uint32_t numerics; /* enum presil_numerics */
  uint32_t subtract; /* add only: 1 = a - b */
  int32_t a_zero, b_zero, out_zero;
  int32_t a_mult, b_mult, out_mult;
  int32_t a_shift, b_shift,
      out_shift;      /* rule double: positive is left; xnnpack add: out_shift 0..31 right */
  int32_t left_shift; /* add, tflite: 0..20 */
  int32_t act_min, act_max;
} presil_elementwise_attributes;

typedef struct presil_pool_attributes {
  uint32_t kernel_h, kernel_w;
  uint32_t stride_h, stride_w;
  uint32_t pad_top, pad_left; /* bottom and right follow from the shapes */
  int32_t act_min, act_max;
  uint32_t ties_up; /* average only: 1 = halves go up, 0 = away from zero */
} presil_pool_attributes;

typedef struct presil_conv_attributes {
  uint32_t rule; /* enum presil_rule: double or float */
  uint32_t stride_h, stride_w;
  uint32_t dilation_h, dilation_w;
  uint32_t pad_top, pad_left; /* bottom and right follow from the shapes */
  uint32_t groups;
  int32_t in_zero, weight_zero, out_zero;
  int32_t act_min, act_max;
} presil_conv_attributes;

typedef struct presil_transpose_conv_attributes {
  uint32_t rule; /* enum presil_rule: double or float */
  uint32_t stride_h, stride_w;
  uint32_t pad_top, pad_left; /* less than the kernel */
  int32_t in_zero, weight_zero, out_zero;
  int32_t act_min, act_max;
} presil_transpose_conv_attributes;

typedef struct presil_interleave_attributes {
  uint32_t stride_h, stride_w; /* their product is the number of inputs */
} presil_interleave_attributes;

typedef struct presil_fully_connected_attributes {
  uint32_t rule;
  int32_t in_zero, weight_zero, out_zero;
  int32_t act_min, act_max;
} presil_fully_connected_attributes;

typedef struct presil_batch_matmul_attributes {
  uint32_t transpose_a, transpose_b; /* 1: a is [.., k,m], b is [.., n,k] */
  int32_t a_zero, b_zero, out_zero;
  int32_t multiplier, shift;
} presil_batch_matmul_attributes;

typedef struct presil_concat_attributes {
  uint32_t axis;
  uint32_t requantise; /* 1: the tables are there */
} presil_concat_attributes;

typedef struct presil_resize_attributes {
  uint32_t align_corners;
  uint32_t half_pixel_centers;
} presil_resize_attributes;

typedef struct presil_pad_attributes {
  uint32_t before[PRESIL_KERNEL_MAX_RANK]; /* per axis; `after` follows from the shapes */
  int32_t value;                           /* stored value, as many low bytes as the type has */
} presil_pad_attributes;

typedef struct presil_mean_attributes {
  uint32_t axes; /* bit i: axis i is summed */
  uint32_t rule; /* double or float; 1 / number of elements is in the multiplier */
  int32_t multiplier, shift;
  int32_t in_zero, out_zero;
  int32_t act_min, act_max;
} presil_mean_attributes;

typedef struct presil_requantise_attributes {
  uint32_t rule; /* double, float or fixed8 */
  int32_t multiplier, shift;
  int32_t in_zero, out_zero;
} presil_requantise_attributes;

/* Numbers of 12 fraction bits go into a gate, of 15 come out. The table is sigmoid(i / 24) times
 * 2^16; with q = |v|:
 *   sigmoid(v), v = 3 * x: r = table[q >> 9] * 512 + (q & 511) * step, 32767 * 1024 from 255 on;
 *     v >= 0: (r + 512) >> 10, else (2^25 - r + 511) >> 10
 *   tanh(v), v = 3 * x of 12 fraction bits: r = table[q >> 8] * 256 + (q & 255) * step,
 *     65535 * 256 from 255 on; v >= 0: (r - 2^23 + 128) >> 8, else (2^23 - r + 127) >> 8
 * step = table[index + 1] - table[index]. A gate is the sum of two rule double, each saturated to
 * int16, and so is c' = f * c + i * g. h = rule double(tanh(c') * o) + hidden_zero, int8. For
 * tanh(c') v = 3 * c' * 2^(cell_power + 12), halves up. */
typedef struct presil_lstm_attributes {
  uint32_t time_major; /* x, y: 1 = [time,batch,..], 0 = [batch,time,..] */
  int32_t in_zero, hidden_zero;
  int32_t input_multiplier[4], input_shift[4];
  int32_t recurrent_multiplier[4], recurrent_shift[4];
  int32_t forget_multiplier, forget_shift; /* f * c */
  int32_t update_multiplier, update_shift; /* i * g */
  int32_t hidden_multiplier, hidden_shift; /* tanh(c') * o */
  int32_t cell_power;                      /* the scale of c is 2^cell_power, -15..-9 */
  int32_t cell_clip;                       /* c' in -cell_clip..cell_clip; 0 = none */
} presil_lstm_attributes;

typedef struct presil_leaky_relu_attributes {
  int32_t multiplier_above, shift_above; /* x >= 0 */
  int32_t multiplier_below, shift_below;
} presil_leaky_relu_attributes;

typedef struct presil_transpose_attributes {
  uint32_t perm[PRESIL_KERNEL_MAX_RANK];
} presil_transpose_attributes;

/* Rows in order y, x, anchor; s = sigmoid table, e = exp table, per anchor tx ty tw th obj cls...:
 *   cx = (s[tx] + float(x)) * float(stride)   cy = (s[ty] + float(y)) * float(stride)
 *   w = e[tw] * anchor_w                      h = e[th] * anchor_h
 *   row = cx - w * 0.5f, cy - h * 0.5f, cx + w * 0.5f, cy + h * 0.5f, s[obj] * s[cls0], ... */
typedef struct presil_yolo_decode_attributes {
  uint32_t stride;
  uint32_t classes;
  uint32_t anchors;                                /* A, 1..16 */
  float anchor_size[PRESIL_KERNEL_MAX_ANCHORS][2]; /* width, height in input pixels */
} presil_yolo_decode_attributes;

/* Candidates: (row, class) with score > `score`, best first, ties to the lower index
 * row * classes + class, rows of the tables one after another. In that order a candidate is kept
 * unless IoU > `iou` with a kept one of its class; at most `max` are kept. With
 *   area = (x1 - x0) * (y1 - y0)
 *   width = max(0, min(x1, x1') - max(x0, x0'))   height alike   inter = width * height
 *   IoU = inter / ((area + area') - inter)        a NaN (0 / 0) suppresses nothing.
 * A detection is x0, y0, x1, y1, score, class; unused rows are 0. */
typedef struct presil_nms_attributes {
  float score;
  float iou;
  uint32_t max;
  uint32_t classes;
} presil_nms_attributes;

/* float32 but where double is said; a value of int8 is float(x - zero) * scale. Of a box and its
 * anchor (ya, xa, ha, wa, neither side negative), in double and rounded once:
 *   yc = y / y_scale * ha + ya            hh = 0.5 * e(h / h_scale) * ha        x and w alike
 *   box = yc - hh, xc - hw, yc + hh, xc + hw
 * e(v), double, v within -700..700, NaN as -700: n = rint_even(v * 1.4426950408889634),
 *   r = (v - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10,
 *   t = 1, then for k = 13 .. 1: t = 1 + t * r / k; e = t * 2^n.
 * IoU = inter / (area + area' - inter), 0 if an area is 0 or less. A box may be taken if its value
 * is at least `score`; taken are, best value first, ties to the lower box, those whose IoU with
 * none taken before is above `iou`.
 * regular 0: a box's value is its best score; at most `max` boxes; each shows its
 *   min(classes_per_box, classes) best classes, ties to the lower, at box * classes_per_box.
 * regular 1: class by class, at most boxes_per_class each; of all the best `max`, ties to the lower
 *   class, then box. Class 0 is the first behind the background; unused results are 0; count is
 *   that of boxes (0) or results (1). */
typedef struct presil_detection_attributes {
  uint32_t max, classes, classes_per_box, boxes_per_class;
  uint32_t regular;
  float score, iou;
  float y_scale, x_scale, h_scale, w_scale;
  float box_scale, anchor_scale, score_scale; /* of int8; unused for f32 */
  int32_t box_zero, anchor_zero, score_zero;
} presil_detection_attributes;

typedef struct presil_strided_slice_attributes {
  int32_t begin[PRESIL_KERNEL_MAX_RANK]; /* per axis of x */
  int32_t size[PRESIL_KERNEL_MAX_RANK];
  int32_t step[PRESIL_KERNEL_MAX_RANK]; /* not 0, may be negative */
} presil_strided_slice_attributes;

/* quantise, tflite: round_half_away(x / scale) + zero; xnnpack: rint_even(x * (1.0f / scale)) +
 * zero; both saturated to the type of y, NaN becomes the lowest value. */
typedef struct presil_quantise_attributes {
  uint32_t numerics;
  float scale;
  int32_t zero;
} presil_quantise_attributes;

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
 * fully connected, batch_matmul and lstm; taps of pools; elements read by mean; candidates (rows *
 * classes) of nms and detection_post_process; else elements written. The task must have passed
 * presil_kernel_check. */
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
