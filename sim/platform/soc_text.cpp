#include "sim/platform/soc_text.h"

#include <sstream>

namespace presil::platform {
namespace {

bool has(const SocConfig& config, const std::string& engine) {
  const auto found = config.engines.find(engine);
  return found != config.engines.end() && found->second.units != 0;
}

}  // namespace

SocConfig soc_of_text(const std::string& text, const std::string& name) {
  SocConfig config;
  config.name = name;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    set_parameter(config, line.substr(0, equals), line.substr(equals + 1));
  }
  check(config);
  return config;
}

std::string engines_differ(const SocConfig& compiled_for, const SocConfig& soc) {
  for (const auto& [name, engine] : compiled_for.engines) {
    if (has(compiled_for, name) && !has(soc, name)) {
      return "loadable: the network was compiled for a SoC with engine " + name +
             ", which this SoC does not have; name its folder (--engine DIR, PRESIL_ENGINES), or "
             "compile the network again without it";
    }
  }
  for (const auto& [name, engine] : soc.engines) {
    if (has(soc, name) && !has(compiled_for, name)) {
      return "loadable: the SoC has engine " + name +
             ", the network was compiled for one without it; compile it again, or run it without "
             "the engine";
    }
    if (has(soc, name) && compiled_for.engines.at(name).units != engine.units) {
      return "loadable: the network was compiled for a SoC with " +
             std::to_string(compiled_for.engines.at(name).units) + " of engine " + name +
             ", this SoC has " + std::to_string(engine.units) + "; compile it again";
    }
    if (has(soc, name) && compiled_for.engines.at(name).parameters != engine.parameters) {
      return "loadable: the network was compiled for engine " + name +
             " with other parameters; compile it again";
    }
  }
  return "";
}

}  // namespace presil::platform
