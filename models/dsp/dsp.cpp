#include "models/dsp/dsp.h"

#include "models/common/register_access.h"

namespace presil::dsp {

Dsp::Dsp(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& timekeeper,
         BurstPort& port, BytePort& system, BytePort& sram, CounterPort& counters, BankLoad& banks)
    : sc_module(name),
      registers("registers"),
      m_timekeeper(timekeeper),
      m_engine(config, timekeeper.timeline(), port, system, sram, counters, banks) {
  registers.register_b_transport(this, &Dsp::b_transport);
}

void Dsp::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  m_timekeeper.timeline();  // brings now() to the kernel's time
  access_registers(m_engine.bank(), payload);
}

}  // namespace presil::dsp
