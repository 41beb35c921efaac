// Sync as a SystemC module: the register socket around SyncUnit. Engines use the unit's ports,
// plain calls on the tile's timeline.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "models/common/timekeeper.h"
#include "models/sync/sync_unit.h"

namespace presil::sync {

class Sync : public sc_core::sc_module {
 public:
  Sync(sc_core::sc_module_name name, const SyncConfig& config, Timekeeper& keeper);

  /// Registers, offsets from 0.
  tlm_utils::simple_target_socket<Sync> registers;

  SyncUnit& unit() { return m_unit; }
  const SyncUnit& unit() const { return m_unit; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  Timekeeper& m_keeper;
  SyncUnit m_unit;
};

}  // namespace presil::sync
