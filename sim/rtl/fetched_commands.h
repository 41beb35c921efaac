// What a queue in RTL has fetched: a job's entry is followed by the commands of its stream, in
// order.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "rtl/common/job_entry.h"
#include "sim/rtl/divergence.h"

namespace presil::rtl {

struct FetchedCommand {
  JobEntry job;
  uint32_t index = 0;
  std::vector<uint32_t> words;

  /// It is this command that differs.
  void name(Divergence& difference) const;
};

/// Tells entries from commands.
class FetchedJob {
 public:
  explicit FetchedJob(unsigned pitch_bytes) : m_pitch(pitch_bytes) {}
  /// A command, where the job's next one lies, else an entry. @return whether it is a command
  bool fetched(uint64_t address, const uint8_t* bytes, unsigned count);
  void restarted() { m_job.reset(); }
  /// The last one; there has been one.
  const JobEntry& entry() const { return *m_job; }
  /// Commands of it that have been fetched.
  uint32_t commands() const { return m_commands; }

 private:
  unsigned m_pitch;  // from command to command
  std::optional<JobEntry> m_job;
  uint32_t m_commands = 0;
};

class FetchedCommands {
 public:
  explicit FetchedCommands(unsigned pitch_bytes) : m_job(pitch_bytes) {}

  void fetched(uint64_t address, const uint8_t* bytes, unsigned count);
  /// The queue goes on after an error or an abort: what it had fetched is fetched again.
  void restarted();
  /// The engine sees the next one. @return nothing where it has not been fetched
  std::optional<FetchedCommand> offered(uint32_t index);

 private:
  FetchedJob m_job;
  std::deque<FetchedCommand> m_commands;
};

}  // namespace presil::rtl
