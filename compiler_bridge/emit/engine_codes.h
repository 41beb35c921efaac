// Engines in a loadable: a number, which is the engine's kind; names of those from outside are in
// its table.
#pragma once

#include <string>

#include "rtl/soc/loadable_generated.h"

namespace presil::emit {

/// Of an engine's name: presil's own, or one that has joined; else none.
loadable::Engine code_of(const std::string& name);

/// @return "none" where neither the loadable nor an engine that has joined says
std::string engine_name(const loadable::Loadable& l, loadable::Engine code);

}  // namespace presil::emit
