// The AArch64 core: Unicorn, in a process of its own, so that nothing else is linked with it. Its
// memory and its turns come from the simulation (channel.h).
#include <sys/prctl.h>
#include <unicorn/unicorn.h>
#include <unistd.h>

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "sim/host_cpu/aarch64/channel.h"

namespace presil::aarch64 {
namespace {

constexpr uint32_t kHltSemihosting = 0xd45e0000, kWfi = 0xd503207f;
// ESR_EL1: class of the exception << 26.
constexpr uint64_t kClassUnknown = 0x00, kClassCall = 0x15, kClassFetch = 0x21, kClassData = 0x25;
constexpr unsigned kClassShift = 26;
constexpr uint64_t kSyncVector = 0x200;  // of the current level, with its own stack pointer

class Processor {
 public:
  explicit Processor(Channel& channel, uint8_t* shared) : m(channel), m_shared(shared) {}

  void run() {
    if (!make()) return tell(Event::kWrong);
    await();
    for (uint64_t pc = m.entry;;) {
      const uc_err error = uc_emu_start(m_uc, pc, ~uint64_t{0}, 0, 0);
      pc = get(UC_ARM64_REG_PC);
      if (m_moved) {
        m_moved = false;
        pc = m.debug.pc;
      } else if (m_request) {
        pc = served(pc);
      } else if (m_faults || error != UC_ERR_OK) {
        pc = enter_fault(error);
      } else if (word_at(pc - 4) == kWfi) {
        m.pc = pc - 4;
        if (m.debug.on != 0) save_registers(m.pc);
        tell(Event::kWait);
        if (m.debug.on != 0) take_registers();
      }
    }
  }

 private:
  using Id = int;
  uint64_t get(Id id) const {
    uint64_t value = 0;
    uc_reg_read(m_uc, id, &value);
    return value;
  }
  void set(Id id, uint64_t value) { uc_reg_write(m_uc, id, &value); }
  uint32_t word_at(uint64_t address) const {
    uint32_t word = 0;
    return uc_mem_read(m_uc, address, &word, sizeof word) == UC_ERR_OK ? word : 0;
  }

  // The simulation's turn, until it gives it back.
  void tell(Event event) {
    m.event = event;
    if (m_uc != nullptr) m.sp = m_failed_sp != 0 ? m_failed_sp : get(UC_ARM64_REG_SP);
    m.core_runs = 0;
    m.to_simulation.ring();
    await();
  }
  void await() {
    constexpr unsigned kLookMs = 500;
    while (!m.to_core.wait([this] { return m.core_runs == 1; }, kLookMs))
      if (getppid() != static_cast<pid_t>(m.parent)) _exit(0);
  }

  bool wrong(const char* what, uc_err error) {
    std::snprintf(m.text, sizeof m.text, "%s: %s", what, uc_strerror(error));
    return false;
  }
  bool make();
  template <class Function>
  void hook(int type, Function* function) {
    uc_hook handle = 0;
    uc_hook_add(m_uc, &handle, type, reinterpret_cast<void*>(function), this, 1, 0);
  }

  static void on_block(uc_engine*, uint64_t address, uint32_t bytes, void* self);
  static void on_instruction(uc_engine*, uint64_t address, uint32_t bytes, void* self);
  static void on_read(uc_engine*, uc_mem_type, uint64_t address, int bytes, int64_t, void* self);
  static void on_interrupt(uc_engine* uc, uint32_t number, void* self);
  static bool on_refused(uc_engine*, uc_mem_type type, uint64_t address, int, int64_t, void* self);
  struct Device {
    Processor* processor;
    uint64_t base;
  };
  static uint64_t on_load(uc_engine* uc, uint64_t offset, unsigned bytes, void* device);
  static void on_store(uc_engine* uc, uint64_t offset, unsigned bytes, uint64_t value,
                       void* device);
  bool stops(uint64_t pc);
  void stand(uint64_t pc);
  void save_registers(uint64_t pc);
  void take_registers();
  uint64_t access(Event event, uint64_t address, unsigned bytes, uint64_t value);
  void fault(uint64_t exception_class, uint64_t address);
  void unaligned();
  uint64_t enter_fault(uc_err error);
  uint64_t served(uint64_t pc);
  void write_text(uint64_t address);

