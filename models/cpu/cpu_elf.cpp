#include "models/cpu/cpu_elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "models/base/refusal.h"
#include "models/cpu/cpu_memory.h"

namespace presil::cpu {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Refusal("cpu", "'" + file + "' " + what +
                           "; required is a linked program for Arm (Thumb, 32-bit ELF), as "
                           "clang --target=thumbv8m.main-none-eabi makes it");
}

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

struct File {
  int descriptor;
  explicit File(const std::string& name) : descriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor >= 0) close(descriptor);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

void read_segments(Elf* elf, const std::string& file, Image& image) {
  size_t count = 0, size = 0;
  const char* raw = elf_rawfile(elf, &size);
  if (elf_getphdrnum(elf, &count) != 0) refuse(file, "has no program headers");
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD ||
        header.p_filesz == 0)
      continue;
    if (header.p_offset > size || header.p_filesz > size - header.p_offset)
      refuse(file, "has a segment that reaches beyond its end");
    Segment s;
    s.address = static_cast<uint32_t>(header.p_paddr);
    s.bytes.assign(raw + header.p_offset, raw + header.p_offset + header.p_filesz);
    image.segments.push_back(std::move(s));
  }
  if (image.segments.empty()) refuse(file, "has nothing to load");
}

void read_functions(Elf* elf, Image& image) {
  for (Elf_Scn* scn = elf_nextscn(elf, nullptr); scn != nullptr; scn = elf_nextscn(elf, scn)) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    for (uint64_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr ||
          GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
        continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr)
        image.functions.push_back({name, static_cast<uint32_t>(symbol.st_value) & ~1u,
                                   static_cast<uint32_t>(symbol.st_size)});
    }
  }
  std::sort(image.functions.begin(), image.functions.end(),
            [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

}  // namespace

Image read_elf(const std::string& file) {
  elf_version(EV_CURRENT);
  const File opened(file);
  if (opened.descriptor < 0) refuse(file, "cannot be opened");
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(opened.descriptor, ELF_C_READ, nullptr),
                                                elf_end);
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF ||
      gelf_getehdr(elf.get(), &header) == nullptr)
    refuse(file, "is no ELF file");
  if (header.e_machine != EM_ARM)
    refuse(file, "is for another machine (number " + std::to_string(header.e_machine) + ")");
  if (header.e_type != ET_EXEC) refuse(file, "is not linked to fixed addresses");
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) refuse(file, "is big-endian");
  Image image;
  image.entry = static_cast<uint32_t>(header.e_entry);
  if ((image.entry & 1) == 0)
    refuse(file, "has its entry at " + hex(image.entry) + ", which is no Thumb address");
  read_segments(elf.get(), file, image);
  read_functions(elf.get(), image);
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

std::string function_at(const Image& image, uint32_t address) {
  for (const Symbol& s : image.functions) {
    if (address < s.address || address - s.address >= std::max<uint32_t>(s.bytes, 1)) continue;
    char text[24];
    std::snprintf(text, sizeof text, " + 0x%x", address - s.address);
    return address == s.address ? s.name : s.name + text;
  }
  return "";
}

}  // namespace presil::cpu
