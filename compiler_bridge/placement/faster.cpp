#include "compiler_bridge/placement/faster.h"

#include <algorithm>
#include <set>

#include "compiler_bridge/placement/judge.h"

namespace presil::placement {
namespace {

Engine engine_of(const layer::Layer& layer) {
  return engine_named(layer.engine());
}

/// Layers that compute any of the operators.
std::set<int> layers_of(const Placed& placed, const std::set<int>& ops) {
  std::set<int> layers;
  for (size_t i = 0; i < placed.partition.layers.size(); ++i) {
    for (const int op : placed.partition.layers[i].graph_ops) {
      if (ops.count(op) != 0) layers.insert(static_cast<int>(i));
    }
  }
  return layers;
}

/// Adds the other operators of those layers. @return whether there were any
bool widen(const Placed& placed, std::set<int>& ops) {
  const size_t before = ops.size();
  for (const int i : layers_of(placed, ops)) {
    const std::vector<int>& more = placed.partition.layers[size_t(i)].graph_ops;
    ops.insert(more.begin(), more.end());
  }
  return ops.size() > before;
}

Cycle sum(const Placed& placed, const std::set<int>& ops, const SocConfig& config) {
  Cycle cycles = 0;
  for (const int i : layers_of(placed, ops)) cycles += cycles_of(placed, i, config);
  return cycles;
}

/// Of the layer that computes the operator first of all.
Engine chosen_of(const Placed& placed, int op) {
  for (const layer::Layer& layer : placed.partition.layers) {
    const auto& ops = layer.graph_ops;
    if (std::find(ops.begin(), ops.end(), op) != ops.end()) return engine_of(layer);
  }
  return Engine::kNone;
}

}  // namespace

bool has_outside(const Placed& placed) {
  const layer::Layers& layers = placed.partition.layers;
  return std::any_of(layers.begin(), layers.end(),
                     [](const layer::Layer& layer) { return is_outside(engine_of(layer)); });
}

std::vector<Learnt> slow_outside(const Placed& with, const Placed& without,
                                 const SocConfig& config) {
  std::vector<Learnt> learnt;
  for (const layer::Layer& layer : with.partition.layers) {
    if (!is_outside(engine_of(layer))) continue;
    std::set<int> ops(layer.graph_ops.begin(), layer.graph_ops.end());
    for (bool wider = true; wider;) {
      wider = widen(without, ops);
      wider = widen(with, ops) || wider;
    }
    const Cycle cycles = sum(with, ops, config), other = sum(without, ops, config);
    if (cycles < other) continue;
    const int op = layer.graph_ops.front();
    learnt.push_back({op, slower(engine_of(layer), cycles, chosen_of(without, op), other)});
  }
  return learnt;
}

Cycle cycles_of(const Placed& placed, int index, const SocConfig& config) {
  const layer::Layer& layer = placed.partition.layers[size_t(index)];
  const int step = placed.layout.step_of[size_t(index)];
  const Cycle planned = step == plan::kNone ? 0 : placed.plan.layers[size_t(step)].cycles;
  return planned != 0 ? planned : cycles_of(layer.work, layer.op, placed.graph, config);
}

Cycle cycles_of(const Placed& placed, const SocConfig& config) {
  Cycle cycles = 0;
  for (size_t i = 0; i < placed.partition.layers.size(); ++i) {
    cycles += cycles_of(placed, static_cast<int>(i), config);
  }
  return cycles;
}

}  // namespace presil::placement
