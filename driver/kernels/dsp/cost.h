/* Cycles of each kernel, from its first instruction to its return, as a function of the shape: what
 * a compiler estimates with. C11 and C++17.
 *
 * For VLEN 512, DLEN 256, tensors dense in SRAM, no other engine at it. Measured on the model;
 * tests/dsp_kernels keeps each within 15 % of it where a command takes 1000 cycles or more. */
#ifndef PRESIL_DRIVER_DSP_COST_H
#define PRESIL_DRIVER_DSP_COST_H

#include <stdint.h>

#include "driver/kernels/dsp/params.h"

/* Into the kernel and out of it, with two tensors. */
#define PRESIL_DSP_CYCLES_ENTRY 500u

/* `runs` stretches of `run` elements that lie dense (walk.h); 1 for dense tensors. */
static inline uint64_t presil_dsp_cycles_table_i8(uint64_t runs, uint64_t run) {
  return PRESIL_DSP_CYCLES_ENTRY + runs * (40 + run * 5 / 32);
}

/* Rows along the last axis: side by side, 64 at once or as many as have room; `e_64` of 64
 * elements. */
static inline uint64_t presil_dsp_cycles_rows(uint64_t rows, uint64_t depth, uint64_t start,
                                              uint64_t column, uint64_t e_64) {
  const uint64_t fit = 21504 / depth, most = fit < 64 ? fit : 64, parts = (rows + most - 1) / most;
  return parts * (start + depth * (column + e_64 * ((rows + parts - 1) / parts) / 64));
}
/* Are elements looked up by gathers (softmax_rows.h)? */
static inline int presil_dsp_softmax_gathers(uint64_t rows, uint64_t depth) {
  return depth > 2 && rows * depth >= 1536;
}
static inline uint64_t presil_dsp_cycles_softmax_i8(uint64_t rows, uint64_t depth) {
  const uint64_t begin = PRESIL_DSP_CYCLES_ENTRY + 450;
  if (depth == 2 && rows >= 512) return begin + 2450 + rows * 19 / 40;
  if (depth >= 128 && depth <= 1024 && rows >= (depth < 384 ? 8 : 32)) {
    return begin + 700 + (rows + 63) / 64 * (600 + depth * 2) + rows * (125 + depth * 9 / 10);
  }
  if (depth >= 384) return begin + rows * (470 + depth * 4 / 5);
  if (rows < 8) return begin + rows * (140 + depth * 5 / 2);
  return presil_dsp_softmax_gathers(rows, depth)
             ? begin + 180 + presil_dsp_cycles_rows(rows, depth, 650, 13, 71)
             : begin + presil_dsp_cycles_rows(rows, depth, 400, 20, 88);
}
static inline uint64_t presil_dsp_cycles_softmax_table_i8(uint64_t rows, uint64_t depth) {
  const uint64_t begin = PRESIL_DSP_CYCLES_ENTRY + 480;
  if (depth == 2 && rows >= 512) return begin + 2060 + rows * 19 / 40;
  if (rows < 6 || depth > 3584) return begin + rows * (290 + depth * 43 / 10);
  return presil_dsp_softmax_gathers(rows, depth)
             ? begin + 180 + presil_dsp_cycles_rows(rows, depth, 600, 13, 62)
             : begin + presil_dsp_cycles_rows(rows, depth, 300, 13, 88);
}

