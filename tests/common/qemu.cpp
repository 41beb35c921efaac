#include "tests/common/qemu.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace presil::qemu {
namespace {

constexpr uint64_t kPage = 0x1000;

uint64_t next_page(uint64_t offset) {
  return (offset + kPage - 1) & ~(kPage - 1);
}

}  // namespace

void write_elf(const std::string& file, const Target& target, uint64_t entry,
               const std::vector<Part>& parts) {
  elf_version(EV_CURRENT);
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  fchmod(descriptor, 0700);  // qemu must be allowed to execute it
  Elf* elf = elf_begin(descriptor, ELF_C_WRITE, nullptr);
  elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
  gelf_newehdr(elf, target.bits == 64 ? ELFCLASS64 : ELFCLASS32);
  GElf_Ehdr header;
  gelf_getehdr(elf, &header);
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = static_cast<GElf_Half>(target.machine);
  header.e_type = ET_EXEC;
  header.e_version = EV_CURRENT;
  header.e_entry = entry;
  header.e_flags = target.flags;
  header.e_phoff = gelf_fsize(elf, ELF_T_EHDR, 1, EV_CURRENT);
  gelf_update_ehdr(elf, &header);
  gelf_newphdr(elf, parts.size());
  uint64_t offset = kPage;
  for (size_t i = 0; i < parts.size(); ++i) {
    const uint64_t bytes = parts[i].bytes->size();
    GElf_Phdr p{};
    p.p_type = PT_LOAD;
    p.p_offset = offset;
    p.p_vaddr = p.p_paddr = parts[i].address;
    p.p_filesz = p.p_memsz = bytes;
    p.p_flags = i == 0 ? PF_R | PF_X : PF_R | PF_W;
    p.p_align = kPage;
    gelf_update_phdr(elf, static_cast<int>(i), &p);
    offset = next_page(offset + bytes);
  }
  elf_update(elf, ELF_C_WRITE);
  elf_end(elf);
  offset = kPage;
  for (const Part& part : parts) {
    const Bytes& bytes = *part.bytes;
    const auto written = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written != static_cast<ssize_t>(bytes.size()))
      throw std::runtime_error("cannot write " + file);
    offset = next_page(offset + bytes.size());
  }
  close(descriptor);
}

TemporaryFile::TemporaryFile() {
  m_name = std::filesystem::temp_directory_path() / "presil-qemu-XXXXXX";
  const int descriptor = mkstemp(m_name.data());
  if (descriptor < 0) throw std::runtime_error("no temporary file");
  close(descriptor);
}

TemporaryFile::~TemporaryFile() {
  std::filesystem::remove(m_name);
}

Bytes output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  Bytes out, buffer(1 << 16);
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
    out.insert(out.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(n));
  const int ended = pclose(pipe);
  if (ended != 0) throw std::runtime_error(command + " ended with " + std::to_string(ended));
  return out;
}

int64_t first_difference(const Bytes& a, const Bytes& b) {
  const size_t n = std::min(a.size(), b.size());
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(n);
  const auto at = std::mismatch(a.begin(), end, b.begin());
  if (at.first != end) return at.first - a.begin();
  return a.size() == b.size() ? -1 : static_cast<int64_t>(n);
}

std::string hex(const Bytes& from, size_t at, size_t bytes) {
  std::string text;
  for (size_t i = at + bytes; i-- > at;) {
    char two[4];
    std::snprintf(two, sizeof two, "%02x", i < from.size() ? from[i] : 0);
    text += two;
  }
  return text;
}

}  // namespace presil::qemu
