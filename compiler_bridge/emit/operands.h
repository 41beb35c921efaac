// What a layer reads and makes, whatever engine computes it: for reports.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/plan/layer.h"

namespace presil::emit {

/// Each once, constants too, in the order of the layer.
std::vector<plan::TensorId> inputs_of(const plan::Layer& layer);
std::vector<plan::TensorId> outputs_of(const plan::Layer& layer);

/// Of a DLA layer the weights as the network has them, not as they are packed; of any layer the
/// constants among its inputs. Without bias and what requantises.
uint64_t weight_bytes_of(const ir::Graph& graph, const plan::Layer& layer);

}  // namespace presil::emit
