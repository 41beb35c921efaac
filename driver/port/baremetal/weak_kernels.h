// Read before kernels.cpp in firmware: a kernel that is not linked is an empty row of the table,
// and the driver refuses its tasks.
#pragma once

#include "driver/kernels/host/attributes.h"

namespace presil::kernels {
struct Kernel;
#define X(NAME, Name) extern const Kernel k##Name __attribute__((weak));
PRESIL_HOST_KERNELS(X)
#undef X
}  // namespace presil::kernels
