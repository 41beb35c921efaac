// A block in RTL has the parameters that it was built with; its registers say them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace presil::rtl {

struct BuiltParameter {
  const char* name;
  uint32_t required, built;
};

/// @param block its name in --block
/// @param otherwise with which parameters there is RTL
/// @throws Refusal where one is not as required
void check_built_as(const std::string& block, std::initializer_list<BuiltParameter> parameters,
                    const std::string& otherwise);

}  // namespace presil::rtl
