// Plans that the estimate cannot tell apart. It errs by how far weights are loaded ahead more than
// by which tensors stay: so of each way to load them the best plan is kept.
#pragma once

#include <vector>

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

/// By the estimate, whose error is as large.
bool about_as_fast(const Plan& plan, const Plan& best);

/// Share of the cycles that is none of its layers' computing: what another plan can win. Waiting
/// for weights counts as well as moving data in a layer. Of the DSP's layers nothing does: however
/// they are played, they take what the plan says.
double lost_share(const Plan& plan);

/// That is a cycle of 32 at least.
bool loses(const Plan& plan);

/// Few layers, some of them the DSP's: what these are told to take errs by more than another plan
/// can win.
bool is_told(const Plan& plan);

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
