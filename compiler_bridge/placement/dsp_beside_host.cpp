#include "compiler_bridge/placement/dsp_beside_host.h"

#include <algorithm>

#include "compiler_bridge/layer/host_layer.h"

namespace presil::placement {

OfHost::OfHost(const ir::Graph& graph) : m_graph(graph) {
  m_made.insert(graph.inputs.begin(), graph.inputs.end());
}

void OfHost::add(const layer::Layer& layer) {
  for (const layer::Operand& operand : layer.work.operands()) {
    if (operand.write) m_made.insert(operand.tensor);
  }
}

bool OfHost::waits(const layer::DspLayer& layer) const {
  return std::any_of(layer.inputs.begin(), layer.inputs.end(), [&](const auto& input) {
    return !m_graph.tensor(input.tensor).is_constant() && m_made.count(input.tensor) == 0;
  });
}

bool is_of_host(const layer::Layer& layer) {
  return layer.work.engine() == layer::HostLayer::kEngine;
}

std::set<ir::TensorId> of_engines(const layer::Layers& layers) {
  std::set<ir::TensorId> tensors;
  for (const layer::Layer& layer : layers) {
    const auto* dsp = layer.work.as<layer::DspLayer>();
    if (is_of_host(layer) || (dsp != nullptr && !dsp->host_kernel.empty())) continue;
    for (const layer::Operand& operand : layer.work.operands()) tensors.insert(operand.tensor);
  }
  return tensors;
}

plan::MovedOperands moved_together(const layer::DspLayer& layer, plan::MovedOperands moved,
                                   const std::set<ir::TensorId>& others) {
  auto operand = moved.begin();
  for (const auto* operands : {&layer.inputs, &layer.outputs}) {
    for (const layer::DspOperand& o : *operands) {
      if (others.count(o.tensor) == 0) *operand = true;
      ++operand;
    }
  }
  return moved;
}

}  // namespace presil::placement
