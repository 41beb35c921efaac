#include "sim/rtl/divergence.h"

#include <cstdio>
#include <utility>

namespace presil::rtl {
namespace {

std::string cycle_text(Cycle cycle) {
  return cycle < 0 ? "" : " (cycle " + std::to_string(cycle) + ")";
}

}  // namespace

Divergence Divergence::assertion(std::string block, Cycle cycle) {
  Divergence d;
  d.block = std::move(block);
  d.stage = "assertion";
  d.rtl_cycle = cycle;
  return d;
}

std::string Divergence::text() const {
  if (stage == "assertion") {
    return block + " in RTL: an assertion failed" + cycle_text(rtl_cycle);
  }
  std::string said = block + " in lock-step: RTL and model differ first at stage '" + stage + "'";
  if (in_command) {
    said += " of command " + std::to_string(index) + ", tag " + std::to_string(tag);
  }
  if (stage == "write" || stage == "register" || stage == "fetch") {
    char at[32];
    std::snprintf(at, sizeof at, ", address 0x%llx", static_cast<unsigned long long>(address));
    said += at;
  }
  return said + ": model " + model + cycle_text(model_cycle) + ", RTL " + rtl +
         cycle_text(rtl_cycle);
}

}  // namespace presil::rtl
