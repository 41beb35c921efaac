// Functions of int16 in 513 points, for interpolation between them, as TFLite tabulates them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace presil::common {

/// 512 pieces of what -32768..32767 stands for, and the end of the last.
using InterpolatedTable = std::array<int16_t, 513>;

InterpolatedTable exponential_table();  ///< exp(v), v from -10 to 0, in steps of 2^-15
InterpolatedTable reciprocal_table();   ///< 1 / (1 + v), v from 0 to 1, in steps of 2^-15
/// f of int16 with a scale, in steps of another.
InterpolatedTable function_table(float x_scale, float y_scale,
                                 const std::function<float(float)>& f);

}  // namespace presil::common
