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

/* yolo_decode {head i8 [1, h, w, A (5 + C)], sigmoid f32 [256], exp f32 [256]} {rows f32 [h w A,
 * 4 + C]}: as the host's; tables dense, by the value as uint8. */
#define PRESIL_DSP_MAX_ANCHORS 16
typedef struct presil_dsp_yolo_decode {
  uint32_t stride;
  uint32_t classes;
  uint32_t anchors;                             /* A, 1..16 */
  float anchor_size[PRESIL_DSP_MAX_ANCHORS][2]; /* width, height */
} presil_dsp_yolo_decode;

/* nms {tables f32 [ni, 4 + classes], 1 to 14 of them} {detections f32 [max, 6], dense, count i32
 * [1]}: rows of all tables << bits of a class: below 2^32. No scratch. */
#define PRESIL_DSP_NMS_MAX 512
typedef struct presil_dsp_nms {
  float score;
  float iou;        /* 0 or more */
  uint32_t max;     /* 1..PRESIL_DSP_NMS_MAX */
  uint32_t classes; /* 1..65535 */
} presil_dsp_nms;

/* detection_post_process {boxes i8 [1, n, 4 or more], scores i8 [1, n, classes or one more in
 * front], anchors f32 [n, 4], tables of 64 bits [4, 256]} {y f32 [1, m, 4], classes f32 [1, m],
 * scores f32 [1, m], count f32 [1]}, results dense, m = max * classes_per_box, n < 2^20. Tables, by
 * the value q as uint8, with v = float(q - box_zero) * box_scale and e the exponential of
 * driver/kernels/attributes.h: v / y_scale; v / x_scale; 0.5 * e(v / h_scale); 0.5 * e(v /
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

#endif
