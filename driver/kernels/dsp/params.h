/* What each kernel is told besides its tensors: little-endian 32-bit fields without padding, C11
 * and C++17, shared by the kernels and by programs that lay out argument blocks. Tensors in the
 * order of the lists; "rows" are along the last axis and lie dense, other axes have any stride. */
#ifndef PRESIL_DRIVER_DSP_PARAMS_H
#define PRESIL_DRIVER_DSP_PARAMS_H

#include <stdint.h>

/* softmax_i8 {x i8, table i32 [256]} {y i8}, rows: `tflite`; table[(uint8) -d] is the exponential
 * of d steps below a row's largest value, as a fraction of 31 bits. */
typedef struct presil_dsp_softmax_i8 {
  uint32_t reserved; /* 0 */
} presil_dsp_softmax_i8;

/* softmax_table_i8 {x i8, table f32 [256]} {y i8}, rows: `xnnpack`; table[d] is the exponential of
 * d steps below a row's largest value, 1 for none, and falls. */
typedef struct presil_dsp_softmax_table_i8 {
  uint32_t reserved; /* 0 */
} presil_dsp_softmax_table_i8;

/* table_i8 {x i8, table i8 [256]} {y i8}: y = table[x as uint8]; any strides. */
typedef struct presil_dsp_table_i8 {
  uint32_t reserved; /* 0 */
} presil_dsp_table_i8;

/* yolo_decode {head i8 [1, h, w, A (5 + C)], sigmoid f32 [256] or [2, 256], exp f32 [256]} {rows
 * f32 [h w A, 4 + C]}: as the host's; tables dense, by the value as uint8. */
#define PRESIL_DSP_MAX_ANCHORS 16
typedef struct presil_dsp_yolo_decode {
  uint32_t stride;
  uint32_t classes;
  uint32_t anchors;                             /* A, 1..16 */
  float anchor_size[PRESIL_DSP_MAX_ANCHORS][2]; /* width, height */
} presil_dsp_yolo_decode;

/* nms {tables f32 [ni, 4 + classes], or [ni, 6] labelled, 1 to 14 of them} {detections f32 [max,
 * 6], dense, count i32 [1]}: rows of all tables << bits of a class: below 2^32. No scratch. */
#define PRESIL_DSP_NMS_MAX 512
typedef struct presil_dsp_nms {
  float score;
  float iou;         /* 0 or more */
  uint32_t max;      /* 1..PRESIL_DSP_NMS_MAX */
  uint32_t classes;  /* 1..65535 */
  uint32_t labelled; /* 1: a row has one score and its class after it, classes is 1 */
} presil_dsp_nms;

/* box_decode {x i8 [1, 4 + objectness + classes, n], or, channels_last, [1, n, ..]} {rows f32 [n,
 * 6]}: as the host's. Rows of y dense; of x the last axis. */
#define PRESIL_DSP_BOX_CLASSES 256
typedef struct presil_dsp_box_decode {
  uint32_t classes; /* 1..PRESIL_DSP_BOX_CLASSES */
  uint32_t objectness;
  uint32_t channels_last;
  float width, height;
  float scale;
  int32_t zero;
} presil_dsp_box_decode;

/* detection_post_process {boxes i8 [1, n, 4 or more], scores i8 [1, n, classes or one more in
 * front], anchors f32 [n, 4], tables of 64 bits [4, 256]} {y f32 [1, m, 4], classes f32 [1, m],
 * scores f32 [1, m], count f32 [1]}, results dense, m = max * classes_per_box, n < 2^20. Tables, by
 * the value q as uint8, with v = float(q - box_zero) * box_scale and e the exponential of
 * driver/kernels/host/attributes.h: v / y_scale; v / x_scale; 0.5 * e(v / h_scale); 0.5 * e(v /
 * w_scale), in double. Tables and anchors are finite. Anchors of int8 come as float(q - zero) *
 * scale. */
#define PRESIL_DSP_DETECTION_CLASSES 1024
typedef struct presil_dsp_detection {
  uint32_t max; /* 1..PRESIL_DSP_NMS_MAX */
  uint32_t classes, classes_per_box, boxes_per_class;
  uint32_t regular;
  float score, iou;
  float score_scale;
  int32_t score_zero;
} presil_dsp_detection;

