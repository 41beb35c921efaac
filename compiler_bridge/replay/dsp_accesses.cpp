// What a command of the DSP touches: the region table says it, for the processor lets the program
// touch nothing else.
#include <cstring>

#include "compiler_bridge/replay/accesses.h"
#include "rtl/dsp/dsp_view.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/refusal.h"

namespace presil::replay {
namespace {

Access one(Space space, uint64_t begin, uint64_t bytes, bool write, const char* what) {
  return {kIn, write, what, {{space, begin, begin + bytes}}};
}

}  // namespace

std::vector<Access> accesses_of(const dsp::Command& c) {
  if (c.op == dsp::Op::kSelect) {
    const Space space = c.image_in_sram ? kSram : region_space(c.image_region);
    return {one(space, c.image_offset, c.image_bytes, false, "image")};
  }
  if (c.op != dsp::Op::kRun) return {};
  return {one(kSram, c.args_base, c.args_bytes, false, "arguments"),
          one(kSram, c.regions_base, c.region_count * sizeof(presil_dsp_region), false,
              "region table")};
}

std::vector<Access> accesses_of_regions(const std::vector<uint8_t>& table) {
  std::vector<Access> all;
  for (size_t at = 0; at + sizeof(presil_dsp_region) <= table.size();
       at += sizeof(presil_dsp_region)) {
    presil_dsp_region entry;
    std::memcpy(&entry, table.data() + at, sizeof entry);
    const uint32_t space = entry.what & PRESIL_DSP_REGION_SPACE_MASK;
    const bool read = (entry.what & PRESIL_DSP_REGION_READ) != 0;
    const bool write = (entry.what & PRESIL_DSP_REGION_WRITE) != 0;
    if (space > PRESIL_DSP_REGION_SPACE_SRAM || entry.bytes == 0 || !(read || write)) {
      throw Refusal("memory", "entry " + std::to_string(at / sizeof entry) +
                                  " of a region table says nothing, wants a space, bytes and a "
                                  "right; compile the network again");
    }
    all.push_back(one(space == PRESIL_DSP_REGION_SPACE_SRAM ? kSram : region_space(space),
                      entry.offset, entry.bytes, write, write ? "a result" : "an operand"));
  }
  return all;
}

}  // namespace presil::replay
