// Decoded blocks, keyed by pc and ITSTATE: a block is decoded once and goes on to its successors
// without a search.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/cpu/cpu_hart.h"
#include "models/cpu/cpu_isa.h"

namespace presil::cpu {

struct Block {
  uint32_t pc = 0;
  uint32_t bytes = 0;             ///< of its instructions
  const uint8_t* host = nullptr;  ///< where they lie, of writable memory; null otherwise
  std::vector<uint8_t> copy;      ///< what they were
  std::vector<Decoded> ops;       ///< the last one is the way out
};

/// The observer of every instruction.
class Tracer {
 public:
  virtual ~Tracer() = default;
  /// `op` comes next: what ran before it has its results. @return true: the core goes on at
  /// Hart::pc instead, which this has set
  virtual bool before(Hart& hart, const Decoded& op) = 0;
};

class Blocks {
 public:
  Blocks();
  ~Blocks();
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /// First op of the block at `pc`, decoded if need be.
  Decoded* at(Hart& hart, uint32_t pc, uint8_t it) {
    const Recent& recent = m_recent[pc >> 1 & (kRecent - 1)];
    if (recent.pc == pc && recent.op != nullptr && it == 0) return recent.op;
    return find(hart, pc, it);
  }
  /// ISB: blocks of writable memory whose bytes have changed are forgotten.
  void synchronise();
  /// Forgets all blocks: rights, privileges or regions have changed, or a program was loaded. The
  /// one that is running stays until the core looks for its next one.
  void drop();
  size_t count() const { return m_blocks.size(); }
  /// nullptr: none. Blocks are decoded again, so that those without a tracer know nothing of it.
  void set_tracer(Tracer* tracer);

 private:
  static constexpr size_t kRecent = 1024;
  struct Recent {
    uint32_t pc = 1;
    Decoded* op = nullptr;
  };
  Decoded* find(Hart& hart, uint32_t pc, uint8_t it);
  void trace(Block& block);
  static Decoded* told(Hart& hart, Decoded* op);

  std::unordered_map<uint64_t, std::unique_ptr<Block>> m_blocks;
  std::vector<std::unique_ptr<Block>> m_dropped;
  std::array<Recent, kRecent> m_recent{};
  size_t m_writable = 0;  ///< blocks in writable memory
  Tracer* m_tracer = nullptr;
  std::unordered_map<const Decoded*, Handler> m_told;  ///< what runs after the tracer
};

std::unique_ptr<Block> decode(Hart& hart, uint32_t pc, uint8_t it);
/// Sets the cycles of each op and of the ways out.
struct Timed {
  const Row* row = nullptr;  ///< null: a step that is no instruction of its own
  Class cls = Class::kAlu;
};
void schedule(const Hart& hart, Block& block, const std::vector<Timed>& timed);

}  // namespace presil::cpu
