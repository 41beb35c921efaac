// The engine's answers to the compiler: a proposal (compiler_bridge/engine/README.md) that no stage
// asks yet.
#pragma once

#include "compiler_bridge/engine/engine_compiler.h"
#include "pool/pool_command.h"
#include "pool_layer.h"

namespace presil::pool {

class PoolCompiler : public engine::EngineCompiler {
 public:
  const char* name() const override { return PoolLayer::kEngine; }
  std::vector<rules::Entry> rules(const engine::Instance& instance) const override;
  std::optional<engine::Lowered> lower(ir::Graph& graph, int op,
                                       const engine::Instance& instance) const override;
  std::vector<engine::Cut> cuts(const ir::Graph& graph, const layer::Work& work,
                                const engine::Instance& instance) const override;
  Cycle cycles(const ir::Graph& graph, const layer::Work& work, const engine::Cut& cut,
               const engine::Instance& instance) const override;
  /// None: plan::Word has no commands of an engine outside yet.
  std::unique_ptr<plan::EngineScheduler> scheduler(plan::Scheduling& scheduling,
                                                   plan::TensorMoves& moves,
                                                   const engine::Instance& instance) const override;
};

/// A command of that extent, all but its addresses: the first one of the layer.
Command command_of(const PoolLayer& layer, const engine::Cut& cut);

}  // namespace presil::pool