/* Cycles per 100 elements. */
enum presil_dsp_cost {
  PRESIL_DSP_TABLE_I8 = 16,
  PRESIL_DSP_ADD_I8_TFLITE = 204,
  PRESIL_DSP_ADD_I8_XNNPACK = 122,
  PRESIL_DSP_MUL_I8_TFLITE = 113,
  PRESIL_DSP_MUL_I8_XNNPACK = 114,
  PRESIL_DSP_SQUARED_DIFFERENCE_I8 = 165,
  PRESIL_DSP_PRELU_I8 = 210,
  PRESIL_DSP_LARGER_I8 = 10,
  PRESIL_DSP_ADD_I8_TFLITE_SHARED = 126, /* presil_dsp_cycles_shared */
  PRESIL_DSP_ADD_I8_XNNPACK_SHARED = 97,
  PRESIL_DSP_MUL_I8_TFLITE_SHARED = 105,
  PRESIL_DSP_MUL_I8_XNNPACK_SHARED = 105,
  PRESIL_DSP_SQUARED_DIFFERENCE_I8_SHARED = 95,
  PRESIL_DSP_PRELU_I8_SHARED = 200,
  PRESIL_DSP_QUANTISE_TFLITE = 89,
  PRESIL_DSP_QUANTISE_XNNPACK = 51,
  PRESIL_DSP_DEQUANTISE = 32,
  PRESIL_DSP_REQUANTISE = 125,
  PRESIL_DSP_CAST_WHOLE = 37,  /* integers to any, floats to floats */
  PRESIL_DSP_CAST_WORDS = 45,  /* floats to int32 */
  PRESIL_DSP_CAST_FLOATS = 63, /* to fewer bits */
  PRESIL_DSP_CAST_TRUTH = 70,  /* of or to bool */
  PRESIL_DSP_FUNCTION_CLAMP = 26,
  PRESIL_DSP_FUNCTION_EXP = 290,
  PRESIL_DSP_FUNCTION_LOGISTIC = 515,
  PRESIL_DSP_FUNCTION_TANH = 497,
  PRESIL_DSP_FUNCTION_GELU = 578,
  PRESIL_DSP_FUNCTION_LOG = 1160,
  PRESIL_DSP_FUNCTION_LEAKY_RELU = 62,
  PRESIL_DSP_FUNCTION_HARD_SWISH = 265,
  PRESIL_DSP_FUNCTION_ELU = 370,
  PRESIL_DSP_FUNCTION_SQRT = 215,
  PRESIL_DSP_FUNCTION_RSQRT = 415,
  PRESIL_DSP_FUNCTION_SQUARE = 40,
  PRESIL_DSP_FUNCTION_ROUND = 90, /* floor, ceil */
  PRESIL_DSP_PAIR_F32 = 39,
  PRESIL_DSP_PAIR_F32_DIV = 232,
  PRESIL_DSP_PRELU_F32 = 55,
  PRESIL_DSP_PAIR_F32_CLAMP = 19, /* more, of two bounds */
  PRESIL_DSP_POWER_F32 = 2820,
  PRESIL_DSP_POWER_F32_WHOLE = 510, /* presil_dsp_pair_f32: one exponent of few */
  PRESIL_DSP_DOUBLE_F32 = 650000,   /* a log or power that is computed in double */
  PRESIL_DSP_TRANSPOSE_I8 = 16,     /* of bytes; wider elements and fewer than 32 rows: 100 */
  PRESIL_DSP_MOVE_BYTES = 6         /* concat, pad, strided_slice, gather: of bytes in dense runs */
};
/* What works element by element: `runs` stretches of `run` that lie dense in all tensors, or are
 * one element for all. Short ones take as long as the way to the next. */
static inline uint64_t presil_dsp_cycles_elements(uint64_t runs, uint64_t run,
                                                  uint32_t per_hundred) {
  const uint64_t own = 40 + run * per_hundred / 100, least = runs > 1 ? 118 : 0;
  return PRESIL_DSP_CYCLES_ENTRY + runs * (own < least ? least : own);
}

/* Pairs of int8 with an operand that is one value for each of `rows` of `run` elements; no rows:
 * one row for all. It is written out (pairs.h). */
static inline uint64_t presil_dsp_cycles_shared(uint64_t rows, uint64_t run, uint32_t per_hundred) {
  const uint64_t n = rows == 0 ? run : rows * run;
  return PRESIL_DSP_CYCLES_ENTRY + 300 + n * per_hundred / 100 + rows * (5 + run / 8);
}

/* What moves (moves.h), without PRESIL_DSP_CYCLES_ENTRY: `runs` stretches of so many bytes that are
 * dense there and here; x[r, c] to y[c, r], bytes, so many times; else `runs` stretches of `run`
 * elements, one by one. A fill goes before a pad. */
