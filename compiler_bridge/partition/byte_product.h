// Products of floats or int16 by int8 weights, as sums of bytes by bytes: the DSP makes bytes of x,
// the DLA's results are int32 sums, of which the DSP makes y.
//
// Floats ("dynamic range", ../reference/dynamic_range.h): the range of each row of x, steps of the
// image or of each row, bytes with zero points around x where the operator pads, sums, y. The zero
// point is subtracted from the sums: it is the same for all taps.
//
// int16: x = 256 high + low, low = 128 + a signed byte; sums of both, which are 256 and 1 of y's.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/work.h"

namespace presil::partition {

struct ByteProduct {
  struct Part {
    layer::Work work;
    std::string does;
  };
  std::vector<Part> parts;  ///< before and after the sums, in any order
  layer::Work sums;         ///< the DLA's, that stands for the operator
};

/// Appends tensors to the graph.
/// @pre rules::take(kDla, op), rules::is_byte_product(op)
ByteProduct byte_product(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
