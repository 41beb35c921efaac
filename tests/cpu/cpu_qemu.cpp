#include "tests/cpu/cpu_qemu.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "models/cpu/cpu_core.h"

namespace presil::cpu {
namespace {

using Bytes = std::vector<uint8_t>;

struct TemporaryFile {
  std::string name;
  TemporaryFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "presil-cpu-XXXXXX";
    const int descriptor = mkstemp(pattern.data());
    if (descriptor < 0) throw std::runtime_error("no temporary file");
    close(descriptor);
    name = pattern;
  }
  ~TemporaryFile() { std::filesystem::remove(name); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
};

void write_elf(const std::string& file, const Linked& linked) {
  elf_version(EV_CURRENT);
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  fchmod(descriptor, 0700);  // qemu must be allowed to execute it
  Elf* elf = elf_begin(descriptor, ELF_C_WRITE, nullptr);
  elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
  Elf32_Ehdr* header = elf32_newehdr(elf);
  header->e_ident[EI_DATA] = ELFDATA2LSB;
  header->e_machine = EM_ARM;
  header->e_type = ET_EXEC;
  header->e_version = EV_CURRENT;
  header->e_entry = linked.entry;
  header->e_flags = 0x05000400;  // EABI 5, hard float
  header->e_phoff = sizeof(Elf32_Ehdr);
  constexpr size_t kParts = 3;
  Elf32_Phdr* p = elf32_newphdr(elf, kParts);
  const Bytes* parts[kParts] = {&linked.code, &linked.data, &linked.states};
  constexpr uint32_t kAddresses[kParts] = {Linked::kCode, Linked::kData, Linked::kStates};
  uint32_t offset = 0x1000, offsets[kParts];
  for (size_t i = 0; i < kParts; ++i) {
    p[i].p_type = PT_LOAD;
    p[i].p_offset = offsets[i] = offset;
    p[i].p_vaddr = p[i].p_paddr = kAddresses[i];
    p[i].p_filesz = p[i].p_memsz = static_cast<uint32_t>(parts[i]->size());
    p[i].p_flags = i == 0 ? PF_R | PF_X : PF_R | PF_W;
    p[i].p_align = 0x1000;
    offset = (offset + p[i].p_filesz + 0xfff) & ~uint32_t{0xfff};
  }
  elf_update(elf, ELF_C_WRITE);
  elf_end(elf);
  for (size_t i = 0; i < kParts; ++i) {
    const auto written =
        pwrite(descriptor, parts[i]->data(), parts[i]->size(), static_cast<off_t>(offsets[i]));
    if (written != static_cast<ssize_t>(parts[i]->size()))
      throw std::runtime_error("cannot write " + file);
  }
  close(descriptor);
}

// User mode of the M cores does not start in qemu 7.2; `max` has all of their instructions, and
// cortex-a7 those of Armv7E-M with FPv4.
Bytes run_qemu(const Linked& linked, const Config& config) {
  const TemporaryFile file;
  write_elf(file.name, linked);
  const std::string command =
      std::string("qemu-arm -cpu ") + (config.v8() ? "max " : "cortex-a7 ") + file.name;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  Bytes out, buffer(1 << 16);
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
    out.insert(out.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(n));
  const int ended = pclose(pipe);
  if (ended != 0) throw std::runtime_error(command + " ended with " + std::to_string(ended));
  return out;
}

// SVC ends in a handler that is a breakpoint and a return: here the call is served.
Bytes run_simulator(Linked linked, const Config& config) {
  constexpr uint32_t kHandler = 0x100;
  Bytes vectors(0x200);
  const uint16_t handler[] = {0xbe00, 0x4770};  // bkpt 0; bx lr
  std::memcpy(&vectors[kHandler], handler, sizeof handler);
  for (uint32_t n = 0; n < 64; ++n) {
    const uint32_t entry = n == 0    ? Linked::kStack
                           : n == 1  ? linked.entry
                           : n == 11 ? kHandler | 1
                                     : 1;
    std::memcpy(&vectors[4 * n], &entry, 4);
  }
  Core core(config);
  auto add = [&](uint32_t base, Bytes& bytes, uint8_t rights) {
    Region region;
    region.base = base;
    region.bytes = static_cast<uint32_t>(bytes.size());
    region.host = bytes.data();
    region.rights = rights;
    core.memory().add(region);
  };
  add(0, vectors, kRead | kExecute);
  add(Linked::kCode, linked.code, kRead | kExecute);
  add(Linked::kData, linked.data, kRead | kWrite);
  add(Linked::kStates, linked.states, kRead);
  core.reset(0);
  core.system().store(0xe000ed88, 4, 0, 0xf00000);  // CPACR: the float unit may be used
  Bytes out;
  for (;;) {
    const Stop& stop = core.run_until(~uint64_t{0});
    const auto& r = core.hart().r;
    if (stop.reason != Reason::kBreakpoint) {
      char text[160];
      std::snprintf(
          text, sizeof text, "simulator: reason %d at pc 0x%x, CFSR 0x%x, frame's pc 0x%x",
          static_cast<int>(stop.reason), stop.pc,
          [&] {
            uint32_t value = 0;
            core.system().load(0xe000ed28, 4, 0, value);
            return value;
          }(),
          [&] {
            uint32_t value = 0;
            const uint8_t* host = core.memory().at(core.hart().r[13] + 24, 4, kRead);
            if (host != nullptr) std::memcpy(&value, host, 4);
            return value;
          }());
      throw std::runtime_error(text);
    }
    if (r[7] != 4) break;
    const uint8_t* bytes = core.memory().at(r[1], r[2], kRead);
    if (bytes == nullptr) throw std::runtime_error("simulator: a write of what is no memory");
    out.insert(out.end(), bytes, bytes + r[2]);
    core.jump(stop.pc + 2);
  }
  return out;
}

// Of APSR: an A-profile core's has more, which the M profile does not know.
void mask(Bytes& out) {
  for (size_t at = Dump::kApsr; at + 4 <= out.size(); at += Dump::kBytes) {
    out[at] = out[at + 1] = 0;
    out[at + 2] &= 0x0f;
    out[at + 3] &= 0xf8;
  }
}

int64_t first_difference(const Bytes& a, const Bytes& b) {
  const size_t n = std::min(a.size(), b.size());
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(n);
  const auto at = std::mismatch(a.begin(), end, b.begin());
  if (at.first != end) return at.first - a.begin();
  return a.size() == b.size() ? -1 : static_cast<int64_t>(n);
}

struct Outputs {
  Bytes expected, got;
};
Outputs run_both(const std::vector<Program>& programs, const Config& config) {
  const Linked linked = link(programs);
  Outputs all{run_qemu(linked, config), run_simulator(linked, config)};
  mask(all.expected);
  mask(all.got);
  return all;
}

std::string hex(const Bytes& bytes, size_t at) {
  std::string text;
  for (size_t i = at + 4; i-- > at;) {
    char two[4];
    std::snprintf(two, sizeof two, "%02x", i < bytes.size() ? bytes[i] : 0);
    text += two;
  }
  return text;
}

bool differs(const Program& program, const Config& config) {
  try {
    const Outputs o = run_both({program}, config);
    return first_difference(o.expected, o.got) >= 0;
  } catch (const std::runtime_error&) {
    return false;  // without what was cut, an instruction is undefined
  }
}

}  // namespace

bool has_qemu() {
  return std::system("qemu-arm --version > /dev/null 2>&1") == 0;
}

std::string compare(const std::vector<Program>& programs, const Config& config) {
  const Outputs all = run_both(programs, config);
  const int64_t at = first_difference(all.expected, all.got);
  if (at < 0)
    return all.expected.size() == Dump::kBytes * programs.size() ? "" : "output is missing";
  Program shortest = programs[static_cast<size_t>(at) / Dump::kBytes];
  for (size_t i = shortest.body.size(); i-- > 0;) {
    Program without = shortest;
    without.body.erase(without.body.begin() + static_cast<std::ptrdiff_t>(i));
    if (differs(without, config)) shortest = without;
  }
  const Outputs one = run_both({shortest}, config);
  const auto offset =
      static_cast<size_t>(std::max<int64_t>(0, first_difference(one.expected, one.got)));
  size_t count = 0;
  for (size_t p = 0; p < programs.size() && (p + 1) * Dump::kBytes <= all.got.size(); ++p) {
    const auto from = static_cast<std::ptrdiff_t>(p * Dump::kBytes);
    count += !std::equal(all.expected.begin() + from, all.expected.begin() + from + Dump::kBytes,
                         all.got.begin() + from);
  }
  return std::to_string(count) + " of " + std::to_string(programs.size()) + " differ; program " +
         std::to_string(static_cast<size_t>(at) / Dump::kBytes) + ": " +
         Dump::name_of(static_cast<unsigned>(offset)) + ", expected " +
         hex(one.expected, offset & ~size_t{3}) + ", got " + hex(one.got, offset & ~size_t{3}) +
         "\n" + to_text(shortest);
}

}  // namespace presil::cpu
