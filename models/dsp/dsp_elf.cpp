#include "models/dsp/dsp_elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "models/base/refusal.h"
#include "models/dsp/dsp_memory.h"

namespace presil::dsp {
namespace {

constexpr unsigned kAttributes = 0x70000003;  // SHT_RISCV_ATTRIBUTES

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Refusal("dsp", "'" + file + "' " + what +
                           "; required is a program for riscv64, linked by the recipe of the DSP's "
                           "kernels");
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

uint64_t uleb(const uint8_t*& p, const uint8_t* end) {
  uint64_t value = 0;
  for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
    const uint8_t byte = *p++;
    value |= uint64_t{byte & 127u} << shift;
    if (byte < 128) break;
  }
  return value;
}

// 'A', length, "riscv\0", 1 (of the file), length, then tags: even ones are numbers, odd ones text;
// 5 is Tag_RISCV_arch.
std::string architecture(const uint8_t* p, size_t bytes) {
  const uint8_t* end = p + bytes;
  if (bytes < 16 || *p != 'A' || std::memcmp(p + 5, "riscv", 6) != 0 || p[11] != 1) return "";
  p += 16;
  while (p < end) {
    const uint64_t tag = uleb(p, end);
    if (tag % 2 == 0) {
      uleb(p, end);
      continue;
    }
    const uint8_t* zero = std::find(p, end, 0);
    if (tag == 5) return std::string(p, zero);
    p = zero == end ? end : zero + 1;
  }
  return "";
}

void read_segments(Elf* elf, const std::string& file, Image& image) {
  size_t count = 0, size = 0;
  const char* raw = elf_rawfile(elf, &size);
  if (elf_getphdrnum(elf, &count) != 0) refuse(file, "has no program headers");
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD ||
        header.p_memsz == 0)
      continue;
    if (header.p_offset > size || header.p_filesz > size - header.p_offset ||
        header.p_memsz < header.p_filesz || header.p_memsz > (uint64_t{1} << 32))
      refuse(file, "has a segment that reaches beyond its end");
    Segment s;
    s.address = header.p_vaddr;
    s.bytes.assign(raw + header.p_offset, raw + header.p_offset + header.p_filesz);
    s.bytes.resize(header.p_memsz);
    if ((header.p_flags & PF_R) != 0) s.rights |= kRead;
    if ((header.p_flags & PF_W) != 0) s.rights |= kWrite;
    if ((header.p_flags & PF_X) != 0) s.rights |= kExecute;
    image.segments.push_back(std::move(s));
  }
  if (image.segments.empty()) refuse(file, "has nothing to load");
}

void read_sections(Elf* elf, Image& image) {
  for (Elf_Scn* scn = elf_nextscn(elf, nullptr); scn != nullptr; scn = elf_nextscn(elf, scn)) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr) continue;
    Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    if (header.sh_type == kAttributes)
      image.extensions = architecture(static_cast<const uint8_t*>(data->d_buf), data->d_size);
    if (header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
    for (uint64_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr ||
          GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
        continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr) image.functions.push_back({name, symbol.st_value, symbol.st_size});
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
  if (header.e_machine != EM_RISCV) refuse(file, "is for another machine");
  if (header.e_ident[EI_CLASS] != ELFCLASS64) refuse(file, "is a 32-bit program");
  if (header.e_type != ET_EXEC) refuse(file, "is not linked to fixed addresses");
  Image image;
  image.entry = header.e_entry;
  read_segments(elf.get(), file, image);
  read_sections(elf.get(), image);
  return image;
}

std::string place_in(const std::vector<Symbol>& functions, uint64_t address) {
  for (const Symbol& s : functions) {
    if (address < s.address || address - s.address >= std::max<uint64_t>(s.bytes, 1)) continue;
    char text[24];
    std::snprintf(text, sizeof text, " + 0x%llx",
                  static_cast<unsigned long long>(address - s.address));
    return address == s.address ? s.name : s.name + text;
  }
  return "";
}

}  // namespace presil::dsp
