#include "models/dsp/dsp_elf.h"

#include <elf.h>

#include "models/base/refusal.h"
#include "models/dsp/dsp_memory.h"

namespace presil::dsp {
namespace {

constexpr const char* kRequired =
    "required is a program for riscv64, linked by the recipe of the DSP's kernels";

uint8_t rights_of(uint32_t flags) {
  uint8_t rights = 0;
  if ((flags & PF_R) != 0) rights |= kRead;
  if ((flags & PF_W) != 0) rights |= kWrite;
  if ((flags & PF_X) != 0) rights |= kExecute;
  return rights;
}

}  // namespace

Image read_elf(const std::string& file) {
  elf::Program program = elf::read(file, {"dsp", kRequired, "RISC-V", EM_RISCV, 64});
  Image image;
  image.entry = program.entry;
  for (elf::Segment& s : program.segments) {
    s.bytes.resize(s.memory_bytes);
    image.segments.push_back({s.address, std::move(s.bytes), rights_of(s.flags)});
  }
  if (image.segments.empty())
    throw Refusal("dsp", "'" + file + "' has nothing to load; " + kRequired);
  image.functions = std::move(program.functions);
  image.extensions = std::move(program.extensions);
  return image;
}

}  // namespace presil::dsp
