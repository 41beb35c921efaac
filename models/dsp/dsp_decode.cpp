// Decodes blocks.
#include <cstring>

#include "models/dsp/dsp_blocks.h"
#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_scalar.h"
#include "models/dsp/dsp_vector_op.h"

namespace presil::dsp {
namespace {

constexpr size_t kMostOps = 64;

Decoded* illegal(Hart& h, Decoded* o) {
  return trap(h, o, Cause::kIllegal, 0);
}
Decoded* fetch_fault(Hart& h, Decoded* o) {
  return trap(h, o, Cause::kFetch, o->pc);
}
Decoded* go_on(Hart& h, Decoded* o) {
  return leave(h, o, 0, o->pc, o->after);
}

// After a fence.i all blocks are gone, this one too.
Decoded* fence_i(Hart& h, Decoded* o) {
  const uint32_t pc = o->pc + o->length;
  h.cycle += o->after;
  ++o->exit[0].count;
  h.blocks->drop();
  return h.blocks->at(h, pc);
}

uint32_t fetch(const Hart& hart, uint32_t pc, uint8_t& length) {
  length = 0;
  uint16_t low = 0, high = 0;
  const uint8_t* bytes = (pc & 1) != 0 ? nullptr : hart.memory.at(pc, 2, kExecute);
  if (bytes == nullptr) return 0;
  std::memcpy(&low, bytes, 2);
  length = 2;
  if ((low & 3) != 3) return expand(low);
  length = 0;
  bytes = hart.memory.at(pc + 2, 2, kExecute);
  if (bytes == nullptr) return 0;
  std::memcpy(&high, bytes, 2);
  length = 4;
  return uint32_t{high} << 16 | low;
}

int64_t immediate(const Instruction& row, uint32_t word) {
  for (const char* p = row.operands.c_str(); *p != 0; ++p) {
    switch (*p) {
      case 'i':
      case 'l':
        return imm_i(word);
      case 'k':
        return imm_s(word);
      case 'b':
        return imm_b(word);
      case 'j':
        return imm_j(word);
      case 'u':
        return imm_u(word);
      case '6':
        return word >> 20 & 63;
      case '5':
        return word >> 20 & 31;
      case 'c':
        return word >> 20;
      case 'I':
        return static_cast<int32_t>(word << 12) >> 27;
      case 'U':
        return word >> 15 & 31;
      default:
        break;
    }
  }
  return 0;
}

bool of_vector_unit(const Instruction& row) {
  return row.is_vector || row.cls == Class::kConfigure;
}

bool ends_block(const Instruction& row) {
  return row.cls == Class::kBranch || row.cls == Class::kJump || row.cls == Class::kJumpRegister;
}

}  // namespace

std::unique_ptr<Block> decode(Hart& hart, uint32_t pc) {
  auto block = std::make_unique<Block>();
  block->pc = pc;
  block->vtype = hart.vtype;
  block->ops.reserve(kMostOps + 1);
  const Isa& isa = Isa::get();
  Vtype vtype = hart.vtype;
  bool open = true;
  while (open && block->ops.size() < kMostOps) {
    Decoded op;
    const uint32_t word = fetch(hart, pc, op.length);
    const Instruction* row = op.length == 0 ? nullptr : isa.find(word);
    op.pc = pc;
    if (row == nullptr || (!hart.config.vector && of_vector_unit(*row))) {
      op.run = op.length == 0 ? fetch_fault : illegal;
      open = block->leaves = false;
    } else {
      op.row = isa.index(*row);
      op.run = row->run;
      op.rd = word >> 7 & 31;
      op.rs1 = word >> 15 & 31;
      op.rs2 = word >> 20 & 31;
      op.rs3 = word >> 27;
      op.rm = word >> 12 & 7;
      op.imm = immediate(*row, word);
      if (writes_x(*row) && op.rd == 0) op.rd = 32;
      if (row->cls == Class::kConfigure) {
        open = configure(op, word, vtype, hart.config);
      } else if (row->is_vector) {
        auto vector = std::make_unique<VectorOp>();
        if (operands_of(*row, word, vtype, hart.config, *vector)) {
          op.in.vector = vector.get();
          op.run = row->vector.access == VectorInfo::Access::kNone
                       ? (hart.config.common_host ? common_lanes() : best_lanes())
                             .handler(row->vector, vector->masked)
                       : vector_memory_handler(row->vector, *vector);
          block->vectors.push_back(std::move(vector));
        } else {
          op.run = illegal;
          open = block->leaves = false;
        }
      }
      if (row->name == "fence.i") {
        op.run = fence_i;
        open = false;
      }
      open = open && !ends_block(*row);
    }
    pc += op.length;
    block->ops.push_back(op);
    block->instructions = block->ops.size();
  }
  if (open) {
    Decoded op;
    op.run = go_on;
    op.pc = pc;
    op.length = 0;
    block->ops.push_back(op);
  }
  schedule(*block, hart.config.scalar);
  return block;
}

}  // namespace presil::dsp
