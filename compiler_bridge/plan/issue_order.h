// An order of layers in which engines wait less for each other: while one is at work for an image,
// the others have the next one.
#pragma once

#include <vector>

#include "compiler_bridge/layer/layer.h"
#include "models/soc/soc_config.h"

namespace presil::plan {

struct IssueOrder {
  std::vector<int> layers;      ///< indices, in their new order
  std::vector<int> beside;      ///< by position: layer::Layer::beside
  Cycle before = 0, after = 0;  ///< until all have ended, in the order that was and in this one
};

/// List scheduling: each engine computes its layers one after another, and the layer that can begin
/// first is next; of several the first one of the order that was. None goes ahead of one that has
/// all that it reads and waits for another engine alone: so no more images are under way at once
/// than keep the engines at work, for the tensors of each are in the SRAM.
/// @param layers  in an order that respects data; so does the new one
/// @param cycles  by layer, alone; those of layers in place are not read
IssueOrder issue_order(const layer::Layers& layers, const std::vector<Cycle>& cycles);

}  // namespace presil::plan
