#include "models/dsp/dsp_timing.h"

#include <algorithm>

#include "models/dsp/dsp_blocks.h"
#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

unsigned bits_of(Width width, unsigned sew) {
  switch (width) {
    case Width::kWide:
    case Width::kOneWide:
      return 2 * sew;
    case Width::kNone:
      return 0;
    case Width::kMask:
      return 1;
    default:
      return sew;
  }
}

Cost::Group group_of(const Span& span, unsigned fields = 1) {
  if (span.eew == 0) return {};
  const unsigned n = span.registers() * fields;
  Cost::Group g;
  g.reg = static_cast<uint8_t>(span.reg);
  g.last = static_cast<uint8_t>(std::min(span.reg + n, 32u) - 1);
  g.used = true;
  g.log2 = static_cast<uint8_t>(log2_of(n));
  return g;
}

Cost memory_cost(const Instruction& row, const VectorOp& op, const Config& config) {
  using Access = VectorInfo::Access;
  Cost c;
  c.sequencer = row.vector.store ? Sequencer::kStore : Sequencer::kLoad;
  c.latency = cycles_tcm_to_first;
  c.bits_log2 = static_cast<uint8_t>(log2_of(op.eew_bytes) + 3);
  c.core_waits = row.vector.access == Access::kFirstFault;
  const bool collected =
      row.vector.access == Access::kStrided || row.vector.access == Access::kIndexed;
  if (op.fields > 1 || collected) c.latency += cycles_address_to_first;
  c.chains = op.fields == 1 && row.vector.access != Access::kIndexed;
  if (op.fields == 2 && !collected) {
    c.factor = 2;
  } else if (op.fields > 1 || collected) {
    c.beats = Beats::kElements;
    const unsigned bits = op.fields * op.eew_bytes * 8;
    c.factor = static_cast<uint8_t>((bits + config.dlen - 1) / config.dlen);
  }
  return c;
}

Cost arithmetic_cost(const Instruction& row, const VectorOp& op, const Config& config) {
  Cost c;
  const unsigned sew = op.sew;
  const Shape& shape = row.vector.shape;
  unsigned bits = std::max({bits_of(shape.d, sew), bits_of(shape.s2, sew), 8u});
  switch (row.cls) {
    case Class::kVectorLong:
      c.latency = cycles_long_lane;
      break;
    case Class::kVectorMultiply:
      if (sew == 64) {
        c.factor = 2;
        c.latency = cycles_long_lane;
      }
      break;
    case Class::kVectorCompare:
      c.latency = cycles_compare;
      c.chains = false;
      bits = sew;
      break;
    case Class::kVectorMask:
      c.beats = Beats::kOne;
      break;
    case Class::kVectorCount:
      c.beats = Beats::kOne;
      c.core_waits = true;
      break;
    case Class::kVectorToScalar:
      c.beats = Beats::kOne;
      c.core_waits = true;
      break;
    case Class::kVectorReduce:
      c.beats = Beats::kFold;
      c.chains = false;
      break;
    case Class::kVectorFloatSum:
      c.beats = Beats::kFloatSum;
      c.chains = false;
      break;
    case Class::kVectorDivide:
      c.beats = Beats::kDivide;
      c.factor = sew == 64   ? cycles_divide_lane_64
                 : sew == 32 ? cycles_divide_lane_32
                             : cycles_divide_lane_16;
      c.latency = 0;
      c.chains = false;
      break;
    case Class::kVectorGatherOne:
      c.latency = cycles_gather_one;
      break;
    case Class::kVectorGather:
      c.beats = config.gather_by_element ? Beats::kElements : Beats::kCrossbar;
      c.chains = false;
      break;
    default:
      break;
  }
  c.bits_log2 = static_cast<uint8_t>(log2_of(bits));
  return c;
}

struct Latency {
  unsigned cycles;
  bool blocks;  // its unit takes nothing else until then
  Stall stall;
};
Latency latency_of(Class cls, const ScalarTiming& timing) {
  switch (cls) {
    case Class::kLoad:
      return {timing.load_to_use, false, Stall::kLoadUse};
    case Class::kMultiply:
      return {timing.multiply_to_use, false, Stall::kDivide};
    case Class::kDivide32:
      return {timing.divide_32, true, Stall::kDivide};
    case Class::kDivide64:
      return {timing.divide_64, true, Stall::kDivide};
    case Class::kFloat:
      return {timing.float_to_use, false, Stall::kDivide};
    case Class::kFloatDivide:
      return {timing.float_divide, true, Stall::kDivide};
    default:
      return {1, false, Stall::kRun};
  }
}

