// Calls, fences and the control and status registers.
#include "models/dsp/dsp_csr.h"
#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_scalar.h"
#include "models/dsp/dsp_vector_state.h"

namespace presil::dsp {
namespace {

// The end of a program, and a fence, wait for all that the vector unit has under way.
Decoded* ecall(Hart& h, Decoded* o) {
  wait_for_vectors(h, o, h.unit.idle());
  return trap(h, o, Cause::kCall, 0);
}
Decoded* ebreak(Hart& h, Decoded* o) {
  return trap(h, o, Cause::kBreakpoint, o->pc);
}

Decoded* fence(Hart& h, Decoded* o) {
  wait_for_vectors(h, o, h.unit.idle());
  return o + 1;
}

enum class Do { kWrite, kSet, kClear };

// funct3: 1, 2, 3 write, set, clear a register's bits; 5, 6, 7 the same with a 5-bit immediate.
template <Do what, bool immediate>
Decoded* csr(Hart& h, Decoded* o) {
  const auto number = static_cast<unsigned>(o->imm);
  const uint64_t operand = immediate ? o->rs1 : h.x[o->rs1];
  const bool writes = what == Do::kWrite || o->rs1 != 0;
  uint64_t old = 0;
  using Answer = OwnRegisters::Answer;
  const Answer own = h.own == nullptr ? Answer::kOthers : h.own->read(number, cycle_of(h, *o), old);
  if (own == Answer::kIllegal || (own == Answer::kOthers && !read_csr(h, *o, number, old)))
    return trap(h, o, Cause::kIllegal, 0);
  const uint64_t value = what == Do::kWrite ? operand
                         : what == Do::kSet ? old | operand
                                            : old & ~operand;
  Answer wrote = Answer::kDone;
  if (writes && own != Answer::kOthers) wrote = h.own->write(number, cycle_of(h, *o), value);
  if (wrote == Answer::kIllegal ||
      (writes && own == Answer::kOthers && !write_csr(h, number, value)))
    return trap(h, o, Cause::kIllegal, 0);
  h.x[o->rd] = old;
  return wrote == Answer::kLook ? stop_before(h, o + 1) : o + 1;
}

}  // namespace

const std::vector<ScalarRow>& system_rows() {
  constexpr Class kSys = Class::kSystem;
  static const std::vector<ScalarRow> rows = {
      {"fence", 0x000f, kMaskI, "f", kSys, fence},
      {"fence.i", 0x100f, kMaskI, "", kSys, fence},
      {"ecall", 0x00000073, kMaskAll, "", kSys, ecall},
      {"ebreak", 0x00100073, kMaskAll, "", kSys, ebreak},
      {"csrrw", 0x1073, kMaskI, "d, c, s", kSys, csr<Do::kWrite, false>},
      {"csrrs", 0x2073, kMaskI, "d, c, s", kSys, csr<Do::kSet, false>},
      {"csrrc", 0x3073, kMaskI, "d, c, s", kSys, csr<Do::kClear, false>},
      {"csrrwi", 0x5073, kMaskI, "d, c, z", kSys, csr<Do::kWrite, true>},
      {"csrrsi", 0x6073, kMaskI, "d, c, z", kSys, csr<Do::kSet, true>},
      {"csrrci", 0x7073, kMaskI, "d, c, z", kSys, csr<Do::kClear, true>},
  };
  return rows;
}

}  // namespace presil::dsp
