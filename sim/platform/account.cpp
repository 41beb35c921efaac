#include "sim/platform/account.h"

#include <ctime>

#include "sim/platform/action_counts.h"

namespace presil::platform {
namespace {

using nlohmann::json;

json causes_of(const Attribution& attribution) {
  json causes = json::object();
  for (unsigned c = 0; c < static_cast<unsigned>(Cause::kCount); ++c) {
    const Cycle cycles = attribution[static_cast<Cause>(c)];
    if (cycles != 0) causes[name_of(static_cast<Cause>(c))] = cycles;
  }
  return causes;
}

json engine_of(const EngineSummary& engine) {
  return {{"causes", causes_of(engine.attribution)}, {"idle", engine.idle}};
}

}  // namespace

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

json record_of(const CommandRecord& r) {
  json record = {{"queue", r.queue},
                 {"tag", r.tag},
                 {"index", r.index},
                 {"offered", r.offered},
                 {"start", r.start},
                 {"end", r.end},
                 {"causes", causes_of(r.cycles)},
                 {"dram_read", r.dram_read_bytes},
                 {"dram_written", r.dram_written_bytes},
                 {"actions", actions_of(r)}};
  if (r.dram_paced.total() != 0) record["dram_paced"] = causes_of(r.dram_paced);
  return record;
}

json account_of(const Recorder& recorder) {
  const JobSummary summary = recorder.summary();
  json queues = json::array();
  for (const EngineSummary& queue : summary.queues) queues.push_back(engine_of(queue));
  json engines = json::object();
  for (const auto& [name, engine] : summary.engines) engines[name] = engine_of(engine);
  return {{"cycles", summary.cycles()},
          {"begin", summary.begin},
          {"end", summary.end},
          {"queues", queues},
          {"engines", engines},
          {"dram_read", summary.dram_read_bytes},
          {"dram_written", summary.dram_written_bytes},
          {"actions", actions_by_queue(recorder.records())}};
}

json dram_account(const Soc::DramCounts& before, const Soc::DramCounts& after) {
  return {{"dram_bursts", after.bursts - before.bursts},
          {"dram_row_hits", after.row_hits - before.row_hits},
          {"dram_actions", dram_actions(before, after)}};
}

}  // namespace presil::platform