static inline uint64_t presil_dsp_cycles_moved_runs(uint64_t runs, uint64_t bytes) {
  const uint64_t own = bytes * PRESIL_DSP_MOVE_BYTES / 100;
  return runs * (own < 40 ? 40 : own);
}
/* The same where `together` runs, one or more, come one after another at equal distances; `words`:
 * all lies at multiples of 4. Short ones go through the fields of registers. */
static inline uint64_t presil_dsp_cycles_moved_short_runs(uint64_t runs, uint64_t bytes,
                                                          uint64_t together, uint32_t words) {
  const uint64_t most = words != 0 && bytes > 4 ? PRESIL_DSP_SHORT_WORDS : PRESIL_DSP_SHORT_BYTES;
  const uint64_t units = words != 0 && bytes > 4 ? bytes / 4 : bytes;
  const uint64_t some = units >= 8 ? 8 : units >= 4 ? 4 : 2; /* fields of a piece */
  if (together < 2 || bytes < 2 || bytes > most) return presil_dsp_cycles_moved_runs(runs, bytes);
  const uint64_t own = 10 + together * ((units + some - 1) / some) * 9 / 4;
  return 170 + runs / together * (own < 100 ? 100 : own);
}
static inline uint64_t presil_dsp_cycles_transposed_bytes(uint64_t times, uint64_t rows,
                                                          uint64_t columns) {
  if (rows <= PRESIL_DSP_FEW_ROWS && columns > rows) {
    return times * (50 + columns * (rows == 3 ? 8 : 6) / 5); /* three: banks are met twice */
  }
  const uint64_t parts = (rows + 63) / 64, own = 5 + rows / parts * 6 / 5;
  return times * (50 + parts * ((columns + 7) / 8) * (own < 28 ? 28 : own));
}
static inline uint64_t presil_dsp_cycles_moved_elements(uint64_t runs, uint64_t run) {
  return runs * (run < 30 ? 60 : 2 * run);
}
static inline uint64_t presil_dsp_cycles_filled(uint64_t bytes) {
  return 80 + bytes * 32 / 100;
}

/* Rows along the last axis. */
static inline uint64_t presil_dsp_cycles_softmax_f32(uint64_t rows, uint64_t depth) {
  return PRESIL_DSP_CYCLES_ENTRY + rows * (215 + depth * 17 / 5);
}

static inline uint64_t presil_dsp_cycles_layer_norm_f32(uint64_t rows, uint64_t depth) {
  return PRESIL_DSP_CYCLES_ENTRY + rows * (46 + depth * 71 / 50);
}

/* Many elements to one. Lanes: `lanes` vectors of 64 results (of floats 128) with `terms` elements
 * each; cycles of a vector of elements. */
