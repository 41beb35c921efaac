// Lock-step of time of an engine from outside: its model, made by its plug-in, in the shadow of its
// RTL.
#pragma once

#include <memory>
#include <vector>

#include "sim/engine/engine_plugin.h"
#include "sim/rtl/queue_shadow.h"

namespace presil::rtl {

/// The SRAM for a model whose results are dropped: what it asks for is as in the tile, what it
/// writes is not.
class ScratchSram : public BytePort {
 public:
  ScratchSram(BytePort& sram, uint32_t bytes) : m_sram(sram), m_bytes(bytes) {}
  uint8_t* bytes_at(uint64_t address, size_t bytes) override;

 private:
  BytePort& m_sram;
  std::vector<uint8_t> m_bytes;
};

class OutsideShadow : public QueueShadow {
 public:
  /// @param place of the engine in its tile, with the recorded reads in place of its port
  OutsideShadow(const EnginePlugin& plugin, const EnginePlace& place,
                const std::function<void(std::function<void(uint8_t id)>)>& watch,
                std::function<void(const Divergence&)> report);

  RegisterBank& bank() override { return m_engine->registers(); }
  queue::State state() override;
  void on_interrupt(InterruptLine line) override { m_engine->on_interrupt(std::move(line)); }

 private:
  const uint32_t m_status;  // offset
  ScratchSram m_sram;
  std::unique_ptr<EngineModel> m_engine;
};

}  // namespace presil::rtl