  Channel& m;
  uint8_t* const m_shared;
  uc_engine* m_uc = nullptr;
  Device m_devices[Channel::kRegions]{};
  uint64_t m_block = 0;    // where the running block begins
  bool m_request = false;  // semihosting
  bool m_moved = false;    // a debugger has written the pc
  uint64_t m_looked = 0;   // instructions since a debugger was last asked
  bool m_faults = false, m_failed = false, m_unaligned = false;
  uint64_t m_class = 0, m_address = 0, m_failed_sp = 0;
};

bool Processor::make() {
  if (const uc_err e = uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &m_uc); e != UC_ERR_OK)
    return wrong("Unicorn does not open", e);
  for (uint32_t i = 0; i < m.regions; ++i) {
    const Region& r = m.region[i];
    uc_err e = UC_ERR_OK;
    if (r.device != 0) {
      m_devices[i] = {this, r.base};
      const uint64_t pages = (r.bytes + 4095) & ~uint64_t{4095};
      e = uc_mmio_map(m_uc, r.base, pages, on_load, &m_devices[i], on_store, &m_devices[i]);
    } else {
      uint32_t rights = UC_PROT_READ;
      if (r.writes != 0) rights |= UC_PROT_WRITE;
      if (r.executes != 0) rights |= UC_PROT_EXEC;
      e = uc_mem_map_ptr(m_uc, r.base, r.bytes, rights, m_shared + r.offset);
    }
    if (e != UC_ERR_OK) return wrong("Unicorn does not map a region", e);
  }
  hook(UC_HOOK_BLOCK, on_block);
  hook(UC_HOOK_INTR, on_interrupt);
  hook(UC_HOOK_MEM_INVALID, on_refused);
  if (m.debug.on != 0) {
    hook(UC_HOOK_CODE, on_instruction);
    hook(UC_HOOK_MEM_READ, on_read);
  }
  return true;
}

// Before the first instruction of a block: time is compared here.
void Processor::on_block(uc_engine*, uint64_t address, uint32_t bytes, void* self) {
  auto& p = *static_cast<Processor*>(self);
  p.m_block = address;
  if (p.m.cycle() >= p.m.limit) {
    p.m.pc = address;
    p.tell(Event::kTime);
  }
  p.m.instructions += bytes / 4;
}

// ---- a debugger

bool Processor::stops(uint64_t pc) {
  Debug& d = m.debug;
  if (d.every != 0 || d.was_read != 0 || ++m_looked >= Debug::kLook) return true;
  for (uint32_t i = 0; i < d.points; ++i)
    if (d.point[i] == pc) return true;
  for (uint32_t i = 0; i < d.watches; ++i) {
    const Debug::Watch& w = d.watch[i];
    uint8_t now[Debug::kWatchBytes];
    if (w.writes != 0 && uc_mem_read(m_uc, w.address, now, w.bytes) == UC_ERR_OK &&
        std::memcmp(now, w.value, w.bytes) != 0)
      return true;
  }
  return false;
}

// While the core stands its registers are in the channel.
void Processor::save_registers(uint64_t pc) {
  Debug& d = m.debug;
  for (int n = 0; n < 29; ++n) d.x[n] = get(UC_ARM64_REG_X0 + n);
  d.x[29] = get(UC_ARM64_REG_X29);
  d.x[30] = get(UC_ARM64_REG_X30);
  d.sp = get(UC_ARM64_REG_SP);
  d.pstate = static_cast<uint32_t>(get(UC_ARM64_REG_PSTATE));
  d.fpcr = static_cast<uint32_t>(get(UC_ARM64_REG_FPCR));
  d.fpsr = static_cast<uint32_t>(get(UC_ARM64_REG_FPSR));
  for (int n = 0; n < 32; ++n) uc_reg_read(m_uc, UC_ARM64_REG_V0 + n, d.v[n]);
  m.pc = d.pc = pc;
  d.written = 0;
}

void Processor::take_registers() {
  const Debug& d = m.debug;
  if (d.written == 0) return;
  for (int n = 0; n < 29; ++n) set(UC_ARM64_REG_X0 + n, d.x[n]);
  set(UC_ARM64_REG_X29, d.x[29]);
  set(UC_ARM64_REG_X30, d.x[30]);
  set(UC_ARM64_REG_SP, d.sp);
  set(UC_ARM64_REG_FPCR, d.fpcr);
  set(UC_ARM64_REG_FPSR, d.fpsr);
  for (int n = 0; n < 32; ++n) uc_reg_write(m_uc, UC_ARM64_REG_V0 + n, d.v[n]);
}

void Processor::stand(uint64_t pc) {
  save_registers(pc);
  m_looked = 0;
  tell(Event::kDebug);
  take_registers();
  if (m.debug.pc == pc) return;
  m_moved = true;
  uc_emu_stop(m_uc);
}

void Processor::on_instruction(uc_engine*, uint64_t address, uint32_t, void* self) {
  auto& p = *static_cast<Processor*>(self);
  p.m_block = address;
  if (!p.m_moved && p.m.debug.on != 0 && p.stops(address)) p.stand(address);
}

void Processor::on_read(uc_engine*, uc_mem_type, uint64_t address, int bytes, int64_t, void* self) {
  Debug& d = static_cast<Processor*>(self)->m.debug;
  for (uint32_t i = 0; i < d.watches; ++i) {
    const Debug::Watch& w = d.watch[i];
    const uint64_t end = address + static_cast<uint64_t>(bytes);
    if (w.reads == 0 || address >= w.address + w.bytes || w.address >= end) continue;
    d.was_read = 1;
    d.read_at = w.address;
  }
}

// ---- exceptions

void Processor::on_interrupt(uc_engine* uc, uint32_t number, void* self) {
  constexpr uint32_t kCall = 2, kDataAbort = 4, kBreakpoint = 7;
  auto& p = *static_cast<Processor*>(self);
  p.m.pc = p.get(UC_ARM64_REG_PC);
  if (number == kBreakpoint) {
    p.tell(Event::kBreakpoint);
  } else if (p.word_at(p.m.pc) == kHltSemihosting) {
    p.m_request = true;
  } else {
    p.m_block = p.m.pc;
    if (number == kDataAbort)
      p.unaligned();
    else
      p.fault(number == kCall ? kClassCall : kClassUnknown, 0);
  }
  uc_emu_stop(uc);
}

bool Processor::on_refused(uc_engine*, uc_mem_type type, uint64_t address, int, int64_t,
                           void* self) {
  auto& p = *static_cast<Processor*>(self);
  const bool fetch = type == UC_MEM_FETCH_UNMAPPED || type == UC_MEM_FETCH_PROT;
  if (fetch) p.m_block = address;
  p.fault(fetch ? kClassFetch : kClassData, address);
  return false;
}

uint64_t Processor::on_load(uc_engine* uc, uint64_t offset, unsigned bytes, void* device) {
  const auto& d = *static_cast<Device*>(device);
  const uint64_t value = d.processor->access(Event::kLoad, d.base + offset, bytes, 0);
  if (d.processor->m_faults) uc_emu_stop(uc);
  return value;
}

void Processor::on_store(uc_engine* uc, uint64_t offset, unsigned bytes, uint64_t value,
                         void* device) {
  const auto& d = *static_cast<Device*>(device);
  d.processor->access(Event::kStore, d.base + offset, bytes, value);
  if (d.processor->m_faults) uc_emu_stop(uc);
}

// After an access that was refused the block may go on until it is stopped: nothing more is done.
uint64_t Processor::access(Event event, uint64_t address, unsigned bytes, uint64_t value) {
  if (m_faults) return 0;
  m.address = address;
  m.value = value;
  m.refused = 0;
  m.pc = m_block;
  if (bytes == 4) tell(event);
  if (bytes != 4 || m.refused != 0) fault(kClassData, address);
  return m.value;
}

void Processor::fault(uint64_t exception_class, uint64_t address) {
  m_faults = true;
  m_class = exception_class;
  m_address = address;
}

// Of an exclusive access: the only ones that must be aligned here. Its address is in the register
// that bits 9 to 5 of the instruction name.
void Processor::unaligned() {
  const unsigned base = word_at(m_block) >> 5 & 31;
  const Id id = base == 31   ? UC_ARM64_REG_SP
                : base == 30 ? UC_ARM64_REG_X30
                : base == 29 ? UC_ARM64_REG_X29
                             : UC_ARM64_REG_X0 + static_cast<Id>(base);
  fault(kClassData, get(id));
  m_unaligned = true;
}

// Unicorn takes no exception by itself: the registers of one, and the vector.
uint64_t Processor::enter_fault(uc_err error) {
  if (!m_faults) fault(kClassUnknown, 0);
  const uint64_t vectors = get(UC_ARM64_REG_VBAR_EL1);
  m.pc = m_block;
  if (m.fault.met == 0) {
    m.fault = {1,        static_cast<uint32_t>(m_class), m_unaligned,
               m_block,  get(UC_ARM64_REG_X30),          get(UC_ARM64_REG_SP),
               m_address};
  }
  if (m_failed || vectors == 0) {
    std::snprintf(m.text, sizeof m.text, "%s", uc_strerror(error));
    for (;;) tell(Event::kStuck);
  }
  m_faults = false;
  m_failed = true;  // a handler that faults itself does not end
  m_failed_sp = get(UC_ARM64_REG_SP);
  set(UC_ARM64_REG_ELR_EL1, m_block);
  constexpr uint64_t kAlignment = 0x21;  // of ESR_EL1, a data abort's status
  set(UC_ARM64_REG_ESR_EL1, m_class << kClassShift | (m_unaligned ? kAlignment : 0));
  set(UC_ARM64_REG_FAR_EL1, m_address);
  return vectors + kSyncVector;
}

void Processor::write_text(uint64_t address) {
  for (;;) {
    size_t n = 0;
    for (; n + 1 < sizeof m.text; ++n) {
      if (uc_mem_read(m_uc, address + n, m.text + n, 1) != UC_ERR_OK) m.text[n] = 0;
      if (m.text[n] == 0) break;
    }
    const bool more = n + 1 == sizeof m.text;
    m.text[n] = 0;
    tell(Event::kText);
    if (!more) return;
    address += n;
  }
}

// A semihosting request at `pc`. @return where the program goes on
uint64_t Processor::served(uint64_t) {
  constexpr uint64_t kWriteString = 0x04, kExit = 0x18, kExitExtended = 0x20,
                     kApplicationExit = 0x20026;
  m_request = false;
  const uint64_t operation = get(UC_ARM64_REG_X0), parameter = get(UC_ARM64_REG_X1);
  const uint64_t next = m.pc + 4;
  uint64_t answer = ~uint64_t{0};
  if (operation == kWriteString) {
    write_text(parameter);
    answer = 0;
  } else if (operation == kExit || operation == kExitExtended) {
    uint64_t block[2] = {0, 1};
    uc_mem_read(m_uc, parameter, block, sizeof block);
    m.value = block[0] == kApplicationExit ? block[1] : 1;
    for (;;) tell(Event::kExit);
  }
  set(UC_ARM64_REG_X0, answer);
  return next;
}

}  // namespace
}  // namespace presil::aarch64

int main() {
  namespace ipc = boost::interprocess;
  using presil::aarch64::Channel;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    const std::string file = "/proc/self/fd/" + std::to_string(Channel::kDescriptor);
    const ipc::file_mapping mapping(file.c_str(), ipc::read_write);
    ipc::mapped_region region(mapping, ipc::read_write);
    auto* const shared = static_cast<uint8_t*>(region.get_address());
    presil::aarch64::Processor(*reinterpret_cast<Channel*>(shared), shared).run();
  } catch (const ipc::interprocess_exception& e) {
    std::fprintf(stderr, "presil-aarch64: is started by presil-sim: %s\n", e.what());
    return 2;
  }
  return 0;
}