enum presil_dsp_cost_lanes {
  PRESIL_DSP_SUM_I8 = 5, /* presil_dsp_cycles_reduce_i8 */
  PRESIL_DSP_ARG_I8 = 9,
  PRESIL_DSP_WORDS = 24, /* reduce of other types or functions */
  PRESIL_DSP_ARG_WORDS = 22
};
static inline uint64_t presil_dsp_cycles_reduce_i8(uint64_t lanes, uint64_t terms,
                                                   uint32_t cycles) {
  return PRESIL_DSP_CYCLES_ENTRY + lanes * (100 + terms * cycles);
}
static inline uint64_t presil_dsp_cycles_reduce(uint64_t lanes, uint64_t terms, uint32_t cycles) {
  return PRESIL_DSP_CYCLES_ENTRY + lanes * (150 + terms * cycles);
}
static inline uint64_t presil_dsp_cycles_reduce_f32(uint64_t lanes, uint64_t terms) {
  return PRESIL_DSP_CYCLES_ENTRY + lanes * (1030 + terms * 32);
}
/* Largest of int8: `runs` times so many results side by side; or rows of terms, alone. */
static inline uint64_t presil_dsp_cycles_most_i8(uint64_t runs, uint64_t lanes, uint64_t terms) {
  const uint64_t beats = lanes / 32;
  return PRESIL_DSP_CYCLES_ENTRY +
         runs * (80 * ((lanes + 511) / 512) + terms * (beats < 10 ? 10 : beats));
}
static inline uint64_t presil_dsp_cycles_most_i8_rows(uint64_t rows, uint64_t terms) {
  return PRESIL_DSP_CYCLES_ENTRY + rows * (52 + terms / 30);
}
/* Where the largest of int8 is, of rows side by side: fewer terms than 8 come one by one. */
static inline uint64_t presil_dsp_cycles_arg_rows_i8(uint64_t rows, uint64_t terms) {
  const uint64_t loads = terms < 8 ? terms : (terms + 7) / 8;
  return PRESIL_DSP_CYCLES_ENTRY + (rows + 63) / 64 * (24 + 64 * loads);
}
/* Where the last axis goes: rows of terms; cycles per 256 elements of a row. */
enum presil_dsp_cost_rows {
  PRESIL_DSP_ROW_SUM_I8 = 21,
  PRESIL_DSP_ROW_SUM_F32 = 59,
  PRESIL_DSP_ROW_MOST_F32 = 23,
  PRESIL_DSP_ROW_ARG_I8 = 31,
  PRESIL_DSP_ROW_ARG_F32 = 87
};
static inline uint64_t presil_dsp_cycles_reduce_rows(uint64_t rows, uint64_t terms,
                                                     uint32_t cycles) {
  return PRESIL_DSP_CYCLES_ENTRY + rows * (130 + terms * cycles / 256);
}

/* Floats of images, up to 64 channels of y at a time: pixels of y, taps inside the image (of all
 * pixels), channels of x (of a group), pixels of a line. Of few channels a scalar for each product
 * decides, of some pixels are lanes: of PRESIL_DSP_LINE_MOST, where lines have
 * PRESIL_DSP_LINE_SHORTEST for each eight. Weights that are apart are laid out first. */
enum presil_dsp_cost_lines { PRESIL_DSP_LINE_MOST = 24, PRESIL_DSP_LINE_SHORTEST = 5 };
static inline uint64_t presil_dsp_cycles_lanes_f32(uint64_t pixels, uint64_t lanes, uint64_t taps,
                                                   uint64_t depth, uint64_t length) {
  const uint64_t eights = (lanes + 7) / 8;
  uint64_t hundredths = 100 + lanes * 13;
  if (pixels == 1) {
    hundredths = lanes < 28 ? 700 : 350 + lanes * 13;
  } else if (lanes <= PRESIL_DSP_LINE_MOST) {
    if (length < 4) {
      hundredths = 1200;
    } else if (length < PRESIL_DSP_LINE_SHORTEST * eights) {
      hundredths = 640;
    } else {
      hundredths = length < 20 ? eights * (30 + 2000 / length) : eights * 130;
    }
  }
  return pixels * (lanes <= PRESIL_DSP_LINE_MOST ? 11 : 24) + taps * (2 + depth * hundredths / 100);
}
static inline uint64_t presil_dsp_cycles_conv2d_f32(uint64_t pixels, uint64_t channels,
                                                    uint64_t taps, uint64_t depth,
                                                    uint64_t length) {
  const uint64_t rest = channels % 64;
  return PRESIL_DSP_CYCLES_ENTRY +
         channels / 64 * presil_dsp_cycles_lanes_f32(pixels, 64, taps, depth, length) +
         (rest != 0 ? presil_dsp_cycles_lanes_f32(pixels, rest, taps, depth, length) : 0);
}
enum presil_dsp_cost_pixel { PRESIL_DSP_PIXEL_DEPTHWISE = 34, PRESIL_DSP_PIXEL_AVERAGE = 97 };
static inline uint64_t presil_dsp_cycles_taps_f32(uint64_t pixels, uint64_t channels, uint64_t taps,
                                                  uint32_t pixel) {
  return PRESIL_DSP_CYCLES_ENTRY + (channels + 63) / 64 * (pixels * pixel + taps * 18);
}
/* The same of int8, depthwise. */
static inline uint64_t presil_dsp_cycles_depthwise_i8(uint64_t pixels, uint64_t channels,
                                                      uint64_t taps) {
  const uint64_t lanes = channels < 64 ? channels : 64;
  return PRESIL_DSP_CYCLES_ENTRY + (channels + 63) / 64 * (pixels * 140 + taps * (12 + lanes / 16));
}
static inline uint64_t presil_dsp_cycles_top_k(uint64_t rows, uint64_t n, uint64_t k) {
  const uint64_t own = k < n / 3 ? n * 2 + k * 147 : 1000 + n * 95;
  return PRESIL_DSP_CYCLES_ENTRY + rows * (own + (n > 8960 ? n * 60 : 0)); /* more than a roomful */
}

