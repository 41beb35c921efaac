#include "models/dsp/dsp_blocks.h"

#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_scalar.h"
#include "models/dsp/dsp_vector_op.h"

namespace presil::dsp {
namespace {

uint64_t passes(const Block& block) {
  const Op& out = block.ops.back();
  return out.exit[0].count + out.exit[1].count;
}

}  // namespace

Blocks::Blocks() = default;
Blocks::~Blocks() = default;

Op* Blocks::at(Hart& hart, uint32_t pc) {
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
  for (size_t s = 0; s < into.stalls.size(); ++s) into.stalls[s] += left * block.stalls[s];
  into.stalls[static_cast<unsigned>(Stall::kBranch)] +=
      block.ops.back().exit[1].count * cycles_branch_to_target;
}

void Blocks::drop() {
  for (const auto& [key, block] : m_blocks) count(*block, m_dropped);
  m_blocks.clear();
}

void Blocks::clear_counts() {
  m_dropped = {};
  for (auto& [key, block] : m_blocks) {
    block->cut.clear();
    for (Exit& exit : block->ops.back().exit) exit.count = 0;
  }
}

Block* Blocks::block_of(const Op& op) const {
  for (const auto& [key, block] : m_blocks) {
    const Op* first = block->ops.data();
    if (&op >= first && &op < first + block->ops.size()) return block.get();
  }
  return nullptr;
}

void Blocks::cut(const Op& op) {
  Block* block = block_of(op);
  if (block == nullptr) return;
  const auto i = static_cast<size_t>(&op - block->ops.data());
  if (block->cut.size() <= i) block->cut.resize(i + 1);
  ++block->cut[i];
}

uint64_t Blocks::retired_before(const Op& op) const {
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

std::array<uint64_t, 8> Blocks::stalls() const {
  Counts counts = m_dropped;
  for (const auto& [key, block] : m_blocks) count(*block, counts);
  return counts.stalls;
}

Op* enter(Hart& hart, Op*, Exit& exit, uint64_t pc) {
  if (hart.cycle >= hart.limit) {
    hart.stop = {Cause::kWatchdog, static_cast<uint32_t>(pc), 0, 0, hart.vstart};
    return nullptr;
  }
  exit.next = hart.blocks->at(hart, static_cast<uint32_t>(pc));
  return exit.next;
}

Op* trap(Hart& hart, Op* op, Cause cause, uint64_t address) {
  uint32_t word = 0;
  if (const uint8_t* bytes = hart.memory.at(op->pc, op->length, kExecute); bytes != nullptr)
    for (unsigned i = 0; i < op->length; ++i) word |= uint32_t{bytes[i]} << 8 * i;
  hart.stop = {cause, op->pc, word, address, hart.vstart};
  hart.cycle += op->at;
  hart.blocks->cut(*op);
  return nullptr;
}

Op* load_slowly(Hart& h, Op* o, uint64_t address, unsigned bytes, uint64_t& value) {
  if (address % bytes != 0) return trap(h, o, Cause::kLoadMisaligned, address);
  const Region* region = h.memory.look(address, bytes, kRead);
  if (region == nullptr) return trap(h, o, Cause::kLoadFault, address);
  if (region->device != nullptr) {
    if (!region->device->load(address, bytes, value)) return trap(h, o, Cause::kLoadFault, address);
  } else {
    std::memcpy(&value, region->host + (address - region->base), bytes);
  }
  if (region->place != Place::kTcm) wait_for_far_load(h, o, region->place);
  return o + 1;
}

Op* store_slowly(Hart& h, Op* o, uint64_t address, unsigned bytes, uint64_t value) {
  if (address % bytes != 0) return trap(h, o, Cause::kStoreMisaligned, address);
  const Region* region = h.memory.look(address, bytes, kWrite);
  if (region == nullptr) return trap(h, o, Cause::kStoreFault, address);
  if (region->device != nullptr) {
    if (!region->device->store(address, bytes, value))
      return trap(h, o, Cause::kStoreFault, address);
  } else {
    std::memcpy(region->host + (address - region->base), &value, bytes);
  }
  return o + 1;
}

void wait_for_far_load(Hart&, Op*, Place) {}

}  // namespace presil::dsp
