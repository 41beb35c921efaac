#include "sim/host_cpu/host_core.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include "models/base/refusal.h"
#include "sim/host_cpu/aarch64_core.h"
#include "sim/host_cpu/arm_core.h"
#include "sim/host_cpu/core_file.h"
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
} kCores[] = {{"armv7e-m", made<ArmCore>},
              {"armv8-m.main", made<ArmCore>},
              {"rv64imfc", made<Rv64Core>},
              {"aarch64", made<Aarch64Core>}};

}  // namespace

uint8_t* HostCore::memory(uint32_t bytes) {
  m_memories.push_back(std::make_unique<uint8_t[]>(bytes));
  return m_memories.back().get();
}

YAML::Node core_file(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in.good() && text.str().empty()) {
    throw Refusal("host", "the core's file '" + file +
                              "' cannot be read; models/cpu/cores, models/rv64/cores and "
                              "sim/host_cpu/cores have them");
  }
  const YamlText yaml = parse_yaml(text.str());
  if (!yaml.is_yaml()) {
    throw Refusal("host",
                  file + " is no YAML: line " + std::to_string(yaml.line) + ", " + yaml.message);
  }
  if (!yaml.root.IsMap()) throw Refusal("host", file + " must be keys and values; correct it");
  return yaml.root;
}

Refusal no_entry(const std::string& component, const std::string& firmware, uint64_t entry) {
  char at[24];
  std::snprintf(at, sizeof at, "0x%08llx", static_cast<unsigned long long>(entry));
  return Refusal(component, "'" + firmware + "' has its entry at " + at +
                                ", must be an instruction in flash; give the linker script an "
                                "ENTRY that lies there");
}

std::unique_ptr<HostCore> make_core(const std::string& core_file, const std::string& firmware) {
  const YAML::Node key = host_cpu::core_file(core_file)["architecture"];
  const std::string architecture = key && key.IsScalar() ? key.as<std::string>() : "";
  std::string all;
  for (const auto& core : kCores) {
    if (core.architecture == architecture) return core.make(core_file, firmware);
    all += (all.empty() ? "" : ", ") + std::string(core.architecture);
  }
  throw Refusal("host", "the core's file '" + core_file + "' has architecture '" + architecture +
                            "', must be one of " + all + "; correct it");
}

}  // namespace presil::host_cpu
