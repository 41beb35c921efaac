#include "tests/dsp/dsp_qemu.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "models/dsp/dsp_core.h"
#include "models/dsp/dsp_elf.h"
#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

struct TemporaryFile {
  std::string name;
  TemporaryFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "presil-dsp-XXXXXX";
    const int descriptor = mkstemp(pattern.data());
    if (descriptor < 0) throw std::runtime_error("no temporary file");
    close(descriptor);
    name = pattern;
  }
  ~TemporaryFile() { std::filesystem::remove(name); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
};

std::string hex(const uint8_t* bytes, size_t count) {
  std::string text;
  for (size_t i = count; i-- > 0;) {
    char two[4];
    std::snprintf(two, sizeof two, "%02x", bytes[i]);
    text += two;
  }
  return text;
}

// Offset of the first byte in which two runs differ; -1: none.
int64_t first_difference(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  const size_t n = std::min(a.size(), b.size());
  const auto at = std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), b.begin());
  if (at.first != a.begin() + static_cast<std::ptrdiff_t>(n)) return at.first - a.begin();
  return a.size() == b.size() ? -1 : static_cast<int64_t>(n);
}

struct Outputs {
  std::vector<uint8_t> expected, got, traced;
};

Outputs run_both(const std::vector<Program>& programs, const Config& config, bool vectors,
                 Tracer* tracer = nullptr) {
  const TemporaryFile file;
  write_elf(file.name, link(programs, config.vlen, vectors));
  Outputs all{run_qemu(file.name, config.vlen), run_simulator(file.name, config), {}};
  if (tracer != nullptr) all.traced = run_simulator(file.name, config, tracer);
  return all;
}

bool differs(const Program& program, const Config& config, bool vectors) {
  try {
    const Outputs o = run_both({program}, config, vectors);
    return first_difference(o.expected, o.got) >= 0;
  } catch (const std::runtime_error&) {
    return false;  // without what was cut, an instruction is illegal
  }
}

}  // namespace

bool has_qemu() {
  return std::system("qemu-riscv64 --version > /dev/null 2>&1") == 0;
}

void write_elf(const std::string& file, const Linked& linked) {
  elf_version(EV_CURRENT);
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  fchmod(descriptor, 0700);  // qemu must be allowed to execute it
  Elf* elf = elf_begin(descriptor, ELF_C_WRITE, nullptr);
  elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
  Elf64_Ehdr* header = elf64_newehdr(elf);
  header->e_ident[EI_DATA] = ELFDATA2LSB;
  header->e_machine = EM_RISCV;
  header->e_type = ET_EXEC;
  header->e_version = EV_CURRENT;
  header->e_entry = Linked::kCode;
  header->e_flags = 1 | 2;  // compressed instructions, single-precision ABI
  header->e_phoff = sizeof(Elf64_Ehdr);
  Elf64_Phdr* p = elf64_newphdr(elf, 2);
  const std::vector<uint8_t>* parts[] = {&linked.code, &linked.data};
  constexpr uint64_t kAddresses[] = {Linked::kCode, Linked::kData};
  uint64_t offset = 0x1000;
  uint64_t offsets[2];
  for (int i = 0; i < 2; ++i) {
    p[i].p_type = PT_LOAD;
    p[i].p_offset = offsets[i] = offset;
    p[i].p_vaddr = p[i].p_paddr = kAddresses[i];
    p[i].p_filesz = p[i].p_memsz = parts[i]->size();
    p[i].p_flags = i == 0 ? PF_R | PF_X : PF_R | PF_W;
    p[i].p_align = 0x1000;
    offset = (offset + parts[i]->size() + 0xfff) & ~uint64_t{0xfff};
  }
  elf_update(elf, ELF_C_WRITE);
  elf_end(elf);
  for (int i = 0; i < 2; ++i) {
    const auto written =
        pwrite(descriptor, parts[i]->data(), parts[i]->size(), static_cast<off_t>(offsets[i]));
    if (written != static_cast<ssize_t>(parts[i]->size()))
      throw std::runtime_error("cannot write " + file);
  }
  close(descriptor);
}

