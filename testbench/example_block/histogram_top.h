#pragma once

#include <cstdint>
#include <memory>

#include "sim/rtl/axi_top.h"

namespace presil::example {

std::unique_ptr<rtl::AxiTop> make_histogram_top(uint32_t seed);

}  // namespace presil::example
