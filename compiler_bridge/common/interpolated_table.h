// Functions of int16 in 513 points, for interpolation between them, as TFLite tabulates them.
#pragma once

#include <array>
#include <cstdint>

namespace presil::common {

/// 512 pieces of what -32768..32767 stands for, and the end of the last; values in steps of 2^-15.
using InterpolatedTable = std::array<int16_t, 513>;

InterpolatedTable exponential_table();  ///< exp(v), v from -10 to 0
InterpolatedTable reciprocal_table();   ///< 1 / (1 + v), v from 0 to 1

}  // namespace presil::common
