#include "models/base/elf_file.h"

#include <gelf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "models/base/refusal.h"

namespace presil::elf {
namespace {

constexpr unsigned kRiscvAttributes = 0x70000003;  // SHT_RISCV_ATTRIBUTES

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
  if (bytes < kHead || *p != 'A' || std::memcmp(p + 5, "riscv", 6) != 0 || p[11] != 1) return "";
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

[[noreturn]] void refuse(const Reader& reader, const std::string& file, const std::string& what) {
  throw Refusal(reader.component, "'" + file + "' " + what + "; " + reader.required);
}

class Contents {
 public:
  Contents(Elf* elf, size_t size, const std::string& file, const Reader& reader)
      : m_elf(elf), m_size(size), m_file(file), m_reader(reader) {}

  Program read() {
    read_header();
    read_segments();
    read_sections();
    return std::move(m_program);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { elf::refuse(m_reader, m_file, what); }

  void read_header() {
    GElf_Ehdr header;
    if (m_elf == nullptr || elf_kind(m_elf) != ELF_K_ELF || gelf_getehdr(m_elf, &header) == nullptr)
      refuse("is no ELF file");
    if (header.e_ident[EI_DATA] != ELFDATA2LSB) refuse("is big-endian, expected little-endian");
    if (header.e_machine != m_reader.machine)
      refuse("is for another machine than " + m_reader.machine_name);
    const unsigned bits = header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
    if (bits != m_reader.bits) {
      refuse("is a " + std::to_string(bits) + "-bit program, expected " +
             std::to_string(m_reader.bits) + " bits");
    }
    if (header.e_type != ET_EXEC) refuse("is not linked to fixed addresses");
    const uint64_t sections = uint64_t{header.e_shentsize} * header.e_shnum;
    if (header.e_shoff > m_size || sections > m_size - header.e_shoff) {
      refuse("is cut off: its sections are listed from byte " + std::to_string(header.e_shoff) +
             " on, it has " + std::to_string(m_size));
    }
    m_program.entry = header.e_entry;
  }

  void read_segments() {
    size_t count = 0;
    const char* raw = elf_rawfile(m_elf, nullptr);
    if (elf_getphdrnum(m_elf, &count) != 0) refuse("has no program headers");
    for (size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (gelf_getphdr(m_elf, static_cast<int>(i), &header) == nullptr ||
          header.p_type != PT_LOAD || header.p_memsz == 0)
        continue;
      if (header.p_offset > m_size || header.p_filesz > m_size - header.p_offset ||
          header.p_memsz < header.p_filesz || header.p_memsz > uint64_t{1} << 32)
        refuse("has a segment that reaches beyond its end");
      const char* bytes = raw + header.p_offset;
      m_program.segments.push_back({header.p_vaddr,
                                    header.p_paddr,
                                    header.p_memsz,
                                    header.p_flags,
                                    {bytes, bytes + header.p_filesz}});
    }
  }

  void read_sections() {
    for (Elf_Scn* scn = elf_nextscn(m_elf, nullptr); scn != nullptr;
         scn = elf_nextscn(m_elf, scn)) {
      GElf_Shdr header;
      if (gelf_getshdr(scn, &header) == nullptr) continue;
      if ((header.sh_flags & SHF_ALLOC) != 0)
        m_program.sections.push_back({header.sh_addr, header.sh_size});
      Elf_Data* data = elf_getdata(scn, nullptr);
      if (data == nullptr || data->d_buf == nullptr) continue;
      if (header.sh_type == SHT_SYMTAB) read_functions(header, data);
      if (header.sh_type == kRiscvAttributes && m_reader.machine == EM_RISCV) {
        m_program.extensions =
            extensions_of(static_cast<const uint8_t*>(data->d_buf), data->d_size);
      }
    }
    std::stable_sort(m_program.functions.begin(), m_program.functions.end(),
                     [](const Function& a, const Function& b) { return a.address < b.address; });
  }

  void read_functions(const GElf_Shdr& header, Elf_Data* data) {
    for (uint64_t i = 0; header.sh_entsize != 0 && i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
      const char* name = elf_strptr(m_elf, header.sh_link, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF && GELF_ST_BIND(symbol.st_info) == STB_GLOBAL)
        m_program.undefined = name == nullptr ? "a symbol" : name;
      if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && name != nullptr)
        m_program.functions.push_back({name, symbol.st_value, symbol.st_size});
    }
  }

  Elf* m_elf;
  size_t m_size;
  const std::string& m_file;
  const Reader& m_reader;
  Program m_program;
};

}  // namespace

Program read(const std::vector<uint8_t>& file, const std::string& name, const Reader& reader) {
  elf_version(EV_CURRENT);
  std::vector<char> copy(file.begin(), file.end());
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_memory(copy.data(), copy.size()), elf_end);
  return Contents(elf.get(), file.size(), name, reader).read();
}

Program read(const std::string& file, const Reader& reader) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(reader, file, "cannot be opened");
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
  return read(bytes, file, reader);
}

std::string place_in(const std::vector<Function>& functions, uint64_t address) {
  for (const Function& f : functions) {
    if (address < f.address || address - f.address >= std::max<uint64_t>(f.bytes, 1)) continue;
    char text[24];
    std::snprintf(text, sizeof text, " + 0x%llx",
                  static_cast<unsigned long long>(address - f.address));
    return address == f.address ? f.name : f.name + text;
  }
  return "";
}

}  // namespace presil::elf
