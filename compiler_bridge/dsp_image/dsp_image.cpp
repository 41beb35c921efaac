#include "compiler_bridge/dsp_image/dsp_image.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

#include "models/base/crc.h"
#include "models/base/elf_file.h"
#include "models/base/refusal.h"
#include "rtl/dsp/dsp_view.h"

namespace presil::dsp_image {
namespace {

constexpr const char* kEntry = "presil_entry_";
constexpr size_t kMostBytes = 1 << 20;  // of any instruction memory
constexpr size_t kAlign = 16;

constexpr const char* kRequired =
    "build it with driver/kernels/dsp/build.py, which compiles and links for the DSP";

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Refusal("dsp", "'" + name + "' " + what + "; " + kRequired);
}

void take_segments(const elf::Program& program, Image& image) {
  for (const elf::Segment& s : program.segments) {
    if (s.bytes.empty()) continue;
    const uint64_t at = s.load_address - PRESIL_DSP_ITCM;
    if (at > kMostBytes || s.bytes.size() > kMostBytes - at) {
      refuse(image.name, "has bytes outside the instruction memory");
    }
    image.bytes.resize(std::max<size_t>(image.bytes.size(), at + s.bytes.size()));
    std::copy(s.bytes.begin(), s.bytes.end(),
              image.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (image.bytes.empty()) refuse(image.name, "has nothing to load");
  image.bytes.resize((image.bytes.size() + kAlign - 1) / kAlign * kAlign);
}

void take_functions(const elf::Program& program, Image& image) {
  if (!program.undefined.empty())
    refuse(image.name, "requires " + program.undefined + ", which it does not define");
  for (const elf::Function& f : program.functions) {
    if (f.address - PRESIL_DSP_ITCM >= image.bytes.size())
      refuse(image.name, "has function " + f.name + " outside its code");
    image.functions.push_back(
        {f.name, static_cast<uint32_t>(f.address), static_cast<uint32_t>(f.bytes)});
  }
}

uint32_t data_bytes_of(const elf::Program& program) {
  uint32_t bytes = 0;
  for (const elf::Extent& section : program.sections) {
    const uint64_t at = section.address - PRESIL_DSP_DTCM;
    if (at < kMostBytes && section.bytes < kMostBytes)
      bytes = std::max(bytes, static_cast<uint32_t>(at + section.bytes));
  }
  return bytes;
}

/// "zve32f1p0" without its version: digits of names have no p after them.
std::string without_version(std::string word) {
  const size_t p = word.rfind('p');
  if (p == std::string::npos || p + 1 >= word.size()) return word;
  const auto digits = [&](size_t from, size_t to) {
    return from < to && std::all_of(word.begin() + static_cast<std::ptrdiff_t>(from),
                                    word.begin() + static_cast<std::ptrdiff_t>(to),
                                    [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!digits(p + 1, word.size())) return word;
  // One digit of a major version: an extension's own number stands before it.
  return digits(p - 1, p) ? word.substr(0, p - 1) : word;
}

}  // namespace

uint32_t Image::entry(const std::string& kernel) const {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const Symbol& s) { return s.name == kEntry + kernel; });
  return found == functions.end() ? 0 : found->address;
}

std::vector<std::string> Image::kernels() const {
  std::vector<std::string> names;
  for (const Symbol& s : functions) {
    if (s.name.rfind(kEntry, 0) == 0) names.push_back(s.name.substr(std::strlen(kEntry)));
  }
  return names;
}

Image read_image(const std::vector<uint8_t>& bytes, const std::string& name) {
  const elf::Program program = elf::read(bytes, name, {"dsp", kRequired, "RISC-V", EM_RISCV, 64});
  Image image;
  image.name = name;
  take_segments(program, image);
  take_functions(program, image);
  image.data_bytes = data_bytes_of(program);
  image.extensions = program.extensions;
  if (image.kernels().empty()) {
    refuse(name, image.functions.empty()
                     ? "has no names of functions (stripped?), by which kernels are found"
                     : "has no kernel: a function of it requires PRESIL_KERNEL(its name) after it");
  }
  image.crc = crc32(image.bytes.data(), image.bytes.size());
  return image;
}

std::optional<placement::Finding> unfit(const Image& image, const DspConfig& config) {
  using placement::Finding;
  const auto more = [](const std::string& what, uint64_t got, const std::string& parameter,
                       uint64_t most) {
    return Finding{what, std::to_string(got) + " bytes",
                   "at most " + std::to_string(most) + " (" + parameter + ")"};
  };
  if (image.bytes.size() > config.itcm_bytes) {
    return more("program", image.bytes.size(), "dsp.itcm_bytes", config.itcm_bytes);
  }
  constexpr uint32_t kStack = 8 << 10;
  const uint32_t room = config.dtcm_bytes - kStack - PRESIL_DSP_GUARD_BYTES;
  if (image.data_bytes > room) {
    return more("data", image.data_bytes, "dsp.dtcm_bytes less the stack", room);
  }
  constexpr char kAsBuilt[] = "as driver/kernels/dsp/build.py builds it";
  static const std::array<const char*, 15> kKnown = {
      "rv64i", "m",     "f",   "c",      "zicsr",  "zifencei", "zicntr", "zba",
      "zbb",   "zmmul", "zca", "zve32x", "zve32f", "zve64x",   "zve64f"};
  if (image.extensions.empty()) {
    return Finding{"list of extensions", "absent (no .riscv.attributes)", kAsBuilt};
  }
  std::istringstream words(image.extensions);
  std::string unknown;
  for (std::string word; std::getline(words, word, '_');) {
    const std::string extension = without_version(word);
    if (extension.rfind("zvl", 0) == 0) {
      const unsigned long required = std::strtoul(extension.c_str() + 3, nullptr, 10);
      if (required <= config.vlen) continue;
      return Finding{"length of vector registers",
                     std::to_string(required) + " bits (" + extension + ")",
                     "at most " + std::to_string(config.vlen) + " (dsp.vlen)"};
    }
    const bool known = std::find(kKnown.begin(), kKnown.end(), extension) != kKnown.end();
    if (!known) {
      unknown += (unknown.empty() ? "" : ", ") + extension;
      continue;
    }
    if (extension.rfind("zve64", 0) == 0 && config.elen < 64) {
      return Finding{"widest element", "64 bits (" + extension + ")",
                     "at most " + std::to_string(config.elen) + " bits (dsp.elen)"};
    }
  }
  if (unknown.empty()) return std::nullopt;
  return Finding{"set of extensions", unknown + ", which the DSP does not have", kAsBuilt};
}

}  // namespace presil::dsp_image
