// The text of a SoC, read back, and what two SoCs differ in that a person should be told by name.
#pragma once

#include <string>

#include "models/soc/soc_config.h"

namespace presil::platform {

/// The inverse of canonical_text.
/// @throws Refusal for what is no parameter
SocConfig soc_of_text(const std::string& text, const std::string& name);

/// A sentence where a network was compiled for other engines from outside than the SoC has; empty:
/// they are the same ones.
std::string engines_differ(const SocConfig& compiled_for, const SocConfig& soc);

}  // namespace presil::platform
