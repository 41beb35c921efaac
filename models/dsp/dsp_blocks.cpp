#include "models/dsp/dsp_blocks.h"

#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_scalar.h"
#include "models/dsp/dsp_vector_op.h"

namespace presil::dsp {
namespace {

uint64_t passes(const Block& block) {
  const Decoded& out = block.ops.back();
  return block.leaves ? out.exit[0].count + out.exit[1].count : 0;
}

}  // namespace

Blocks::Blocks() = default;
Blocks::~Blocks() = default;

Decoded* Blocks::at(Hart& hart, uint32_t pc) {
  const uint64_t key = uint64_t{pc} << 16 | hart.vtype.key();
  std::unique_ptr<Block>& block = m_blocks[key];
  if (block == nullptr) block = decode(hart, pc);
  return block->ops.data();
}

void Blocks::count(const Block& block, Counts& into) const {
  uint64_t left = passes(block);  // from here on, in line
  std::vector<uint64_t> times(block.instructions, left);
  uint64_t cut_later = 0;
  for (size_t i = block.instructions; i-- > 0;) {
    times[i] += cut_later;
    if (i < block.cut.size()) cut_later += block.cut[i];
  }
  for (size_t i = 0; i < block.instructions; ++i) {
    into.retired += times[i];
    if (times[i] != 0) into.profile[block.ops[i].pc] += times[i];
  }
  auto stalled = [&](Stall cause, uint64_t cycles) {
    into.stalls[static_cast<unsigned>(cause)] += cycles;
  };
  for (size_t i = 0; i < block.instructions; ++i) {
    const uint64_t issued = times[i] + (i < block.cut.size() ? block.cut[i] : 0);
    stalled(block.waits[i].cause, issued * block.waits[i].cycles);
  }
  const Decoded& out = block.ops.back();
  if (!block.leaves) return;
  for (unsigned way = 0; way < 2; ++way)
    stalled(block.end_cause, out.exit[way].count * block.end_wait[way]);
  stalled(Stall::kBranch, out.exit[1].count * block.refetch);
}

void Blocks::drop() {
  for (const auto& [key, block] : m_blocks) count(*block, m_dropped);
  m_blocks.clear();
}

void Blocks::clear_counts() {
  m_dropped = {};
  for (auto& [key, block] : m_blocks) {
    block->cut.clear();
    if (!block->leaves) continue;
    for (Exit& exit : block->ops.back().exit) exit.count = 0;
  }
}

Block* Blocks::block_of(const Decoded& op) const {
  for (const auto& [key, block] : m_blocks) {
    const Decoded* first = block->ops.data();
    if (&op >= first && &op < first + block->ops.size()) return block.get();
  }
  return nullptr;
}

void Blocks::cut(const Decoded& op) {
  Block* block = block_of(op);
  if (block == nullptr) return;
  const auto i = static_cast<size_t>(&op - block->ops.data());
  if (block->cut.size() <= i) block->cut.resize(i + 1);
  ++block->cut[i];
}

uint64_t Blocks::retired_before(const Decoded& op) const {
  const Block* block = block_of(op);
  return retired() + (block == nullptr ? 0 : static_cast<uint64_t>(&op - block->ops.data()));
}

uint64_t Blocks::retired() const {
  Counts counts = m_dropped;
  for (const auto& [key, block] : m_blocks) count(*block, counts);
  return counts.retired;
}

Profile Blocks::profile() const {
  Counts counts = m_dropped;
  for (const auto& [key, block] : m_blocks) count(*block, counts);
  return counts.profile;
}

Stalls Blocks::stalls() const {
  Counts counts = m_dropped;
  for (const auto& [key, block] : m_blocks) count(*block, counts);
  return counts.stalls;
}

Decoded* enter(Hart& hart, Decoded*, Exit& exit, uint64_t pc) {
  if (hart.cycle >= hart.limit) {
    hart.stop = {Cause::kWatchdog, static_cast<uint32_t>(pc), 0, 0, hart.vstart};
    return nullptr;
  }
  exit.next = hart.blocks->at(hart, static_cast<uint32_t>(pc));
  return exit.next;
}

Decoded* trap(Hart& hart, Decoded* op, Cause cause, uint64_t address) {
  uint32_t word = 0;
  if (const uint8_t* bytes = hart.memory.at(op->pc, op->length, kExecute); bytes != nullptr)
    for (unsigned i = 0; i < op->length; ++i) word |= uint32_t{bytes[i]} << 8 * i;
  hart.stop = {cause, op->pc, word, address, hart.vstart};
  hart.cycle += op->at;
  hart.blocks->cut(*op);
  return nullptr;
}

Decoded* load_slowly(Hart& h, Decoded* o, uint64_t address, unsigned bytes, uint64_t& value) {
  if (address % bytes != 0) return trap(h, o, Cause::kLoadMisaligned, address);
  const Region* region = h.memory.look(address, bytes, kRead);
  if (region == nullptr) return trap(h, o, Cause::kLoadFault, address);
  if (region->device != nullptr) {
    const Device::Answer answer = region->device->load(address, bytes, cycle_of(h, *o), value);
    if (answer != Device::Answer::kDone)
      return trap(h, o, answer == Device::Answer::kLater ? Cause::kLater : Cause::kLoadFault,
                  address);
  } else {
    std::memcpy(&value, region->host + (address - region->base), bytes);
  }
  if (region->place != Place::kTcm) wait_for_far_load(h, o, region->place);
  return o + 1;
}

Decoded* store_slowly(Hart& h, Decoded* o, uint64_t address, unsigned bytes, uint64_t value) {
  if (address % bytes != 0) return trap(h, o, Cause::kStoreMisaligned, address);
  const Region* region = h.memory.look(address, bytes, kWrite);
  if (region == nullptr) return trap(h, o, Cause::kStoreFault, address);
  if (region->device != nullptr) {
    const Device::Answer answer = region->device->store(address, bytes, cycle_of(h, *o), value);
    if (answer != Device::Answer::kDone)
      return trap(h, o, answer == Device::Answer::kLater ? Cause::kLater : Cause::kStoreFault,
                  address);
  } else {
    std::memcpy(region->host + (address - region->base), &value, bytes);
  }
  return o + 1;
}

void wait_for_far_load(Hart& h, Decoded* o, Place place) {
  const unsigned latency =
      place == Place::kDram ? cycles_dram_load_to_use : cycles_sram_load_to_use;
  const uint64_t lost = place == Place::kSram ? h.unit.lost(cycle_of(h, *o)) : 0;
  h.cycle += lost;
  h.stalls[static_cast<size_t>(Stall::kBank)] += lost;
  if (latency <= o->in.slack) return;
  h.cycle += latency - o->in.slack;
  h.stalls[static_cast<size_t>(Stall::kFar)] += latency - o->in.slack;
}

void wait_for_vectors(Hart& h, const Decoded* o, uint64_t until) {
  const uint64_t now = cycle_of(h, *o);
  if (until <= now) return;
  stall(h, Stall::kVectorResult, until - now);
}

void start_access(Hart& h, const Decoded* o, Extent extent) {
  if (!h.timed) return;
  const VectorOp& v = *o->in.vector;
  const Region* region = h.memory.find(extent.low, 1, extent.store ? kWrite : kRead);
  extent.place = region == nullptr ? Place::kTcm : region->place;
  uint64_t result = 0;
  const uint64_t waits =
      h.unit.start<true>(v, v.whole ? v.vlmax : h.vl, cycle_of(h, *o), &extent, result);
  stall(h, Stall::kVectorQueue, waits);
  if (v.cost.core_waits) wait_for_vectors(h, o, result);
}

void start_arithmetic(Hart& h, const Decoded* o) {
  const VectorOp& v = *o->in.vector;
  uint64_t result = 0;
  const uint64_t waits = h.unit.start<false>(v, h.vl, cycle_of(h, *o), nullptr, result);
  stall(h, Stall::kVectorQueue, waits);
  if (v.cost.core_waits) wait_for_vectors(h, o, result);
}

}  // namespace presil::dsp
