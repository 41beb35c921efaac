#include "sim/platform/divergence_failure.h"

#include "rtl/common/command_text.h"
#include "rtl/soc/engines.h"

namespace presil::platform {
namespace {

using nlohmann::json;

constexpr int kDiffers = 1, kHardware = 3;

/// As in a readable stream; null: there is no command.
json command_of(const rtl::Divergence& d) {
  if (d.words.empty()) return json();
  for (unsigned kind = 0; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
    const presil_engine_description* const engine = presil_engine_description_of(kind);
    if (engine != nullptr && d.block == engine->name)
      return command_to_text(*engine->format(), d.words.data());
  }
  return json();
}

}  // namespace

Failure failure_of(const rtl::Divergence& d) {
  const bool assertion = d.stage == "assertion";
  return {assertion ? kHardware : kDiffers, d.text(),
          json{{"block", d.block},
               {"stage", d.stage},
               {"index", d.in_command ? json(d.index) : json()},
               {"tag", d.in_command ? json(d.tag) : json()},
               {"command", command_of(d)},
               {"words", d.words},
               {"address", d.address},
               {"model", d.model},
               {"rtl", d.rtl},
               {"model_cycle", d.model_cycle < 0 ? json() : json(d.model_cycle)},
               {"rtl_cycle", d.rtl_cycle < 0 ? json() : json(d.rtl_cycle)}}};
}

}  // namespace presil::platform
