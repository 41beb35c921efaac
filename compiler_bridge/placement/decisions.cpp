#include "compiler_bridge/placement/decisions.h"

namespace presil::placement {

bool Decisions::add(const std::vector<Learnt>& learnt) {
  bool any = false;
  for (const Learnt& one : learnt) {
    if (one.unfuse) {
      any |= limits.not_fused.insert(one.op).second;
      continue;
    }
    any |= limits.not_on[one.verdict.engine].emplace(one.op, one.verdict).second;
  }
  return any;
}

}  // namespace presil::placement
