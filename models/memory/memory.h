// The bytes of SRAM and DRAM, the DRAM controller and the crossbar before them as one SystemC
// module: time couples them too tightly for sockets between them. Inside are plain objects on the
// timeline. Tiles share the DRAM, its controller included.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <systemc>

#include "models/common/timekeeper.h"
#include "models/memory/memory_core.h"
#include "models/noc/crossbar.h"

namespace presil::memory {

/// Of a SoC.
struct SharedDram {
  SharedDram(const DramConfig& config, Timekeeper& keeper)
      : bytes(config.bytes), ports(config, keeper.period_ps(), keeper.timeline()) {}

  Bytes bytes;
  noc::DramPorts ports;
};

class Memory : public sc_core::sc_module {
 public:
  /// @param dram  nullptr: one of its own
  Memory(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& keeper,
         unsigned tile = 0, SharedDram* dram = nullptr);

  /// SRAM window and DRAM by system address. transport_dbg for tools; b_transport moves the bytes
  /// at once and annotates the isolated latency of an access.
  tlm_utils::simple_target_socket<Memory> window;

  /// Data bursts of the DMA; the crossbar as a queue's fetch unit sees it is
  /// crossbar().port(PRESIL_QUEUE_DLA).
  noc::Crossbar& crossbar() { return m_crossbar; }
  /// By SRAM offset.
  Sram& sram() { return m_sram; }
  Bytes& dram() { return m_dram.bytes; }
  /// By system address.
  BytePort& system() { return m_system; }
  const DramStatistics& dram_statistics() const { return m_crossbar.dram_statistics(); }

 private:
  void access_memory(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned peek(tlm::tlm_generic_payload& payload);

  const SocConfig m_config;
  Timekeeper& m_keeper;
  Sram m_sram;
  std::unique_ptr<SharedDram> m_own_dram;
  SharedDram& m_dram;
  SystemBytes m_system;
  noc::Crossbar m_crossbar;
};

}  // namespace presil::memory
