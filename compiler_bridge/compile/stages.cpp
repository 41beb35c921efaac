#include "compiler_bridge/compile/stages.h"

#include <algorithm>
#include <optional>

#include "compiler_bridge/compile/check_request.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/layer/text.h"
#include "compiler_bridge/passes/pass.h"
#include "compiler_bridge/placement/text.h"
#include "compiler_bridge/plan/plan_text.h"
#include "models/base/refusal.h"

namespace presil::compile {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

const std::vector<std::string>& stage_names() {
  static const std::vector<std::string> names = {
      "import", "passes", "placement", "layers", "layout", "tiles", "play", "schedule", "streams"};
  return names;
}

std::string stage_text(const std::string& stage, const ir::Graph& imported, const SocConfig& config,
                       const CompileOptions& options) {
  const std::vector<std::string>& names = stage_names();
  if (std::find(names.begin(), names.end(), stage) == names.end()) {
    throw Refusal("inspect", "stage is '" + stage + "', must be one of " + joined(names));
  }
  if (stage == "import") return ir::print(imported);
  if (stage == "passes") return ir::print(passes::prepare(imported));
  if (stage == "streams") return compile(imported, config, options).stream_text;
  check_request(imported, config, options);
  plan::Search search(options.effort, options.progress);
  Planned planned = plan_of(imported, config, options, search);
  const placement::Placed& placed = planned.placed;
  if (stage == "placement") return placement::print(placed.partition.placements);
  if (stage == "layers") return layer::print(placed.partition.layers);
  if (stage == "layout") return plan::layout_text(placed.graph, placed.layout);
  if (stage == "tiles") return plan::tiles_text(placed.layout, placed.plan);
  play::Fastest& fastest = planned.fastest;
  if (stage == "schedule") return plan::schedule_text(placed.layout, fastest.commands);
  std::optional<Cycle>& cycles = fastest.candidates[fastest.taken].played;
  if (!cycles) {
    cycles = play::played(placed.graph, placed.layout, placed.plan, fastest.commands, config);
  }
  return play::print(fastest);
}

std::string print_after(const std::string& pass, const ir::Graph& imported) {
  const std::vector<passes::Pass>& all = passes::standard_passes();
  std::vector<std::string> names;
  for (const passes::Pass& one : all) names.emplace_back(one.name);
  if (std::find(names.begin(), names.end(), pass) == names.end()) {
    throw Refusal("inspect", "pass is '" + pass + "', must be one of " + joined(names));
  }
  std::string text;
  int runs = 0;
  ir::Graph graph = imported;
  const auto watch = [&](const passes::Pass& ran, const ir::Graph&, const ir::Graph& after) {
    if (pass == ran.name) {
      text += "# " + pass + ", run " + std::to_string(++runs) + "\n" + ir::print(after);
    }
    return true;
  };
  passes::run_passes(graph, watch);
  return text.empty() ? "# " + pass + " changes nothing\n" : text;
}

}  // namespace presil::compile
