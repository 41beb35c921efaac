// An RV64 core as GDB sees it: the registers of its programs and those of machine mode.
#include <algorithm>
#include <cstring>

#include "models/dsp/dsp_trace.h"
#include "sim/debug/debugger.h"
#include "sim/debug/riscv_registers.h"
#include "sim/host_cpu/rv64_core.h"

namespace presil::host_cpu {
namespace {

using debug::Bytes;
namespace riscv = debug::riscv;

struct MachineRegister {
  const char* name;
  unsigned number;
};
constexpr MachineRegister kMachine[] = {{"mstatus", 0x300},  {"mie", 0x304},  {"mtvec", 0x305},
                                        {"mscratch", 0x340}, {"mepc", 0x341}, {"mcause", 0x342},
                                        {"mtval", 0x343},    {"mip", 0x344}};
constexpr unsigned kAll = riscv::kOthers + sizeof kMachine / sizeof *kMachine;

std::string described() {
  std::string text = riscv::description_begins() + "<feature name=\"org.gnu.gdb.riscv.csr\">";
  for (const MachineRegister& r : kMachine) text += riscv::described(r.name, 64, "int");
  return text + "</feature></target>";
}

class Rv64Debug : public CoreDebug, private dsp::Tracer, private debug::Target {
 public:
  Rv64Debug(rv64::Core& core, const elf::Program& program, debug::Debugger& debugger)
      : m_core(core), m_program(program), m_debugger(debugger), m_description(described()) {
    m_core.set_tracer(this);
  }
  ~Rv64Debug() override { m_core.set_tracer(nullptr); }

  void asleep() override {
    m_pc = m_core.pc();
    m_cycle = m_core.cycle();
    m_debugger.asleep(*this);
  }

 private:
  void before(const dsp::Hart&, const dsp::Decoded& op, uint64_t cycle) override {
    m_pc = op.pc;
    m_cycle = cycle;
    m_debugger.at(*this, m_pc);
  }
  void stopped(const dsp::Hart&) override {}

  const std::string& description() const override { return m_description; }
  unsigned registers() const override { return kAll; }
  uint64_t pc() const override { return m_pc; }
  std::string status() const override {
    return "cycle " + std::to_string(m_cycle) + ", at '" +
           elf::place_in(m_program.functions, m_pc) + "'" +
           (m_core.sleeping() ? ", asleep (WFI)" : "");
  }
  Bytes register_bytes(unsigned n) const override {
    if (n < riscv::kOthers) return riscv::register_bytes(m_core.hart(), m_pc, n);
    uint64_t value = 0;
    m_core.machine().read(kMachine[n - riscv::kOthers].number, m_cycle, value);
    return debug::bytes_of(value);
  }
  bool set_register(unsigned n, const Bytes& value) override {
    return n < riscv::kOthers && riscv::set_register(m_core.hart(), n, value);
  }
  bool watch_reads(const std::vector<WatchedReads::Extent>& extents) override {
    m_core.memory().watch_reads(extents);
    return true;
  }
  bool was_read(uint64_t& address) override { return m_core.memory().reads().take(address); }

  bool read(uint64_t address, uint8_t* to, size_t bytes) override {
    return access(address, to, bytes, false);
  }
  bool write(uint64_t address, const uint8_t* from, size_t bytes) override {
    Bytes copy(from, from + bytes);
    return access(address, copy.data(), bytes, true);
  }
  // Whatever the program's rights: bytes, then words of devices.
  bool access(uint64_t address, uint8_t* data, size_t bytes, bool write) {
    for (const dsp::Region& region : m_core.memory().regions()) {
      const uint64_t offset = address - region.base;
      if (offset >= region.bytes || bytes > region.bytes - offset) continue;
      if (region.host == nullptr) return words(*region.device, address, data, bytes, write);
      uint8_t* const host = region.host + offset;
      std::memcpy(write ? host : data, write ? data : host, bytes);
      return true;
    }
    return false;
  }
  static bool words(dsp::Device& device, uint64_t address, uint8_t* data, size_t bytes,
                    bool write) {
    while (bytes != 0) {
      const uint64_t offset = address & 3;
      const size_t part = std::min<size_t>(bytes, 4 - offset);
      if (write && part != 4) return false;
      uint32_t value = 0;
      if (write) std::memcpy(&value, data, part);
      if (!device.peek(address - offset, write, value)) return false;
      if (!write) std::memcpy(data, reinterpret_cast<uint8_t*>(&value) + offset, part);
      address += part, data += part, bytes -= part;
    }
    return true;
  }

  rv64::Core& m_core;
  const elf::Program& m_program;
  debug::Debugger& m_debugger;
  const std::string m_description;
  uint64_t m_pc = 0, m_cycle = 0;
};

}  // namespace

std::unique_ptr<CoreDebug> Rv64Core::debug(debug::Debugger& debugger) {
  return std::make_unique<Rv64Debug>(m_core, m_program, debugger);
}

}  // namespace presil::host_cpu
