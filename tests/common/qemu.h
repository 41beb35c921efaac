// Programs of a test in qemu's user mode: the file that it runs, and what the program writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presil::qemu {

using Bytes = std::vector<uint8_t>;

/// Of an ELF file: the first part is code, the others are data.
struct Part {
  uint64_t address;
  const Bytes* bytes;
};
struct Target {
  unsigned bits, machine, flags;  ///< 32 or 64, EM_..., e_flags
};

/// A file that qemu may execute.
void write_elf(const std::string& file, const Target& target, uint64_t entry,
               const std::vector<Part>& parts);

/// Is there, with no content, until the end of its scope.
class TemporaryFile {
 public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& name() const { return m_name; }

 private:
  std::string m_name;
};

/// What a command writes to its standard output.
/// @throws std::runtime_error where it ends otherwise than with 0
Bytes output_of(const std::string& command);

/// Offset of the first byte in which two runs differ; -1: none.
int64_t first_difference(const Bytes& a, const Bytes& b);
/// `bytes` bytes as one little-endian number; what lies beyond the end is 0.
std::string hex(const Bytes& from, size_t at, size_t bytes);

}  // namespace presil::qemu
