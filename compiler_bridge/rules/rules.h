// What each engine can take, with a sentence for every limit.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "models/soc/soc_config.h"

namespace presil::rules {

/// In the order in which they are asked: an op that no engine needs to touch, the DLA, the DMA, the
/// DSP, the ARM.
enum class Engine { kNone, kDla, kDma, kDsp, kHost };
inline constexpr Engine kEngines[] = {Engine::kNone, Engine::kDla, Engine::kDma, Engine::kDsp,
                                      Engine::kHost};
const char* to_string(Engine engine);

struct Verdict {
  bool yes = false;
  std::string sentence;  ///< no: "dla: kernel height is 17, wants 1..16"
  std::string change;    ///< no: what would have to change; "": the engine does not know the kind
};

/// Whether the engine can take the op by itself. What may be fused into what is the partition's.
Verdict take(Engine engine, const ir::Graph& graph, const ir::Op& op, const SocConfig& soc);
/// Whether the SoC has it: some have no DSP.
bool has(const SocConfig& soc, Engine engine);

/// One row of the support table: `presil ops`.
struct OpSupport {
  std::string op;
  std::string engine;
  std::string dtypes;
  std::vector<std::string> limits;   ///< sentences, as the rules check them
  std::vector<std::string> changes;  ///< by limit: what helps where it is not kept
  std::vector<std::string> kernels;  ///< of the DSP's library, one of which computes it
};
/// By operator in the order of op_kinds.h, engines in the order of kEngines.
std::vector<OpSupport> support_table();

}  // namespace presil::rules
