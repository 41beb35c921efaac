// The DMA as a SystemC module: the register socket around DmaUnit. Its data goes over the crossbar
// and into the SRAM by plain calls on the tile's timeline.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "models/common/timekeeper.h"
#include "models/dma/dma_unit.h"

namespace presil::dma {

class Dma : public sc_core::sc_module {
 public:
  /// @param counters_of the links to sync of a queue
  Dma(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& keeper,
      noc::Fabric& crossbar, BytePort& sram, BytePort& system,
      const std::function<CounterPort&(uint8_t queue)>& counters_of);

  /// Registers, offsets from 0.
  tlm_utils::simple_target_socket<Dma> registers;

  DmaUnit& unit() { return m_unit; }
  const DmaUnit& unit() const { return m_unit; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  const SocConfig m_config;
  Timekeeper& m_keeper;
  DmaUnit m_unit;
};

}  // namespace presil::dma
