// What an engine's folder gives the compiler: rules, lowering, cost, emission. A proposal that no
// stage calls yet (README.md says what each of them needs for it).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/work.h"
#include "compiler_bridge/plan/engine_scheduler.h"
#include "compiler_bridge/rules/rule.h"
#include "models/soc/soc_config.h"

namespace presil::plan {
struct Scheduling;
class TensorMoves;
}  // namespace presil::plan

namespace presil::engine {

/// The engine as a SoC has it.
struct Instance {
  const SocConfig& soc;
  const uint64_t* parameters;  ///< as its engine.yaml lists them
  unsigned count = 1;          ///< in a tile
};

/// What a pattern of operators becomes: one layer.
struct Lowered {
  std::vector<int> ops;  ///< of the graph: the first is what the layer is, the others joined it
  layer::Work work;      ///< the engine's own struct
};

/// Largest extents of a command: how a layer is cut.
struct Cut {
  int rows = 0, columns = 0, blocks = 0;  ///< of the output, in blocks of 16 channels
  uint64_t sram_bytes = 0;                ///< of one command's tensors and tables
};

/// Functions of their arguments alone: no state, so that stages may ask in any order.
class EngineCompiler {
 public:
  EngineCompiler() = default;
  EngineCompiler(const EngineCompiler&) = delete;
  EngineCompiler& operator=(const EngineCompiler&) = delete;
  virtual ~EngineCompiler() = default;

  /// Of engine.yaml; kEngine of its works.
  virtual const char* name() const = 0;

  /// Rules by kind of operator. What is found becomes a placement::Verdict of this engine; the
  /// support table prints the limits.
  virtual std::vector<rules::Entry> rules(const Instance& instance) const = 0;

  /// The longest pattern that begins with `op`, which the rules take. May append constants (tables)
  /// to the graph. nullopt: another engine computes it.
  virtual std::optional<Lowered> lower(ir::Graph& graph, int op,
                                       const Instance& instance) const = 0;

  /// Ways to cut a layer, from the whole of it to the smallest; the caller leaves
  /// out what is larger than the SRAM.
  virtual std::vector<Cut> cuts(const ir::Graph& graph, const layer::Work& work,
                                const Instance& instance) const = 0;

  /// Cycles of one command of that extent, operands in the SRAM: of the engine's own `_timing`.
  virtual Cycle cycles(const ir::Graph& graph, const layer::Work& work, const Cut& cut,
                       const Instance& instance) const = 0;

  /// Puts the layer's commands into the program, each as the words of the engine's contract.
  virtual std::unique_ptr<plan::EngineScheduler> scheduler(plan::Scheduling& scheduling,
                                                           plan::TensorMoves& moves,
                                                           const Instance& instance) const = 0;
};

}  // namespace presil::engine
