// A core's file as YAML, and a refusal that cores share.
#pragma once

#include <cstdint>
#include <string>

#include "models/base/refusal.h"
#include "models/base/yaml_text.h"

namespace presil::host_cpu {

/// Its keys and values.
/// @throws Refusal: it cannot be read, or is no YAML
YAML::Node core_file(const std::string& file);

/// Of a program whose entry is no address of an instruction.
Refusal no_entry(const std::string& component, const std::string& firmware, uint64_t entry);

}  // namespace presil::host_cpu
