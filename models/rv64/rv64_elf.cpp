#include "models/rv64/rv64_elf.h"

#include <elf.h>

#include <cstdio>
#include <cstring>

#include "models/base/refusal.h"

namespace presil::rv64 {
namespace {

constexpr const char* kRequired =
    "required is a linked program for RV64IMFC (64-bit ELF), as clang --target=riscv64 "
    "-march=rv64imfc -mabi=lp64f makes it";

}  // namespace

elf::Program read_elf(const std::string& file) {
  elf::Program program = elf::read(file, {"rv64", kRequired, "RISC-V", EM_RISCV, 64});
  // "rv64i2p1_m2p0_f2p2_c2p0_...": a letter and a version each.
  for (const char* extension : {"_a", "_d", "_v", "_zve"}) {
    const size_t at = program.extensions.find(extension);
    const bool whole = at != std::string::npos &&
                       (extension[1] == 'z' || std::isdigit(program.extensions[at + 2]) != 0);
    if (whole)
      throw Refusal("rv64", "'" + file + "' has the extension '" + std::string(extension + 1) +
                                "', which this core lacks; " + kRequired);
  }
  bool loads = false;
  for (const elf::Segment& s : program.segments) loads |= !s.bytes.empty();
  if (!loads) throw Refusal("rv64", "'" + file + "' has nothing to load; " + kRequired);
  return program;
}

void load(const elf::Program& program, const std::string& file, const dsp::Memory& memory) {
  for (const elf::Segment& s : program.segments) {
    if (s.bytes.empty()) continue;  // the program clears it
    uint8_t* host = memory.at(s.load_address, s.bytes.size(), dsp::kRead);
    if (host == nullptr) {
      char at[24];
      std::snprintf(at, sizeof at, "0x%08llx", static_cast<unsigned long long>(s.load_address));
      throw Refusal("rv64", "'" + file + "' has " + std::to_string(s.bytes.size()) + " bytes at " +
                                at +
                                ", where the core has no memory of this size; correct the linker "
                                "script or the core's regions");
    }
    std::memcpy(host, s.bytes.data(), s.bytes.size());
  }
}

}  // namespace presil::rv64
