#include "tests/cpu/cpu_qemu.h"

#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "models/cpu/cpu_core.h"
#include "tests/common/qemu.h"

namespace presil::cpu {
namespace {

using qemu::Bytes, qemu::first_difference, qemu::hex;

// User mode of the M cores does not start in qemu 7.2; `max` has all of their instructions, and
// cortex-a7 those of Armv7E-M with FPv4.
Bytes run_qemu(const Linked& linked, const Config& config) {
  constexpr qemu::Target kArm = {32, EM_ARM, 0x05000400};  // EABI 5, hard float
  const qemu::TemporaryFile file;
  qemu::write_elf(file.name(), kArm, linked.entry,
                  {{Linked::kCode, &linked.code},
                   {Linked::kData, &linked.data},
                   {Linked::kStates, &linked.states}});
  return qemu::output_of(std::string("qemu-arm -cpu ") + (config.v8() ? "max " : "cortex-a7 ") +
                         file.name());
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
         hex(one.expected, offset & ~size_t{3}, 4) + ", got " +
         hex(one.got, offset & ~size_t{3}, 4) + "\n" + to_text(shortest);
}

}  // namespace presil::cpu
