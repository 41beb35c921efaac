// A Verilated block of the user's own in the SoC: its registers at PRESIL_TILE_USER, its AXI4
// master on the crossbar, its interrupt at the host.
#pragma once

#include <memory>
#include <optional>

#include "sim/platform/blocks.h"
#include "sim/platform/register_socket.h"
#include "sim/rtl/axi_top.h"
#include "sim/rtl/axi_writes.h"
#include "sim/rtl/rtl_clock.h"

namespace presil::rtl {

class AxiBlock : public platform::Block, private Clocked {
 public:
  static constexpr Cycle kMostAccess = 1000;  ///< cycles of an access; an error answer then

  AxiBlock(const platform::UserPlace& place, std::unique_ptr<AxiTop> top);

  tlm::tlm_target_socket<>& registers() override { return m_registers.socket; }
  void on_interrupt(InterruptLine line) override { m_interrupt = std::move(line); }
  const Divergence* divergence() const override { return m_divergence ? &*m_divergence : nullptr; }

 private:
  bool settle(Cycle cycle) override;
  void act(Cycle now) override;
  void settle_last() override;
  bool edge() override;
  bool idle() override;

  /// The bus takes the cycles that the block's port takes: they pass in here.
  bool access(bool write, uint16_t offset, uint32_t& value);

  Timekeeper& m_timekeeper;
  std::unique_ptr<AxiTop> m_top;
  RtlClock m_clock;
  ReadBridge m_reads;
  AxiWrites m_writes;
  platform::RegisterSocket m_registers;
  InterruptLine m_interrupt;
  bool m_line = false;
  /// The access under way.
  struct Access {
    enum { kNone, kAsked, kShown, kAnswered } state = kNone;
    bool write = false, error = false;
    uint16_t offset = 0;
    uint32_t value = 0;
  } m_access;
  std::optional<Divergence> m_divergence;  // an assertion
};

/// For Soc: its user's block is this one.
inline platform::UserMaker user_rtl(AxiTopMaker make) {
  return [make = std::move(make)](const platform::UserPlace& place) {
    return std::make_unique<AxiBlock>(place, make(place.kinds.seed));
  };
}

}  // namespace presil::rtl
