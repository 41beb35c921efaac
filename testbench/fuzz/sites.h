// A walk over a sound FlatBuffers file by its schema: every scalar, length, offset and presence.
#pragma once

#include <string>

#include "testbench/fuzz/mutator.h"

namespace presil::fuzz {

/// @param schema  binary form (flatc --schema --binary)
/// @param file    verified; a walk over a damaged one would leave it
Groups sites_of(const std::string& schema, const File& file);

}  // namespace presil::fuzz
