#include "compiler_bridge/placement/byte_products.h"

#include <algorithm>
#include <map>

#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/plan/dsp_images.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "compiler_bridge/rules/rules.h"
#include "models/host/host_timing.h"

namespace presil::placement {
namespace {

/// Beyond it no host is asked.
constexpr int64_t kMostMacs = 100'000;

/// At least: its products, or the weights that its loader reads a word a cycle.
Cycle dla_cycles(const layer::DlaLayer& layer, int64_t macs, const DlaConfig& config) {
  constexpr Cycle kStart = 30;
  constexpr uint64_t kWordBytes = 16;
  const Cycle products = static_cast<Cycle>(macs / (int64_t{config.macs_k} * config.macs_c));
  return kStart + std::max(products, static_cast<Cycle>(layer.weight_bytes() / kWordBytes));
}

/// Its task, with x, weights and results in memory.
Cycle host_cycles(const Round& round, const ir::Op& op, int64_t macs) {
  const ir::Graph& graph = round.placed.graph;
  const bool floats = graph.tensor(op.input(0)).dtype == ir::DType::kFloat32;
  host::Task task{ir::to_string(op.kind), static_cast<uint64_t>(macs), 0};
  task.kernel += floats ? "_hybrid" : "_i16";
  for (const ir::TensorId id : op.inputs) {
    if (id != ir::kAbsent) task.bytes += graph.tensor(id).bytes();
  }
  task.bytes += graph.tensor(op.output()).bytes();
  const HostConfig& host = round.config.host;
  return host::task_cycles(host, task) + host.cycles_interrupt +
         round.config.noc.cycles_register_write;
}

}  // namespace

std::vector<Learnt> small_byte_products(const Round& round) {
  std::vector<Learnt> learnt;
  if (!round.host) return learnt;
  const plan::Layout& layout = round.placed.layout;
  const auto images = plan::choose_images(layout, round.config.dsp);
  const auto stays = [&](int flat) {
    if (flat == plan::kNone) return false;
    const plan::LinearBuffer& buffer = layout.linear_buffers[static_cast<size_t>(flat)];
    return buffer.uses_of_dsp > 0 && buffer.bytes <= round.config.sram.bytes;
  };
  std::map<int, Cycle> cycles;  // by op
  for (int step = 0; step < layout.step_count(); ++step) {
    const layer::Layer& layer = layout.layer_at(step);
    const int index = layer.graph_ops.front();
    const ir::Op& op = round.placed.graph.ops[static_cast<size_t>(index)];
    const int64_t macs = ir::macs(round.placed.graph, op);
    if (macs > kMostMacs || !rules::is_byte_product(round.placed.graph, op)) continue;
    if (const auto* dla = layer.work.as<layer::DlaLayer>()) {
      cycles[index] += dla_cycles(*dla, macs, round.config.dla);
    } else if (const auto* dsp = layer.work.as<layer::DspLayer>()) {
      const plan::MovedOperands moved = plan::moved_operands(*dsp, layout, stays);
      cycles[index] += plan::dsp_cycles(*dsp, moved, round.config) +
                       plan::own_selects(images, step, round.config);
    }
  }
  for (const auto& [op, own] : cycles) {
    const ir::Op& product = round.placed.graph.ops[static_cast<size_t>(op)];
    const Cycle by_host = host_cycles(round, product, ir::macs(round.placed.graph, product));
    if (by_host < own) learnt.push_back({op, slower(Engine::kDla, own, Engine::kHost, by_host)});
  }
  return learnt;
}

}  // namespace presil::placement
