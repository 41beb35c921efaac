// What the host waits for and has moved for it where it computes layers of the DSP.
#pragma once

#include <set>

#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/layer/layer.h"
#include "compiler_bridge/plan/dsp_plan.h"

namespace presil::placement {

/// Tensors that no engine makes: inputs, constants, results of the host.
class OfHost {
 public:
  explicit OfHost(const ir::Graph& graph);

  void add(const layer::Layer& layer);
  /// Whether what the layer reads ends with an engine's interrupt.
  bool waits(const layer::DspLayer& layer) const;

 private:
  const ir::Graph& m_graph;
  std::set<ir::TensorId> m_made;
};

bool is_of_host(const layer::Layer& layer);

/// Tensors of layers that stay where they are if the host computes what it can of the DSP's.
std::set<ir::TensorId> of_engines(const layer::Layers& layers);

/// Which operands need no transfer to the host or from it, the DSP's other layers there too.
plan::MovedOperands moved_together(const layer::DspLayer& layer, plan::MovedOperands moved,
                                   const std::set<ir::TensorId>& others);

}  // namespace presil::placement
