#include "models/host/host.h"

#include <cstdlib>

#include "models/base/digest.h"
#include "models/common/register_access.h"

namespace presil::host {

Host::Host(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& keeper, unsigned tile)
    : sc_module(name), bus("bus"), registers("registers"), m_config(config), m_keeper(keeper) {
  registers.register_b_transport(this, &Host::b_transport);
  m_bank.set_id_tile(static_cast<uint16_t>(tile));
  m_bank.set_clock_khz(config.clock_mhz * 1000);
  m_bank.set_sram_bytes(config.sram.bytes);
  m_bank.set_dram_bytes(config.dram.bytes);
  const std::string digest = soc_sha256(config);  // first byte in bits 7:0 of word 0
  for (unsigned word = 0; word < PRESIL_HOST_CONFIG_HASH_COUNT; ++word) {
    uint32_t value = 0;
    for (unsigned byte = 0; byte < 4; ++byte) {
      const std::string digits = digest.substr(8 * word + 2 * byte, 2);
      value |= static_cast<uint32_t>(std::strtoul(digits.c_str(), nullptr, 16)) << 8 * byte;
    }
    m_bank.set_config_hash(word, value);
  }
  m_bank.on_read(PRESIL_HOST_REG_TIME,
                 [this] { m_bank.set_time_cycles(static_cast<uint64_t>(now())); });
  m_bank.on_write(PRESIL_HOST_REG_IRQ_ENABLE, [this](uint32_t, uint32_t) { look(); });
}

void Host::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  access_registers(m_bank, payload);
}

// ---------------------------------------------------------------------------------- interrupts

InterruptLine Host::line(Source source) {
  m_lines.push_back({source, false});
  return [this, line = m_lines.size() - 1](bool level) { set_line(line, level); };
}

void Host::add_engines(unsigned kind, unsigned instances) {
  m_bank.set_engines_kinds(m_bank.engines_kinds() | 1u << kind);
  const unsigned word = kind / 4, shift = kind % 4 * 8;
  m_bank.set_instances_of_kinds(word, m_bank.instances_of_kinds(word) | instances << shift);
  const unsigned most = std::max<unsigned>(m_bank.id_most_instances(), instances);
  m_bank.set_id_most_instances(static_cast<uint8_t>(most));
}

void Host::set_line(size_t line, bool level) {
  m_lines[line].level = level;
  show_lines();
}

void Host::show_lines() {
  uint32_t pending = m_spurious_lines;
  for (const Line& l : m_lines) {
    pending |= static_cast<uint32_t>(l.level) << static_cast<unsigned>(l.source);
  }
  m_bank.set(PRESIL_HOST_REG_IRQ_PENDING, pending);
  look();
}

void Host::disturb_lines(uint32_t lost, uint32_t spurious) {
  m_lost_lines = lost;
  m_spurious_lines = spurious;
  show_lines();
}

void Host::reset() {
  m_bank.set(PRESIL_HOST_REG_IRQ_ENABLE, 0);
}

bool Host::interrupted() const {
  return (m_bank.get(PRESIL_HOST_REG_IRQ_PENDING) & ~m_lost_lines &
          m_bank.get(PRESIL_HOST_REG_IRQ_ENABLE)) != 0;
}

void Host::look() {
  if (m_sleeping && interrupted()) {
    m_sleeping = false;
    m_keeper.stop(m_sleeper);  // at this very cycle
  }
}

// ------------------------------------------------------------------------------- for the driver

void Host::advance(Cycle cycles) {
  m_keeper.pass(cycles);
}

uint32_t Host::access(uint64_t address, bool write, uint32_t value) {
  advance(m_config.noc.cycles_register_write);
  if (write && m_lost_write && m_lost_write(address, value)) return value;
  tlm::tlm_generic_payload payload;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  bus->b_transport(payload, delay);
  advance((static_cast<Cycle>(delay.value()) + period_ps() - 1) / period_ps());
  if (payload.is_response_error()) {
    ++s_bus_errors;
    m_bus_error_address = address;
    return 0xffffffffu;
  }
  return value;
}

bool Host::peek32(uint64_t address, bool write, uint32_t& value) {
  tlm::tlm_generic_payload payload;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(sizeof value);
  payload.set_streaming_width(sizeof value);
  return bus->transport_dbg(payload) == sizeof value;
}

uint32_t Host::read32(uint64_t address) {
  return access(address, false, 0);
}

void Host::write32(uint64_t address, uint32_t value) {
  access(address, true, value);
}

WaitResult Host::wait(Cycle timeout) {
  const WaitResult result = sleep(timeout == Timeline::kNever ? timeout : now() + timeout);
  if (result == WaitResult::kInterrupt) advance(m_config.host.cycles_interrupt);
  return result;
}

WaitResult Host::sleep(Cycle deadline) {
  if (interrupted()) return WaitResult::kInterrupt;
  m_sleeping = true;
  m_sleeper = m_keeper.caller();
  m_keeper.run_before(deadline);
  m_sleeping = false;
  if (interrupted()) return WaitResult::kInterrupt;
  if (!m_keeper.pending()) return WaitResult::kDead;
  advance(deadline - now());  // what comes next lies beyond
  return WaitResult::kTimedOut;
}

void Host::spend(const Task& task) {
  advance(task_cycles(m_config.host, task));
}

}  // namespace presil::host
