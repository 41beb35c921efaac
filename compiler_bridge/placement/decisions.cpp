#include "compiler_bridge/placement/decisions.h"

namespace presil::placement {

bool Decisions::add(const std::vector<Learnt>& learnt) {
  bool any = false;
  for (const Learnt& one : learnt) {
    if (one.unfuse) {
      any |= limits.not_fused.insert(one.op).second;
      continue;
    }
    auto& of_engine = one.verdict.engine == Engine::kDla   ? limits.not_on_dla
                      : one.verdict.engine == Engine::kDma ? limits.not_on_dma
                                                           : limits.not_on_dsp;
    any |= of_engine.emplace(one.op, one.verdict).second;
  }
  return any;
}

}  // namespace presil::placement