/* add_i8, mul_i8 {a i8, b i8} {y i8}, any strides, broadcast as in numpy; as
 * presil_elementwise_attributes of the host's kernels, left_shift of add under tflite 20. */
typedef struct presil_dsp_pair_i8 {
  uint32_t numerics; /* 0 tflite, 1 xnnpack */
  uint32_t subtract; /* add_i8 alone: 1 = a - b */
  int32_t a_zero, b_zero, out_zero;
  int32_t a_mult, b_mult, out_mult; /* mul, xnnpack: out_mult is a float32's bits */
  int32_t a_shift, b_shift, out_shift;
  int32_t act_min, act_max;
} presil_dsp_pair_i8;

/* Runs up to which an operand that is one value for each, or one run for all, is written out where
 * the other one and y are dense. */
#define PRESIL_DSP_LONG_RUN 1024

/* squared_difference_i8 {a i8, b i8} {y i8}: presil_dsp_pair_i8, left_shift 7, one rule; ratios at
 * most a half; numerics and subtract do not count. prelu_i8 {x i8, alpha i8} {y i8}: the same
 * fields, one rule; a_mult and a_shift above zero, out_mult and out_shift below, of the product.
 * larger_i8 {a, b} {y}, stored values. */
typedef struct presil_dsp_larger_i8 {
  uint32_t smaller; /* 1: the smaller */
} presil_dsp_larger_i8;

/* quantise {x f32} {y i8|u8|i16}, dequantise {x i8|u8|i16} {y f32}; any strides. */
typedef struct presil_dsp_quantise {
  uint32_t numerics; /* of quantise: 0 tflite, 1 xnnpack, 2 onnx */
  float scale;
  int32_t zero;
} presil_dsp_quantise;

/* requantise {x, y: i8|u8|i16|i32}; any strides. */
typedef struct presil_dsp_requantise {
  uint32_t
      rule; /* 0 double: multiplier and shift (positive is left); 1 float: multiplier is bits */
  int32_t multiplier, shift;
  int32_t in_zero, out_zero;
} presil_dsp_requantise;

/* cast {x, y: i8|u8|i16|i32|f32, a bool as u8}; any strides. */
typedef struct presil_dsp_cast {
  uint32_t truth; /* 1: of or to bool: 1 where x is not 0 */
} presil_dsp_cast;

/* Floats follow compiler_bridge/reference/float_order.h in every bit. Numbers of functions are
 * those of enum presil_f32_function and presil_f32_pair of the host's kernels; those that are
 * missing are defined in double, as log and pow are too, or not worth it. */
enum presil_dsp_f32_function {
  PRESIL_DSP_CLAMP = 0,
  PRESIL_DSP_LEAKY_RELU = 1,
  PRESIL_DSP_HARD_SWISH = 2,
  PRESIL_DSP_LOGISTIC = 3,
  PRESIL_DSP_TANH = 4,
  PRESIL_DSP_ELU = 5,
  PRESIL_DSP_GELU_TANH = 7,
  PRESIL_DSP_EXP = 8,
  PRESIL_DSP_LOG = 9,
  PRESIL_DSP_ABS = 12,
  PRESIL_DSP_NEG = 13,
  PRESIL_DSP_SQRT = 10,
  PRESIL_DSP_RSQRT = 11,
  PRESIL_DSP_SQUARE = 14,
  PRESIL_DSP_FLOOR = 17,
  PRESIL_DSP_CEIL = 18,
  PRESIL_DSP_ROUND = 19
};

/* function_f32 {x f32} {y f32}, any strides. */
typedef struct presil_dsp_function_f32 {
  uint32_t function; /* enum presil_dsp_f32_function */
  float slope;       /* leaky relu */
  float low, high;   /* clamp: low is finite, high may be infinite */
} presil_dsp_function_f32;

