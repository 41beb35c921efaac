// Which operators compute values one by one.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

/// Each value of the result is a function of the values of the inputs at its index: pairs,
/// functions, conversions of types and scales.
bool is_by_value(OpKind kind);

}  // namespace presil::ir
