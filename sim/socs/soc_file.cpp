#include "sim/socs/soc_file.h"

#include <map>
#include <set>

#include "driver/kernels/host/kernels.h"
#include "models/base/refusal.h"
#include "models/base/yaml_text.h"
#include "sim/socs/engine_list.h"

namespace presil::socs {
namespace {

constexpr int kMostGroups = 2;  // host.kernel_cycles_call; an alias may nest without end

/// What tiles of a SoC would share.
const std::set<std::string> kOfAllTiles = {"clock_mhz", "dram", "tiles"};

class File {
 public:
  explicit File(SocConfig& config) : m_config(config) {}

  void apply(const YAML::Node& root) {
    if (!root.IsMap()) return;
    apply(root, "", 0);
    if (!m_list) return;
    for (const auto& [section, line] : m_sections) {
      if (!is_listed_kind(section)) continue;
      throw Refusal("soc", at_line(line) + section + " is a section, and engines a list; must be " +
                               "one of the two: write its parameters into the entries of kind " +
                               section);
    }
  }

 private:
  void apply(const YAML::Node& node, const std::string& prefix, int groups) {
    for (const auto& entry : node) {
      const std::string key = entry.first.Scalar();
      const std::string name = prefix.empty() ? key : prefix + "." + key;
      const bool fresh =
          !prefix.empty() || m_sections.emplace(key, entry.first.Mark().line + 1).second;
      if (name == "engines" && (entry.second.IsSequence() || m_list)) {
        if (!fresh) {
          throw Refusal("soc", at_line(entry.first.Mark().line + 1) +
                                   "engines is there already; must be one list, or one section");
        }
        m_list = true;
        for (const auto& [parameter, value] : parameters_of(entry.second)) {
          set_parameter(m_config, parameter, value);
        }
      } else if (name == "tiles") {
        apply(tile_of(entry.first, entry.second), "", 0);
      } else if (entry.second.IsMap()) {
        if (groups == kMostGroups) refuse(entry.first, name, "is a group deeper than any; must be");
        apply(entry.second, name, groups + 1);
      } else if (!entry.second.IsScalar()) {
        refuse(entry.first, name, "has no single value; must be");
      } else {
        if (!m_seen.insert(name).second) refuse(entry.first, name, "is there already; must be");
        const std::string group = name.substr(0, name.find('.'));
        if ((name == "dram.preset" || name == "host.base") && m_begun.count(group) != 0) {
          throw Refusal("soc", at_line(entry.first.Mark().line + 1) + name +
                                   " sets what stands above it; must be the first of " + group);
        }
        m_begun.insert(group);
        set_parameter(m_config, name, entry.second.Scalar());
      }
    }
  }

  /// The one tile that there can be: its groups are as those beside it.
  static YAML::Node tile_of(const YAML::Node& key, const YAML::Node& tiles) {
    const std::string begin = at_line(key.Mark().line + 1) + "tiles";
    if (!tiles.IsSequence() || tiles.size() == 0) {
      throw Refusal("soc", begin + " is no list, must be one of one tile: [{engines: [...]}]");
    }
    if (tiles.size() > 1) {
      throw Refusal("soc", begin + " lists " + std::to_string(tiles.size()) +
                               ", must be 1: streams, counters of sync and the plan of the SRAM " +
                               "are of one tile; describe one, with more engines in it");
    }
    if (!tiles[0].IsMap()) {
      throw Refusal("soc", begin +
                               "[0] is no group of parameters, must be as in "
                               "sim/socs/edge.yaml");
    }
    for (const auto& entry : tiles[0]) {
      if (kOfAllTiles.count(entry.first.Scalar()) == 0) continue;
      throw Refusal("soc", at_line(entry.first.Mark().line + 1) + "tiles[0] has " +
                               entry.first.Scalar() +
                               ", must not: tiles share it; write it beside tiles");
    }
    return tiles[0];
  }

  [[noreturn]] static void refuse(const YAML::Node& key, const std::string& name,
                                  const std::string& what) {
    throw Refusal("soc", at_line(key.Mark().line + 1) + name + " " + what +
                             " one number or name, as in sim/socs/edge.yaml");
  }

  SocConfig& m_config;
  std::set<std::string> m_seen;
  std::map<std::string, int> m_sections;  ///< line
  std::set<std::string> m_begun;  ///< groups that have set something
  bool m_list = false;
};

/// A cost for a kernel that does not exist would change nothing and say nothing.
void check_kernels(const SocConfig& config) {
  for (const auto& [name, price] : config.host.kernels) {
    std::string known;
    bool found = false;
    for (uint32_t id = 1; id < PRESIL_KERNELS; ++id) {
      const std::string kernel = presil_kernel_name(id);
      found = found || kernel == name;
      known += (known.empty() ? "" : ", ") + kernel;
    }
    if (!found) {
      throw Refusal("soc", "host.kernel_cycles_*." + name +
                               " names no kernel of the host; must be one of " + known);
    }
  }
}

/// @param must  what the text must be
YAML::Node read(const std::string& text, const std::string& name, const std::string& must) {
  const YamlText yaml = parse_yaml(text, true);
  if (!yaml.is_yaml()) {
    throw Refusal("soc", name + " is not YAML (" + yaml.wrong + "); see sim/socs/edge.yaml");
  }
  if (yaml.more) throw Refusal("soc", name + " holds more than one document; must be " + must);
  return yaml.root;
}

}  // namespace

std::vector<Override> parse_engines(const std::string& text) {
  return parameters_of(read(text, "engines", "a list"));
}

SocConfig parse_soc(const std::string& text, const std::string& name,
                    const std::vector<Override>& overrides) {
  SocConfig config;
  config.name = name;
  const std::string must = "groups of them as in sim/socs/edge.yaml";
  const YAML::Node root = read(text, name, must);
  if (!root.IsMap() && !root.IsNull()) {
    throw Refusal("soc", name + " holds no parameters; must be " + must);
  }
  File(config).apply(root);
  for (const auto& [key, value] : overrides) set_parameter(config, key, value);
  check(config);
  check_kernels(config);
  return config;
}

}  // namespace presil::socs