std::vector<uint8_t> run_qemu(const std::string& file, unsigned vlen) {
  // Not v=true: with Zve64f alone vsmul and vmulh of 64 bits are refused, as they are here.
  const std::string command =
      "qemu-riscv64 -cpu rv64,v=false,Zve64f=true,vlen=" + std::to_string(vlen) +
      ",elen=64,vext_spec=v1.0 " + file;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  std::vector<uint8_t> out;
  std::vector<uint8_t> buffer(1 << 16);
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
    out.insert(out.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(n));
  const int ended = pclose(pipe);
  if (ended != 0) throw std::runtime_error(command + " ended with " + std::to_string(ended));
  return out;
}

std::vector<uint8_t> run_simulator(const std::string& file, const Config& config, Tracer* tracer) {
  Image image = read_elf(file);
  Core core(config);
  core.reset();
  core.set_tracer(tracer);
  for (Segment& s : image.segments)
    core.memory().add(
        {s.address, s.bytes.size(), s.bytes.data(), s.rights, Space::kTcm, 0, nullptr});
  std::vector<uint8_t> out;
  uint64_t pc = image.entry;
  for (;;) {
    const Stop& stop = core.run(pc);
    const auto& x = core.hart().x;
    if (stop.cause != Cause::kCall || x[17] != 64) break;  // 64 write, 93 exit
    const uint8_t* bytes = core.memory().at(x[11], x[12], kRead);
    if (bytes == nullptr) break;
    out.insert(out.end(), bytes, bytes + x[12]);
    pc = stop.pc + 4;
  }
  const Stop& stop = core.hart().stop;
  if (stop.cause != Cause::kCall) {
    char text[160];
    std::snprintf(text, sizeof text, "simulator: cause %d at pc 0x%x, %s, address 0x%llx",
                  static_cast<int>(stop.cause), stop.pc, disassemble(stop.word).c_str(),
                  static_cast<unsigned long long>(stop.address));
    throw std::runtime_error(text);
  }
  return out;
}

std::string compare(const std::vector<Program>& programs, const Config& config, bool vectors,
                    Tracer* tracer) {
  const unsigned bytes = Dump::bytes(config.vlen);
  const Outputs all = run_both(programs, config, vectors, tracer);
  if (tracer != nullptr && all.traced != all.got) return "a traced run ends in another state";
  const int64_t at = first_difference(all.expected, all.got);
  if (at < 0) return all.expected.size() == bytes * programs.size() ? "" : "output is missing";
  Program shortest = programs[static_cast<size_t>(at) / bytes];
  for (size_t i = shortest.body.size(); i-- > 0;) {
    Program without = shortest;
    without.body.erase(without.body.begin() + static_cast<std::ptrdiff_t>(i));
    if (differs(without, config, vectors)) shortest = without;
  }
  const Outputs one = run_both({shortest}, config, vectors);
  const auto offset =
      static_cast<size_t>(std::max<int64_t>(0, first_difference(one.expected, one.got)));
  const size_t from = offset & ~size_t{7};
  size_t count = 0;
  for (size_t p = 0; p < programs.size(); ++p)
    count += !std::equal(all.expected.begin() + static_cast<std::ptrdiff_t>(p * bytes),
                         all.expected.begin() + static_cast<std::ptrdiff_t>((p + 1) * bytes),
                         all.got.begin() + static_cast<std::ptrdiff_t>(p * bytes));
  return std::to_string(count) + " of " + std::to_string(programs.size()) + " differ at VLEN " +
         std::to_string(config.vlen) + "; program " + std::to_string(at / bytes) + ": " +
         Dump::name_of(static_cast<unsigned>(offset), config.vlen) + ", expected " +
         hex(&one.expected[from], 8) + ", got " + hex(&one.got[from], 8) + "\n" + to_text(shortest);
}

}  // namespace presil::dsp
