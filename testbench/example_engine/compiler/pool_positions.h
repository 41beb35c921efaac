// Where the results of a resize lie between the values of its input, along one axis.
#pragma once

#include <vector>

#include "pool_core.h"
#include "pool_layer.h"

namespace presil::pool {

/// An axis of a resize: so many values become so many.
struct Axis {
  int in = 1, out = 1;
};

/// Of one result of the axis: nearest by float32, bilinear in 1/1024 of a pixel or, where the
/// layer rounds up, by float32 in 1/2048 (tables of the engine's README).
Position position(const PoolLayer& layer, const Axis& axis, int result);
/// Of results [begin, end).
std::vector<Position> positions(const PoolLayer& layer, const Axis& axis, int begin, int end);

inline Axis rows_of(const PoolLayer& layer) {
  return {layer.in_h, layer.out_h};
}
inline Axis columns_of(const PoolLayer& layer) {
  return {layer.in_w, layer.out_w};
}

}  // namespace presil::pool
