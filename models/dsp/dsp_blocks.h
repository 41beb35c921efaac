// Pre-decoded blocks, keyed by (pc, vtype): a block is decoded once, with every choice that does
// not depend on data made, and goes on to its successors without a search.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/dsp/dsp_hart.h"

namespace presil::dsp {

struct Block {
  uint32_t pc = 0;
  Vtype vtype;
  std::vector<Decoded> ops;  ///< the last one is the way out
  std::vector<std::unique_ptr<VectorOp>> vectors;
  std::vector<uint64_t> cut;  ///< times that op i ended the run, by a trap or call
  size_t instructions = 0;    ///< ops, less one that only leads to the next block
  bool leaves = true;         ///< false: it always ends the run
  // What the schedule knows, for the attribution of cycles.
  struct Wait {
    Stall cause = Stall::kRun;
    uint32_t cycles = 0;
  };
  std::vector<Wait> waits;  ///< before each op
  Stall end_cause = Stall::kRun;
  std::array<uint32_t, 2> end_wait{};  ///< by way out
  uint32_t refetch = 0;                ///< of the way taken
};

/// By pc.
using Profile = std::map<uint32_t, PcProfile>;

class Blocks {
 public:
  Blocks();
  ~Blocks();
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /// First op of the block at `pc` for the hart's vtype, decoded if need be.
  Decoded* at(Hart& hart, uint32_t pc);
  /// Forgets all blocks: instructions may have changed. What was counted stays.
  void drop();
  /// Forgets what was counted.
  void clear_counts();
  /// The observer of every instruction; nullptr: none. Blocks of one kind are decoded again for
  /// the other, so that those without a tracer know nothing of it.
  void set_tracer(Tracer* tracer);
  Tracer* tracer() const { return m_tracer; }

  /// `op` ended the run: it and what follows it in its block are not executed.
  void cut(const Decoded& op);
  uint64_t retired_before(const Decoded& op) const;
  uint64_t retired() const;
  /// What the blocks' schedules know.
  Profile profile() const;
  /// Cycles of the blocks' schedules, by Stall.
  Stalls stalls() const;

 private:
  struct Counts {
    Stalls stalls{};
    uint64_t retired = 0;
  };
  static void count(const Block& block, Counts& into, Profile* by_pc);
  Counts counts() const;
  Block* block_of(const Decoded& op) const;
  static Decoded* told(Hart& hart, Decoded* op);

  std::unordered_map<uint64_t, std::unique_ptr<Block>> m_blocks;
  Counts m_dropped;
  Profile m_dropped_by_pc;
  struct Told {
    Handler run;  // after the tracer
    uint16_t at;  // cycle of issue: of a way out Decoded::at is something else
  };
  std::unordered_map<const Decoded*, Told> m_told;
  Tracer* m_tracer = nullptr;
};

/// Decodes up to the first way out.
std::unique_ptr<Block> decode(Hart& hart, uint32_t pc);

}  // namespace presil::dsp
