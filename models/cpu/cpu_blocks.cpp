#include "models/cpu/cpu_blocks.h"

#include "models/cpu/cpu_scalar.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {

Blocks::Blocks() = default;
Blocks::~Blocks() = default;

Decoded* Blocks::find(Hart& hart, uint32_t pc, uint8_t it) {
  std::unique_ptr<Block>& block = m_blocks[uint64_t{pc} << 8 | it];
  if (block == nullptr) {
    block = decode(hart, pc, it);
    if (block->host != nullptr) ++m_writable;
  }
  if (it == 0) m_recent[pc >> 1 & (kRecent - 1)] = {pc, block->ops.data()};
  return block->ops.data();
}

void Blocks::synchronise() {
  m_dropped.clear();
  if (m_writable == 0) return;
  bool changed = false;
  for (const auto& [key, block] : m_blocks)
    changed |= block->host != nullptr &&
               std::memcmp(block->host, block->copy.data(), block->copy.size()) != 0;
  if (changed) drop();
}

void Blocks::drop() {
  for (auto& [key, block] : m_blocks) m_dropped.push_back(std::move(block));
  m_blocks.clear();
  m_recent.fill({});
  m_writable = 0;
}

Decoded* enter(Hart& hart, Decoded** exit, uint32_t pc) {
  if (hart.cycle >= hart.limit) return boundary(hart, pc, 0);
  *exit = hart.blocks->at(hart, pc, 0);
  return *exit;
}

Decoded* boundary(Hart& hart, uint32_t pc, uint8_t it) {
  hart.pc = pc;
  hart.it = it;
  hart.left_at_boundary = true;
  return nullptr;
}

Decoded* stop(Hart& hart, const Decoded& op, Reason reason, uint32_t pc) {
  settle(hart, op);
  hart.stop = {reason, pc, 0, 0};
  hart.pc = pc;
  hart.it = pc == op.pc ? op.it : 0;
  hart.left_at_boundary = false;
  return nullptr;
}

Decoded* check_stack(Hart& h, Decoded* o) {
  const uint32_t sp = h.r[16] & ~3u;
  if (sp < h.stack_limit) return fault(h, *o, Fault::kStackOverflow);
  h.r[13] = sp;
  PRESIL_CPU_NEXT(h, o + 1);
}

namespace {

Slow refused(Hart& h, Decoded* o, Memory::Refused why, uint32_t address) {
  return {false, fault(h, *o, why == Memory::Refused::kMpu ? Fault::kDataMpu : Fault::kDataBus,
                       address)};
}

Slow later(Hart& h, Decoded* o, uint32_t address) {
  Decoded* next = stop(h, *o, Reason::kLater, o->pc);
  h.stop.address = address;
  return {false, next};
}

// The privilege of LDRT and STRT is that of a program.
class AsProgram {
 public:
  AsProgram(Hart& h, const Decoded* o) : m_memory(h.memory), m_before(h.memory.privileged) {
    m_applies = o->mode != 0 && m_before && single_access(o);
    if (m_applies) change(false);
  }
  ~AsProgram() {
    if (m_applies) change(m_before);
  }
  AsProgram(const AsProgram&) = delete;
  AsProgram& operator=(const AsProgram&) = delete;

 private:
  static bool single_access(const Decoded* o) { return o->word >> 25 == 0x7c; }
  void change(bool privileged) {
    m_memory.privileged = privileged;
    m_memory.forget();
  }
  Memory& m_memory;
  bool m_before, m_applies = false;
};

}  // namespace

Slow load_slowly(Hart& h, Decoded* o, uint32_t address, unsigned bytes, bool must_align,
                 uint32_t& value) {
  if ((address & (bytes - 1)) != 0) {
    if (must_align || h.system->traps_unaligned())
      return {false, fault(h, *o, Fault::kUnaligned, address)};
    value = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      uint32_t byte = 0;
      const Slow slow = load_slowly(h, o, address + i, 1, false, byte);
      if (!slow.done) return slow;
      value |= byte << 8 * i;
    }
    h.cycle += h.config.timing.unaligned;
    return {true, nullptr};
  }
  const AsProgram as_program(h, o);
  if (System::owns(address)) {
    if (!h.memory.privileged || !h.system->load(address, bytes, cycle_of(h, *o), value))
      return refused(h, o, Memory::Refused::kBus, address);
    return {true, nullptr};
  }
  Memory::Refused why;
  const Region* region = h.memory.look(address, bytes, kRead, why);
  if (region == nullptr) return refused(h, o, why, address);
  if (region->device != nullptr) {
    const auto answer = region->device->load(address, bytes, cycle_of(h, *o), value);
    if (answer == Device::Answer::kLater) return later(h, o, address);
    if (answer == Device::Answer::kRefused) return refused(h, o, Memory::Refused::kBus, address);
  } else {
    value = 0;
    std::memcpy(&value, region->host + (address - region->base), bytes);
  }
  h.cycle += region->wait_data;
  return {true, nullptr};
}

Slow store_slowly(Hart& h, Decoded* o, uint32_t address, unsigned bytes, bool must_align,
                  uint32_t value) {
  if ((address & (bytes - 1)) != 0) {
    if (must_align || h.system->traps_unaligned())
      return {false, fault(h, *o, Fault::kUnaligned, address)};
    for (unsigned i = 0; i < bytes; ++i) {
      const Slow slow = store_slowly(h, o, address + i, 1, false, value >> 8 * i & 255);
      if (!slow.done) return slow;
    }
    h.cycle += h.config.timing.unaligned;
    return {true, nullptr};
  }
  const AsProgram as_program(h, o);
  if (System::owns(address)) {
    if (!h.memory.privileged || !h.system->store(address, bytes, cycle_of(h, *o), value))
      return refused(h, o, Memory::Refused::kBus, address);
    return {true, nullptr};
  }
  Memory::Refused why;
  const Region* region = h.memory.look(address, bytes, kWrite, why);
  if (region == nullptr) return refused(h, o, why, address);
  if (region->device != nullptr) {
    const auto answer = region->device->store(address, bytes, cycle_of(h, *o), value);
    if (answer == Device::Answer::kLater) return later(h, o, address);
    if (answer == Device::Answer::kRefused) return refused(h, o, Memory::Refused::kBus, address);
  } else {
    std::memcpy(region->host + (address - region->base), &value, bytes);
  }
  h.cycle += region->wait_data;
  return {true, nullptr};
}

}  // namespace presil::cpu
