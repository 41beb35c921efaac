// A block's schedule: when each instruction issues, and what the ways out cost. Made when a block
// is decoded; what depends on data or memory is added when it runs.
#include <algorithm>

#include "models/cpu/cpu_blocks.h"

namespace presil::cpu {
namespace {

unsigned registers_of(const Row& row, const Decoded& op) {
  if (row.form == Form::kDual) return 2;
  if (row.form >= Form::kFloat3) return op.extra;
  return static_cast<unsigned>(__builtin_popcount(op.imm));
}

bool is_memory(Class c) {
  return c == Class::kLoad || c == Class::kStore || c == Class::kLoadMultiple ||
         c == Class::kStoreMultiple || c == Class::kFloatLoad || c == Class::kFloatStore ||
         c == Class::kLoadPc;
}
bool is_float(Class c) {
  return c >= Class::kFloat && c <= Class::kFloatMovePair;
}
bool is_branch(Class c) {
  return c == Class::kBranch || c == Class::kBranchRegister || c == Class::kLoadPc ||
         c == Class::kTableBranch;
}

// Does it read core register r early, as operand or address?
bool reads(const Row& row, const Decoded& op, unsigned r) {
  switch (row.form) {
    case Form::kShiftImm:
    case Form::kExtend16:
    case Form::kBranchReg:
      return op.rm == r;
    case Form::kLowImm3:
    case Form::kLowNegate:
    case Form::kLoadImm16:
    case Form::kLoadImm12:
    case Form::kLoadImm8:
    case Form::kStackImm8:
    case Form::kStackImm7:
    case Form::kCompareBranch:
    case Form::kMultiple16:
    case Form::kMultiple32:
    case Form::kPush:
    case Form::kPop:
    case Form::kDataImm:
    case Form::kPlainImm12:
    case Form::kBitField:
    case Form::kSaturate:
    case Form::kSaturate16:
    case Form::kDual:
    case Form::kFloatLoad:
      return op.rn == r;
    case Form::kLowImm8:
      return row.op != Op::kMov && op.rn == r;
    case Form::kHigh2:
      return (row.op != Op::kMov && op.rn == r) || op.rm == r;
    case Form::kFour:
    case Form::kLong:
      return op.rn == r || op.rm == r || op.ra == r;
    case Form::kLow3:
    case Form::kLow2:
    case Form::kLoadReg16:
    case Form::kLoadReg32:
    case Form::kDataReg:
    case Form::kShiftReg:
    case Form::kThree:
    case Form::kRotated:
    case Form::kTwo:
    case Form::kTable:
      return op.rn == r || op.rm == r;
    default:
      return false;
  }
}

struct Cost {
  unsigned cycles = 1;
  unsigned refill = 0;  ///< of the way taken
};

Cost cost_of(const Timing& t, const Row& row, const Decoded& op, Class cls, Class before) {
  switch (cls) {
    case Class::kMultiply:
      return {t.multiply};
    case Class::kMultiplyLong:
      return {t.multiply_long};
    case Class::kDivide:
      return {t.divide_least};
    case Class::kLoad:
      return {before == Class::kLoad || before == Class::kStore ? t.load_after_load : t.load};
    case Class::kStore:
      return {t.store};
    case Class::kLoadMultiple: {
      const unsigned n = t.multiple_first + registers_of(row, op);
      const bool to_pc = row.form != Form::kDual && (op.imm >> 15 & 1) != 0;
      return {n, to_pc ? t.branch_refill : 0};
    }
    case Class::kStoreMultiple:
      return {t.multiple_first + registers_of(row, op)};
    case Class::kBranch:
    case Class::kBranchRegister:
      return {t.branch_not_taken, t.branch_refill};
    case Class::kLoadPc:
      return {t.load, t.load_pc_refill};
    case Class::kTableBranch:
      return {t.table_branch, t.branch_refill};
    case Class::kIt:
      return {t.it};
    case Class::kBarrier:
      return {t.barrier};
    case Class::kSpecial:
      return {t.special};
    case Class::kFloat:
      return {t.float_alu};
    case Class::kFloatMultiplyAdd:
      return {t.float_multiply_add};
    case Class::kFloatDivide:
      return {t.float_divide};
    case Class::kFloatRoot:
      return {t.float_root};
    case Class::kFloatLoad:
    case Class::kFloatStore:
      return {t.float_load + op.extra - 1};
    case Class::kFloatMovePair:
      return {t.float_move_pair};
    default:
      return {t.alu};
  }
}

}  // namespace

void schedule(const Hart& hart, Block& block, const std::vector<Timed>& timed) {
  const Timing& t = hart.config.timing;
  const Region* region = hart.memory.find(block.pc, 2, kExecute);
  const unsigned wait = region == nullptr ? 0 : region->wait_fetch;
  const uint32_t line = region == nullptr || region->line_bytes == 0 ? 16 : region->line_bytes;
  unsigned now = wait;  // the first line
  uint32_t fetched = block.pc / line;
  uint16_t count = 0;
  Class before = Class::kAlu;
  const Decoded* last = nullptr;  // the instruction before
  const Row* last_row = nullptr;
  size_t last_guard = block.ops.size();
  bool paired = false;
  for (size_t i = 0; i < block.ops.size(); ++i) {
    Decoded& op = block.ops[i];
    const Row* row = timed[i].row;
    op.count = count;
    if (row == nullptr) {
      op.at = op.after = op.taken = static_cast<uint16_t>(now);
      if (last_guard == block.ops.size()) last_guard = i;
      continue;
    }
    if (const uint32_t at = (op.pc + op.length - 1) / line; at != fetched) {
      now += wait;
      fetched = at;
    }
    const Class cls = timed[i].cls;
    Cost cost = cost_of(t, *row, op, cls, before);
    const bool loaded = before == Class::kLoad && last != nullptr && reads(*row, op, last->rd);
    if (loaded) now += t.load_to_use;
    const bool float_result = last != nullptr && is_float(before) && is_float(cls) &&
                              before != Class::kFloatStore && row->form <= Form::kFloatFixed &&
                              (op.rn == last->rd || op.rm == last->rd);
    if (float_result) now += t.float_to_use;
    const bool depends = last == nullptr || loaded || reads(*row, op, last->rd) ||
                         (last_row != nullptr && is_branch(cls) && cls != Class::kBranch);
    const bool pairs = t.dual_issue && !paired && last != nullptr && last->length == 2 &&
                       op.length == 2 && last->pc + 2 == op.pc && !depends &&
                       !(is_memory(before) && is_memory(cls)) && cost.cycles == 1 && op.it == 0;
    if (pairs) cost.cycles = 0;
    paired = pairs;
    op.at = static_cast<uint16_t>(now);
    // a guard before it is at the same cycle; skipped, the instruction takes one
    const unsigned in_line = is_branch(cls) ? t.branch_not_taken : cost.cycles;
    for (size_t g = last_guard; g < i; ++g) {
      block.ops[g].at = op.at;
      block.ops[g].taken = static_cast<uint16_t>(in_line > 1 ? in_line - 1 : 0);
    }
    op.taken = static_cast<uint16_t>(now + cost.cycles + cost.refill);
    now += pairs && is_branch(cls) ? 0 : in_line;
    op.after = static_cast<uint16_t>(now);
    last_guard = block.ops.size();
    before = cls;
    last = &op;
    last_row = row;
    ++count;
  }
  if (!block.ops.empty()) {
    Decoded& end = block.ops.back();
    end.at = end.after = static_cast<uint16_t>(now);
    // the step that ends a block is no instruction
    end.count = static_cast<uint16_t>(count == 0 ? 0 : count - 1);
  }
}

}  // namespace presil::cpu
