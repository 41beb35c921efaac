#include "models/dsp/dsp_timing.h"

#include <algorithm>

#include "models/dsp/dsp_blocks.h"
#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

unsigned log2_of(unsigned n) {
  return 31 - static_cast<unsigned>(__builtin_clz(n));
}

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
Latency latency_of(Class cls) {
  switch (cls) {
    case Class::kLoad:
      return {cycles_load_to_use, false, Stall::kLoadUse};
    case Class::kMultiply:
      return {cycles_multiply_to_use, false, Stall::kDivide};
    case Class::kDivide32:
      return {cycles_divide_32, true, Stall::kDivide};
    case Class::kDivide64:
      return {cycles_divide_64, true, Stall::kDivide};
    case Class::kFloat:
      return {cycles_float_to_use, false, Stall::kDivide};
    case Class::kFloatDivide:
      return {cycles_float_divide, true, Stall::kDivide};
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

void VectorUnit::reset(const Config& config) {
  SramBanks* const banks = m_banks;
  *this = VectorUnit{};
  m_banks = banks;
  m_second = config.arithmetic_sequencers == 2;
  m_dlen_log2 = log2_of(config.dlen);
}

uint64_t VectorUnit::beats_of(const Cost& cost, uint64_t d, uint64_t vl,
                              const Extent* extent) const {
  switch (cost.beats) {
    case Beats::kFold:
      return d + uint64_t{cycles_fold} *
                     (m_dlen_log2 > cost.bits_log2 ? m_dlen_log2 - cost.bits_log2 : 0);
    case Beats::kFloatSum:
      return cycles_float_add * vl;
    case Beats::kDivide:
      return ((vl + (uint64_t{1} << (m_dlen_log2 - 5)) - 1) >> (m_dlen_log2 - 5)) * cost.factor;
    case Beats::kCrossbar:
      return d << cost.written.log2;
    case Beats::kElements: {
      const uint64_t n = extent == nullptr ? vl : extent->elements;
      return std::max<uint64_t>(1, n * cost.factor);
    }
    default:
      return 1;
  }
}

// Register k of a group is read and written `step` cycles after register k - 1. The first and the
// last one decide: groups are mostly written by one instruction.
template <bool access>
uint64_t VectorUnit::start(const VectorOp& op, uint64_t vl, uint64_t issue, const Extent* extent,
                           uint64_t& result) {
  using Group = Cost::Group;
  const Cost& cost = op.cost;
  const uint64_t oldest = m_starts[m_count % kVectorQueue];
  const uint64_t waits = oldest > issue ? oldest - issue : 0;
  const uint64_t d = ((vl << cost.bits_log2) + (uint64_t{1} << m_dlen_log2) - 1) >> m_dlen_log2;
  uint64_t beats = vl == 0                         ? 1
                   : cost.beats == Beats::kOfWidth ? d * cost.factor
                                                   : beats_of(cost, d, vl, extent);
  const bool store = access && extent->store;
  auto s = static_cast<unsigned>(cost.sequencer);
  if (!access && m_second && m_free[1] < m_free[0]) s = 1;
  uint64_t latency = cost.latency;
  if (access && extent->place != Place::kTcm)
    latency += (extent->place == Place::kSram ? cycles_sram_to_first : cycles_dram_to_first) -
               cycles_tcm_to_first;

  uint64_t at = std::max(issue + waits, m_last_start) + 1;
  at = std::max(at, m_free[s]);
  // A source is there, or comes in step with the beats that make it.
  auto follow = [&](const Group& g) {
    const uint64_t behind = beats - (beats >> g.log2), last = m_registers[g.last].first;
    at = std::max(at, m_registers[g.reg].first);
    at = std::max(at, last > behind ? last - behind : 0);
  };
  if (cost.read2.used) follow(cost.read2);
  if (cost.read1.used) follow(cost.read1);
  if (cost.read_d.used) follow(cost.read_d);
  if (op.masked) at = std::max(at, m_registers[0].first);
  // Who reads the old value is ahead by a beat, and results come in order.
  if (cost.written.used) {
    const uint64_t behind = beats - (beats >> cost.written.log2);
    for (const unsigned r : {cost.written.reg, cost.written.last}) {
      const Register& reg = m_registers[r];
      const uint64_t later = r == cost.written.reg ? 0 : behind;
      const uint64_t free = std::max(reg.read_done, reg.first > latency ? reg.first - latency : 0);
      at = std::max(at, free > later + 1 ? free - later - 1 : 0);
    }
  }
  if (access) {
    if (extent->place == Place::kSram) at = std::max(at, m_sram_free);
    if (!store && at < m_stores_end)  // what an older store has not written yet
      for (const Store& older : m_stores)
        if (older.low < extent->high && extent->low < older.high) at = std::max(at, older.end);
  }

  if (access && extent->place == Place::kSram) {
    const uint64_t bytes = extent->elements * (uint64_t{1} << cost.bits_log2) / 8;
    m_sram_bytes[store] += bytes;
    if (m_banks != nullptr) {
      const uint64_t words = cost.beats == Beats::kElements ? extent->elements : (bytes + 15) / 16;
      const uint64_t lost = m_banks->lost(at, words);
      beats += lost;
      m_lost += lost;
    }
  }
  const uint64_t end = at + beats;
  m_free[s] = end;
  m_busy[s] += beats;
  m_last_start = at;
  m_elements += vl;
  m_starts[m_count++ % kVectorQueue] = at;
  auto read = [&](const Group& g) {
    const uint64_t each = beats >> g.log2;
    uint64_t done = at + each;
    for (unsigned r = g.reg; r <= g.last; ++r, done += each)
      m_registers[r].read_done = std::max(m_registers[r].read_done, done);
  };
  if (cost.read2.used) read(cost.read2);
  if (cost.read1.used) read(cost.read1);
  if (store) read(cost.read_d);
  if (op.masked) m_registers[0].read_done = std::max(m_registers[0].read_done, end);
  if (cost.written.used) {
    const uint64_t step = cost.chains ? beats >> cost.written.log2 : 0;
    uint64_t first = cost.chains ? at + latency : end + latency;
    for (unsigned r = cost.written.reg; r <= cost.written.last; ++r, first += step)
      m_registers[r].first = first;
  }
  if (access) {
    if (extent->place == Place::kSram) m_sram_free = end;
    if (store) {
      m_stores[m_next_store++ % m_stores.size()] = {extent->low, extent->high, end};
      m_stores_end = std::max(m_stores_end, end);
    }
  }
  result = end + latency - (cost.chains ? 1 : 0);
  m_idle = std::max(m_idle, store ? end : result);
  return waits;
}
template uint64_t VectorUnit::start<false>(const VectorOp&, uint64_t, uint64_t, const Extent*,
                                           uint64_t&);
template uint64_t VectorUnit::start<true>(const VectorOp&, uint64_t, uint64_t, const Extent*,
                                          uint64_t&);

void schedule(Block& block) {
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
    const Latency latency = latency_of(row.cls);
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
  const unsigned refetch = jump_register ? cycles_jump_register_to_target : cycles_branch_to_target;
  block.end_cause = cause;
  block.end_wait = {ready > t ? ready - t : 0, ready > t + refetch ? ready - t - refetch : 0};
  block.refetch = refetch;
  if (block.leaves) {
    out.after = static_cast<uint16_t>(t + block.end_wait[0]);
    out.at = static_cast<uint16_t>(t + refetch + block.end_wait[1]);
  }
}

}  // namespace presil::dsp
