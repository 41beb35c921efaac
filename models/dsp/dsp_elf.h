// What an ELF file says: segments, entry, symbols, the extensions it was compiled for. libelf reads
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presil::dsp {

struct Segment {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;  ///< with zeros up to the size in memory
  uint8_t rights = 0;          ///< of Right
};

struct Symbol {
  std::string name;
  uint64_t address = 0, bytes = 0;
};

struct Image {
  uint64_t entry = 0;
  std::vector<Segment> segments;
  std::vector<Symbol> functions;  ///< by address
  std::string extensions;         ///< Tag_RISCV_arch, or empty
};

/// @throws Refusal: no ELF, another machine, another class, not linked
Image read_elf(const std::string& file);

/// The function that holds an address, as "name + 0x12"; empty: none does.
std::string place_in(const std::vector<Symbol>& functions, uint64_t address);
inline std::string place_in(const Image& image, uint64_t address) {
  return place_in(image.functions, address);
}

}  // namespace presil::dsp
