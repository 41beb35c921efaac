#include "sim/socs/soc_file.h"

#include <yaml-cpp/yaml.h>

#include "driver/kernels/kernels.h"
#include "rtl/soc/refusal.h"

namespace presil::socs {
namespace {

void apply(SocConfig& config, const YAML::Node& node, const std::string& prefix) {
  for (const auto& entry : node) {
    const std::string key = entry.first.Scalar();
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (entry.second.IsMap()) {
      apply(config, entry.second, name);
    } else if (entry.second.IsScalar()) {
      set_parameter(config, name, entry.second.Scalar());
    } else {
      throw Refusal("soc", "line " + std::to_string(entry.second.Mark().line + 1) + ": " + name +
                               " has no single value; wants one number or name");
    }
  }
}

/// A cost for a kernel that does not exist would change nothing and say nothing.
void check_kernels(const SocConfig& config) {
  for (const auto& [name, cycles] : config.host.kernel_cycles_per_element) {
    std::string known;
    bool found = false;
    for (uint32_t id = 1; id < PRESIL_KERNELS; ++id) {
      const std::string kernel = presil_kernel_name(id);
      found = found || kernel == name;
      known += (known.empty() ? "" : ", ") + kernel;
    }
    if (!found) {
      throw Refusal("soc", "host.kernel_cycles_per_element." + name +
                               " names no kernel of the host; wants one of " + known);
    }
  }
}

}  // namespace

SocConfig parse_soc(const std::string& text, const std::string& name,
                    const std::vector<Override>& overrides) {
  SocConfig config;
  config.name = name;
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& e) {
    throw Refusal("soc", name + " is not YAML (" + e.what() + "); see sim/socs/edge.yaml");
  }
  if (!root.IsMap() && !root.IsNull()) {
    throw Refusal("soc",
                  name + " holds no parameters; wants groups of them as in sim/socs/edge.yaml");
  }
  if (root.IsMap()) apply(config, root, "");
  for (const auto& [key, value] : overrides) set_parameter(config, key, value);
  check(config);
  check_kernels(config);
  return config;
}

}  // namespace presil::socs
