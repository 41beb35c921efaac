// What a session answers where RTL and its model differ.
#pragma once

#include "sim/platform/session.h"
#include "sim/rtl/divergence.h"

namespace presil::platform {

/// What a block in RTL has stopped with.
Failure failure_of(const rtl::Divergence& divergence);

}  // namespace presil::platform
