// What the host does during an inference, one interval after the other, and what becomes of the
// time from the first byte of input that a program copies to the last of output: every cycle of it
// belongs to one part, so the parts add up to what a stopwatch on the board would show.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/common/record.h"

namespace presil::bridge {

/// What the host is at.
enum class HostWork : uint8_t {
  kAsleep,
  kInputCopy,      ///< the program writes its inputs into the network's buffers
  kCode,           ///< instructions of the driver
  kRegisterWrite,  ///< of the driver, at the tile's registers
  kRegisterRead,
  kDoorbell,   ///< the register write that tells a queue of its job
  kCache,      ///< lines cleaned and invalidated
  kInterrupt,  ///< from the line to the driver's code
  kOperator,   ///< a task of its own queue
  kOutputCopy,
  kCount
};

/// Parts of an inference, in the order of time.
enum class InferencePart : uint8_t {
  kInputCopy,
  kCache,
  kSubmission,  ///< driver up to the first doorbell: code, register accesses, ring entries
  kDoorbell,    ///< the first one's way to its register
  kJobFetch,    ///< from there to the first command on offer
  kEngines,     ///< first command to last completion, without what only the host does in it
  kOperators,   ///< the host's own, while no engine works
  kInterrupts,  ///< signal of an engine to the driver's code
  kDriver,      ///< its code and register accesses after the doorbell, while no engine works
  kOutputCopy,
  kCount
};
const char* name_of(InferencePart part);

constexpr auto kHostWorks = static_cast<size_t>(HostWork::kCount);
constexpr auto kInferenceParts = static_cast<size_t>(InferencePart::kCount);

/// One part. Of what it is made: how often the host did each kind of work in it, and for copies and
/// cache work how many bytes or lines.
struct PartAccount {
  Cycle cycles = 0;
  Cycle in_span = 0;  ///< of them between the first command and the last completion
  std::array<uint64_t, kHostWorks> counts{};
};

struct InferenceAccount {
  std::array<PartAccount, kInferenceParts> parts{};
  Cycle cycles() const;
  PartAccount& operator[](InferencePart part) { return parts[static_cast<size_t>(part)]; }
  const PartAccount& operator[](InferencePart part) const {
    return parts[static_cast<size_t>(part)];
  }
};

class HostTimeline {
 public:
  /// An inference begins now; what was there is forgotten.
  void begin(Cycle now);
  /// It has ended; nothing is recorded until the next.
  void end() { m_on = false; }
  bool on() const { return m_on; }
  bool recorded() const { return !m_intervals.empty() || !m_added.empty(); }
  /// From where the last interval ended to cycle `until` the host was at this.
  /// @param units accesses, tasks; of cache work lines
  void pass(HostWork work, Cycle until, uint64_t units = 1);
  /// Work at a time when nothing else happens, by its price instead of simulated.
  /// @param units bytes, lines, entries: what the price is counted in
  void add(InferencePart part, HostWork work, Cycle cycles, uint64_t units);

  /// @param begin,end first command on offer, last completion
  /// @param records the commands of all queues
  InferenceAccount account(Cycle begin, Cycle end, const std::vector<CommandRecord>& records) const;

 private:
  struct Interval {
    HostWork work;
    Cycle begin, end;
    uint64_t units;
  };
  struct Added {
    InferencePart part;
    HostWork work;
    Cycle cycles;
    uint64_t units;
  };
  bool m_on = false;
  Cycle m_last = 0;
  std::vector<Interval> m_intervals;
  std::vector<Added> m_added;
};

/// Is this register of the tile a queue's TAIL, whose write is a doorbell?
/// @param address of the system
bool is_doorbell(uint64_t address);

}  // namespace presil::bridge
