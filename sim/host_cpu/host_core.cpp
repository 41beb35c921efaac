#include "sim/host_cpu/host_core.h"

#include <fstream>
#include <sstream>

#include "models/base/refusal.h"
#include "models/base/yaml_text.h"
#include "sim/host_cpu/arm_core.h"
#include "sim/host_cpu/rv64_core.h"

namespace presil::host_cpu {
namespace {

using Maker = std::unique_ptr<HostCore> (*)(const std::string& core_file,
                                            const std::string& firmware);
template <class Core>
std::unique_ptr<HostCore> made(const std::string& core_file, const std::string& firmware) {
  return std::make_unique<Core>(core_file, firmware);
}

/// By `architecture` of the core's file.
constexpr struct {
  const char* architecture;
  Maker make;
} kCores[] = {
    {"armv7e-m", made<ArmCore>}, {"armv8-m.main", made<ArmCore>}, {"rv64imfc", made<Rv64Core>}};

std::string architecture_of(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in.good() && text.str().empty())
    throw Refusal("host", "the core's file '" + file +
                              "' cannot be read; models/cpu/cores and models/rv64/cores have them");
  const YamlText yaml = parse_yaml(text.str());
  const bool has = yaml.is_yaml() && yaml.root.IsMap() && yaml.root["architecture"];
  return has && yaml.root["architecture"].IsScalar() ? yaml.root["architecture"].as<std::string>()
                                                     : "";
}

}  // namespace

std::unique_ptr<HostCore> make_core(const std::string& core_file, const std::string& firmware) {
  const std::string architecture = architecture_of(core_file);
  std::string all;
  for (const auto& core : kCores) {
    if (core.architecture == architecture) return core.make(core_file, firmware);
    all += (all.empty() ? "" : ", ") + std::string(core.architecture);
  }
  throw Refusal("host", "the core's file '" + core_file + "' has architecture '" + architecture +
                            "', must be one of " + all + "; correct it");
}

}  // namespace presil::host_cpu
