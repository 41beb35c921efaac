// What tilings of the DLA's layers cut.
#pragma once

#include <map>
#include <string>

#include "compiler_bridge/plan/layout.h"

namespace presil::plan {

/// What a layer of the DLA can be cut into: rows and columns of its result, blocks of 16 channels
/// of its result and of what it reads.
struct Extents {
  int rows = 0, columns = 0, blocks = 0, in_blocks = 0;
};

/// By the layer's name.
std::map<std::string, Extents> extents_of(const Layout& layout);

}  // namespace presil::plan
