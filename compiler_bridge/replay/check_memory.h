// A loadable's streams replayed by their words alone: whether every byte that is read has been
// written, by whom it should, and stays until it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace presil::loadable {
struct Loadable;  // rtl/soc/loadable_generated.h
}

namespace presil::replay {

struct Checked {
  std::optional<std::string> wrong;  ///< one sentence, of the first thing that is
  size_t commands = 0, accesses = 0;
  uint64_t bytes = 0;      ///< read and written
  bool data_flow = false;  ///< whose results a layer reads was looked at
};

/// In an order in which the queues can run: each access lies inside the SRAM or its region; what is
/// read was written before, or is an input or constant; of two commands that touch a byte, one of
/// them writing it, one is certainly done before the other begins to; a layer reads results of
/// layers that its operators read, and no others; every output is written.
/// @pre the file is what emit::write_loadable gave, or sim/platform/loadable_file.h has opened it
/// Refuses (presil::Refusal) streams that cannot be read at all.
Checked check_memory(const loadable::Loadable& loadable);

}  // namespace presil::replay
