// An engine from outside in RTL as the platform sees it: its queue by queue_rtl, its port to the
// SRAM, and a record for every command, all by the standard ports of its top module (engine_top.h).
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/common/bank_load.h"
#include "rtl/common/engine_description.h"
#include "sim/rtl/engine_top.h"
#include "sim/rtl/queue_rtl.h"

namespace presil::rtl {

class OutsideRtl : public QueueRtl {
 public:
  struct Memory {
    uint8_t* sram;
    uint32_t bytes;
    BankLoad* banks;  ///< masters with priority at the SRAM; nullptr: there are none
  };
  /// @param name  of the instance
  /// @param queue its number in the tile
  OutsideRtl(const presil_engine_description& engine, const std::string& name, uint8_t queue,
             std::unique_ptr<EngineTop> top, Timekeeper& timekeeper, BurstPort& fetch,
             BytePort& system, const Memory& memory, CounterPort& counters,
             const RtlOptions& options);

 private:
  bool rise() override;
  bool idle() override { return !m_top.engine.out.busy; }
  void look_inside() override;
  void end(Cycle now) override;
  bool answer() override;

  void move_word();
  uint8_t* word_at(uint32_t address) const;
  Cause cause_now() const;
  Attribution cycles_of(Cycle offered, Cycle start, Cycle now);

  /// A command that the engine has seen and that has not ended.
  struct InFlight {
    uint32_t index;
    Cycle offered, start = -1;  // -1: not taken
  };

  EngineTop& m_top;
  const uint8_t m_queue;
  const Memory m_memory;
  std::vector<Cause> m_causes;  // by offset of the counter / 8; kCount: none of a command's
  bool m_counts = false;        // there are such counters
  uint64_t m_owed = 0;          // to masters of the SRAM with priority

  // Of the present cycle.
  bool m_granted = false;  // it is decided whether a word is
  bool m_moved = false;    // the word has been

  std::deque<InFlight> m_flights;  // oldest first
  Cycle m_last_end = -1;
  Attribution m_cycles, m_end_cycles;  // up to and without the present cycle; the last end's
  Cause m_end_cause = Cause::kCount;   // in the cycle of the last end
  SramWords m_words;                   // since the last end
};

}  // namespace presil::rtl
