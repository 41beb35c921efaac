// What lies where, and when: the memory map that `presil inspect` shows.
#pragma once

#include <string>

namespace presil::loadable {
struct Loadable;  // rtl/soc/loadable_generated.h
}

namespace presil::emit {

/// One line a buffer of the SRAM: first and last byte, between which layers that do work (counted
/// from 0) it is held, what it is; then the regions, with the tensors that lie in them.
/// @pre the file is what write_loadable gave, or sim/platform/loadable_file.h has opened it
std::string memory_map(const loadable::Loadable& loadable);

}  // namespace presil::emit
