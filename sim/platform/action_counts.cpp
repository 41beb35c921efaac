#include "sim/platform/action_counts.h"

#include <string>

namespace presil::platform {
namespace {

using nlohmann::json;

template <class What>
void each(const CommandRecord& r, What what) {
  what("busy", static_cast<uint64_t>(r.cycles.busy()));
  what("sram_read", r.sram_read_bytes);
  what("sram_written", r.sram_written_bytes);
  what("dram_read", r.dram_read_bytes);
  what("dram_written", r.dram_written_bytes);
  what("macs", r.actions.macs);
  what("wide_macs", r.actions.wide_macs);
  what("instructions", r.actions.instructions);
  what("elements", r.actions.elements);
}

}  // namespace

json actions_of(const CommandRecord& record) {
  json counts = json::object();
  each(record, [&](const char* name, uint64_t count) {
    if (count != 0) counts[name] = count;
  });
  return counts;
}

json actions_by_queue(const std::vector<CommandRecord>& records) {
  json queues = json::object();
  for (const CommandRecord& r : records) {
    each(r, [&](const char* name, uint64_t count) {
      if (count == 0) return;
      json& sum = queues[std::to_string(r.queue)][name];
      sum = (sum.is_null() ? uint64_t{0} : sum.get<uint64_t>()) + count;
    });
  }
  return queues;
}

json dram_actions(const Soc::DramCounts& before, const Soc::DramCounts& after) {
  return {{"activates", after.activates - before.activates},
          {"refreshes", after.refreshes - before.refreshes},
          {"bytes_read", after.bytes_read - before.bytes_read},
          {"bytes_written", after.bytes_written - before.bytes_written}};
}

}  // namespace presil::platform
