// Where an operator of the imported graph runs, and why: a record. explain.h words it.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/placement/verdict.h"

namespace presil::placement {

/// Why an operator is where it is. Names without `k` are in the loadable and in run.json.
enum class Why : uint8_t {
  kWithinLimits,     ///< of the engine
  kComputedWeights,  ///< the DLA's, with an operand that becomes weights once it is computed
  kFused,            ///< into the layer, whose leader is `into`
  kFolded,           ///< by a pass, into the layer of `into`
  kRemoved,          ///< by a pass: nothing that is read depends on it
  kView,             ///< the same bytes under another shape
  kSlice,            ///< neighbouring bytes of what it is cut from
  kSignBit,          ///< the DMA flips bit 7 on the way
  kConcat,           ///< its inputs are written side by side
  kStack,            ///< its inputs are written one after another
  kInterleave,       ///< its inputs are written between each other
  kMoved,            ///< from memory to memory
  kKernel,           ///< `kernel` computes it
  kRefused,          ///< no engine before this one takes it
};
const char* to_string(Why why);

struct Placement {
  std::string op;
  std::string name;
  std::string engine;  ///< "dla", "dma", "dsp", "host", "none"
  int layer = -1;
  Why why = Why::kWithinLimits;
  std::string into = {};        ///< kFused, kFolded: the operator, "conv2d", whose layer is
  std::string into_layer = {};  ///< "stem"
  std::string kernel = {};      ///< kKernel: as PRESIL_KERNEL names it,
  std::string image = {};       ///< and the user's file; "": of presil's own
  /// Of those asked before the engine that is chosen, the first that knows the operator; then of
  /// the others that would take it; then of kernels of the user.
  std::vector<Verdict> verdicts = {};

  std::string reason() const;  ///< explain.h: in a few words, for a table
  std::string remedy() const;  ///< what would make the first engine of `verdicts` take it; "": none
};

}  // namespace presil::placement
