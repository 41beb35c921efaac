// What the DSP loads of an ELF file, and the extensions it was compiled for.
#pragma once

#include "models/base/elf_file.h"

namespace presil::dsp {

struct Segment {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;  ///< with zeros up to the size in memory
  uint8_t rights = 0;          ///< of Right
};

using Symbol = elf::Function;
using elf::place_in;

struct Image {
  uint64_t entry = 0;
  std::vector<Segment> segments;
  std::vector<Symbol> functions;  ///< by address
  std::string extensions;         ///< Tag_RISCV_arch, or empty
};

/// @throws Refusal: no ELF, another machine, another class, not linked
Image read_elf(const std::string& file);

inline std::string place_in(const Image& image, uint64_t address) {
  return elf::place_in(image.functions, address);
}

}  // namespace presil::dsp