/* Pixels and columns of y, bytes of a pixel; rows of y that are alike, `alike` of them, are
 * computed once. */
static inline uint64_t presil_dsp_cycles_resize_nearest(uint64_t pixels, uint64_t columns,
                                                        uint64_t channels, uint64_t alike) {
  const uint64_t own = pixels / alike;
  return PRESIL_DSP_CYCLES_ENTRY + 40 * columns + own * (3 + channels / 17) +
         (pixels - own) * channels / 15;
}
/* Pixels of y; those of rows of x that are as wide; columns of y; cycles per 100 values of y and
 * 64 channels of a pixel of such a row. */
enum presil_dsp_cost_bilinear {
  PRESIL_DSP_BILINEAR_I8_TFLITE = 95,
  PRESIL_DSP_BILINEAR_I8_XNNPACK = 71,
  PRESIL_DSP_BILINEAR_I8_TFLITE_SHORT = 39, /* weights of few bits: twice, four times as large */
  PRESIL_DSP_BILINEAR_I8_XNNPACK_SHORT = 31,
  PRESIL_DSP_BILINEAR_I8_TFLITE_PHASES = 33,
  PRESIL_DSP_BILINEAR_I8_XNNPACK_PHASES = 23,
  PRESIL_DSP_BILINEAR_F32 = 53,
  PRESIL_DSP_BILINEAR_I8_PIXEL = 27,
  PRESIL_DSP_BILINEAR_I8_PIXEL_SHORT = 22,
  PRESIL_DSP_BILINEAR_F32_PIXEL = 31
};
static inline uint64_t presil_dsp_cycles_resize_bilinear(uint64_t pixels, uint64_t wide,
                                                         uint64_t columns, uint64_t channels,
                                                         uint32_t per_hundred, uint32_t per_pixel) {
  return PRESIL_DSP_CYCLES_ENTRY + 60 * columns + pixels * channels * per_hundred / 100 +
         wide * per_pixel * ((channels + 63) / 64);
}

/* Twice, four or eight times as wide, lines by phases: as above. */
static inline uint64_t presil_dsp_cycles_resize_phases(uint64_t pixels, uint64_t wide,
                                                       uint64_t columns, uint64_t channels,
                                                       uint32_t per_hundred) {
  return PRESIL_DSP_CYCLES_ENTRY + 200 + pixels / columns * 130 + wide / columns * 126 +
         pixels * channels * per_hundred / 100 + wide * channels * 21 / 100;
}

/* Rows of all anchors. */
static inline uint64_t presil_dsp_cycles_yolo_decode(uint64_t rows, uint64_t classes) {
  return PRESIL_DSP_CYCLES_ENTRY + 1500 + rows * (5 + classes) * 12 / 5;
}

static inline uint64_t presil_dsp_cycles_box_decode(uint64_t boxes, uint64_t classes,
                                                    uint64_t channels_last) {
  const uint64_t best = channels_last != 0 ? boxes * classes * 14 / 100 : boxes * classes * 9 / 100;
  return PRESIL_DSP_CYCLES_ENTRY + 200 + best + boxes * (channels_last != 0 ? 8 : 6);
}

