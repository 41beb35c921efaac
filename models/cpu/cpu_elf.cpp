#include "models/cpu/cpu_elf.h"

#include <elf.h>

#include <cstdio>
#include <cstring>

#include "models/base/refusal.h"
#include "models/cpu/cpu_memory.h"

namespace presil::cpu {
namespace {

constexpr const char* kRequired =
    "required is a linked program for Arm (Thumb, 32-bit ELF), as "
    "clang --target=thumbv8m.main-none-eabi makes it";

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

}  // namespace

Image read_elf(const std::string& file) {
  elf::Program program = elf::read(file, {"cpu", kRequired, "Arm", EM_ARM, 32});
  Image image;
  image.entry = static_cast<uint32_t>(program.entry);
  if ((image.entry & 1) == 0) {
    throw Refusal("cpu", "'" + file + "' has its entry at " + hex(image.entry) +
                             ", which is no Thumb address; " + kRequired);
  }
  for (elf::Segment& s : program.segments) {
    if (s.bytes.empty()) continue;  // the program clears it
    image.segments.push_back({static_cast<uint32_t>(s.load_address), std::move(s.bytes)});
  }
  if (image.segments.empty())
    throw Refusal("cpu", "'" + file + "' has nothing to load; " + kRequired);
  image.functions = std::move(program.functions);
  for (Symbol& f : image.functions) f.address &= ~uint64_t{1};
  return image;
}

void load(const Image& image, const std::string& file, const Memory& memory) {
  for (const Segment& s : image.segments) {
    const auto bytes = static_cast<uint32_t>(s.bytes.size());
    uint8_t* host = memory.at(s.address, bytes, kRead);
    if (host == nullptr)
      throw Refusal("cpu", "'" + file + "' has " + std::to_string(bytes) + " bytes at " +
                               hex(s.address) +
                               ", where the core has no memory of this size; correct the linker "
                               "script or the core's regions");
    std::memcpy(host, s.bytes.data(), bytes);
  }
}

}  // namespace presil::cpu
