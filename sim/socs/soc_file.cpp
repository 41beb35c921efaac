#include "sim/socs/soc_file.h"

#include <map>
#include <optional>
#include <set>

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
    check_sections();
    apply_tiles();
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
        for (const auto& [parameter, value] : parameters_of(entry.second)) set(parameter, value);
      } else if (name == "tiles" && !fresh) {
        throw Refusal("soc", at_line(entry.first.Mark().line + 1) +
                                 "tiles is there already; must be one list, or one number");
      } else if (name == "tiles" && m_prefix.empty()) {
        m_tiles.emplace(entry.first, entry.second);
      } else if (entry.second.IsMap()) {
        if (groups == kMostGroups) refuse(entry.first, name, "is a group deeper than any; must be");
        apply(entry.second, name, groups + 1);
      } else if (!entry.second.IsScalar()) {
        refuse(entry.first, name, "has no single value; must be");
      } else {
        if (m_shared.count(name) != 0 || !m_seen.insert(name).second)
          refuse(entry.first, name, "is there already; must be");
        const std::string group = name.substr(0, name.find('.'));
        const bool first = m_begun.insert(m_prefix + group).second;
        if ((name == "dram.preset" || name == "host.base") && !first) {
          throw Refusal("soc", at_line(entry.first.Mark().line + 1) + name +
                                   " sets what stands above it; must be the first of " + group);
        }
        set(name, entry.second.Scalar());
      }
    }
  }

  void set(const std::string& name, const std::string& value) {
    set_parameter(m_config, m_prefix + name, value);
  }

  void check_sections() const {
    if (!m_list) return;
    for (const auto& [section, line] : m_sections) {
      if (!is_listed_kind(section)) continue;
      throw Refusal("soc", at_line(line) + section + " is a section, and engines a list; must be " +
                               "one of the two: write its parameters into the entries of kind " +
                               section);
    }
  }

  /// After what stands beside them, wherever that is: `tiles: 4`, all alike, or a list of groups,
  /// each with what only this tile has.
  void apply_tiles() {
    if (!m_tiles) return;
    const auto& [key, tiles] = *m_tiles;
    const std::string begin = at_line(key.Mark().line + 1) + "tiles";
    if (tiles.IsScalar()) return set_parameter(m_config, "tiles", tiles.Scalar());
    if (!tiles.IsSequence() || tiles.size() == 0) {
      throw Refusal("soc", begin + " is no number and no list, must be how many like tiles there " +
                               "are, or an entry for each: [{engines: [...]}, {...}]");
    }
    set_parameter(m_config, "tiles", std::to_string(tiles.size()));
    const bool list = m_list;
    const std::map<std::string, int> sections = m_sections;
    m_shared = m_seen;
    for (size_t t = 0; t < tiles.size(); ++t) {
      check_tile(begin, tiles[t], t);
      m_prefix = "tiles." + std::to_string(t) + ".";
      m_seen.clear();
      m_sections = sections;
      m_list = list;
      apply(tiles[t], "", 0);
      check_sections();
    }
  }

  static void check_tile(const std::string& begin, const YAML::Node& tile, size_t index) {
    const std::string number = "[" + std::to_string(index) + "]";
    if (!tile.IsMap()) {
      throw Refusal("soc", begin + number +
                               " is no group of parameters, must be as in sim/socs/edge.yaml; {} " +
                               "for a tile with nothing of its own");
    }
    for (const auto& entry : tile) {
      if (kOfAllTiles.count(entry.first.Scalar()) == 0) continue;
      throw Refusal("soc", at_line(entry.first.Mark().line + 1) + "tiles" + number + " has " +
                               entry.first.Scalar() +
                               ", must not: tiles share it; write it beside tiles");
    }
  }

  [[noreturn]] static void refuse(const YAML::Node& key, const std::string& name,
                                  const std::string& what) {
    throw Refusal("soc", at_line(key.Mark().line + 1) + name + " " + what +
                             " one number or name, as in sim/socs/edge.yaml");
  }

  SocConfig& m_config;
  std::set<std::string> m_seen;
  std::map<std::string, int> m_sections;  ///< line
  bool m_list = false;
  std::set<std::string> m_begun;                             ///< groups of which something is set
  std::optional<std::pair<YAML::Node, YAML::Node>> m_tiles;  ///< key and value
  std::set<std::string> m_shared;  ///< of m_seen, what stands beside the tiles
  std::string m_prefix;            ///< of parameters of the tile that is read
};

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
  return config;
}

}  // namespace presil::socs
