#include "models/host/host.h"

#include <algorithm>

namespace presil::host {

Host::Host(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& timekeeper)
    : sc_module(name),
      out("out"),
      m_config(config.host),
      m_noc(config.noc),
      m_timekeeper(timekeeper) {}

void Host::advance(Cycle cycles) {
  if (cycles > 0)
    sc_core::sc_start(m_timekeeper.time_of(now() + cycles) - sc_core::sc_time_stamp());
}

tlm::tlm_response_status Host::transport(tlm::tlm_command command, uint64_t address,
                                         uint32_t& data) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
  payload.set_data_length(sizeof data);
  payload.set_streaming_width(sizeof data);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  out->b_transport(payload, delay);
  if (payload.is_response_error()) ++s_bus_errors;
  return payload.get_response_status();
}

uint32_t Host::read32(uint64_t address) {
  uint32_t data = 0;
  advance(m_noc.cycles_register_read);
  return transport(tlm::TLM_READ_COMMAND, address, data) == tlm::TLM_OK_RESPONSE ? data
                                                                                 : ~uint32_t{0};
}

void Host::write32(uint64_t address, uint32_t value) {
  advance(m_noc.cycles_register_write);
  transport(tlm::TLM_WRITE_COMMAND, address, value);
}

void Host::spend(const Task& task) {
  advance(cycles_of(task, m_config));
}

WaitResult Host::wait(Cycle timeout) {
  // a limit that sc_time can hold: 2^62 ps are 53 days
  const Cycle longest = (Cycle{1} << 62) / m_timekeeper.period_ps() - now();
  const Cycle limit = now() + std::min(timeout, longest);
  m_waiting = true;
  while (!m_interrupt && now() < limit) {
    const sc_core::sc_time left = m_timekeeper.time_of(limit) - sc_core::sc_time_stamp();
    sc_core::sc_start(left, sc_core::SC_EXIT_ON_STARVATION);
    if (!m_interrupt && !sc_core::sc_pending_activity()) {
      m_waiting = false;
      return WaitResult::kDead;
    }
  }
  m_waiting = false;
  if (!m_interrupt) return WaitResult::kTimedOut;
  advance(m_config.cycles_interrupt);
  return WaitResult::kInterrupt;
}

void Host::set_interrupt(bool level) {
  m_interrupt = level;
  if (level && m_waiting) sc_core::sc_pause();
}

}  // namespace presil::host
