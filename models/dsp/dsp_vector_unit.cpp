// When vector instructions start, and what they keep from whom.
#include <algorithm>

#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_vector_state.h"

namespace presil::dsp {

void VectorUnit::reset(const Config& config) {
  SramBanks* const banks = m_banks;
  *this = VectorUnit{};
  m_banks = banks;
  m_second = config.arithmetic_sequencers == 2;
  m_dlen_log2 = static_cast<unsigned>(log2_of(config.dlen));
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
PRESIL_DSP_INLINE uint64_t VectorUnit::start(const VectorOp& op, uint64_t vl, uint64_t issue,
                                             const Extent* extent, uint64_t& result) {
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
  if (access && extent->space != Space::kTcm)
    latency += (extent->space == Space::kSram ? cycles_sram_to_first : cycles_dram_to_first) -
               cycles_tcm_to_first;

  uint64_t at = std::max(issue + waits, m_last_start) + 1;
  at = std::max(at, m_free[s]);
  // A source is there, or comes in step with the beats that make it.
  auto follow = [&](const Group& g) {
    const uint64_t lag = beats - (beats >> g.log2), last = m_first[g.last];
    at = std::max(at, m_first[g.reg]);
    at = std::max(at, last > lag ? last - lag : 0);
  };
  if (cost.read2.used) follow(cost.read2);
  if (cost.read1.used) follow(cost.read1);
  if (cost.read_d.used) follow(cost.read_d);
  if (op.masked) at = std::max(at, m_first[0]);
  // A reader of the old value is ahead by a beat, and results come in order.
  if (cost.written.used) {
    const uint64_t lag = beats - (beats >> cost.written.log2);
    for (const unsigned r : {cost.written.reg, cost.written.last}) {
      const uint64_t later = r == cost.written.reg ? 0 : lag, first = m_first[r];
      const uint64_t free = std::max(m_read_done[r], first > latency ? first - latency : 0);
      at = std::max(at, free > later + 1 ? free - later - 1 : 0);
    }
  }
  if (access) {
    if (extent->space == Space::kSram) at = std::max(at, m_sram_free);
    if (!store && at < m_stores_end)  // what an older store has not written yet
      for (const Store& older : m_stores)
        if (older.low < extent->high && extent->low < older.high) at = std::max(at, older.end);
  }

  if (access && extent->space == Space::kSram) {
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
  auto read = [&](const Group g) {
    const uint64_t each = beats >> g.log2;
    uint64_t done = at + each;
    for (unsigned r = g.reg, last = g.last; r <= last; ++r, done += each)
      m_read_done[r] = std::max(m_read_done[r], done);
  };
  if (cost.read2.used) read(cost.read2);
  if (cost.read1.used) read(cost.read1);
  if (store) read(cost.read_d);
  if (op.masked) m_read_done[0] = std::max(m_read_done[0], end);
  if (cost.written.used) {
    const uint64_t step = cost.chains ? beats >> cost.written.log2 : 0;
    uint64_t first = cost.chains ? at + latency : end + latency;
    for (unsigned r = cost.written.reg, last = cost.written.last; r <= last; ++r, first += step)
      m_first[r] = first;
  }
  if (access) {
    if (extent->space == Space::kSram) m_sram_free = end;
    if (store) {
      m_stores[m_next_store++ % m_stores.size()] = {extent->low, extent->high, end};
      m_stores_end = std::max(m_stores_end, end);
    }
  }
  result = end + latency - (cost.chains ? 1 : 0);
  m_idle = std::max(m_idle, store ? end : result);
  return waits;
}
namespace {

template <bool access>
void start_on_unit(Hart& h, const Decoded* o, uint64_t vl, const Extent* extent) {
  const VectorOp& v = *o->in.vector;
  const bool told = h.late != nullptr;
  const uint64_t beats = told ? h.unit.beats() : 0, elements = told ? h.unit.elements() : 0;
  uint64_t result = 0;
  const uint64_t waits = h.unit.start<access>(v, vl, cycle_of(h, *o), extent, result);
  if (__builtin_expect(told, 0)) {
    PcProfile& late = (*h.late)[o->pc];
    late.beats += h.unit.beats() - beats;
    late.elements += h.unit.elements() - elements;
  }
  if (waits != 0) stall(h, o->pc, Stall::kVectorQueue, waits);
  if (v.cost.core_waits) wait_for_vectors(h, o, result);
}

}  // namespace

void start_access(Hart& h, const Decoded* o, Extent extent) {
  if (!h.timed) return;
  const VectorOp& v = *o->in.vector;
  const Region* region = h.memory.find(extent.low, 1, extent.store ? kWrite : kRead);
  extent.space = region == nullptr ? Space::kTcm : region->space;
  start_on_unit<true>(h, o, v.whole ? v.vlmax : h.vl, &extent);
}

void start_arithmetic(Hart& h, const Decoded* o) {
  const VectorOp& v = *o->in.vector;
  start_on_unit<false>(h, o, v.whole ? v.vlmax : h.vl, nullptr);
}

}  // namespace presil::dsp
