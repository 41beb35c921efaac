// What stops a run of RTL: where it differs from its model first, or an assertion of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil::rtl {

struct Divergence {
  std::string block;
  std::string stage;  ///< fetch, offer, write, signal, interrupt, register, end, assertion
  bool in_command = false;
  uint32_t index = 0, tag = 0;  ///< of the command, where there is one
  std::vector<uint32_t> words;  ///< of the command, as fetched
  uint64_t address = 0;
  std::string model, rtl;  ///< values
  Cycle model_cycle = -1;  ///< -1: not known
  Cycle rtl_cycle = -1;

  /// An assertion of the RTL has failed.
  static Divergence assertion(std::string block, Cycle cycle);
  /// The cycle in which both have done what differs.
  Cycle seen() const { return std::max(model_cycle, rtl_cycle); }
  /// One paragraph: block, where, got, expected.
  std::string text() const;
};

}  // namespace presil::rtl
