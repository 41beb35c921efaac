// An engine from outside as a block of the SoC: its model from the loaded library, its registers at
// a socket of the interconnect.
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <string>
#include <systemc>
#include <utility>

#include "models/common/register_access.h"
#include "sim/engine/engine_library.h"
#include "sim/platform/blocks.h"

namespace presil::platform {
namespace {

/// Registers at a TLM-2.0 socket, offsets from 0; accesses at the timeline's now.
class EngineRegisters : public sc_core::sc_module {
 public:
  EngineRegisters(sc_core::sc_module_name name, Timekeeper& timekeeper, RegisterBank& bank)
      : sc_module(name), socket("socket"), m_timekeeper(timekeeper), m_bank(bank) {
    socket.register_b_transport(this, &EngineRegisters::b_transport);
  }

  tlm_utils::simple_target_socket<EngineRegisters> socket;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    m_timekeeper.timeline();  // brings now() to the kernel's time
    access_registers(m_bank, payload);
  }

  Timekeeper& m_timekeeper;
  RegisterBank& m_bank;
};

class EngineBlock : public Block {
 public:
  explicit EngineBlock(const EngineBlockPlace& p)
      : m_parameters(p.parameters),
        m_engine(p.library.plugin().make({p.timekeeper.timeline(), p.fetch, p.system, p.sram,
                                          p.counters, &p.banks, p.queue, p.config.sram.bytes,
                                          m_parameters.data()})) {
    if (m_engine == nullptr) {
      p.library.refuse("make returns nothing for this SoC, must return the engine's model");
    }
    const std::string name = instance_name(p.library.description(), p.queue);
    m_registers =
        std::make_unique<EngineRegisters>(name.c_str(), p.timekeeper, m_engine->registers());
  }
  tlm::tlm_target_socket<>& registers() override { return m_registers->socket; }
  void on_interrupt(InterruptLine line) override { m_engine->on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_engine->observe(std::move(observer)); }

 private:
  const std::vector<uint64_t> m_parameters;
  const std::unique_ptr<EngineModel> m_engine;
  std::unique_ptr<EngineRegisters> m_registers;
};

}  // namespace

std::unique_ptr<Block> model_of(const EngineBlockPlace& place) {
  return std::make_unique<EngineBlock>(place);
}

}  // namespace presil::platform
