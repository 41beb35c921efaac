// Register accesses of a Verilated block: AXI4-Lite, one at a time.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "sim/rtl/lite_pins.h"
#include "sim/rtl/rtl_clock.h"

namespace presil::rtl {

/// An access at cycle `now` of the timeline, before its events. Presented in one cycle, it acts in
/// the next and is answered there: in this one if the block runs, what a write changes is then new
/// one cycle later. A block that sleeps is taken back, so that it is new in this cycle.
/// @param top what has pins.in.cfg, settle() and register_access()
/// @param acting called in the cycle in which it acts, before the edge
template <class Top, class Acting>
RegisterAccess lite_access(RtlClock& clock, Top& top, Cycle now, bool write, uint16_t offset,
                           uint32_t value, const Acting& acting) {
  const bool asleep = clock.asleep();
  clock.enter(asleep && write ? 2 : 1);
  LitePins& cfg = top.pins.in.cfg;
  cfg.ask(write, offset, value);
  top.settle();
  if (!cfg.taken()) {
    throw std::logic_error("rtl: a register port does not take an access");
  }
  clock.step();
  cfg.rest();
  top.settle();
  const RegisterAccess acts = top.register_access();
  if (!(write ? acts.write : acts.read)) {
    throw std::logic_error("rtl: a register port does not answer");
  }
  acting();
  if (asleep && write) {
    if (clock.cycle() < now) clock.step();
    clock.wake();
  } else if (asleep) {  // the bus comes to rest
    for (int i = 0; i < 2; ++i) {
      clock.step();
      top.settle();
    }
  }
  return acts;
}

}  // namespace presil::rtl
