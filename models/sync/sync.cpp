#include "models/sync/sync.h"

#include "models/common/register_access.h"

namespace presil::sync {

Sync::Sync(sc_core::sc_module_name name, const SyncConfig& config, Timekeeper& keeper)
    : sc_module(name), registers("registers"), m_keeper(keeper), m_unit(config, keeper.timeline()) {
  registers.register_b_transport(this, &Sync::b_transport);
}

void Sync::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  m_keeper.timeline();  // now() is the cycle of this access
  access_registers(m_unit.bank(), payload);
}

}  // namespace presil::sync
