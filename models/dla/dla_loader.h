// The weight loader as the operand stage sees it: two weight sets, loaded in the order of the
// passes.
#pragma once

#include <algorithm>

#include "models/dla/dla_timing.h"

namespace presil::dla {

class Loader {
 public:
  /// @param start     of the loader, for this command
  /// @param last_pass first step of the last pass of the command before
  Loader(const Plan& plan, Cycle start, Cycle last_pass)
      : m_plan(plan),
        m_fill_end(start + cycles_start_to_weight_fifo + plan.cycles_table),
        m_last_first(last_pass) {}

  /// Loads the set of the next pass, before it the parameters of a new group; the set that it
  /// overwrites is free one cycle after the first step of the pass before.
  /// @return earliest first step of the pass: one cycle (swap) after the set's last word
  Cycle next(bool new_group) {
    const Cycle parameters = new_group ? m_plan.cycles_parameters : 0;
    m_fill_end = std::max(m_fill_end + 1 + parameters, m_last_first + 1) + m_plan.cycles_set - 1;
    return m_fill_end + 1;
  }
  void fired(Cycle first_step) { m_last_first = first_step; }
  /// The cycle after its last word.
  Cycle free() const { return m_fill_end + 1; }

 private:
  const Plan& m_plan;
  Cycle m_fill_end, m_last_first;
};

}  // namespace presil::dla
