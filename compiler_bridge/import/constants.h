// Constants that a file stores smaller than the network reads them.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::import {

/// Half-precision floats, little-endian, as float32: exact.
/// @pre size is even
ir::Bytes widen_halves(const uint8_t* bytes, size_t size);

/// What DEQUANTIZE makes of a constant of int8, int16 or float32: float32(x - z) * s, with the
/// scale of each element's index along the axis of the scales; float32 as it is. Null: of another
/// type, or without a scale.
std::shared_ptr<const ir::Bytes> dequantized(const ir::Tensor& constant);

}  // namespace presil::import
