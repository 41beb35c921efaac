/* Every kernel by its number, and what it must know besides its tensors: one struct per group of
 * kernels, and the limits that they share. C11 and C++17.
 *
 * Little-endian 32-bit fields without padding, stored in the image as they are. */
#ifndef PRESIL_DRIVER_KERNEL_ATTRIBUTES_H
#define PRESIL_DRIVER_KERNEL_ATTRIBUTES_H

#include <stdint.h>

#define PRESIL_KERNEL_MAX_RANK 6
#define PRESIL_KERNEL_MAX_TENSORS 32
#define PRESIL_KERNEL_MAX_ANCHORS 16

/* X(NAME, Name): PRESIL_KERNEL_NAME is the kernel's number in a loadable, kName its row in the file
 * that computes it, with its tensors in words. A new kernel is a line at the end: numbers stay. */
#define PRESIL_HOST_KERNELS(X)                      \
  X(COPY, Copy)                                     \
  X(SOFTMAX_I8, SoftmaxI8)                          \
  X(ADD_I8, AddI8)                                  \
  X(MUL_I8, MulI8)                                  \
  X(LUT_I8, LutI8)                                  \
  X(AVERAGE_POOL_I8, AveragePoolI8)                 \
  X(MAX_POOL_I8, MaxPoolI8)                         \
  X(CONV2D_I8, Conv2dI8)                            \
  X(DEPTHWISE_CONV2D_I8, DepthwiseConv2dI8)         \
  X(FULLY_CONNECTED_I8, FullyConnectedI8)           \
  X(CONCAT, Concat)                                 \
  X(RESIZE_NEAREST, ResizeNearest)                  \
  X(PAD, Pad)                                       \
  X(MEAN_I8, MeanI8)                                \
  X(REQUANTISE, Requantise)                         \
  X(TRANSPOSE, Transpose)                           \
  X(YOLO_DECODE, YoloDecode)                        \
  X(NMS, Nms)                                       \
  X(STRIDED_SLICE, StridedSlice)                    \
  X(RESIZE_BILINEAR_I8, ResizeBilinearI8)           \
  X(QUANTISE, Quantise)                             \
  X(DEQUANTISE, Dequantise)                         \
  X(CONV2D_I16, Conv2dI16)                          \
  X(DEPTHWISE_CONV2D_I16, DepthwiseConv2dI16)       \
  X(FULLY_CONNECTED_I16, FullyConnectedI16)         \
  X(ADD_I16, AddI16)                                \
  X(MUL_I16, MulI16)                                \
  X(LEAKY_RELU_I16, LeakyReluI16)                   \
  X(LSTM, Lstm)                                     \
  X(TRANSPOSE_CONV2D_I8, TransposeConv2dI8)         \
  X(INTERLEAVE, Interleave)                         \
  X(BATCH_MATMUL_I8, BatchMatmulI8)                 \
  X(BATCH_MATMUL_I16, BatchMatmulI16)               \
  X(TILE, Tile)                                     \
  X(MIRROR_PAD, MirrorPad)                          \
  X(GATHER, Gather)                                 \
  X(GATHER_ND, GatherNd)                            \
  X(SELECT, Select)                                 \
  X(ONE_HOT, OneHot)                                \
  X(CAST, Cast)                                     \
  X(DETECTION_POST_PROCESS, DetectionPostProcess)   \
  X(CONV2D_F32, Conv2dF32)                          \
  X(DEPTHWISE_CONV2D_F32, DepthwiseConv2dF32)       \
  X(TRANSPOSE_CONV2D_F32, TransposeConv2dF32)       \
  X(FULLY_CONNECTED_F32, FullyConnectedF32)         \
  X(BATCH_MATMUL_F32, BatchMatmulF32)               \
  X(PAIR_F32, PairF32)                              \
  X(FUNCTION_F32, FunctionF32)                      \
  X(AVERAGE_POOL_F32, AveragePoolF32)               \
  X(MAX_POOL_F32, MaxPoolF32)                       \
  X(REDUCE_F32, ReduceF32)                          \
  X(SOFTMAX_F32, SoftmaxF32)                        \
  X(RESIZE_BILINEAR_F32, ResizeBilinearF32)         \
  X(L2_NORMALIZE_F32, L2NormalizeF32)               \
  X(LAYER_NORM_F32, LayerNormF32)                   \
  X(CONV2D_HYBRID, Conv2dHybrid)                    \
  X(FULLY_CONNECTED_HYBRID, FullyConnectedHybrid)   \
  X(MEAN_I16, MeanI16)                              \
  X(REDUCE, Reduce)                                 \
  X(ARG, Arg)                                       \
  X(PAIR, Pair)                                     \
  X(SQUARED_DIFFERENCE_I8, SquaredDifferenceI8)     \
  X(SQUARED_DIFFERENCE_I16, SquaredDifferenceI16)   \
  X(DIV_I8, DivI8)                                  \
  X(PRELU, Prelu)                                   \
  X(AVERAGE_POOL_I16, AveragePoolI16)               \
  X(MAX_POOL_I16, MaxPoolI16)                       \
  X(RESIZE_BILINEAR_I16, ResizeBilinearI16)         \
  X(SIGMOID_I16, SigmoidI16)                        \
  X(SOFTMAX_I16, SoftmaxI16)                        \
  X(RSQRT_I16, RsqrtI16)                            \
  X(L2_NORMALIZE_I8, L2NormalizeI8)                 \
  X(COMPARE, Compare)                               \
  X(TOP_K, TopK)                                    \
  X(BOX_DECODE, BoxDecode)                          \
  X(CUMSUM, Cumsum)                                 \
  X(REVERSE_SEQUENCE, ReverseSequence)              \
  X(SVDF, Svdf)                                     \
  X(LOG_SOFTMAX_I8, LogSoftmaxI8)                   \
  X(LUT_I16, LutI16)                                \
  X(REDUCE_PROD, ReduceProd)                        \
  X(DEPTHWISE_CONV2D_HYBRID, DepthwiseConv2dHybrid) \
  X(RESCALE, Rescale)                               \
  X(CONV_SUMS, ConvSums)                            \
  X(MATMUL_SUMS, MatmulSums)                        \
  X(MEAN_POOL, MeanPool)                            \
  X(RESIZE_BY_RATIO, ResizeByRatio)                 \
  X(TABLE_BETWEEN, TableBetween)                    \
  X(SCATTER, Scatter)                               \
  X(BITS, Bits)                                     \
  X(LEADING_ZEROS, LeadingZeros)

