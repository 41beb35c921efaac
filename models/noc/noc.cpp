#include "models/noc/noc.h"

#include <string>

namespace presil::noc {

Noc::Noc(sc_core::sc_module_name name, const NocConfig& config, const Timekeeper& keeper,
         unsigned tile)
    : sc_module(name),
      initiators("initiators"),
      sync("sync"),
      user("user"),
      memory("memory"),
      m_base(PRESIL_TILE_BASE(tile)),
      m_read_return(keeper.time_of(static_cast<Cycle>(config.cycles_register_read) -
                                   static_cast<Cycle>(config.cycles_register_write))) {
  initiators.register_b_transport(this, &Noc::b_transport);
  initiators.register_transport_dbg(this, &Noc::transport_dbg);
}

Noc::Target& Noc::engine(unsigned kind, unsigned instance) {
  std::unique_ptr<EnginePort>& port = m_engines[PRESIL_TILE_ENGINE(kind, instance)];
  if (!port) {
    const std::string place = std::to_string(kind) + "_" + std::to_string(instance);
    port = std::make_unique<EnginePort>((std::string(basename()) + "_engine_" + place).c_str());
  }
  return port->socket;
}

Noc::Target* Noc::decode(uint64_t address, uint64_t& offset) {
  offset = address;
  if (address >= PRESIL_DRAM_BASE) return &memory;
  const uint64_t in_tile = address - m_base;
  if (address < m_base || in_tile >> PRESIL_TILE_SHIFT) return nullptr;
  if (in_tile >= PRESIL_TILE_ENGINES) {
    offset = in_tile % PRESIL_ENGINE_BYTES;
    const auto found = m_engines.find(static_cast<uint32_t>(in_tile - offset));
    return found == m_engines.end() ? nullptr : &found->second->socket;
  }
  if (in_tile >= PRESIL_TILE_SRAM) return &memory;
  offset = in_tile % PRESIL_TILE_BLOCK_BYTES;
  switch (in_tile - offset) {
    case PRESIL_TILE_SYNC:
      return &sync;
    case PRESIL_TILE_USER:
      return &user;
    default:
      return nullptr;
  }
}

void Noc::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  uint64_t offset = 0;
  const uint64_t address = payload.get_address();
  Target* target = decode(address, offset);
  if (target == nullptr || target->size() == 0) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else {
    payload.set_address(offset);
    (*target)->b_transport(payload, delay);
    payload.set_address(address);
  }
  if (payload.is_read() && target != &memory) delay += m_read_return;
}

unsigned Noc::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  uint64_t offset = 0;
  const uint64_t address = payload.get_address();
  Target* target = decode(address, offset);
  if (target == nullptr || target->size() == 0) return 0;
  if (target == &memory) return memory->transport_dbg(payload);
  // registers: what blocks answer at once, the time of the way left out
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  payload.set_address(offset);
  (*target)->b_transport(payload, delay);
  payload.set_address(address);
  return payload.is_response_ok() ? payload.get_data_length() : 0;
}

}  // namespace presil::noc
