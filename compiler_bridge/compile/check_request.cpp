#include "compiler_bridge/compile/check_request.h"

#include <algorithm>
#include <string>

#include "compiler_bridge/engine/joined.h"
#include "models/base/refusal.h"

namespace presil::compile {
namespace {

/// An output that nothing computes would never be written.
void refuse_given_outputs(const ir::Graph& graph) {
  for (const ir::TensorId id : graph.outputs) {
    const ir::Tensor& tensor = graph.tensor(id);
    const bool input = std::count(graph.inputs.begin(), graph.inputs.end(), id) != 0;
    if (!input && !tensor.is_constant()) continue;
    throw Refusal("compile", "output '" + tensor.name + "' of the network is " +
                                 (input ? "one of its inputs" : "a constant") +
                                 ", must be a result of an operator; take it from the outputs");
  }
}

void refuse_unknown_engines(const SocConfig& config) {
  for (const auto& [name, engine] : config.engines) {
    if (engine.units == 0 || engine::find(name) != nullptr) continue;
    throw Refusal("compile", "the SoC has the engine '" + name +
                                 "', which is not loaded; name its folder (--engine)");
  }
}

/// Of the SRAM, for one of several networks.
void check_share(const SocConfig& config, uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  if (bytes == 0 || (bytes % kPage == 0 && bytes <= config.sram.bytes)) return;
  throw Refusal("compile", "sram_bytes is " + std::to_string(bytes) + ", must be a multiple of " +
                               std::to_string(kPage) + " up to sram.bytes, " +
                               std::to_string(config.sram.bytes) + "; 0 is all of it");
}

}  // namespace

void check_request(const ir::Graph& imported, const SocConfig& config,
                   const CompileOptions& options) {
  check(config);
  refuse_unknown_engines(config);
  refuse_given_outputs(imported);
  check_share(config, options.sram_bytes);
  if (options.effort >= 0 && options.effort <= plan::kMostEffort) return;
  throw Refusal("compile", "effort is " + std::to_string(options.effort) + ", must be 0 to " +
                               std::to_string(plan::kMostEffort) + "; " +
                               std::to_string(plan::kUsualEffort) + " is the usual one");
}

}  // namespace presil::compile
