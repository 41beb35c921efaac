// Tensors that a kernel walks along together, element by element, as rows that may be cut.
#pragma once

#include <vector>

#include "compiler_bridge/layer/dsp_layer.h"

namespace presil::partition {

/// Inputs have y's axes, less some in front, or extent 1: then they are broadcast, as in numpy.
/// Neighbouring axes that are broadcast alike count as one, the first of these are the rows; an
/// input that is the same for all rows is whole. Tensors of one shape have short rows, so that they
/// may be cut nearly anywhere.
struct Walk {
  /// What an input is for short runs of the other input and y: one element for a run, or one run
  /// for all of them.
  enum class Shared : uint8_t { kNone, kElement, kRun };
  std::vector<layer::DspOperand> inputs;
  layer::DspOperand output;
  int64_t rows = 1;
  int64_t runs = 1;  ///< of a row: stretches that lie dense in all tensors; 0: rows are one run
  int64_t run = 1;   ///< elements of such a stretch, or of a row
  std::vector<Shared> shared;  ///< by input, of two
};
Walk walk(const ir::Graph& graph, const std::vector<layer::TensorId>& inputs,
          layer::TensorId output);

}  // namespace presil::partition
