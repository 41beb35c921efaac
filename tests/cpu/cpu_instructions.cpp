// Random instructions of the table: fields at random, registers as the architecture allows them,
// operands prepared where they are addresses.
#include "models/cpu/cpu_isa.h"
#include "tests/cpu/cpu_random.h"

namespace presil::cpu {
namespace {

bool is_access(Class c) {
  return c == Class::kLoad || c == Class::kStore || c == Class::kLoadMultiple ||
         c == Class::kStoreMultiple || c == Class::kFloatLoad || c == Class::kFloatStore;
}
bool is_wide(const Row& row) {
  return row.mask >> 16 != 0;
}

// Is this encoding defined, and without an effect on sp or pc?
bool is_clean(const Row& row, const Decoded& op, bool in_it) {
  const bool compares = row.op >= Op::kTst && row.op <= Op::kCmn;
  switch (row.form) {
    case Form::kHigh2: {
      if (op.rd == 13 || op.rd == 15) return false;
      return !compares || op.rn >= 8 || op.rm >= 8;
    }
    case Form::kShiftImm:
      return !in_it || op.extra != 0;
    case Form::kDataImm:
    case Form::kDataReg: {
      const bool sum = row.op == Op::kAdd || row.op == Op::kSub;
      if (op.rd == 13 || (op.rn == 13 && !sum)) return false;
      return row.form == Form::kDataImm || op.rm < 13 || op.rm == 14;
    }
    case Form::kPlainImm12:
      return op.rd != 13;
    case Form::kStackImm7:
    case Form::kPush:
    case Form::kPop:
      return false;  // in sequences
    case Form::kMultiple16:
      return row.cls == Class::kLoadMultiple || (op.imm >> op.rn & 1) == 0;
    case Form::kMultiple32:
      return op.rn != 13 && (op.imm >> 15) == 0;
    case Form::kExclusiveLoad:
    case Form::kExclusiveStore:
      return false;
    case Form::kOrdered:
      return op.rn != 13 && op.ra == 15;
    case Form::kLiteral32:
      return op.rd != 13;
    case Form::kLoadImm8:
    case Form::kLoadImm12:
    case Form::kLoadReg32:
      return op.rd != 13 && op.rn != 13 && (row.form != Form::kLoadReg32 || op.rm != op.rn);
    case Form::kLoadReg16:
      return op.rm != op.rn;
    case Form::kDual:
      return op.rn != 13;
    case Form::kFloatLoad:
    case Form::kFloatMultiple:
      return op.rn != 13;
    default:
      return true;
  }
}

bool is_exclusive(const Row& row) {
  const std::string name = row.name;
  return name.find("ex") != std::string::npos && name != "sxth" && row.form == Form::kOrdered;
}

// Registers of an address get one: inside the memory whatever the offset.
void prepare(Unit& u, const Row& row, const Decoded& op, Random& random) {
  switch (row.form) {
    case Form::kLiteral16:
    case Form::kLiteral32:
    case Form::kStackImm8:
      return;
    default:
      break;
  }
  if (op.rn == 15) return;
  const bool single = row.form == Form::kLoadImm16 || row.form == Form::kLoadReg16 ||
                      row.form == Form::kLoadImm12 || row.form == Form::kLoadImm8 ||
                      row.form == Form::kLoadReg32;
  const bool unaligned = single && pick(random, 4) == 0;
  set_register(u, op.rn, Linked::kBase + 4 * pick(random, 16) + (unaligned ? pick(random, 4) : 0));
  if (row.form == Form::kLoadReg16 || row.form == Form::kLoadReg32)
    set_register(u, op.rm, pick(random, 64) * (unaligned ? 1 : 4));
}

struct Made {
  Unit before, instruction;
};

Made make(const Row& row, bool in_it, Random& random) {
  for (;;) {
    const uint32_t free_bits = is_wide(row) ? ~row.mask : ~row.mask & 0xffff;
    const uint32_t word = row.match | (static_cast<uint32_t>(random()) & free_bits);
    Decoded op;
    op.pc = Linked::kCode + 0x1000;
    const Row* found = Isa::get().find(word, is_wide(row), Config{});
    if (found != &row || !fields(row, word, in_it, op) || !is_clean(row, op, in_it)) continue;
    Made made;
    if (is_access(row.cls)) prepare(made.before, row, op, random);
    if (is_wide(row))
      append32(made.instruction, word);
    else
      made.instruction.push_back(static_cast<uint16_t>(word));
    return made;
  }
}

bool fits_in_it(const Row& row) {
  return row.match >> 24 != 0xfe &&
         (row.match >> 20 & 0xfff) != 0xf3b;  // VSEL, VRINTA ...; barriers
}

std::vector<const Row*> rows_of(const Config& config) {
  std::vector<const Row*> rows;
  for (const Row& row : Isa::get().rows()) {
    if ((row.flags & kPrivate) != 0 || is_exclusive(row)) continue;
    if ((row.flags & kNeedsV8) != 0 && !config.v8()) continue;
    if ((row.flags & kNeedsFpv5) != 0 && config.fpu == Fpu::kFpv4) continue;
    switch (row.form) {
      case Form::kStackImm7:
      case Form::kPush:
      case Form::kPop:
      case Form::kExclusiveLoad:
      case Form::kExclusiveStore:
        continue;
      default:
        rows.push_back(&row);
    }
  }
  return rows;
}

void join(Unit& unit, const Unit& more) {
  unit.insert(unit.end(), more.begin(), more.end());
}

// FPSCR into r2; then its flags but inexact are cleared, so that each instruction shows its own.
void tell_flags(Unit& unit) {
  append32(unit, 0xeef11a10);  // vmrs r1, fpscr
  append32(unit, 0xeb0112f2);  // add r2, r1, r2, ror #7
  append32(unit, 0xf021018f);  // bic r1, r1, #0x8f
  append32(unit, 0xf0410110);  // orr r1, r1, #0x10
  append32(unit, 0xeee11a10);  // vmsr fpscr, r1
}

}  // namespace

Programs::Programs(const Config& config, bool floats) : m_config(config), m_floats(floats) {
  for (const Row* row : rows_of(config))
    if (!floats || (row->cls >= Class::kFloat && row->cls <= Class::kFloatRoot))
      m_rows.push_back(row);
  for (const Row* row : m_rows) m_uses[row] = 0;
}

Unit Programs::unit(Random& random) {
  auto next_row = [&]() -> const Row& {
    const size_t n = pick(random, 2) == 0 ? m_turn++ % m_rows.size()
                                          : pick(random, static_cast<uint32_t>(m_rows.size()));
    return *m_rows[n];
  };
  if (!m_floats && pick(random, 12) == 0) return random_sequence(random, m_config);
  if (pick(random, 6) != 0) {
    const Row& row = next_row();
    ++m_uses[&row];
    Made made = make(row, false, random);
    join(made.before, made.instruction);
    if (m_floats) tell_flags(made.before);
    return made.before;
  }
  // An IT block of one to four: what prepares operands stands before it.
  const unsigned count = 1 + pick(random, 4), condition = pick(random, 14);
  unsigned mask = 0;
  Unit before, inside;
  unsigned bases = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Row* row = &next_row();
    // one access in a block: a second one's registers could be changed by what lies between
    while (!fits_in_it(*row) || (is_access(row->cls) && (bases != 0 || i != 0))) row = &next_row();
    if (is_access(row->cls)) ++bases;
    ++m_uses[row];
    const Made made = make(*row, true, random);
    join(before, made.before);
    join(inside, made.instruction);
    if (i != 0) mask |= (pick(random, 2) != 0 ? condition & 1 : ~condition & 1) << (4 - i);
  }
  mask |= 1u << (4 - count);
  before.push_back(static_cast<uint16_t>(0xbf00 | condition << 4 | mask));
  join(before, inside);
  return before;
}

Program Programs::next(Random& random) {
  Program program;
  program.seed = random();
  program.edges = m_floats;
  const unsigned length = 10 + pick(random, 30);
  for (unsigned i = 0; i < length; ++i) program.body.push_back(unit(random));
  return program;
}

}  // namespace presil::cpu