enum presil_dsp_f32_pair {
  PRESIL_DSP_ADD = 0,
  PRESIL_DSP_SUB = 1,
  PRESIL_DSP_MUL = 2,
  PRESIL_DSP_DIV = 3,
  PRESIL_DSP_MAXIMUM = 4,
  PRESIL_DSP_MINIMUM = 5,
  PRESIL_DSP_SQUARED_DIFFERENCE = 6,
  PRESIL_DSP_POW = 7,  /* without a clamp */
  PRESIL_DSP_PRELU = 8 /* a from 0 on, else a * b */
};
/* One exponent for all that is whole, from 2 up to this, takes few products. */
#define PRESIL_DSP_WHOLE_POWERS 4

/* pair_f32 {a f32, b f32} {y f32}, any strides, broadcast as in numpy. A row of so many elements
 * for all rows costs as a tensor of y's shape does, where the others are dense. */
#define PRESIL_DSP_SHORT_ROW 256
typedef struct presil_dsp_pair_f32 {
  uint32_t function; /* enum presil_dsp_f32_pair */
  float low, high;   /* clamp; infinite: none */
} presil_dsp_pair_f32;

/* softmax_f32 {x f32} {y f32}, rows. */
typedef struct presil_dsp_softmax_f32 {
  float beta;
} presil_dsp_softmax_f32;

/* layer_norm_f32 {x f32, gamma f32 [n], beta f32 [n]} {y f32}, rows of n. */
typedef struct presil_dsp_layer_norm_f32 {
  float epsilon;
} presil_dsp_layer_norm_f32;

/* Many to one: {x} {y}, y as x, but of extent 1 on the axes that go (as many as they are); any
 * strides.
 * reduce {x i8|u8|i16|i32} {y: largest and smallest as x, sums i32, scaled i8|i16}; scaled: sum and
 * mean as presil_mean_attributes of the host's kernels. reduce_f32 {x f32} {y f32}: scaled is the
 * mean. */
enum presil_dsp_reduction {
  PRESIL_DSP_REDUCE_SUM = 0,
  PRESIL_DSP_REDUCE_MAX = 1,
  PRESIL_DSP_REDUCE_MIN = 2,
  PRESIL_DSP_REDUCE_SCALED = 3
};
typedef struct presil_dsp_reduce {
  uint32_t function; /* enum presil_dsp_reduction; those below are of scaled */
  /* 0 double: multiplier and shift (positive is left); 1 float: multiplier is bits, the zero point
   * is added before rounding; 2 float, it is added after */
  uint32_t rule;
  int32_t multiplier, shift;
  int32_t in_zero, out_zero;
} presil_dsp_reduce;

typedef struct presil_dsp_reduce_f32 {
  uint32_t function; /* enum presil_dsp_reduction */
} presil_dsp_reduce_f32;

/* arg {x i8|i16|i32|f32} {y i32|i64}: likewise along one axis; of int8 at most 65536. */
typedef struct presil_dsp_arg {
  uint32_t axis;
  uint32_t smallest; /* 1: the smallest, 0: the largest */
} presil_dsp_arg;

/* top_k {x i8|i16|f32, rows} {y as x, indices i32: rows of k}: largest first; k is y's. */
typedef struct presil_dsp_top_k {
  uint32_t reserved; /* 0 */
} presil_dsp_top_k;

/* conv2d_f32 {x f32 [n, h, w, c], weights f32 [k, kh, kw, c / groups], bias f32 [k] or no third}
 * {y f32 [n, oh, ow, k]}, or rows: {x [n, c], weights [k, c], bias} {y [n, k]}: fully connected.
 * depthwise_conv2d_f32 {x, weights [1, kh, kw, k], bias or none} {y}, groups do not count. Any
 * strides; weights should be dense along k. pool_f32 {x} {y}. */
typedef struct presil_dsp_window {
  uint32_t stride_h, stride_w, dilation_h, dilation_w; /* of pooling: dilation 1 */
  int32_t pad_top, pad_left;
  uint32_t groups;
  float low, high; /* clamp; infinite: none */
} presil_dsp_window;

/* depthwise_conv2d_i8 {x i8 [n, h, w, c], weights i8 [1, kh, kw, c], terms i32 [4, c]} {y i8}: one
 * filter a channel, zero points of weights 0, channels dense. terms: bias, multiplier (xnnpack: a
 * float32's bits), shift to the left, to the right; each 0..31. The window's groups and clamp do
 * not count. */
