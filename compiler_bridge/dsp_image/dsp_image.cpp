#include "compiler_bridge/dsp_image/dsp_image.h"

#include <gelf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <sstream>

#include "models/base/refusal.h"
#include "rtl/dsp/dsp_view.h"

namespace presil::dsp_image {
namespace {

constexpr unsigned kAttributes = 0x70000003;  // SHT_RISCV_ATTRIBUTES
constexpr const char* kEntry = "presil_entry_";
constexpr size_t kMostBytes = 1 << 20;  // of any instruction memory
constexpr size_t kAlign = 16;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Refusal("dsp",
                "'" + name + "' " + what +
                    "; build it with driver/kernels/dsp/build.py, which compiles and links for the "
                    "DSP");
}

using File = std::unique_ptr<Elf, int (*)(Elf*)>;

void read_segments(Elf* elf, Image& image) {
  size_t count = 0, size = 0;
  const char* raw = elf_rawfile(elf, &size);
  if (elf_getphdrnum(elf, &count) != 0) refuse(image.name, "has no program headers");
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    const bool loads = gelf_getphdr(elf, static_cast<int>(i), &segment) != nullptr &&
                       segment.p_type == PT_LOAD && segment.p_filesz > 0;
    if (!loads) continue;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) {
      refuse(image.name, "has a segment that reaches beyond its end");
    }
    const uint64_t at = segment.p_paddr - PRESIL_DSP_ITCM;
    if (at > kMostBytes || segment.p_filesz > kMostBytes - at) {
      refuse(image.name, "has bytes outside the instruction memory");
    }
    image.bytes.resize(std::max<size_t>(image.bytes.size(), at + segment.p_filesz));
    std::memcpy(image.bytes.data() + at, raw + segment.p_offset, segment.p_filesz);
  }
  if (image.bytes.empty()) refuse(image.name, "has nothing to load");
  image.bytes.resize((image.bytes.size() + kAlign - 1) / kAlign * kAlign);
}

void read_symbols(Elf* elf, Elf_Data* data, const GElf_Shdr& header, Image& image) {
  for (uint64_t i = 0; header.sh_entsize != 0 && i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    const bool function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
    if (symbol.st_shndx == SHN_UNDEF && GELF_ST_BIND(symbol.st_info) == STB_GLOBAL) {
      const char* missing = elf_strptr(elf, header.sh_link, symbol.st_name);
      refuse(image.name, std::string("requires ") + (missing == nullptr ? "a symbol" : missing) +
                             ", which it does not define");
    }
    const char* name = function ? elf_strptr(elf, header.sh_link, symbol.st_name) : nullptr;
    if (name == nullptr) continue;
    const uint64_t at = symbol.st_value - PRESIL_DSP_ITCM;
    if (at >= image.bytes.size())
      refuse(image.name, std::string("has function ") + name + " outside its code");
    image.functions.push_back(
        {name, static_cast<uint32_t>(symbol.st_value), static_cast<uint32_t>(symbol.st_size)});
  }
  std::stable_sort(image.functions.begin(), image.functions.end(),
                   [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

/// A number of the attribute section, seven bits a byte.
uint64_t number(const uint8_t*& p, const uint8_t* end) {
  uint64_t value = 0;
  for (unsigned shift = 0; p < end && shift < 63; shift += 7) {
    value |= uint64_t{*p & 127u} << shift;
    if (*p++ < 128) break;
  }
  return value;
}

/// Tag_RISCV_arch, 5: after 'A', a length, "riscv", 1 for the file, a length. Odd tags are text.
std::string extensions_of(const uint8_t* p, size_t bytes) {
  const uint8_t* end = p + bytes;
  constexpr size_t kHead = 16;
  if (bytes < kHead || *p != 'A' || std::memcmp(p + 5, "riscv", 6) != 0) return "";
  for (p += kHead; p < end;) {
    const uint64_t tag = number(p, end);
    if (tag % 2 == 0) {
      number(p, end);
      continue;
    }
    const uint8_t* zero = std::find(p, end, 0);
    if (tag == 5) return std::string(p, zero);
    p = zero == end ? end : zero + 1;
  }
  return "";
}

void read_sections(Elf* elf, Image& image) {
  for (Elf_Scn* scn = elf_nextscn(elf, nullptr); scn != nullptr; scn = elf_nextscn(elf, scn)) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr) continue;
    const uint64_t in_data = header.sh_addr - PRESIL_DSP_DTCM;
    if ((header.sh_flags & SHF_ALLOC) != 0 && in_data < kMostBytes && header.sh_size < kMostBytes) {
      const auto end = static_cast<uint32_t>(in_data + header.sh_size);
      image.data_bytes = std::max(image.data_bytes, end);
    }
    Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    if (header.sh_type == SHT_SYMTAB) read_symbols(elf, data, header, image);
    if (header.sh_type != kAttributes) continue;
    image.extensions = extensions_of(static_cast<const uint8_t*>(data->d_buf), data->d_size);
  }
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
  elf_version(EV_CURRENT);
  std::vector<char> copy(bytes.begin(), bytes.end());
  const File elf(elf_memory(copy.data(), copy.size()), [](Elf* e) { return elf_end(e); });
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF ||
      gelf_getehdr(elf.get(), &header) == nullptr) {
    refuse(name, "is no ELF file");
  }
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) refuse(name, "is big-endian, expected little-endian");
  if (header.e_machine != EM_RISCV) refuse(name, "is for another machine than RISC-V");
  if (header.e_ident[EI_CLASS] != ELFCLASS64) refuse(name, "is a 32-bit program, expected 64 bits");
  if (header.e_type != ET_EXEC) refuse(name, "is not linked to fixed addresses");
  const uint64_t sections = uint64_t{header.e_shentsize} * header.e_shnum;
  if (header.e_shoff > bytes.size() || sections > bytes.size() - header.e_shoff) {
    refuse(name, "is cut off: its sections are listed from byte " + std::to_string(header.e_shoff) +
                     " on, it has " + std::to_string(bytes.size()));
  }
  Image image;
  image.name = name;
  read_segments(elf.get(), image);
  read_sections(elf.get(), image);
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

uint32_t crc32(const uint8_t* bytes, size_t size) {
  constexpr uint32_t kPolynomial = 0xedb88320;
  uint32_t crc = ~uint32_t{0};
  for (size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
  }
  return ~crc;
}

}  // namespace presil::dsp_image
