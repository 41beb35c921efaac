// Random jobs for a DLA: commands that wait for each other and for others, in windows of the SRAM
// that do not touch; and a driver that runs them on a device under test.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "rtl/common/job_entry.h"
#include "testbench/dla/dla_dut.h"

namespace presil::dla::test {

/// Another signals.
struct Signal {
  Cycle after = 0;  ///< the doorbell
  uint8_t id = 0;   ///< absolute
  uint16_t add = 0;
};

struct Job {
  using Words = std::array<uint32_t, Command::kWords>;
  JobEntry entry;
  std::vector<Words> commands;
  std::vector<uint8_t> sram;  ///< before it
  std::vector<Signal> signals;
  int broken = -1;        ///< the command with a wrong word
  int abort_after = -1;   ///< so many commands have ended, and then ...
  Cycle abort_delay = 0;  ///< ... so many cycles: abort, then start: the job runs again
  std::optional<std::array<uint32_t, JobEntry::kWords>> entry_words;  ///< instead of those of entry
  unsigned doorbell_beyond = 0;  ///< jobs that the doorbell says there are and are not

  Command command(size_t i) const { return Command::decode(commands[i].data()); }
};

struct JobShape {
  unsigned commands = 4;  ///< at most
  bool waits = true;
  bool broken = false;
};

/// By absolute counter: what all jobs so far add up to.
using Totals = std::map<uint8_t, uint32_t>;

Job random_job(std::mt19937& random, const SocConfig& config, const JobShape& shape,
               Totals& totals);

/// Of one command, which waits for nothing.
Job job_of(const Command& command, const std::vector<uint8_t>& sram, const SocConfig& config);

/// Whether `written` are the addresses of the words that a (relocated) command writes, in the order
/// of its loops; the words of one access, a port for each, in any.
bool in_order(std::vector<uint32_t> written, const Command& command, const DlaConfig& config);

/// What a device did with a job. Cycles count from the doorbell.
struct Report {
  bool finished = false, aborted = false;
  std::vector<bench::Ended> ended;
  std::vector<bench::Word> words;
  std::array<uint32_t, 5> error{};  ///< registers error .. error_address_hi
  std::vector<uint64_t>
      counters;  ///< of dla_counters since the last job: causes, waits, commands, steps
  std::vector<uint32_t> sync;  ///< the tile's counters
};

class Driver {
 public:
  explicit Driver(bench::Dut& dut);
  /// From doorbell to the last interrupt. A queue that has stopped goes on after the job.
  Report run(const Job& job, Cycle limit);

 private:
  void write(uint32_t offset, uint32_t value);
  uint32_t read(uint32_t offset);
  uint32_t wait(Cycle limit);  // for the interrupt; @return irq_status, 0: none came
  bench::Dut& m_dut;
  uint16_t m_jobs = 0;
};

}  // namespace presil::dla::test
