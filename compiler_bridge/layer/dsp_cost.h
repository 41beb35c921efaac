// Cycles of a command of the DSP as data: a function of driver/kernels/dsp/cost.h by its name, and
// its arguments. The functions stand in dsp_cost.cpp; nothing else evaluates them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil::layer {

struct DspCost {
  std::string function;            ///< "": it costs nothing
  std::vector<int64_t> arguments;  ///< what the shapes of the layer decide

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

/// Of a command for so many rows of the layer.
/// Refuses (presil::Refusal) a function that there is not, or arguments that it does not take.
uint64_t cycles_of(const DspCost& cost, int64_t rows);

/// The same for any DSP, as fitted to runs; what has no line of its own takes longer by narrower
/// data paths and shorter registers as kernels of vectors do.
uint64_t cycles_of(const DspCost& cost, int64_t rows, const DspConfig& config);

}  // namespace presil::layer
