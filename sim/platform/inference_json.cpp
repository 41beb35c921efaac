#include "sim/platform/inference_json.h"

#include "sim/bridge/model_port.h"

namespace presil::platform {
namespace {

using bridge::HostWork;
using bridge::InferencePart;
using nlohmann::json;

/// What is counted of a kind of work; nullptr: nothing that a price goes by.
const char* unit_of(HostWork work) {
  switch (work) {
    case HostWork::kInputCopy:
    case HostWork::kOutputCopy:
      return "bytes";
    case HostWork::kRegisterWrite:
      return "register_writes";
    case HostWork::kRegisterRead:
      return "register_reads";
    case HostWork::kDoorbell:
      return "doorbells";
    case HostWork::kCache:
      return "lines";
    case HostWork::kInterrupt:
      return "interrupts";
    case HostWork::kOperator:
      return "tasks";
    default:
      return nullptr;
  }
}

}  // namespace

json inference_of(Soc& soc, const Recorder& recorder) {
  const bridge::HostTimeline& timeline = soc.model_port().recorder().timeline();
  if (!timeline.recorded()) return nullptr;
  const JobSummary job = recorder.summary();
  const auto account = timeline.account(job.begin, job.end, recorder.records());
  json parts = json::object();
  for (size_t p = 0; p < bridge::kInferenceParts; ++p) {
    const bridge::PartAccount& part = account.parts[p];
    json& to = parts[name_of(static_cast<InferencePart>(p))];
    to = {{"cycles", part.cycles}, {"in_span", part.in_span}};
    for (size_t w = 0; w < bridge::kHostWorks; ++w) {
      const char* const unit = unit_of(static_cast<HostWork>(w));
      if (unit != nullptr && part.counts[w] != 0) to[unit] = part.counts[w];
    }
  }
  return {{"cycles", account.cycles()}, {"parts", parts}};
}

}  // namespace presil::platform
