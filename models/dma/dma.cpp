#include "models/dma/dma.h"

#include "models/common/register_access.h"

namespace presil::dma {

Dma::Dma(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& keeper,
         noc::Fabric& crossbar, BytePort& sram, BytePort& system,
         const std::function<CounterPort&(uint8_t queue)>& counters_of)
    : sc_module(name),
      registers("registers"),
      m_config(config),
      m_keeper(keeper),
      m_unit(m_config, keeper.period_ps(), keeper.timeline(), crossbar, sram, system, counters_of) {
  registers.register_b_transport(this, &Dma::b_transport);
}

void Dma::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  m_keeper.timeline();  // now() is the cycle of this access
  access_registers(m_unit.bank(), payload);
}

}  // namespace presil::dma
