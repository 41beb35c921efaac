// A core's file as YAML.
#pragma once

#include <string>

#include "models/base/yaml_text.h"

namespace presil::host_cpu {

/// Its keys and values.
/// @throws Refusal: it cannot be read, or is no YAML
YAML::Node core_file(const std::string& file);

}  // namespace presil::host_cpu
