// Which slope a table of exponentials has: the other direction of common/exponential.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

/// exp(-slope * d) for d = 0..255 as fractions of 31 bits.
using Exponentials = std::array<uint32_t, 256>;

/// A number from 2^-14 to 32 of which a softmax of fixed point makes exactly these; nullopt: none,
/// among the float32 numbers next to the one that the table suggests.
/// @param op  whose they are, for messages
std::optional<float> slope_of(const ir::Op& op, const Exponentials& e);

}  // namespace presil::passes