typedef struct presil_dsp_depthwise_i8 {
  presil_dsp_window window;
  uint32_t rule; /* 0 double, 1 float */
  int32_t in_zero, out_zero, act_min, act_max;
} presil_dsp_depthwise_i8;

typedef struct presil_dsp_pool_f32 {
  presil_dsp_window window;
  uint32_t kernel_h, kernel_w;
  uint32_t average; /* 0: the largest */
} presil_dsp_pool_f32;

/* Bytes of runs that are moved many at a time: where all lies at multiples of 4, and elsewhere. */
#define PRESIL_DSP_SHORT_WORDS 256
#define PRESIL_DSP_SHORT_BYTES 128
/* Rows of bytes that a transpose stores as runs, a column a run. */
#define PRESIL_DSP_FEW_ROWS 4

/* What moves: types of 8, 16 or 32 bits, the same in and out, any strides; as the host's.
 * transpose {x} {y}: y axis i is x axis perm[i]. concat {x0 .. xk-1} {y}. pad {x} {y}.
 * strided_slice {x} {y}, same rank: y element i is x[begin + i * step]. gather {x, indices i32}
 * {y}, dense. */
typedef struct presil_dsp_transpose {
  uint32_t perm[6];
} presil_dsp_transpose;

typedef struct presil_dsp_concat {
  uint32_t axis;
} presil_dsp_concat;

typedef struct presil_dsp_pad {
  uint32_t before[6];
  int32_t value; /* as stored */
} presil_dsp_pad;

typedef struct presil_dsp_strided_slice {
  int32_t begin[6];
  int32_t step[6];
} presil_dsp_strided_slice;

typedef struct presil_dsp_gather {
  uint32_t axis;
  uint32_t batch_dims;
} presil_dsp_gather;

/* resize_bilinear_i8 {x i8 [.., h, w, c]} {y i8 [.., oh, ow, c]}, resize_bilinear_f32 of f32,
 * resize_nearest of any type of at most 32 bits; channels dense, at most 4096 columns. */
typedef struct presil_dsp_resize {
  uint32_t align_corners;
  uint32_t half_pixel_centers;
  uint32_t numerics; /* of bilinear_i8: 0 tflite, 1 xnnpack */
  /* y is some rows of an image, and x those that they are made of: the first of each, and how many
   * the images have. No rows: x and y are all. */
  struct presil_dsp_resize_part {
    int32_t y_first, x_first;
    int32_t y_rows, x_rows;
  } part;
} presil_dsp_resize;

/* Floats times int8 weights ("dynamic range"): compiler_bridge/reference/dynamic_range.h and
 * operators/hybrid.cpp have the arithmetic; numbers of inputs and orders are those of enum
 * presil_hybrid_input and presil_hybrid_order of the host's kernels.
 *
 * dynamic_range {x f32 [.., n]} {ranges f32 [.., 2]}: of each row the least and the largest of it
 * and 0, or, together, of all rows that there are, for each. dynamic_scale {ranges f32 [.., 2]}
 * {scales f32 [r, 4]}: presil_dsp_dynamic_steps of each row, or (r = 1) of all. All dense. */
typedef struct presil_dsp_dynamic_steps {
  float inverse; /* steps in 1 */
  float step;
  int32_t zero;
  int32_t reserved; /* 0 */
} presil_dsp_dynamic_steps;
enum presil_dsp_dynamic_input {
  PRESIL_DSP_SYMMETRIC = 0,
  PRESIL_DSP_ASYMMETRIC = 1,
  PRESIL_DSP_QD8 = 2
};
enum presil_dsp_dynamic_order {
  PRESIL_DSP_BOTH_SCALES = 0,
  PRESIL_DSP_WEIGHT_SCALE = 1,
  PRESIL_DSP_IN_FOURS = 2,
  PRESIL_DSP_FUSED = 3
};
typedef struct presil_dsp_dynamic_range {
  uint32_t together;
} presil_dsp_dynamic_range;
typedef struct presil_dsp_dynamic_scale {
  uint32_t input; /* enum presil_dsp_dynamic_input */
} presil_dsp_dynamic_scale;

