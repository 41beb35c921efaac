// The compiler behind one call: an imported graph becomes a loadable.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/partition/dsp_user.h"
#include "compiler_bridge/plan/schedule.h"
#include "compiler_bridge/plan/search.h"
#include "models/soc/soc_config.h"

namespace presil::compile {

struct CompileOptions {
  bool strip = false;    ///< leave the imported graph out of the loadable
  bool fallback = true;  ///< false: refuse a network with ops that run on the host
  /// Of the user; at most one for each op of the graph.
  std::vector<partition::UserKernel> kernels = {};
  std::map<int, std::vector<placement::Verdict>> kernel_verdicts = {};  ///< by op that none takes
  plan::Dispatch dispatch = plan::Dispatch::kSync;  ///< kHost: the ARM begins each step
  int effort = plan::kUsualEffort;  ///< 0 .. kMostEffort: how much the planner may search
  plan::Progress progress = {};     ///< may throw to end the compilation
};

struct LayerInfo {
  std::string name;
  std::string op;
  std::string engine;  ///< "dla", "dma", "dsp", "host", "none"
  std::vector<int> source_ops;
  uint64_t macs = 0;
  int commands = 0;  ///< of the engine: tiles of the layer
};

struct Compiled {
  std::vector<uint8_t> loadable;  ///< rtl/soc/loadable.fbs
  std::string stream_text;        ///< one line a command
  std::string memory_map;
  std::vector<plan::Placement> placements;  ///< one per op of the imported graph
  std::vector<LayerInfo> layers;
  Cycle estimate = 0;  ///< of all DLA layers, by which the plan was chosen
  uint64_t work = 0;   ///< units of search: the same on every machine (plan/search.h)
};

/// Rewrites, partitions, lays out, plans, schedules and emits.
/// Refuses (presil::Refusal) what no engine or kernel takes and what does not fit.
Compiled compile(const ir::Graph& imported, const SocConfig& config,
                 const CompileOptions& options = {});

}  // namespace presil::compile
