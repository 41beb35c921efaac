#include "tests/dsp/dsp_qemu.h"

#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "models/dsp/dsp_core.h"
#include "models/dsp/dsp_elf.h"
#include "models/dsp/dsp_isa.h"
#include "tests/common/qemu.h"

namespace presil::dsp {
namespace {

using qemu::first_difference, qemu::hex;

struct Outputs {
  std::vector<uint8_t> expected, got, traced;
};

Outputs run_both(const std::vector<Program>& programs, const Config& config, bool vectors,
                 Tracer* tracer = nullptr) {
  const qemu::TemporaryFile file;
  write_elf(file.name(), link(programs, config.vlen, vectors));
  Outputs all{run_qemu(file.name(), config.vlen), run_simulator(file.name(), config), {}};
  if (tracer != nullptr) all.traced = run_simulator(file.name(), config, tracer);
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
  constexpr qemu::Target kRiscv = {64, EM_RISCV, 1 | 2};  // compressed, single-precision ABI
  qemu::write_elf(file, kRiscv, Linked::kCode,
                  {{Linked::kCode, &linked.code}, {Linked::kData, &linked.data}});
}

std::vector<uint8_t> run_qemu(const std::string& file, unsigned vlen) {
  // Not v=true: with Zve64f alone vsmul and vmulh of 64 bits are refused, as they are here.
  return qemu::output_of("qemu-riscv64 -cpu rv64,v=false,Zve64f=true,vlen=" + std::to_string(vlen) +
                         ",elen=64,vext_spec=v1.0 " + file);
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
         hex(one.expected, from, 8) + ", got " + hex(one.got, from, 8) + "\n" + to_text(shortest);
}

}  // namespace presil::dsp
