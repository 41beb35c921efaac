// The DSP in SystemC: an Engine with its registers at a TLM-2.0 socket. README.md has what it
// does, leaves out, and how long things take.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "models/common/timekeeper.h"
#include "models/dsp/dsp_engine.h"

namespace presil::dsp {

class Dsp : public sc_core::sc_module {
 public:
  /// Registers, offsets from 0.
  tlm_utils::simple_target_socket<Dsp> registers;

  /// Ports as of Engine; the timekeeper's timeline is the tile's.
  Dsp(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& timekeeper,
      BurstPort& port, BytePort& system, BytePort& sram, CounterPort& counters, BankLoad& banks);

  Engine& engine() { return m_engine; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  Timekeeper& m_timekeeper;
  Engine m_engine;
};

}  // namespace presil::dsp
