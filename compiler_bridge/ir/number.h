// How a float is written so that it reads back to the same bits.
#pragma once

#include <string>

namespace presil::ir {

/// The fewest digits that suffice, at most nine.
std::string number(float value);

}  // namespace presil::ir
