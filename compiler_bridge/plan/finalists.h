// Plans that the estimate cannot tell apart. It errs by how far weights are loaded ahead more than
// by which tensors stay: so of each way to load them the best plan is kept.
#pragma once

#include <vector>

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

/// Of several layers some take more than estimated, some less: of few the estimate errs by more.
inline bool has_few_layers(size_t layers) {
  return layers <= 4;
}

/// By the estimate, whose error is as large.
bool about_as_fast(const Plan& plan, const Plan& best);

/// A cycle of 32 at least is lost to moving data: what another plan can win. Of the DSP's layers
/// none counts: however they are played, they take what the plan says.
bool loses(const Plan& plan);

class Finalists {
 public:
  /// A plan that fits.
  void offer(const Plan& plan);
  /// Those of other ways than `best` that are about as fast, the fastest first. What is as fast to
  /// the cycle is the same commands as a rule.
  std::vector<Plan> beside(const Plan& best);

 private:
  std::vector<Plan> m_plans;  ///< of each way the fastest
};

}  // namespace presil::plan