/* scale of x times beta as multiplier and left shift of a Q5.26 number, as TFLite prepares them:
 * real = min(beta * scale * 2^26, 2^31 - 1) = multiplier * 2^(left_shift - 31), multiplier in
 * [2^30, 2^31); diff_min = -floor(31 * 2^26 / 2^left_shift): below it an element counts 0 and the
 * result is -128. */
typedef struct presil_softmax_attributes {
  int32_t multiplier;
  int32_t left_shift; /* 0..31 */
  int32_t diff_min;   /* <= 0 */
} presil_softmax_attributes;

/* Without a table, as softmax's; besides, a difference at or below
 * ln of the sum - 2^31, double-rounded by the reverse multiplier, or below diff_min, is -128. */
typedef struct presil_log_softmax_attributes {
  int32_t multiplier;
  int32_t left_shift; /* 0..31 */
  int32_t diff_min;   /* <= 0 */
  int32_t reverse_multiplier, reverse_shift;
  float ratio; /* with a table: scale of x by that of y */
  float scale; /* with a table: of x */
} presil_log_softmax_attributes;

/* add, tflite: rule0(rule0((a - a_zero) << left_shift; a_mult, a_shift) +- rule0(the same of b);
 *              out_mult, out_shift) + out_zero, clamped.
 * add, xnnpack: ((a * a_mult +- b * b_mult + out_mult) >> out_shift) + out_zero, clamped; int32,
 * wraps. squared_difference: d = rule0((a - a_zero) << left_shift; a_mult, a_shift) - rule0(the
 * same of b), rule0(d * d; out_mult, out_shift) + out_zero, clamped; d * d wraps. mul: rule((a -
 * a_zero) * (b - b_zero); out_mult, out_shift) + out_zero, clamped; double rounding under tflite,
 * float under xnnpack. div: a and b less their zero points, negated where b < 0; z, h the leading
 * zeros of b and the copies of a's sign bit after it; q = high product of a << h and 1 / b in [1/2,
 * 1), Q31, by TFLite's Newton steps; rounding shift of the high product of q and out_mult by e = 31
 * - z
 * + h - out_shift, + out_zero, clamped; e from 32 on: (p >> e - 32) + (p >= 0); b = 0: the end of
 * the range on a's side. */
