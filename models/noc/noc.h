// The register side of a tile's interconnect as a SystemC module: initiators (host, debugger) on
// one side, the blocks' register sockets and the memory on the other, decoded by
// rtl/soc/address_map.h. Data bursts of engines go through Crossbar, inside Memory.
//
// Timing: an access takes effect when b_transport is called. The caller has spent the way there
// before (cycles_register_write); the way back of a read (cycles_register_read -
// cycles_register_write) is annotated in `delay`.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <map>
#include <memory>
#include <systemc>

#include "models/common/timekeeper.h"
#include "rtl/soc/address_map.h"

namespace presil::noc {

class Noc : public sc_core::sc_module {
 public:
  Noc(sc_core::sc_module_name name, const NocConfig& config, const Timekeeper& keeper,
      unsigned tile = 0);

  /// Initiators: 40-bit system addresses.
  tlm_utils::multi_passthrough_target_socket<Noc> initiators;
  /// Blocks: offsets in their window of PRESIL_TILE_BLOCK_BYTES. A block that is not bound answers
  /// as an address error.
  tlm_utils::simple_initiator_socket_optional<Noc> sync, user;
  /// The registers of an engine: PRESIL_TILE_ENGINE(kind, instance), offsets from there.
  tlm_utils::simple_initiator_socket_optional<Noc>& engine(unsigned kind, unsigned instance = 0);
  /// DRAM and SRAM: system addresses.
  tlm_utils::simple_initiator_socket_optional<Noc> memory;

 private:
  using Target = tlm_utils::simple_initiator_socket_optional<Noc>;
  /// A socket that is made after the module needs one of its own.
  struct EnginePort : sc_core::sc_module {
    explicit EnginePort(sc_core::sc_module_name name) : sc_module(name), socket("socket") {}
    Target socket;
  };
  Target* decode(uint64_t address, uint64_t& offset);
  void b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int, tlm::tlm_generic_payload& payload);

  uint64_t m_base;
  std::map<uint32_t, std::unique_ptr<EnginePort>> m_engines;  ///< by PRESIL_TILE_ENGINE
  sc_core::sc_time m_read_return;
};

}  // namespace presil::noc
