#include "models/dsp/dsp_blocks.h"

#include <utility>

#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_scalar.h"
#include "models/dsp/dsp_trace.h"
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
  if (block == nullptr) {
    block = decode(hart, pc);
    for (size_t i = 0; m_tracer != nullptr && i < block->instructions; ++i) {
      Decoded& op = block->ops[i];
      const bool out = block->leaves && i + 1 == block->ops.size();
      const uint32_t at = out ? op.after - block->end_wait[0] - 1 : op.at;
      m_told[&op] = {std::exchange(op.run, told), static_cast<uint16_t>(at)};
    }
  }
  return block->ops.data();
}

// Cycles of its schedule belong to the instruction that waits, or that leads away.
void Blocks::count(const Block& block, Counts& into, Profile* by_pc) {
  uint64_t left = passes(block);  // from here on, in line
  std::vector<uint64_t> times(block.instructions, left);
  uint64_t cut_later = block.cut.size() > block.instructions ? block.cut.back() : 0;
  for (size_t i = block.instructions; i-- > 0;) {
    times[i] += cut_later;
    if (i < block.cut.size()) cut_later += block.cut[i];
  }
  auto stalled = [&](size_t i, Stall cause, uint64_t cycles) {
    if (cycles == 0) return;
    const auto c = static_cast<size_t>(cause);
    if (cause != Stall::kRun) into.stalls[c] += cycles;
    if (by_pc != nullptr) (*by_pc)[block.ops[i].pc].stalls[c] += cycles;
  };
  for (size_t i = 0; i < block.instructions; ++i) {
    const uint64_t issued = times[i] + (i < block.cut.size() ? block.cut[i] : 0);
    stalled(i, block.waits[i].cause, issued * block.waits[i].cycles);
    stalled(i, Stall::kRun, times[i]);
    into.retired += times[i];
    if (by_pc != nullptr && times[i] != 0) (*by_pc)[block.ops[i].pc].executed += times[i];
  }
  if (!block.leaves) return;
  const size_t last = block.instructions - 1;
  const Decoded& out = block.ops.back();
  for (unsigned way = 0; way < 2; ++way)
    stalled(last, block.end_cause, out.exit[way].count * block.end_wait[way]);
  stalled(last, Stall::kBranch, out.exit[1].count * block.refetch);
}

void Blocks::drop() {
  for (const auto& [key, block] : m_blocks) count(*block, m_dropped, &m_dropped_by_pc);
  m_blocks.clear();
  m_told.clear();
}

void Blocks::set_tracer(Tracer* tracer) {
  if ((tracer == nullptr) != (m_tracer == nullptr)) drop();
  m_tracer = tracer;
}

Decoded* Blocks::told(Hart& hart, Decoded* op) {
  const Told told = hart.blocks->m_told.at(op);
  hart.blocks->m_tracer->before(hart, *op, hart.cycle + told.at);
  return told.run(hart, op);
}

void Blocks::clear_counts() {
  m_dropped = {};
  m_dropped_by_pc.clear();
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

Blocks::Counts Blocks::counts() const {
  Counts counts = m_dropped;
  for (const auto& [key, block] : m_blocks) count(*block, counts, nullptr);
  return counts;
}

uint64_t Blocks::retired() const {
  return counts().retired;
}

Stalls Blocks::stalls() const {
  return counts().stalls;
}

Profile Blocks::profile() const {
  Counts counts;
  Profile profile = m_dropped_by_pc;
  for (const auto& [key, block] : m_blocks) count(*block, counts, &profile);
  return profile;
}

Decoded* enter(Hart& hart, Decoded*, Exit& exit, uint64_t pc) {
  if (pc >> 32 != 0) {  // instructions lie below 4 GiB
    hart.stop = {Cause::kFetch, static_cast<uint32_t>(pc), 0, pc, hart.vstart};
    return nullptr;
  }
  if (hart.cycle >= hart.limit) {
    hart.stop = {Cause::kWatchdog, static_cast<uint32_t>(pc), 0, 0, hart.vstart};
    return nullptr;
  }
  exit.next = hart.blocks->at(hart, static_cast<uint32_t>(pc));
  return exit.next;
}

Decoded* stop_before(Hart& hart, Decoded* op) {
  hart.stop = {Cause::kWatchdog, op->pc, 0, 0, hart.vstart};
  hart.cycle += (op - 1)->after;
  hart.blocks->cut(*op);
  return nullptr;
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
  if (region->space != Space::kTcm) wait_for_far_load(h, o, region->space, bytes);
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
    count_far_store(h, o, region->space, bytes);
  }
  return o + 1;
}

void wait_for_far_load(Hart& h, Decoded* o, Space space, unsigned bytes) {
  if (space == Space::kSram) h.sram_read += bytes;
  const unsigned latency =
      space == Space::kDram ? h.config.scalar.dram_load_to_use : h.config.scalar.sram_load_to_use;
  charge(h, o->pc, Stall::kBank, space == Space::kSram ? h.unit.lost(cycle_of(h, *o)) : 0);
  if (latency > o->in.slack) charge(h, o->pc, Stall::kFar, latency - o->in.slack);
}

void wait_for_vectors(Hart& h, const Decoded* o, uint64_t until) {
  const uint64_t now = cycle_of(h, *o);
  if (until <= now) return;
  stall(h, o->pc, Stall::kVectorResult, until - now);
}

}  // namespace presil::dsp
