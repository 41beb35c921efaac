// Control and status registers.
#pragma once

#include "models/dsp/dsp_hart.h"

namespace presil::dsp {

/// @return false: there is no such register
bool read_csr(Hart& hart, const Decoded& op, unsigned number, uint64_t& value);
/// @return false: none, or read-only
bool write_csr(Hart& hart, unsigned number, uint64_t value);
/// As an assembler calls it; null: it has no name here.
const char* csr_name(unsigned number);

}  // namespace presil::dsp
