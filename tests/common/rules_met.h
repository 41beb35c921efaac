// That tests meet every rule of an engine: of its printed table, so a rule more is a test more.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "rtl/common/rule.h"
#include "tests/common/shown.h"

namespace presil::test {

/// @param engine   whose model was asked
/// @param met      numbers of the rules that a test has seen broken; others are not looked at
/// @param not_met  names of those that this test cannot break, and no others
inline void expect_rules_met(const char* engine, const presil_rule* rules, unsigned count,
                             const std::set<unsigned>& met,
                             const std::set<std::string>& not_met = {}) {
  std::set<std::string> missing;
  Shown shown(engine, {"model"});
  for (unsigned i = 0; i < count; ++i) {
    EXPECT_EQ(rules[i].number, i + 1);
    if (met.count(i + 1) == 0)
      missing.insert(rules[i].name);
    else
      shown.broken(rules[i].name);
  }
  EXPECT_EQ(missing, not_met) << "rules that were never met, and those said to be so";
}

}  // namespace presil::test
