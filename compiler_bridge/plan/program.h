// Collects the commands of a schedule: one slot per command that computes (DLA, DSP, host), with
// what is put before and after it; then lines them up and makes the order safe.
#pragma once

#include <vector>

#include "compiler_bridge/plan/dma_copy.h"
#include "compiler_bridge/plan/schedule.h"

namespace presil::plan {

class ProgramBuilder {
 public:
  struct Entry {
    uint8_t queue = 0;
    Word word;
    int layer = kNone;
    uint32_t tile = 0;
    std::vector<Access> accesses;
    bool in_order = true;
    std::vector<int> completes;     ///< tensors some of whose bytes this writes,
    bool completes_linear = false;  ///< in their linear buffer; else in their storage
  };

  /// From now on each step begins when the host has said so: `dispatch` puts its word before
  /// what computes next, which waits for it, and itself waits for what has computed so far.
  void dispatch_by_host() { m_by_host = true; }
  void dispatch();

  /// A job may begin while the one before is at work: its commands wait for what they must not
  /// overtake.
  void overlap_jobs() { m_overlaps = true; }

  /// The slot that the next computing command will have.
  int next_slot() const { return static_cast<int>(m_slots.size()); }
  void compute(Entry entry);
  /// @pre slot <= next_slot(); a slot that does not exist yet is filled by then
  void before(int slot, Entry entry);
  /// After the newest computing command (before the first one: at the very beginning).
  void after(Entry entry);
  /// What the command of a slot orders besides.
  void add_access(int slot, const Access& access) {
    m_slots.at(static_cast<size_t>(slot)).command.accesses.push_back(access);
  }

  /// Commands with waits, signals and tags; every used counter ends at job_span.
  void finish(Schedule& schedule, Search& search);

 private:
  struct Slot {
    std::vector<Entry> before;
    Entry command;
    std::vector<Entry> after;
  };
  std::vector<Entry> line_up();
  static std::vector<size_t> completing(const Schedule& schedule, size_t tensor,
                                        const std::vector<Entry>& entries,
                                        const std::vector<size_t>& makers);
  /// @return by tensor the entries that complete it, the last one first
  static std::vector<std::vector<size_t>> keep_whole(const Schedule& schedule,
                                                     std::vector<ProgramStep>& steps,
                                                     const std::vector<Entry>& entries);

  /// Where jobs overlap, of two.
  uint64_t check_program(const std::vector<ProgramStep>& steps, const Program& program,
                         const Told& told) const;

  bool m_by_host = false, m_overlaps = false;
  std::vector<Slot> m_slots;
  std::vector<Entry> m_pending;  ///< before the next slot
};

/// Of a command that others wait for (`first`), and of those: a byte of kNowhere.
Access ordered(uint64_t byte, bool first);

/// A DMA command of a layer.
ProgramBuilder::Entry dma_entry(DmaCopy copy, uint8_t queue, int layer, uint32_t tile);

}  // namespace presil::plan
