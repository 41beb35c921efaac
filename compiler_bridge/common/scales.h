// From the real scales of tensors to the integers that hardware multiplies with. All of it runs at
// compile time; the arithmetic that uses the results is stated in rtl/dla/README.md.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::common {

/// real = multiplier * 2^(shift - 31), |multiplier| in [2^30, 2^31) or 0: shift positive is left.
struct FixedPoint {
  int32_t multiplier = 0;
  int32_t shift = 0;
};

// `op` is always that whose tensors have the scales: a ratio that no integer stands for is refused
// (presil::Refusal) with its name.

/// Refuses a ratio that is not finite or has a magnitude of 2^bits and more.
[[noreturn]] void refuse_ratio(const ir::Op& op, double ratio, int bits);

/// Round to nearest, halves away from zero; below 2^-32 both are 0. Refuses from 2^30 on.
FixedPoint fixed_point(const ir::Op& op, double real);

/// xnnpack: a float32 as it is. Refuses from 2^30 on. @return its bits
int32_t float_bits(const ir::Op& op, float ratio);

/// Whether XNNPACK requantises by this ratio, 2^-8 to 2^7; others LiteRT leaves to TFLite's kernel.
bool xnnpack_takes(float ratio);

/// xnnpack: in steps of 1/256, to the nearest even. Refuses from 2^22 on.
int32_t fixed8(const ir::Op& op, float ratio);

/// How the sums of an op with weights, of int8, become its results.
/// kSingle: one rounding, as TOSA's RESCALE states it.
enum class ProductRule { kDouble, kDoubleUp, kFloat, kSingle };

/// Does it read or make int16, of which LiteRT computes all by TFLite's kernels?
bool has_int16(const ir::Graph& graph, const ir::Op& op);

/// What integer scales of the network say (ir::FixedScale), or the rule of the graph's numerics (of
/// tosa that of tflite), but under xnnpack where XNNPACK does not multiply: int16 (as
/// tflite; sums of int32 of a fully connected: double up); by what a fully connected computes
/// (LiteRT's own library of products: double up), a batch_matmul by matrices whose zero point is
/// not 0 (TFLite's kernel: double), and a transpose_conv2d with a `vector` (TFLite's kernel: double
/// up in whole vectors, double in the rest).
ProductRule product_rule(const ir::Graph& graph, const ir::Op& op);

/// A fully connected of int16 under xnnpack with a bias of int64: LiteRT rounds its sums once.
bool requantised_once(const ir::Graph& graph, const ir::Op& op);

/// Whose scales and clamps an op has: of those above xnnpack's with float requantisation. Under
/// xnnpack it is tflite's where LiteRT computes by TFLite's own kernel: of int16; of a sum or
/// difference with a scale of less than 2^-10 or of 2^8 and more of y's; of an average pool; of a
/// max pool with a stride of more than the kernel.
ir::Numerics numerics_of(const ir::Graph& graph, const ir::Op& op);

/// Requantisation of a product, convolution or fully connected layer: one entry per output channel.
struct ChannelScales {
  std::vector<int32_t> multiplier;  ///< tflite: of fixed_point; xnnpack: bits of the float32 scale
  std::vector<int8_t> shift;        ///< tflite: of fixed_point; xnnpack: 0
};
ChannelScales channel_scales(const ir::Graph& graph, const ir::Op& op, int channels);

/// The mean of `count` values: scale of the sum and 1 / count in one number, double rounding
/// (tflite) or float (xnnpack: the float32's bits).
FixedPoint mean_scale(const ir::Op& op, const ir::Tensor& x, const ir::Tensor& y, int64_t count,
                      ir::Numerics numerics);

/// The sum of values, as mean_scale: the ratio of the scales.
FixedPoint sum_scale(const ir::Op& op, const ir::Tensor& x, const ir::Tensor& y,
                     ir::Numerics numerics);

/// Values that a clamp lets through, as stored values of `tensor`.
struct Clamp {
  int32_t min = -128;
  int32_t max = 127;
};
Clamp range_of(ir::DType dtype);  ///< all that int8 or int16 holds
Clamp clamp_of(ir::Activation act, const ir::Tensor& tensor, ir::Numerics numerics);

/// a +- b and a * b, the numbers of an element-wise op; meanings by numerics as in
/// rtl/dla/README.md (rule tflite, rule xnnpack).
struct ElementWiseScales {
  int32_t a_zero = 0, b_zero = 0, out_zero = 0;
  int32_t a_mult = 0, b_mult = 0, out_mult = 0;
  int32_t a_shift = 0, b_shift = 0, out_shift = 0;
  int32_t left_shift = 0;
  Clamp clamp;
};
/// @param subtract  under xnnpack the sign is in b_mult and out_mult; under tflite it is not
ElementWiseScales add_scales(const ir::Op& op, const ir::Tensor& a, const ir::Tensor& b,
                             const ir::Tensor& y, bool subtract, ir::Activation act,
                             ir::Numerics numerics);
ElementWiseScales squared_difference_scales(const ir::Op& op, const ir::Tensor& a,
                                            const ir::Tensor& b, const ir::Tensor& y);
/// @param in_float  the ratio of the scales under tflite, as LiteRT has it of int16
ElementWiseScales mul_scales(const ir::Op& op, const ir::Tensor& a, const ir::Tensor& b,
                             const ir::Tensor& y, ir::Activation act, ir::Numerics numerics,
                             bool in_float = false);
ElementWiseScales div_scales(const ir::Op& op, const ir::Tensor& a, const ir::Tensor& b,
                             const ir::Tensor& y, ir::Activation act);

}  // namespace presil::common
