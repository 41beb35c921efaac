// The DLA in SystemC: an Engine with its registers at a TLM-2.0 socket. README.md has what it
// does, leaves out, and how long things take.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "models/common/timekeeper.h"
#include "models/dla/dla_engine.h"

namespace presil::dla {

class Dla : public sc_core::sc_module {
 public:
  /// 32-bit accesses at addresses of which the low 16 bits (PRESIL_TILE_BLOCK_BYTES) count; without
  /// time of its own, at the timeline's now.
  tlm_utils::simple_target_socket<Dla> registers;

  /// Ports as of Engine; the timekeeper's timeline is the tile's.
  Dla(sc_core::sc_module_name name, uint8_t queue, const SocConfig& config, Timekeeper& timekeeper,
      BurstPort& fetch, BytePort& system, BytePort& sram, CounterPort& counters);

  Engine& engine() { return m_engine; }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  Timekeeper& m_timekeeper;
  Engine m_engine;
};

}  // namespace presil::dla
