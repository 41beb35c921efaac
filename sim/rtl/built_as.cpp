#include "sim/rtl/built_as.h"

#include "models/base/refusal.h"

namespace presil::rtl {

void check_built_as(const std::string& block, std::initializer_list<BuiltParameter> parameters,
                    const std::string& otherwise) {
  for (const BuiltParameter& p : parameters) {
    if (p.required == p.built) continue;
    throw Refusal("block", block + "=rtl is built with " + p.name + " = " +
                               std::to_string(p.built) + ", this SoC requires " +
                               std::to_string(p.required) + "; run with --block " + block +
                               "=model, or with " + otherwise);
  }
}

}  // namespace presil::rtl