typedef struct presil_elementwise_attributes {
  uint32_t numerics; /* enum presil_numerics */
  uint32_t subtract; /* add only: 1 = a - b */
  int32_t a_zero, b_zero, out_zero;
  int32_t a_mult, b_mult, out_mult;
  int32_t a_shift, b_shift,
      out_shift;      /* double rounding: positive is left; xnnpack add: out_shift 0..31 right */
  int32_t left_shift; /* add, tflite: 0..20; squared_difference: 0..7 */
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

/* Of double_up: `vector` 0: all; 8: channels of whole groups of 8; 16: values of y in whole groups
 * of 16. The rest is rounded as by `double`. */
typedef struct presil_transpose_conv_attributes {
  uint32_t rule; /* enum presil_rule: double, float or double_up */
  uint32_t stride_h, stride_w;
  uint32_t pad_top, pad_left; /* less than the kernel */
  uint32_t vector;
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
  uint32_t rule; /* int8: double or float */
  int32_t multiplier, shift;
} presil_batch_matmul_attributes;

typedef struct presil_concat_attributes {
  uint32_t axis;
  uint32_t requantise; /* 1: the tables are there */
} presil_concat_attributes;

typedef struct presil_resize_attributes {
  uint32_t align_corners;
  uint32_t half_pixel_centers;
  uint32_t numerics; /* enum presil_numerics; nearest is the same under both */
} presil_resize_attributes;

typedef struct presil_pad_attributes {
  uint32_t before[PRESIL_KERNEL_MAX_RANK]; /* per axis; `after` follows from the shapes */
  int32_t value;                           /* stored value, widened with its sign; a float's bits */
} presil_pad_attributes;

typedef struct presil_mean_attributes {
  uint32_t axes; /* bit i: axis i is summed */
  uint32_t rule; /* double, or float with out_zero added before it rounds; sums of int16 float away
                    too; reduce_prod wide. Of a mean 1 / number of elements is in the multiplier */
  int32_t multiplier, shift;
  int32_t in_zero, out_zero;
  int32_t act_min, act_max;
} presil_mean_attributes;

enum presil_reduce {
  PRESIL_REDUCE_SUM = 0,
  PRESIL_REDUCE_MAX,
  PRESIL_REDUCE_MIN,
  PRESIL_REDUCE_PROD,
  PRESIL_REDUCES
};

typedef struct presil_reduce_attributes {
  uint32_t axes;     /* bit i: axis i goes */
  uint32_t function; /* enum presil_reduce; sums and products wrap */
} presil_reduce_attributes;

/* i8: the sum begins with -in_zero, adds (x - in_zero), counts steps of 2^19 and wraps at 32 bits;
 * y = it double-rounded + out_zero, saturated. Other types: their own sum, from 0; integers wrap.
 */
typedef struct presil_cumsum_attributes {
  uint32_t axis;
  uint32_t exclusive; /* 1: y[i] is the sum before x[i] is added */
  uint32_t reverse;   /* 1: from the last value on */
  int32_t in_zero, out_zero;
  int32_t multiplier, shift;
} presil_cumsum_attributes;

typedef struct presil_arg_attributes {
  uint32_t axis;
  uint32_t smallest; /* 1: the smallest, 0: the largest; the first of equal ones */
} presil_arg_attributes;

/* Of 64 bits, of which the type keeps the low ones; by 0 the last two divisions give 0. */
enum presil_pair {
  PRESIL_PAIR_MAXIMUM = 0,
  PRESIL_PAIR_MINIMUM,
  PRESIL_PAIR_ADD,
  PRESIL_PAIR_SUB,
  PRESIL_PAIR_MUL,
  PRESIL_PAIR_FLOOR_DIV,
  PRESIL_PAIR_FLOOR_MOD, /* a - b * floor_div */
  PRESIL_PAIR_AND,
  PRESIL_PAIR_OR,
  PRESIL_PAIRS
};

typedef struct presil_pair_attributes {
  uint32_t function; /* enum presil_pair */
} presil_pair_attributes;

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
 * step = table[index + 1] - table[index]. A gate is the sum of two double roundings, each saturated
 * to int16, and so is c' = f * c + i * g. h = double_rounding(tanh(c') * o) + hidden_zero, int8.
 * For tanh(c') v = 3 * c' * 2^(cell_power + 12), halves up. */
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

/* s: the state's zero. newest = sum of weights * (x - in_zero), double-rounded, + s, saturated;
 * y = bias + sum of time weights * (state - s), double-rounded, + out_zero. Sums wrap. */
typedef struct presil_svdf_attributes {
  uint32_t rank; /* filters of a unit */
  int32_t in_zero, state_zero, out_zero;
  int32_t feature_multiplier, feature_shift;
  int32_t time_multiplier, time_shift;
} presil_svdf_attributes;

/* v = (x * multiplier + half) >> shift, half = 2^(shift - 1) or 0; sigmoid(v) or tanh(v) as of an
 * LSTM. */
typedef struct presil_sigmoid_attributes {
  uint32_t tanh;      /* 1: tanh */
  int32_t multiplier; /* 0..65535 */
  int32_t shift;      /* 0..31 */
} presil_sigmoid_attributes;

typedef struct presil_softmax_i16_attributes {
  int32_t multiplier, shift; /* x - max in steps of 10/65535 */
} presil_softmax_i16_attributes;

typedef struct presil_scale_attributes {
  int32_t multiplier, shift;
} presil_scale_attributes;

typedef struct presil_l2_normalize_attributes {
  int32_t in_zero;
} presil_l2_normalize_attributes;

enum presil_compare {
  PRESIL_COMPARE_EQUAL = 0,
  PRESIL_COMPARE_NOT_EQUAL,
  PRESIL_COMPARE_GREATER,
  PRESIL_COMPARE_GREATER_EQUAL,
  PRESIL_COMPARE_LESS,
  PRESIL_COMPARE_LESS_EQUAL,
  PRESIL_COMPARES
};

typedef struct presil_compare_attributes {
  uint32_t function; /* enum presil_compare */
  uint32_t scaled;   /* 1, of i8: double_rounding((a - a_zero) * 256), b likewise */
  int32_t a_zero, b_zero;
  int32_t a_mult, a_shift, b_mult, b_shift;
} presil_compare_attributes;

typedef struct presil_leaky_relu_attributes {
  int32_t multiplier_above, shift_above; /* x >= 0 */
  int32_t multiplier_below, shift_below;
} presil_leaky_relu_attributes;

typedef struct presil_prelu_attributes {
  int32_t multiplier_above, shift_above;
  int32_t multiplier_below, shift_below;
  int32_t in_zero, alpha_zero, out_zero;
} presil_prelu_attributes;

typedef struct presil_transpose_attributes {
  uint32_t perm[PRESIL_KERNEL_MAX_RANK];
} presil_transpose_attributes;

/* In order y, x, anchor; s, e: tables, c: s, or its second row; per anchor tx ty tw th obj cls..:
 *   cx = (c[tx] + float(x)) * float(stride)   cy = (c[ty] + float(y)) * float(stride)
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
 * A detection is x0, y0, x1, y1, score, class; unused rows are 0.
 * labelled 1: a row has one score and its class after it, `classes` is 1; a row whose class is no
 * whole number 0..65535 is no candidate. */
typedef struct presil_nms_attributes {
  float score;
  float iou;
  uint32_t max;
  uint32_t classes;
  uint32_t labelled;
} presil_nms_attributes;

/* A value is float(q - zero) * scale, x y w h are those of a box's first four channels:
 *   half_w = w * width * 0.5f   x0 = x * width - half_w   x1 = x * width + half_w   y alike
 *   row = x0, y0, x1, y1, value of the largest of the last `classes`, number of the first such
 * objectness 1: there is one channel between, and its value times that of the class is the score.
 * channels_last 0: x is [1, 4 + objectness + classes, n], 1: [1, n, ..]. */
typedef struct presil_box_decode_attributes {
  uint32_t classes;
  uint32_t objectness;
  uint32_t channels_last;
  float width, height;
  float scale;
  int32_t zero;
} presil_box_decode_attributes;

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
 *   class, then box. Class 0 is the first after the background; unused results are 0; count is
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

typedef struct presil_mirror_pad_attributes {
  uint32_t before[PRESIL_KERNEL_MAX_RANK]; /* per axis; `after` follows from the shapes */
  uint32_t symmetric;                      /* 1: the edge is seen twice */
} presil_mirror_pad_attributes;

typedef struct presil_gather_attributes {
  uint32_t axis;
  uint32_t batch_dims; /* axes that x and indices have in common, first in both */
} presil_gather_attributes;

typedef struct presil_reverse_sequence_attributes {
  uint32_t axis;
  uint32_t batch_axis; /* another one, along which lengths are counted */
} presil_reverse_sequence_attributes;

typedef struct presil_one_hot_attributes {
  uint32_t axis; /* of y */
} presil_one_hot_attributes;

/* quantise, tflite: round_half_away(x / scale) + zero; xnnpack: rint_even(x * (1.0f / scale)) +
 * zero; both saturated to the type of y, NaN becomes the lowest value. */
typedef struct presil_quantise_attributes {
  uint32_t numerics;
  float scale;
  int32_t zero;
} presil_quantise_attributes;

#include "driver/kernels/host/float_attributes.h"
#include "driver/kernels/host/integer_attributes.h"

#endif
