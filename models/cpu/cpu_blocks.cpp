#include "models/cpu/cpu_blocks.h"

#include <utility>

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
    if (m_tracer != nullptr) trace(*block);
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

void Blocks::set_tracer(Tracer* tracer) {
  if ((tracer == nullptr) != (m_tracer == nullptr)) drop();
  m_tracer = tracer;
}

// The first of the steps that an instruction is decoded to.
void Blocks::trace(Block& block) {
  const Decoded* before = nullptr;
  for (Decoded& op : block.ops) {
    if (op.length != 0 && (before == nullptr || before->pc != op.pc))
      m_told[&op] = std::exchange(op.run, told);
    before = &op;
  }
}

Decoded* Blocks::told(Hart& hart, Decoded* op) {
  const Handler run = hart.blocks->m_told.at(op);
  if (!hart.blocks->m_tracer->before(hart, *op)) return run(hart, op);
  settle(hart, *op);
  return boundary(hart, hart.pc, hart.it);
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

}  // namespace presil::cpu
