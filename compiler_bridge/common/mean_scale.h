// Means and sums of int8 under xnnpack on an engine that rounds before it adds y's zero point.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler_bridge/ir/graph.h"

namespace presil::common {

/// A float32, its bits: with it round_even(float32(sum) * scale) + z_y, saturated to int8, is the
/// definition's round_even(float32(sum) * s + float32(z_y)), saturated, for every sum that `count`
/// values of x less their zero point can have. s is the scale of the mean, or of the sum
/// (reference/operators); where a product lies half way between two values, a float32 close to s
/// rounds it to the one that y's zero point makes even. nullopt: there is none.
std::optional<int32_t> scale_before_zero(const ir::Op& op, const ir::Tensor& x, const ir::Tensor& y,
                                         int64_t count);

}  // namespace presil::common
