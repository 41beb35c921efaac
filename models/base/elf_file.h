// What is in an ELF file that is a program, whatever its machine. libelf reads it; the readers of
// one machine's programs (models/cpu, models/dsp) take of it what they load.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presil::elf {

struct Segment {
  uint64_t address = 0;       ///< while it runs
  uint64_t load_address = 0;  ///< of data in RAM its copy in flash
  uint64_t memory_bytes = 0;  ///< with the zeros after `bytes`
  uint32_t flags = 0;         ///< PF_R, PF_W, PF_X
  std::vector<uint8_t> bytes;
};

struct Function {
  std::string name;
  uint64_t address = 0, bytes = 0;
};

/// Of the memory that a program has, zeros included.
struct Extent {
  uint64_t address = 0, bytes = 0;
};

struct Program {
  uint64_t entry = 0;
  std::vector<Segment> segments;    ///< which are loaded and have a size
  std::vector<Function> functions;  ///< by address
  std::vector<Extent> sections;     ///< in memory
  std::string undefined;            ///< a global symbol that it requires and does not have
  std::string extensions;           ///< of RISC-V: Tag_RISCV_arch
};

/// What reads: the words of its refusals.
struct Reader {
  std::string component;     ///< of its refusals
  std::string required;      ///< the end of its refusals: what the file must be
  std::string machine_name;  ///< "RISC-V"
  unsigned machine = 0;      ///< EM_...
  unsigned bits = 32;        ///< or 64
};

/// @param name of the file, for refusals
/// @throws Refusal: no ELF, another machine or class, big-endian, not linked to fixed addresses,
/// cut
///         off, a segment beyond the file
Program read(const std::vector<uint8_t>& file, const std::string& name, const Reader& reader);
Program read(const std::string& file, const Reader& reader);

/// The function that holds an address, as "name + 0x12"; empty: none does.
std::string place_in(const std::vector<Function>& functions, uint64_t address);

}  // namespace presil::elf
