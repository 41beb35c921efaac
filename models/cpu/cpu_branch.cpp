// Branches, and the conditions of IT blocks.
#include "models/cpu/cpu_blocks.h"
#include "models/cpu/cpu_families.h"
#include "models/cpu/cpu_scalar.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

template <unsigned condition>
Decoded* branch_if(Hart& h, Decoded* o) {
  if (holds<condition>(h)) return leave(h, o, 1, o->imm);
  return leave(h, o, 0, o->pc + o->length);
}

// Jumps over an instruction of an IT block: imm steps, which would have taken `taken` cycles more.
template <unsigned condition>
Decoded* skip_unless(Hart& h, Decoded* o) {
  if (holds<condition>(h)) PRESIL_CPU_NEXT(h, o + 1);
  h.cycle -= o->taken;
  PRESIL_CPU_NEXT(h, o + o->imm);
}

constexpr std::array<Handler, 15> kBranches = {
    branch_if<0>,  branch_if<1>,  branch_if<2>,  branch_if<3>,  branch_if<4>,
    branch_if<5>,  branch_if<6>,  branch_if<7>,  branch_if<8>,  branch_if<9>,
    branch_if<10>, branch_if<11>, branch_if<12>, branch_if<13>, branch_if<14>};
constexpr std::array<Handler, 15> kGuards = {
    skip_unless<0>,  skip_unless<1>,  skip_unless<2>,  skip_unless<3>,  skip_unless<4>,
    skip_unless<5>,  skip_unless<6>,  skip_unless<7>,  skip_unless<8>,  skip_unless<9>,
    skip_unless<10>, skip_unless<11>, skip_unless<12>, skip_unless<13>, skip_unless<14>};

// To an address that is not known when it is decoded: the exit remembers the last one.
Decoded* go(Hart& h, Decoded* o, uint32_t target) {
  if (o->exit[1] != nullptr && o->exit[1]->pc != target) o->exit[1] = nullptr;
  return leave(h, o, 1, target);
}

Decoded* branch_link(Hart& h, Decoded* o) {
  h.r[14] = (o->pc + 4) | 1;
  return leave(h, o, 1, o->imm);
}

template <class T>
Decoded* table_branch(Hart& h, Decoded* o) {
  const uint32_t base = o->rn == 15 ? o->pc + 4 : h.r[o->rn];
  uint32_t value = 0;
  const Slow slow = load_slowly(h, o, base + h.r[o->rm] * static_cast<uint32_t>(sizeof(T)),
                                sizeof(T), false, value);
  if (!slow.done) return slow.next;
  return go(h, o, o->pc + 4 + 2 * value);
}

}  // namespace

Handler conditional_branch(unsigned condition) {
  return kBranches[condition > 14 ? 14 : condition];
}
Handler guard(unsigned condition) {
  return kGuards[condition > 14 ? 14 : condition];
}

Decoded* go_on(Hart& h, Decoded* o) {
  return leave(h, o, 0, o->pc);
}

Decoded* branch_always(Hart& h, Decoded* o) {
  return leave(h, o, 1, o->imm);
}
Decoded* branch_if_zero(Hart& h, Decoded* o) {
  return h.r[o->rn] == 0 ? leave(h, o, 1, o->imm) : leave(h, o, 0, o->pc + 2);
}
Decoded* branch_if_not_zero(Hart& h, Decoded* o) {
  return h.r[o->rn] != 0 ? leave(h, o, 1, o->imm) : leave(h, o, 0, o->pc + 2);
}
Decoded* move_to_pc(Hart& h, Decoded* o) {
  return go(h, o, h.r[o->rm] & ~1u);
}
Decoded* add_to_pc(Hart& h, Decoded* o) {
  return go(h, o, (o->pc + 4 + h.r[o->rm]) & ~1u);
}
Decoded* branch_exchange(Hart& h, Decoded* o) {
  return branch_to(h, o, h.r[o->rm]);
}
Decoded* branch_link_exchange(Hart& h, Decoded* o) {
  const uint32_t target = h.r[o->rm];
  h.r[14] = (o->pc + 2) | 1;
  if ((target & 1) == 0) return h.system->enter_arm_state(*o, target);
  return go(h, o, target & ~1u);
}

Decoded* branch_to(Hart& h, Decoded* o, uint32_t target) {
  if (h.system->is_return(target)) {
    h.cycle += o->taken;
    h.retired += o->count + 1u;
    return h.system->leave_exception(target);
  }
  if ((target & 1) == 0) return h.system->enter_arm_state(*o, target);
  return go(h, o, target & ~1u);
}

const std::vector<Row>& branch_rows() {
  constexpr Class kB = Class::kBranch;
  constexpr uint16_t kE = kEnds | kPrivate;
  static const std::vector<Row> rows = {
      {"tbb", 0xe8d0f000, 0xfff0fff0, Form::kTable, Class::kTableBranch, table_branch<uint8_t>,
       kE | kLastInIt},
      {"tbh", 0xe8d0f010, 0xfff0fff0, Form::kTable, Class::kTableBranch, table_branch<uint16_t>,
       kE | kLastInIt},
      {"bl", 0xf000d000, 0xf800d000, Form::kBranch32, kB, branch_link, kE | kLastInIt},
      {"b", 0xf0009000, 0xf800d000, Form::kBranch32, kB, branch_always, kE | kLastInIt},
  };
  static const std::vector<Row> all = [] {
    std::vector<Row> r = rows;
    for (uint32_t c = 0; c < 14; ++c)
      r.push_back({"b", 0xf0008000 | c << 22, 0xfbc0d000, Form::kBranchCond32, kB, nullptr, kE});
    return r;
  }();
  return all;
}

}  // namespace presil::cpu
