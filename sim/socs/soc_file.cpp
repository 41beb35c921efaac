#include "sim/socs/soc_file.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <set>
#include <sstream>

#include "driver/kernels/host/kernels.h"
#include "models/base/refusal.h"

namespace presil::socs {
namespace {

constexpr int kMostGroups = 2;  // host.kernel_cycles_per_element; an alias may nest without end

class File {
 public:
  explicit File(SocConfig& config) : m_config(config) {}

  void apply(const YAML::Node& node, const std::string& prefix, int groups) {
    for (const auto& entry : node) {
      const std::string key = entry.first.Scalar();
      const std::string name = prefix.empty() ? key : prefix + "." + key;
      if (entry.second.IsMap()) {
        if (groups == kMostGroups) refuse(entry.first, name, "is a group deeper than any; must be");
        apply(entry.second, name, groups + 1);
      } else if (!entry.second.IsScalar()) {
        refuse(entry.first, name, "has no single value; must be");
      } else {
        if (!m_seen.insert(name).second) refuse(entry.first, name, "is there already; must be");
        set_parameter(m_config, name, entry.second.Scalar());
      }
    }
  }

 private:
  [[noreturn]] static void refuse(const YAML::Node& key, const std::string& name,
                                  const std::string& what) {
    throw Refusal("soc", "line " + std::to_string(key.Mark().line + 1) + ": " + name + " " + what +
                             " one number or name, as in sim/socs/edge.yaml");
  }

  SocConfig& m_config;
  std::set<std::string> m_seen;
};

/// Takes a document and keeps nothing of it.
struct Silent : YAML::EventHandler {
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// YAML::Load reads the first document and is silent about what follows; YAML::LoadAll does not end
/// where that is no document.
bool goes_on(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Silent silent;
  parser.HandleNextDocument(silent);
  return static_cast<bool>(parser);
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
                               " names no kernel of the host; must be one of " + known);
    }
  }
}

}  // namespace

SocConfig parse_soc(const std::string& text, const std::string& name,
                    const std::vector<Override>& overrides) {
  SocConfig config;
  config.name = name;
  YAML::Node root;
  bool more = false;
  try {
    root = YAML::Load(text);
    more = goes_on(text);
  } catch (const YAML::Exception& e) {
    throw Refusal("soc", name + " is not YAML (" + e.what() + "); see sim/socs/edge.yaml");
  }
  if (more || (!root.IsMap() && !root.IsNull())) {
    throw Refusal("soc", name + " holds " + (more ? "more than one document" : "no parameters") +
                             "; must be groups of them as in sim/socs/edge.yaml");
  }
  if (root.IsMap()) File(config).apply(root, "", 0);
  for (const auto& [key, value] : overrides) set_parameter(config, key, value);
  check(config);
  check_kernels(config);
  return config;
}

}  // namespace presil::socs
