// A decoded vector instruction.
#pragma once

#include <cstdint>

namespace presil::dsp {

struct VectorOp {
  uint32_t word = 0;
};

}  // namespace presil::dsp
