// What a core loads of an ELF file.
#pragma once

#include "models/base/elf_file.h"

namespace presil::cpu {

class Memory;

struct Segment {
  uint32_t address = 0;  ///< where it is loaded: of data in RAM its copy in flash
  std::vector<uint8_t> bytes;
};

using Symbol = elf::Function;

struct Image {
  uint32_t entry = 0;
  std::vector<Segment> segments;
  std::vector<Symbol> functions;  ///< by address, without bit 0
};

/// @throws Refusal: no ELF, another machine, not linked, a segment beyond the file
Image read_elf(const std::string& file);
/// Writes the segments into the host bytes of a core's regions, flash too.
/// @throws Refusal where a segment lies outside of them
void load(const Image& image, const std::string& file, const Memory& memory);
/// The function that holds an address, as "name + 0x12"; empty: none does.
inline std::string function_at(const Image& image, uint32_t address) {
  return elf::place_in(image.functions, address);
}

}  // namespace presil::cpu
