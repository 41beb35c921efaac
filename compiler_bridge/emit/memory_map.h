// What lies where, and when: the memory map that `presil inspect` shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presil::emit {

/// One line a buffer of the SRAM: first and last byte, between which layers that do work (counted
/// from 0) it is held, what it is; then the regions, with the tensors that lie in them.
/// @pre the file is what write_loadable gave, or sim/platform/loadable_file.h has opened it
std::string memory_map(const std::vector<uint8_t>& loadable);

}  // namespace presil::emit