/* What the data decide: scores above the limit and, of these, boxes that are taken. */
static inline uint64_t presil_dsp_cycles_nms(uint64_t rows, uint64_t classes, uint64_t candidates,
                                             uint64_t taken) {
  const uint64_t floats = rows * (classes < 16 ? 4 + classes : classes);
  const uint64_t pairs = candidates * taken - taken * taken / 2;
  return PRESIL_DSP_CYCLES_ENTRY + 500 + floats * 5 / 32 + candidates * 90 + taken * 150 +
         (classes == 1 ? pairs * 4 / 3 : 3 * pairs / classes);
}

/* Boxes that are looked at until enough are taken: about as many as are taken, or more. */
static inline uint64_t presil_dsp_cycles_detection_post_process(uint64_t boxes, uint64_t classes,
                                                                uint64_t candidates,
                                                                uint64_t looked_at) {
  return PRESIL_DSP_CYCLES_ENTRY + boxes * ((classes + 7) / 8) * 107 / 100 + candidates * 9 / 4 +
         looked_at * 1300;
}

/* Floats to bytes and sums to floats: ranges of so many elements, together or each; ranges, and
 * scales made of them; pixels of so many channels, whether each has its own scale. */
static inline uint64_t presil_dsp_cycles_dynamic_range(uint64_t ranges, uint64_t length,
                                                       uint32_t together) {
  if (together != 0) return PRESIL_DSP_CYCLES_ENTRY + ranges * 6 + ranges * length * 24 / 100;
  return PRESIL_DSP_CYCLES_ENTRY + ranges * ((length > 64 ? 90 : 27) + length * 31 / 100);
}
static inline uint64_t presil_dsp_cycles_dynamic_scale(uint64_t ranges, uint64_t scales,
                                                       uint32_t input) {
  const uint64_t found = ranges == scales ? 0 : 60 + ranges * 4;
  return PRESIL_DSP_CYCLES_ENTRY + found +
         (input == PRESIL_DSP_ASYMMETRIC ? scales * 1490 : (scales + 31) / 32 * 327);
}
static inline uint64_t presil_dsp_cycles_dynamic_bytes(uint64_t pixels, uint64_t channels,
                                                       uint32_t by_pixel, uint32_t input) {
  const uint64_t apart = by_pixel != 0 || channels % 16 != 0 ? (channels + 63) / 64 * 12 : 0;
  return PRESIL_DSP_CYCLES_ENTRY + pixels * apart +
         pixels * channels * (input == PRESIL_DSP_QD8 ? 72 : 104) / 100;
}
static inline uint64_t presil_dsp_cycles_dynamic_result(uint64_t pixels, uint64_t channels,
                                                        uint32_t by_pixel, uint32_t order) {
  const uint64_t blocks = (channels + 15) / 16;
  const uint64_t two = order == PRESIL_DSP_WEIGHT_SCALE || order == PRESIL_DSP_IN_FOURS ? 11 : 0;
  return PRESIL_DSP_CYCLES_ENTRY + blocks * (30 + pixels * (43 + two + (by_pixel ? 4 : 0)) / 2);
}

/* int16 to bytes, and back: pixels of so many channels. */
static inline uint64_t presil_dsp_cycles_wide_bytes(uint64_t pixels, uint64_t channels) {
  const uint64_t apart = channels % 16 != 0 ? 8 : 0;
  return PRESIL_DSP_CYCLES_ENTRY + pixels * apart + pixels * channels * 40 / 100;
}
static inline uint64_t presil_dsp_cycles_wide_result(uint64_t pixels, uint64_t channels,
                                                     uint32_t rule) {
  if (rule > PRESIL_DSP_WIDE_DOUBLE) return PRESIL_DSP_CYCLES_ENTRY + pixels * channels * 98;
  const uint64_t pixel = rule == PRESIL_DSP_WIDE_WITHIN_WORDS ? 47 : 95;
  return PRESIL_DSP_CYCLES_ENTRY + (channels + 15) / 16 * (30 + pixels * pixel);
}

/* `steps` of all batches. */
static inline uint64_t presil_dsp_cycles_lstm_i8(uint64_t steps, uint64_t inputs, uint64_t units) {
  return PRESIL_DSP_CYCLES_ENTRY + 900 +
         steps * (230 + (inputs + units) * units * 52 / 100 + units * 31 / 2);
}

#endif
