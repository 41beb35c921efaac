#include "compiler_bridge/placement/byte_products.h"

#include <map>

#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/placement/dsp_beside_host.h"
#include "compiler_bridge/placement/judge.h"
#include "compiler_bridge/rules/rules.h"
#include "models/host/host_timing.h"

namespace presil::placement {
namespace {

/// Beyond it no host is asked.
constexpr int64_t kMostMacs = 100'000;

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
  std::map<int, Cycle> cycles;  // by op
  for (int step = 0; step < layout.step_count(); ++step) {
    const int index = layout.layer_at(step).graph_ops.front();
    const ir::Op& op = round.placed.graph.ops[static_cast<size_t>(index)];
    if (!rules::is_byte_product(round.placed.graph, op)) continue;
    if (ir::macs(round.placed.graph, op) > kMostMacs || is_of_host(layout.layer_at(step))) continue;
    cycles[index] += cycles_in(round, step);
  }
  for (const auto& [op, own] : cycles) {
    const ir::Op& product = round.placed.graph.ops[static_cast<size_t>(op)];
    const Cycle by_host = host_cycles(round, product, ir::macs(round.placed.graph, product));
    if (by_host < own) learnt.push_back({op, slower(Engine::kDla, own, Engine::kHost, by_host)});
  }
  return learnt;
}

}  // namespace presil::placement
