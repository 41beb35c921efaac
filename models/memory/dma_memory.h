// DMA, crossbar, DRAM controller and the bytes of SRAM and DRAM as one SystemC module: time couples
// them too tightly for sockets between them. Inside are plain objects on the tile's timeline.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "models/common/timekeeper.h"
#include "models/dma/dma_unit.h"
#include "models/memory/memory_core.h"
#include "models/noc/crossbar.h"

namespace presil::memory {

class DmaMemory : public sc_core::sc_module {
 public:
  /// @param counters_of the links to sync of a queue
  DmaMemory(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& keeper,
            const std::function<CounterPort&(uint8_t queue)>& counters_of, unsigned tile = 0);

  /// DMA registers, offsets from 0.
  tlm_utils::simple_target_socket<DmaMemory> registers;
  /// SRAM window and DRAM by system address. transport_dbg for tools; b_transport moves the bytes
  /// at once and annotates what a lone access takes.
  tlm_utils::simple_target_socket<DmaMemory> memory;

  /// The crossbar as a queue's fetch unit sees it (DLA: PRESIL_QUEUE_DLA).
  BurstPort& port(unsigned queue) { return m_crossbar.port(queue); }
  /// By SRAM offset.
  Sram& sram() { return m_sram; }
  /// By system address.
  BytePort& system() { return m_system; }
  dma::DmaUnit& dma() { return m_dma; }
  const dma::DmaUnit& dma() const { return m_dma; }
  const DramStatistics& dram_statistics() const { return m_crossbar.dram_statistics(); }

 private:
  void access_registers(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void access_memory(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned peek(tlm::tlm_generic_payload& payload);

  const SocConfig m_config;
  Timekeeper& m_keeper;
  Sram m_sram;
  Bytes m_dram;
  SystemBytes m_system;
  noc::Crossbar m_crossbar;
  dma::DmaUnit m_dma;
};

}  // namespace presil::memory
