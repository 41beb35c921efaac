// Decodes blocks: instructions, and the steps around them (guards of IT blocks, access to the float
// unit, checks of the stack pointer).
#include <cstring>

#include "models/cpu/cpu_blocks.h"
#include "models/cpu/cpu_families.h"
#include "models/cpu/cpu_scalar.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

constexpr unsigned kMostInstructions = 32;

Decoded* fetch_refused(Hart& h, Decoded* o) {
  return fault(h, *o, o->imm != 0 ? Fault::kFetchMpu : Fault::kFetchBus);
}
// Where a block ends inside an IT block the state goes on with the core.
Decoded* go_on_in_it(Hart& h, Decoded* o) {
  h.cycle += o->after;
  h.retired += o->count + 1u;
  return boundary(h, o->pc, o->it);
}

struct Fetched {
  uint32_t word = 0;
  uint8_t length = 0;  ///< 0: refused
  bool by_mpu = false;
};

Fetched fetch(const Hart& hart, uint32_t pc) {
  Fetched f;
  uint16_t halves[2] = {};
  for (unsigned i = 0; i < 2; ++i) {
    const uint32_t at = pc + 2 * i;
    f.by_mpu = !hart.memory.allowed(at, 2, kExecute, hart.memory.privileged);
    const uint8_t* host = f.by_mpu ? nullptr : hart.memory.at(at, 2, kExecute);
    if (host == nullptr) {
      f.length = 0;
      return f;
    }
    std::memcpy(&halves[i], host, 2);
    f.length = static_cast<uint8_t>(2 + 2 * i);
    if (i == 0 && halves[0] >> 11 < 0x1d) {
      f.word = halves[0];
      return f;
    }
  }
  f.word = uint32_t{halves[0]} << 16 | halves[1];
  return f;
}

// Writes r13 as a result: it goes by way of the check.
bool results_in_stack_pointer(const Row& row, const Decoded& op) {
  if (op.rd != 13) return false;
  if (row.cls == Class::kLoad) return true;
  if (row.op >= Op::kTst && row.op <= Op::kCmn) return false;
  switch (row.form) {
    case Form::kHigh2:
    case Form::kStackImm7:
    case Form::kDataImm:
    case Form::kDataReg:
    case Form::kPlainImm12:
      return true;
    default:
      return false;
  }
}

bool leaves(const Row& row, const Decoded& op) {
  if ((row.flags & kEnds) != 0) return true;
  if (row.form == Form::kHigh2) return op.rd == 15;
  return row.cls == Class::kLoadMultiple && row.form != Form::kDual && (op.imm >> 15 & 1) != 0;
}

Class class_of(const Row& row, const Decoded& op) {
  if (row.form == Form::kHigh2 && op.rd == 15) return Class::kBranchRegister;
  return row.cls;
}

struct Builder {
  Hart& hart;
  Block& block;
  std::vector<Timed> timed;
  bool float_ready = false;

  void step(const Decoded& like, Handler run, uint32_t imm = 0) {
    Decoded op = like;
    op.run = run;
    op.imm = imm;
    op.exit = {};
    push(op, {});
  }
  void push(const Decoded& op, const Timed& how) {
    block.ops.push_back(op);
    timed.push_back(how);
  }
  // The steps of one instruction. Returns false where the block ends with it.
  bool instruction(Decoded op, const Row* row, bool in_it);
};

bool Builder::instruction(Decoded op, const Row* row, bool in_it) {
  const unsigned condition = op.it >> 4;
  const bool conditional = in_it && condition < 14;
  const size_t at = block.ops.size();
  if (conditional) step(op, guard(condition));
  const bool undefined_here = row == nullptr;
  if (!undefined_here && (row->flags & kNeedsFpu) != 0 && !float_ready) {
    step(op, prepare_float);
    float_ready = !conditional;
  }
  bool open = true;
  if (undefined_here) {
    op.run = undefined;
    push(op, {nullptr, Class::kSystem});
    open = false;
  } else {
    const bool stack = results_in_stack_pointer(*row, op);
    if (stack) op.rd = 16;
    open = !leaves(*row, op);
    push(op, {row, class_of(*row, op)});
    if (stack) step(op, check_stack);
  }
  if (conditional) block.ops[at].imm = static_cast<uint32_t>(block.ops.size() - at);
  return open;
}

}  // namespace

std::unique_ptr<Block> decode(Hart& hart, uint32_t pc, uint8_t it) {
  auto block = std::make_unique<Block>();
  block->pc = pc;
  Builder builder{hart, *block, {}};
  const Isa& isa = Isa::get();
  const uint32_t first = pc;
  bool open = true;
  for (unsigned n = 0; open && (n < kMostInstructions || it != 0); ++n) {
    const Fetched f = fetch(hart, pc);
    Decoded op;
    op.pc = pc;
    op.it = it;
    op.word = f.word;
    op.length = f.length;
    if (f.length == 0) {
      op.imm = f.by_mpu ? 1 : 0;
      op.run = fetch_refused;
      builder.push(op, {nullptr, Class::kSystem});
      break;
    }
    const bool in_it = it != 0;
    const Row* row = isa.find(f.word, f.length == 4, hart.config);
    if (row != nullptr && !fields(*row, f.word, in_it, op)) row = nullptr;
    const bool starts_it = row != nullptr && row->cls == Class::kIt;
    // no IT in an IT block, and none of "never"
    if (starts_it && (in_it || op.imm >> 4 == 15)) row = nullptr;
    open = builder.instruction(op, row, in_it);
    it = starts_it && row != nullptr ? static_cast<uint8_t>(op.imm) : next_it(it);
    pc += f.length;
  }
  Decoded end;
  end.pc = pc;
  end.it = it;
  end.length = 0;
  end.run = it != 0 ? go_on_in_it : go_on;
  builder.push(end, {});
  block->bytes = pc - first;
  if (hart.memory.find(first, block->bytes, kWrite) != nullptr) {
    block->host = hart.memory.at(first, block->bytes, kExecute);
    if (block->host != nullptr) block->copy.assign(block->host, block->host + block->bytes);
  }
  schedule(hart, *block, builder.timed);
  return block;
}

}  // namespace presil::cpu
