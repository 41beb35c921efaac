// Mutated command streams for the driver's check; what it takes is executed on memory that has the
// job's regions and nothing beside them.
#pragma once

#include <memory>

#include "testbench/fuzz/targets.h"

namespace presil::fuzz {

/// @param loadables sound ones, whose streams are mutated
std::unique_ptr<Target> streams_target(std::vector<File> loadables);

}  // namespace presil::fuzz
