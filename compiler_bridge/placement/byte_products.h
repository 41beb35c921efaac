// Products of floats or int16 that DSP and DLA compute in bytes (partition/byte_product.h), beside
// the host: their way there and back costs the same however small they are.
#pragma once

#include <vector>

#include "compiler_bridge/placement/engine_judge.h"

namespace presil::placement {

/// Those that the host computes in fewer cycles, transfers, calls and selects of images counted.
std::vector<Learnt> small_byte_products(const Round& round);

}  // namespace presil::placement
