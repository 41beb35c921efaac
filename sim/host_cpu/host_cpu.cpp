#include "sim/host_cpu/host_cpu.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "driver/kernels/host/kernels.h"
#include "models/base/refusal.h"
#include "rtl/soc/address_map.h"

namespace presil::host_cpu {
namespace {

// As in driver/port/baremetal/link.ld.
constexpr uint32_t kFlash = 0;
constexpr uint32_t kRam = 0x20000000, kRamBytes = 256u << 10;
constexpr uint32_t kPage = 4096;

unsigned latency_of(const SocConfig& config) {
  const auto period = static_cast<unsigned>(period_ps_of(config.clock_mhz));
  const unsigned dram = config.dram.setting == DramSetting::kIdeal ? config.dram.ideal_latency_ps
                                                                   : config.dram.read_latency_ps;
  return config.noc.cycles_request + (dram + period - 1) / period + config.noc.cycles_response;
}

}  // namespace

HostCpu::HostCpu(const Files& files, const SocConfig& config, host::Host& host, BytePort& memory,
                 bridge::HostRecorder& recorder)
    : m_files(files),
      m_config(config),
      m_host(host),
      m_memory(memory),
      m_recorder(recorder),
      m_core(make_core(files.core, files.firmware)),
      m_tile(*this),
      m_ram(m_core->memory(kRamBytes)),
      m_window_bytes(
          static_cast<uint32_t>(std::min<uint64_t>(config.dram.bytes, PRESIL_CPU_MOST_WINDOW))) {
  m_flash = m_core->memory(kFlashBytes);
  m_core->add({kFlash, kFlashBytes, m_flash, false, true, 0, nullptr});
  m_core->add({kRam, kRamBytes, m_ram, true, false, 0, nullptr});
  m_core->add({PRESIL_CPU_TILE, 1u << PRESIL_TILE_SHIFT, nullptr, true, false, 0, &m_tile});
  m_core->add({PRESIL_CPU_CONTROL, PRESIL_CPU_CONTROL_BYTES, nullptr, true, false, 0, this});
  uint8_t* const dram = m_memory.bytes_at(PRESIL_DRAM_BASE, m_window_bytes);
  m_core->add({PRESIL_CPU_WINDOW, m_window_bytes, dram, true, false, latency_of(config), nullptr});
  m_core->reset();
  m_core->set_console([this](const std::string& text) { m_console += text; });
}

HostCpu::~HostCpu() = default;

// ----------------------------------------------------------------------------------- requests

void HostCpu::start() {
  m_begin = m_host.now();
  run_to_request();
}

uint32_t HostCpu::serve(presil_cpu_request request) {
  m_begin = m_host.now() - static_cast<Cycle>(m_core->cycle());
  m_request = request;
  m_answered = false;
  begin_profile();
  run_to_request();
  if (m_profile) m_profile->profile.end(m_core->cycle());
  if (!m_answered) {
    throw Refusal("host", m_files.kind + ": the firmware '" + m_files.firmware +
                              "' asks for the next request before it has answered request " +
                              std::to_string(request) + "; it must write DONE first");
  }
  return m_status;
}

presil_cpu_exchange& HostCpu::exchange() {
  uint8_t* bytes = m_core->at(m_exchange, sizeof(presil_cpu_exchange));
  if (bytes == nullptr || m_exchange % alignof(presil_cpu_exchange) != 0) {
    throw Refusal("host", m_files.kind + ": the firmware '" + m_files.firmware +
                              "' has its exchange at " + std::to_string(m_exchange) +
                              ", must be in RAM and aligned to 8; was it built for this presil?");
  }
  return *reinterpret_cast<presil_cpu_exchange*>(bytes);
}

static_assert(PRESIL_KERNELS <= 32 * PRESIL_CPU_KERNEL_WORDS);
static_assert(PRESIL_REGIONS == PRESIL_CPU_REGIONS);

const char* HostCpu::lacks(uint32_t kernel) {
  const bool has = kernel < PRESIL_KERNELS && (exchange().kernels[kernel / 32] >> kernel % 32 & 1);
  return has ? nullptr : presil_kernel_name(kernel);
}

uint8_t* HostCpu::window(uint32_t offset) {
  return m_memory.bytes_at(PRESIL_DRAM_BASE + offset, 1);
}

void HostCpu::run_to_request() {
  for (;;) {
    update_line();
    const CoreStop stop = m_core->run(m_core->cycle() + kQuantum);
    ran(m_core->cycle());
    if (stop.reason == CoreStop::Reason::kLater) return;
    if (stop.reason == CoreStop::Reason::kWait) {
      sleep();
    } else if (stop.reason != CoreStop::Reason::kTime) {
      fail(stop);
    }
  }
}

// Ends in the cycle of the interrupt or of the core's own timer.
void HostCpu::sleep() {
  update_line();
  if (m_line) return;
  m_asleep_at = m_core->pc();
  const uint64_t slept = m_core->cycle(), own = m_core->next_event();
  const bool timer = own != HostCore::kNever;
  Cycle until = timer ? soc_cycle(own) : Timeline::kNever;
  if (m_debug != nullptr) {  // in parts, between which GDB may ask for the word
    m_debug->asleep();
    if (!timer || m_host.now() + kQuantum < until) until = m_host.now() + kQuantum;
  }
  const host::WaitResult result = m_host.sleep(until);
  if (result == host::WaitResult::kDead && timer) m_host.advance(soc_cycle(own) - m_host.now());
  if (result == host::WaitResult::kDead && !timer) {
    throw Refusal("host", m_files.kind +
                              ": the firmware sleeps without a timer, and nothing in the SoC can "
                              "happen any more; it must wait with a time limit");
  }
  m_recorder.timeline().pass(bridge::HostWork::kAsleep, m_host.now());
  m_woken = true;
  m_core->sleep_until(static_cast<uint64_t>(m_host.now() - m_begin));
  if (m_profile) m_profile->profile.sleeps(slept, m_core->cycle());
  m_asleep += m_core->cycle() - slept;
}

void HostCpu::profile(bool on) {
  if (on == (m_profile != nullptr)) return;
  m_profile = on ? std::make_unique<Profiler>(*m_core) : nullptr;
  if (m_debug == nullptr) m_core->observe(m_profile.get());
}

void HostCpu::begin_profile() {
  if (m_profile) m_profile->profile.begin(m_core->cycle());
}

std::string HostCpu::place() const {
  if (m_asleep_at == 0) return "";
  char pc[24];
  std::snprintf(pc, sizeof pc, "0x%08llx", static_cast<unsigned long long>(m_asleep_at));
  return std::string(pc) + " in '" + m_core->function_at(m_asleep_at) + "', asleep (WFI)";
}

void HostCpu::reset() {
  std::fill_n(m_ram, kRamBytes, uint8_t{0});
  m_core->reset();
  m_line = false;
  m_request = m_exchange = 0;
  m_woken = false;
  m_phase = PRESIL_CPU_INFERRED;
  m_asleep = 0;
  m_console.clear();
}

void HostCpu::fail(const CoreStop& stop) const {
  std::string how = "stops at";
  if (stop.reason == CoreStop::Reason::kExit) {
    how =
        stop.status >= CoreStop::kFault
            ? "has taken exception " + std::to_string(stop.status - CoreStop::kFault) + ", last in"
            : "has ended with status " + std::to_string(stop.status) + " in";
  }
  if (stop.reason == CoreStop::Reason::kStuck) how = "has taken a fault inside a fault at";
  throw std::runtime_error("host " + m_files.kind + ": the firmware '" + m_files.firmware + "' " +
                           how + " '" + m_core->function_at(stop.pc) + "' in cycle " +
                           std::to_string(m_core->cycle()) + where_of_fault() + overflow());
}

// What the firmware's startup has written of a fault.
std::string HostCpu::where_of_fault() const {
  if (m_console.empty()) return "";
  const size_t at = m_console.rfind("fault: ");
  if (at == std::string::npos) return "; it has written: " + m_console;
  const uint64_t pc = std::strtoull(m_console.c_str() + at + 7, nullptr, 16);
  return "; " + m_console.substr(at) + " (" + m_core->fault_words() + ") in '" +
         m_core->function_at(pc) + "'";
}

// The stack is at the begin of RAM, so that it does not run into data.
std::string HostCpu::overflow() const {
  const uint64_t stack = m_core->stack_pointer();
  constexpr uint32_t kRoom = 64;  // a frame that does not fit
  if (stack >= kRam + kRoom || stack < kRam - (kRamBytes)) return "";
  char at[24];
  std::snprintf(at, sizeof at, "0x%08llx", static_cast<unsigned long long>(stack));
  return std::string("; its stack has overflowed: the stack pointer is ") + at +
         ", below RAM; give it more in the linker script";
}

// --------------------------------------------------------------------------------------- time

void HostCpu::follow(uint64_t core_cycle) {
  m_host.advance(soc_cycle(core_cycle) - m_host.now());
}

/// The core has executed instructions since the last event.
void HostCpu::ran(uint64_t core_cycle) {
  follow(core_cycle);
  bridge::HostWork work = m_recorder.runs() ? bridge::HostWork::kOperator
                          : m_woken         ? bridge::HostWork::kInterrupt
                                            : bridge::HostWork::kCode;
  if (m_phase == PRESIL_CPU_COPIES_INPUT) work = bridge::HostWork::kInputCopy;
  if (m_phase == PRESIL_CPU_COPIES_OUTPUT) work = bridge::HostWork::kOutputCopy;
  m_recorder.timeline().pass(work, m_host.now(), work == bridge::HostWork::kOperator ? 1 : 0);
}

void HostCpu::enter(uint32_t phase) {
  const Work now = {m_core->cycle(), busy_cycles(), m_core->instructions()};
  if (phase == PRESIL_CPU_DRIVER) {
    m_driver = now;
  } else if (m_phase == PRESIL_CPU_DRIVER) {
    m_driver = {now.cycles - m_driver.cycles, now.busy_cycles - m_driver.busy_cycles,
                now.instructions - m_driver.instructions};
  }
  m_phase = phase;
  m_woken = false;
}

void HostCpu::update_line() {
  const bool level = m_host.interrupted();
  if (level == m_line) return;
  m_line = level;
  m_core->set_interrupt(level);
}

// ------------------------------------------------------------------------------------ accesses

bool HostCpu::Tile::peek(uint32_t address, bool write, uint32_t& value) {
  return m_cpu.m_host.peek32(address - PRESIL_CPU_TILE, write, value);
}

Access HostCpu::Tile::load(uint32_t address, uint64_t cycle, uint32_t& value) {
  m_cpu.ran(cycle);
  m_cpu.m_woken = false;
  value = m_cpu.m_host.read32(address - PRESIL_CPU_TILE);
  m_cpu.m_recorder.timeline().pass(bridge::HostWork::kRegisterRead, m_cpu.m_host.now());
  m_cpu.m_core->add_wait(static_cast<uint64_t>(m_cpu.m_host.now() - m_cpu.soc_cycle(cycle)));
  m_cpu.update_line();
  return Access::kDone;
}

Access HostCpu::Tile::store(uint32_t address, uint64_t cycle, uint32_t value) {
  m_cpu.ran(cycle);
  m_cpu.m_woken = false;
  m_cpu.m_host.write32(address - PRESIL_CPU_TILE, value);
  m_cpu.m_recorder.timeline().pass(bridge::is_doorbell(address - PRESIL_CPU_TILE)
                                       ? bridge::HostWork::kDoorbell
                                       : bridge::HostWork::kRegisterWrite,
                                   m_cpu.m_host.now());
  m_cpu.m_core->add_wait(static_cast<uint64_t>(m_cpu.m_host.now() - m_cpu.soc_cycle(cycle)));
  m_cpu.update_line();
  return Access::kDone;
}

Access HostCpu::load(uint32_t address, uint64_t, uint32_t& value) {
  if (address != PRESIL_CPU_CONTROL + PRESIL_CPU_REQUEST) return Access::kRefused;
  if (m_request == 0) return Access::kLater;
  value = m_request;
  m_request = 0;
  return Access::kDone;
}

Access HostCpu::store(uint32_t address, uint64_t cycle, uint32_t value) {
  switch (address - PRESIL_CPU_CONTROL) {
    case PRESIL_CPU_DONE:
      m_status = value;
      m_answered = true;
      return Access::kDone;
    case PRESIL_CPU_EXCHANGE:
      m_exchange = value;
      return Access::kDone;
    case PRESIL_CPU_REMAP:
      return remap(value) ? Access::kDone : Access::kRefused;
    case PRESIL_CPU_TAG:
      m_tag = value;
      return Access::kDone;
    case PRESIL_CPU_PHASE:
      ran(cycle);
      enter(value);
      return Access::kDone;
    case PRESIL_CPU_STATE:
      ran(cycle);
      m_recorder.observe(static_cast<presil_host_state>(value & 255),
                         static_cast<uint8_t>(value >> 8), m_tag, soc_cycle(cycle));
      return Access::kDone;
    default:
      return Access::kRefused;
  }
}

// A window must lie in the DRAM whole.
bool HostCpu::remap(uint32_t page) {
  const uint64_t system = uint64_t{page} * kPage;
  if (system < PRESIL_DRAM_BASE) return false;
  uint8_t* host = m_memory.bytes_at(system, m_window_bytes);
  return host != nullptr && m_core->move(PRESIL_CPU_WINDOW, host);
}

}  // namespace presil::host_cpu