// Results on their way: by register, x then f.
struct Pending {
  unsigned ready = 0;
  Stall stall = Stall::kRun;
  Decoded* load = nullptr;  // to tell it how late it may be
};
using Scoreboard = std::array<Pending, 64>;

unsigned source(char letter, const Decoded& op) {
  switch (letter) {
    case 's':
    case 'l':
    case 'k':
    case 'a':
      return op.rs1;
    case 't':
      return op.rs2;
    case 'S':
      return 32u + op.rs1;
    case 'T':
      return 32u + op.rs2;
    case 'R':
      return 32u + op.rs3;
    default:
      return 64;
  }
}

void used(Pending& p, const Decoded& load, unsigned at) {
  if (p.load == nullptr) return;
  p.load->in.slack = static_cast<uint16_t>(at - load.at);
  p.load = nullptr;
}

}  // namespace

Cost cost_of(const Instruction& row, const VectorOp& op, const Config& config) {
  const bool access = row.vector.access != VectorInfo::Access::kNone;
  Cost c = access ? memory_cost(row, op, config) : arithmetic_cost(row, op, config);
  c.read2 = group_of(op.vs2);
  c.read1 = group_of(op.vs1);
  const Cost::Group d = group_of(op.vd, access ? op.fields : 1);
  if (row.vector.store || op.reads_d) c.read_d = d;
  if (!row.vector.store) c.written = d;
  return c;
}

void schedule(Block& block, const ScalarTiming& timing) {
  const Isa& isa = Isa::get();
  Scoreboard board{};
  unsigned t = 0, divider_free = 0;
  block.waits.assign(block.ops.size(), {});
  for (size_t i = 0; i < block.instructions; ++i) {
    Decoded& op = block.ops[i];
    const Instruction& row = isa.rows()[op.row];
    unsigned at = t;
    Stall why = Stall::kRun;
    auto wait = [&](unsigned until, Stall cause) {
      if (until <= at) return;
      at = until;
      why = cause;
    };
    const Latency latency = latency_of(row.cls, timing);
    for (const char letter : row.operands) {
      const unsigned r = source(letter, op);
      if (r < 64 && r != 0) wait(board[r].ready, board[r].stall);
    }
    if (latency.blocks) wait(divider_free, Stall::kDivide);
    for (const char letter : row.operands) {
      const unsigned r = source(letter, op);
      if (r < 64 && board[r].load != nullptr) used(board[r], *board[r].load, at);
    }
    block.waits[i] = {why, at - t};
    op.at = static_cast<uint16_t>(at);
    op.after = static_cast<uint16_t>(at + 1);
    if (latency.blocks) divider_free = at + latency.cycles;
    const bool to_f = writes(row, 'D');
    if (latency.cycles > 1 && (to_f || writes(row, 'd')) && op.rd != 32) {
      Pending& p = board[(to_f ? 32u : 0u) + op.rd];
      p = {at + latency.cycles, latency.stall, row.cls == Class::kLoad ? &op : nullptr};
    } else if (writes(row, 'd') && op.rd != 32) {
      board[op.rd] = {};
    }
    t = at + 1;
  }
  // Results still on their way are awaited at the end; the refetch of a taken branch hides some.
  unsigned ready = 0;
  Stall cause = Stall::kRun;
  for (Pending& p : board) {
    if (p.load != nullptr) used(p, *p.load, std::max(t, p.ready));
    if (p.ready > ready) {
      ready = p.ready;
      cause = p.stall;
    }
  }
  Decoded& out = block.ops.back();
  const bool jump_register =
      block.instructions == block.ops.size() && isa.rows()[out.row].cls == Class::kJumpRegister;
  const unsigned refetch = jump_register ? timing.jump_register_to_target : timing.branch_to_target;
  block.end_cause = cause;
  block.end_wait = {ready > t ? ready - t : 0, ready > t + refetch ? ready - t - refetch : 0};
  block.refetch = refetch;
  if (block.leaves) {
    out.after = static_cast<uint16_t>(t + block.end_wait[0]);
    out.at = static_cast<uint16_t>(t + refetch + block.end_wait[1]);
  }
}

}  // namespace presil::dsp
