// The engine in SystemC: its registers at a TLM-2.0 socket. README.md has what it does, leaves
// out, and how long things take.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "models/common/timekeeper.h"
#include "pool_engine.h"

namespace presil::pool {

class Pool : public sc_core::sc_module {
 public:
  /// 32-bit accesses, at the timeline's now.
  tlm_utils::simple_target_socket<Pool> registers;

  /// @param place its timeline is the timekeeper's
  Pool(sc_core::sc_module_name name, Timekeeper& timekeeper, const EnginePlace& place,
       const Parameters& parameters);

  Engine& engine() { return m_engine; }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  Timekeeper& m_timekeeper;
  Engine m_engine;
};

}  // namespace presil::pool
