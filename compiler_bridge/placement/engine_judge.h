// What an engine knows of layers where they have been put and its rules cannot know: whether it can
// hold them, whether another engine takes fewer cycles. Answers name the ops that leave.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/placement/decisions.h"
#include "compiler_bridge/placement/placed.h"
#include "models/soc/soc_config.h"

namespace presil::placement {

/// A round of the stage, as far as it has come.
struct Round {
  const Placed& placed;
  const SocConfig& config;
  const Decisions& decisions;
  bool host = true;  ///< whether the host may compute what no engine does
};

/// One engine's; what it has no answer to it leaves out.
class EngineJudge {
 public:
  explicit EngineJudge(Engine engine) : m_engine(engine) {}
  virtual ~EngineJudge() = default;

  Engine engine() const { return m_engine; }
  virtual bool judges(Engine engine) const { return engine == m_engine; }

  /// Of its layers, once the partition is known.
  virtual std::vector<Learnt> of_layers(const Round&) const { return {}; }
  /// Of its layers, once the layout says which tensors have to be moved.
  virtual std::vector<Learnt> of_layout(const Round&) const { return {}; }
  /// Of a layer of its own that does not fit the SRAM: an op fused into it that had better have a
  /// command of its own; -1: none.
  virtual int leaves(const layer::Layer&, const ir::Graph&) const { return -1; }

  /// Of a layer of its own by itself, without a plan; 0: it does not stand alone.
  /// @param kind  the operator
  virtual Cycle cycles(const layer::Work&, const std::string& /*kind*/, const ir::Graph&,
                       const SocConfig&) const {
    return 0;
  }
  /// Of a layer of its own where the layout has put its tensors; 0: it has no estimate.
  virtual Cycle cycles_in(const Round&, int /*step*/) const { return 0; }
  /// Of an op that only moves values and that another engine has; nullopt: it cannot have it.
  /// May append constants to the graph.
  virtual std::optional<Cycle> cycles_to_move(ir::Graph&, int /*op*/, const Round&) const {
    return std::nullopt;
  }

 private:
  Engine m_engine;
};

using Judges = std::vector<std::unique_ptr<const EngineJudge>>;
/// Of presil's own engines and of those from outside, in the order in which they are asked.
const Judges& engine_judges();

std::unique_ptr<const EngineJudge> dsp_judge();
std::unique_ptr<const EngineJudge> outside_judge();
std::unique_ptr<const EngineJudge> dma_judge();
std::unique_ptr<const EngineJudge> dla_judge();
std::unique_ptr<const EngineJudge> host_judge();

}  // namespace presil::placement
