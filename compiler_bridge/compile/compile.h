// The compiler as one call: an imported graph becomes a loadable.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/placement/place.h"
#include "compiler_bridge/plan/dla_extents.h"
#include "compiler_bridge/plan/schedule.h"
#include "compiler_bridge/plan/search.h"
#include "compiler_bridge/play/fastest.h"
#include "models/soc/soc_config.h"

namespace presil::compile {

struct CompileOptions : placement::PlaceOptions {
  bool strip = false;  ///< leave the imported graph out of the loadable
  plan::Dispatch dispatch = plan::Dispatch::kSync;  ///< kHost: the ARM begins each step
  bool overlaps = false;            ///< a job may begin while the one before is at work
  uint64_t sram_bytes = 0;          ///< that the plan may use, beside other networks; 0: all
  int effort = plan::kUsualEffort;  ///< 0 .. kMostEffort: how much the planner may search
  plan::Progress progress = {};     ///< may throw to end the compilation
  plan::Decisions decisions = {};   ///< what is not searched for
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
  std::vector<placement::Placement> placements;  ///< one per op of the imported graph
  std::vector<LayerInfo> layers;
  Cycle estimate = 0;         ///< of all DLA layers, by which the plan was chosen
  uint64_t work = 0;          ///< units of search: the same on every machine (plan/search.h)
  plan::Decisions decisions;  ///< what the plan has decided
  std::map<std::string, plan::Extents> extents;  ///< what its tilings cut, by layer
};

/// Runs passes, partition, layout and plan; schedules and emits.
/// Refuses (presil::Refusal) what no engine or kernel takes and what does not fit.
Compiled compile(const ir::Graph& imported, const SocConfig& config,
                 const CompileOptions& options = {});

/// What runs where, the plan that is taken of those that were found, and its commands.
struct Planned {
  placement::Placed placed;
  play::Fastest fastest;
};
/// Layers in the graph's order, or in one in which engines wait less for each other, where that is
/// faster as both are played.
Planned plan_of(const ir::Graph& imported, const SocConfig& config, const CompileOptions& options,
                plan::Search& search);

}  // namespace presil::compile
