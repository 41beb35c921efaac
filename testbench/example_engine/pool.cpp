#include "pool.h"

#include "models/common/register_access.h"
#include "rtl/soc/address_map.h"

namespace presil::pool {

Pool::Pool(sc_core::sc_module_name name, Timekeeper& timekeeper, const EnginePlace& place,
           const Parameters& parameters)
    : sc_module(name),
      registers("registers"),
      m_timekeeper(timekeeper),
      m_engine(place, parameters) {
  registers.register_b_transport(this, &Pool::transport);
}

void Pool::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  m_timekeeper.timeline();  // brings now() to the kernel's time
  payload.set_address(payload.get_address() % PRESIL_TILE_BLOCK_BYTES);
  access_registers(m_engine.bank(), payload);
}

}  // namespace presil::pool
