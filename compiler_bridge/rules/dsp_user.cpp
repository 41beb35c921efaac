// Operators that presil does not define run where a kernel of the user is: on the DSP.
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {

std::vector<Entry> dsp_user_entries() {
  return {{ir::OpKind::kCustom,
           "any",
           {{"a kernel of the user",
             [](const Subject& s) -> std::optional<Finding> {
               const auto& custom = s.op.as<ir::Custom>();
               if (!custom.kernel.empty()) return std::nullopt;
               return Finding{"kernel of custom operator " + custom.code, "absent", "registered"};
             },
             "register one (--kernels, driver/kernels/dsp/README.md)"}}}};
}

}  // namespace presil::rules
