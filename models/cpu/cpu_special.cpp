// Instructions of the system: special registers, barriers, hints, calls, sleep.
#include "models/cpu/cpu_blocks.h"
#include "models/cpu/cpu_families.h"
#include "models/cpu/cpu_scalar.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

// Goes on after `o` by way of the core: what follows may have changed.
Decoded* leave_block(Hart& h, Decoded* o) {
  h.cycle += o->after;
  h.retired += o->count + 1u;
  return boundary(h, o[1].pc, o[1].it);
}

Decoded* read_special(Hart& h, Decoded* o) {
  h.r[o->rd] = h.system->read_special(o->imm);
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* write_special(Hart& h, Decoded* o) {
  h.system->write_special(o->imm, o->extra, h.r[o->rn]);
  if (o->imm < 4) PRESIL_CPU_NEXT(h, o + 1);
  return leave_block(h, o);
}
Decoded* barrier(Hart& h, Decoded* o) {
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* synchronise(Hart& h, Decoded* o) {
  h.synchronise = true;
  return leave_block(h, o);
}

}  // namespace

Decoded* no_operation(Hart& h, Decoded* o) {
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* undefined(Hart& h, Decoded* o) {
  return fault(h, *o, Fault::kUndefined);
}
Decoded* supervisor_call(Hart& h, Decoded* o) {
  return h.system->call_supervisor(*o);
}
Decoded* breakpoint(Hart& h, Decoded* o) {
  stop(h, *o, Reason::kBreakpoint, o->pc);
  h.stop.status = o->imm;
  return nullptr;
}
Decoded* wait_for_event(Hart& h, Decoded* o) {
  h.system->wait_for_event();
  return leave_block(h, o);
}
Decoded* wait_for_interrupt(Hart& h, Decoded* o) {
  h.system->wait_for_interrupt();
  return leave_block(h, o);
}
Decoded* send_event(Hart& h, Decoded* o) {
  h.system->send_event();
  h.events_sent = true;
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* change_state(Hart& h, Decoded* o) {
  h.system->change_masks((o->imm & 16) != 0, (o->imm & 2) != 0, (o->imm & 1) != 0);
  return leave_block(h, o);
}
Decoded* prepare_float(Hart& h, Decoded* o) {
  if (__builtin_expect(h.fp_ready, 1)) PRESIL_CPU_NEXT(h, o + 1);
  Decoded* next = nullptr;
  return h.system->prepare_float(*o, next) ? o + 1 : next;
}

const std::vector<Row>& system_rows() {
  constexpr Class kS = Class::kSpecial, kB = Class::kBarrier, kSys = Class::kSystem;
  constexpr uint16_t kE = kEnds | kPrivate;
  static const std::vector<Row> rows = {
      {"mrs", 0xf3ef8000, 0xfffff000, Form::kSpecialRead, kS, read_special, kPrivate},
      {"msr", 0xf3808000, 0xfff0f300, Form::kSpecialWrite, kS, write_special, kE},
      {"dsb", 0xf3bf8f40, 0xfffffff0, Form::kNone, kB, barrier},
      {"dmb", 0xf3bf8f50, 0xfffffff0, Form::kNone, kB, barrier},
      {"isb", 0xf3bf8f60, 0xfffffff0, Form::kNone, kB, synchronise, kE},
      {"wfe", 0xf3af8002, 0xffffffff, Form::kNone, kSys, wait_for_event, kE},
      {"wfi", 0xf3af8003, 0xffffffff, Form::kNone, kSys, wait_for_interrupt, kE},
      {"sev", 0xf3af8004, 0xffffffff, Form::kNone, kSys, send_event, kPrivate},
      {"nop", 0xf3af8000, 0xffffff00, Form::kNone, Class::kAlu, no_operation, kPrivate},
      {"udf", 0xf7f0a000, 0xfff0f000, Form::kNone, kSys, undefined, kE},
  };
  return rows;
}

}  // namespace presil::cpu
