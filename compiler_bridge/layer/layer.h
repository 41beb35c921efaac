// What is computed by one engine at a time, before tiles and addresses: the seam between deciding
// what runs where (partition) and deciding when and with which memory (plan). Everything an
// engine's command says about values is here; everything about place and order is not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler_bridge/layer/work.h"

namespace presil::layer {

struct Layer {
  std::string name;
  std::string op;               ///< e.g. "conv2d+leaky_relu"
  std::vector<int> source_ops;  ///< ops of the imported file
  std::vector<int> graph_ops;   ///< ops of the graph that was partitioned
  uint64_t macs = 0;
  Work work;
  int beside = 0;  ///< so many layers after it begin, as estimated, while it is still at work

  const char* engine() const { return work.engine(); }
};

/// In an order that respects data.
using Layers = std::vector<Layer>;

}  // namespace presil::layer
