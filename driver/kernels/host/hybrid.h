// Activations of float, weights of int8 (dynamic range), as TFLite's kernels and XNNPACK's qd8 ones
// compute them. Of an image, or a row of a fully connected layer, bytes q in steps s from a zero
// point z are found; acc = sum of (q - z) * w, int32, wrapping, taps outside the image left out;
// from it, s, the channel's weight scale s_w and the bias y is made, then the clamp.
//
// enum presil_hybrid_input; m, M: least and largest of 0 and x, what is no number left out; r = M -
// m; of r = 0: q = z, z = 0 but of QD8, s = 1; q of what is no number is z; cut(v): v + 0.5 with
// the sign of v, single precision, towards zero
//   SYMMETRIC   a = largest magnitude; q = cut(x * (127 / a)), -127..127; s = a / 127; z = 0
//   ASYMMETRIC  in double: t = r / 255, z = -128 - m / t where 128 + |m / t| < 127 + |M / t|, else
//               127 - M / t, -128..127, halves away from zero. s = float of t; q = z + cut(x * (1 /
//               s)), -128..127
//   QD8         t = 255 / r, 1 of r = 0; z = -128 - m * t where (-128 + m * t) + (127 + M * t) > 0,
//               else 127 - M * t, -128..127, halves to even; q = z + x * t, the product likewise,
//               -128..127; s = 1 / t
// enum presil_hybrid_order
//   BOTH_SCALES   acc * (s * s_w) + bias
//   WEIGHT_SCALE  (acc * s_w) * s + bias
//   IN_FOURS      the same; (acc * s) * s_w + bias in channels after the largest multiple of 4
//   FUSED         (acc * s) * s_w + bias, the second product and the sum rounded once
#pragma once

#include "driver/kernels/host/float_attributes.h"
#include "driver/kernels/host/float_math.h"

namespace presil::kernels {

enum : uint32_t { kHybridX, kHybridW, kHybridBias, kHybridScale, kHybridBytes, kHybridY };

/// What stands for a step of the bytes, and which of them for 0.
struct HybridInput {
  float scale = 1.0f;
  int32_t zero = 0;
};

/// The bytes of x[0 .. n). input: enum presil_hybrid_input.
HybridInput hybrid_input(uint32_t input, const float* x, uint64_t n, int8_t* q);

/// Of one acc; channel is one of `channels`. order: enum presil_hybrid_order.
float hybrid_result(uint32_t order, int32_t acc, float s, float s_w, float bias, int64_t channel,
                    int64_t channels);

/// Count, types, scratch, `channels` of bias and scales, attributes.
void check_hybrid(const Task& task, Check& c);
/// Besides, windows over images.
void check_hybrid_window(const Task& task, Check& c);

}  // namespace presil::kernels
