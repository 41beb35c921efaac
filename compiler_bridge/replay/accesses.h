// Which bytes a command reads and writes, from its words alone (rtl/dla/README.md,
// rtl/dma/README.md, rtl/dsp/README.md, rtl/host/README.md).
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"

namespace presil::replay {

/// The SRAM, or a region of the job.
using Space = unsigned;
inline constexpr Space kSram = 0;
constexpr Space region_space(unsigned region) {
  return 1 + region;
}

/// Whose wait holds an access: the DLA's weight loader, its sequencer and second operand, its
/// writer. Other queues wait as a whole; all of theirs is kIn.
enum Gate : unsigned { kWeights, kIn, kOut, kGates };

/// Bytes [begin, end).
struct Span {
  Space space = kSram;
  uint64_t begin = 0, end = 0;
};

struct Access {
  Gate gate = kIn;
  bool write = false;
  const char* what = "";    ///< "weights", "second operand", "source", ...
  std::vector<Span> spans;  ///< neighbours are one
};

/// The array of the DLA that a stream was made for.
struct Array {
  unsigned macs_k = 16, macs_c = 16;
};

std::vector<Access> accesses_of(const dla::Command& command, const Array& array);
std::vector<Access> accesses_of(const dma::Command& command);
/// The image, or arguments and region table.
std::vector<Access> accesses_of(const dsp::Command& command);
/// What a region table lets the program touch: of an operand the elements that its tensor in the
/// argument block has, rows and columns; what may be written counts as written, all of it.
/// Refuses (presil::Refusal) an entry that the DSP would not take, an argument block that holds no
/// tensors (driver/include/presil/dsp_kernel.h), a tensor that leaves its region.
std::vector<Access> accesses_of_regions(const std::vector<uint8_t>& table,
                                        const std::vector<uint8_t>& arguments);
/// @param image  holds the task's tensor list
/// Refuses (presil::Refusal) a list that lies outside it.
std::vector<Access> accesses_of(const host::Command& command, const uint8_t* image, uint64_t bytes);

}  // namespace presil::replay
