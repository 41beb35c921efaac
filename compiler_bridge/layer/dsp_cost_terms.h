// What the cycles of a command of the DSP are a sum of: counts of what its kernel does, which the
// shape decides. How long each takes on a DSP is fitted to runs (tests/bench/fit_cost.py).
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/layer/dsp_cost.h"

namespace presil::layer {

struct DspTerms {
  std::string line;           ///< of the fit: the function, and which of its ways the kernel goes
  std::vector<double> terms;  ///< the first one is 1, of a call
};

/// @param vlen  which decides how many channels or rows are computed side by side
DspTerms terms_of(const DspCost& cost, int64_t rows, unsigned vlen);

}  // namespace presil::layer