/* Bytes that the DLA multiplies lie dense, [rows, columns, channels], or in its blocks, [1, blocks,
 * rows, columns, 16], of which columns are dense; more channels than x has are left as they are.
 * Margins around x are zero points: rows of y begin pad_top rows above those of x.
 *
 * dynamic_bytes {x f32 [h, w, c], scales f32 [1 or h w, 4]} {y i8}. */
typedef struct presil_dsp_dynamic_bytes {
  uint32_t input; /* enum presil_dsp_dynamic_input */
  int32_t pad_top, pad_left;
} presil_dsp_dynamic_bytes;

/* Sums of the DLA, int32, as bytes: 16 channels of a pixel are four columns of 16 bytes.
 *
 * dynamic_result {sums i8 [h, 4 w, 16 b] or [1, b, h, 4 w, 16], scales as above, terms i32 [3, 16
 * b]} {y f32 [h, w, c], dense}. terms: sum of a channel's weights; their scale and the bias, bits
 * of float32. */
typedef struct presil_dsp_dynamic_result {
  uint32_t order; /* enum presil_dsp_dynamic_order */
  float low, high;
} presil_dsp_dynamic_result;

/* int16 times int8 weights. wide_bytes {x i16 [h, w, c]} {high i8, low i8}, as of dynamic_bytes but
 * without margins: the upper byte, and the lower one less 128.
 *
 * wide_result {sums of high, sums of low + 128, terms i32 [4, 16 b]} {y i16 [h, w, c], dense}; sums
 * as of dynamic_result. terms by rule:
 *   wide        m, 0..32767; the lower and the upper half of bias * m + 2^(n - 1); n, 1..63.
 *               within words: the same of sums that int32 holds before the bias
 *   double      multiplier; bias; shift to the left; to the right
 *   double_up, once  multiplier; the lower and the upper half of the bias; shift, positive is left
 */
enum presil_dsp_wide_rule {
  PRESIL_DSP_WIDE = 0,
  PRESIL_DSP_WIDE_WITHIN_WORDS = 1,
  PRESIL_DSP_WIDE_DOUBLE = 2,
  PRESIL_DSP_WIDE_DOUBLE_UP = 3,
  PRESIL_DSP_WIDE_ONCE = 4
};
typedef struct presil_dsp_wide_result {
  uint32_t rule; /* enum presil_dsp_wide_rule */
  int32_t act_min, act_max;
} presil_dsp_wide_result;

/* TFLite's LSTM of int8 with a cell state of int16; presil_lstm_attributes of the host's kernels
 * has the arithmetic.
 *
 * lstm_i8 {x i8 [b, t, n] or, time_major, [t, b, n], weights i16 [n + u, 4 u], terms i32 [7, 4 u],
 * sigmoid i32 [256], h i8 [b, u], c i16 [b, u]} {y i8 [.., u], h, c}; all dense. Lanes are the
 * units of the input gate, the forget gate, the output gate, the cell gate. terms: bias; of x, then
 * of h, multiplier, shift to the left, shift to the right. */
enum presil_dsp_lstm_most {
  PRESIL_DSP_LSTM_INPUTS = 4096,
  PRESIL_DSP_LSTM_UNITS = 1024,
  PRESIL_DSP_LSTM_TERMS = 7
};
typedef struct presil_dsp_lstm_i8 {
  uint32_t time_major;
  uint32_t plain; /* 1: no shift of terms is to the left, all are to the right by 1 or more */
  int32_t in_zero, hidden_zero;
  int32_t forget_multiplier, forget_shift; /* of the forget gate times the cell; < 0 is right */
  int32_t update_multiplier, update_shift; /* of the input gate times the cell gate */
  int32_t hidden_multiplier, hidden_shift; /* of the output gate times tanh of the cell */
  int32_t cell_power;                      /* -15..-9: the cell's scale is 2^cell_power */
  int32_t cell_clip;                       /* 0..32767; 0: none */
} presil_dsp_lstm_i8;

#endif
