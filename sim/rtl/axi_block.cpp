#include "sim/rtl/axi_block.h"

#include <utility>

#include "rtl/soc/address_map.h"
#include "sim/rtl/rtl_options.h"

namespace presil::rtl {

AxiBlock::AxiBlock(const platform::UserPlace& place, std::unique_ptr<AxiTop> top)
    : m_timekeeper(place.timekeeper),
      m_top(std::move(top)),
      m_clock(place.timekeeper.timeline(), *this, options_of(place.kinds).batch),
      m_reads(place.port, place.system, PRESIL_MASTER_USER, [this] { m_clock.wake(); }),
      m_writes(place.port, place.system, PRESIL_MASTER_USER,
               place.config.noc.cycles_request + place.config.noc.cycles_response,
               [this] { m_clock.wake(); }),
      m_registers("user", [this](bool write, uint16_t offset, uint32_t& value) {
        return access(write, offset, value);
      }) {
  record(m_clock, *m_top, place.kinds.trace, "user", place.timekeeper.period_ps());
}

bool AxiBlock::settle(Cycle cycle) {
  AxiPins::In& in = m_top->pins.in;
  const AxiPins::Out& out = m_top->pins.out;
  in.r_valid = m_reads.beat(cycle, in.r);
  in.aw_ready = m_writes.address_ready();
  in.w_ready = m_writes.data_ready(cycle);
  in.b_valid = m_writes.answered(cycle);
  if (in.b_valid) in.b_resp = m_writes.resp();
  if (m_access.state == Access::kAsked) {
    m_access.state = Access::kShown;
    in.cfg.ask(m_access.write, m_access.offset, m_access.value);
  }
  m_top->settle();
  return out.ar_valid || (out.aw_valid && !m_writes.asked()) || out.irq != m_line ||
         out.answer.valid;
}

void AxiBlock::act(Cycle now) {
  const AxiPins::Out& out = m_top->pins.out;
  if (out.ar_valid) m_reads.request(now, out.ar_address, out.ar_beats);
  if (out.aw_valid && !m_writes.asked()) m_writes.ask(now, out.aw_address, out.aw_beats);
  if (out.answer.valid) {
    m_access.state = Access::kAnswered;
    m_access.error = out.answer.error;
    m_access.value = out.answer.data;
  }
  if (out.irq != m_line) {
    m_line = out.irq;
    if (m_interrupt) m_interrupt(m_line);
  }
}

// The grant of an address comes after act(), in the same cycle.
void AxiBlock::settle_last() {
  AxiPins::In& in = m_top->pins.in;
  if (in.aw_ready == m_writes.address_ready()) return;
  in.aw_ready = m_writes.address_ready();
  m_top->settle();
}

bool AxiBlock::edge() {
  AxiPins::In& in = m_top->pins.in;
  const AxiPins::Out& out = m_top->pins.out;
  if (in.r_valid && out.r_ready) m_reads.taken();
  const bool data = in.w_ready && out.w_valid;
  if (in.aw_ready && out.aw_valid) m_writes.address_taken();
  if (data) m_writes.beat(m_clock.cycle(), out.w_bytes, out.w_strobes);
  if (in.b_valid && out.b_ready) m_writes.answer_taken();
  m_top->edge();
  if (in.cfg.write_ready) in.cfg.write = false;
  if (in.cfg.data_ready) in.cfg.write_data = false;
  if (in.cfg.read_ready) in.cfg.read = false;
  if (m_top->failed()) {
    m_clock.halt();
    m_divergence = Divergence::assertion("user", m_clock.cycle());
  }
  return out.busy || m_reads.outstanding() + m_writes.outstanding() > 0;
}

bool AxiBlock::idle() {
  return !m_top->pins.out.busy && m_access.state == Access::kNone;
}

bool AxiBlock::access(bool write, uint16_t offset, uint32_t& value) {
  m_timekeeper.timeline();  // now() is the cycle of this access
  m_access = {Access::kAsked, write, false, offset, value};
  m_clock.wake();
  for (Cycle waited = 0; m_access.state != Access::kAnswered; ++waited) {
    if (waited == kMostAccess || m_clock.halted()) return false;
    m_timekeeper.pass(1);
  }
  m_access.state = Access::kNone;
  if (!write) value = m_access.value;
  return !m_access.error;
}

}  // namespace presil::rtl
