// What each engine can take, with a verdict record for every limit.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/placement/verdict.h"
#include "models/soc/soc_config.h"

namespace presil::rules {

using placement::Engine, placement::kEngines, placement::to_string, placement::Verdict;

/// Whether the engine can take the op by itself. What may be fused into what is the partition's.
/// Without a remedy the engine does not know the kind.
Verdict take(Engine engine, const ir::Graph& graph, const ir::Op& op, const SocConfig& soc);
/// Floats or int16 times constant int8 weights: the DLA multiplies bytes, of which the DSP makes x
/// and which makes y of the sums.
bool is_byte_product(const ir::Graph& graph, const ir::Op& op);

/// Those of the SoC, in the order in which they are asked: what needs none, engines from outside,
/// the DLA, the DMA, the DSP, the ARM.
std::vector<Engine> engines_of(const SocConfig& soc);

/// One row of the support table: `presil ops`.
struct OpSupport {
  std::string op;
  std::string engine;
  std::string dtypes;
  std::vector<std::string> limits;    ///< sentences, as the rules check them
  std::vector<std::string> remedies;  ///< by limit: what helps where it is not kept
  std::vector<std::string> kernels;   ///< of the DSP's library, one of which computes it
};
/// By operator in the order of op_kinds.h, engines in the order of kEngines.
std::vector<OpSupport> support_table();

}  // namespace presil::rules
