// Collects what every command did during one job and sums it up: where each queue's cycles went,
// between the first command offered and the last completion.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "models/common/record.h"
#include "rtl/soc/address_map.h"

namespace presil::platform {

/// An engine's cycles over one job: attribution.busy() + stalls + idle = JobSummary::cycles().
struct EngineSummary {
  bool used = false;
  Attribution attribution;  ///< kRun and stalls
  Cycle idle = 0;
};

struct JobSummary {
  Cycle begin = 0;  ///< first command offered to an engine
  Cycle end = 0;    ///< last completion
  Cycle cycles() const { return end - begin; }
  std::array<EngineSummary, PRESIL_QUEUES> queues;
  /// By name, "dla1" for instance 1 of the DLAs: every kind's instance 0, and the others that
  /// worked. Busy when any of its queues runs, else the lowest stalled queue's cause, else idle.
  std::vector<std::pair<std::string, EngineSummary>> engines;
  uint64_t dram_read_bytes = 0, dram_written_bytes = 0;
};

class Recorder {
 public:
  void clear() { m_records.clear(); }
  void add(const CommandRecord& record) { m_records.push_back(record); }
  const std::vector<CommandRecord>& records() const { return m_records; }
  JobSummary summary() const;

 private:
  std::vector<CommandRecord> m_records;  ///< in order of their ends
};

/// Begin and end of each job, by its commands: a tag's k-th record is of the k-th job.
std::pair<std::vector<Cycle>, std::vector<Cycle>> times_of(
    const std::vector<CommandRecord>& records, size_t jobs);

}  // namespace presil::platform
