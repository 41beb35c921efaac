// Cores from YAML: each key with its range; what is unknown, missing or out of range is refused.
#include "models/rv64/rv64_config.h"

#include <fstream>
#include <sstream>
#include <vector>

#include "models/base/closest.h"
#include "models/base/refusal.h"
#include "models/base/yaml_text.h"

namespace presil::rv64 {
namespace {

constexpr unsigned kMost = 200;

struct Key {
  const char* name;
  unsigned* field;
  unsigned least;
};

std::vector<Key> cycle_keys(Config& c) {
  return {{"branch_to_target", &c.scalar.branch_to_target, 0},
          {"jump_register_to_target", &c.scalar.jump_register_to_target, 0},
          {"load_to_use", &c.scalar.load_to_use, 1},
          {"multiply_to_use", &c.scalar.multiply_to_use, 1},
          {"divide_32", &c.scalar.divide_32, 1},
          {"divide_64", &c.scalar.divide_64, 1},
          {"float_to_use", &c.scalar.float_to_use, 1},
          {"float_divide", &c.scalar.float_divide, 1},
          {"trap_entry", &c.trap_entry, 0},
          {"trap_return", &c.trap_return, 0}};
}

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw Refusal("rv64", where + " " + what);
}

void refuse_others(const YAML::Node& map, const std::vector<std::string>& known,
                   const std::string& where) {
  for (const auto& entry : map) {
    const auto key = entry.first.as<std::string>("");
    bool is_known = false;
    for (const std::string& name : known) is_known |= name == key;
    if (!is_known)
      refuse(where, "has an unknown key \"" + key + "\"" + did_you_mean(key, known) +
                        "; remove or correct it");
  }
}

std::string text_of(const YAML::Node& map, const std::string& key, const std::string& where) {
  const YAML::Node value = map[key];
  if (!value) refuse(where, "lacks \"" + key + "\"; models/rv64/cores has complete files");
  if (!value.IsScalar())
    refuse(where, "has a \"" + key + "\" that is a list or map, must be a value");
  return value.as<std::string>();
}

}  // namespace

Config parse_config(const std::string& text, const std::string& file) {
  const YamlText yaml = parse_yaml(text);
  if (!yaml.is_yaml())
    refuse(file, "is no YAML: line " + std::to_string(yaml.line) + ", " + yaml.message);
  if (!yaml.root.IsMap()) refuse(file, "must be keys and values");
  Config config;
  config.name = text_of(yaml.root, "name", file);
  const std::string architecture = text_of(yaml.root, "architecture", file);
  if (architecture != "rv64imfc")
    refuse(file, "has architecture: " + architecture + ", must be rv64imfc");
  const YAML::Node cycles = yaml.root["cycles"];
  const std::string where = file + ": cycles";
  if (!cycles || !cycles.IsMap()) refuse(file, "must have cycles: keys and values");
  std::vector<std::string> known;
  for (const Key& key : cycle_keys(config)) {
    known.emplace_back(key.name);
    const std::string value = text_of(cycles, key.name, where);
    const bool whole = YAML::convert<unsigned>::decode(cycles[key.name], *key.field);
    if (!whole || value[0] == '-' || *key.field < key.least || *key.field > kMost)
      refuse(where, "has " + std::string(key.name) + ": " + value + ", must be a whole number " +
                        std::to_string(key.least) + ".." + std::to_string(kMost));
  }
  refuse_others(cycles, known, where);
  refuse_others(yaml.root, {"name", "architecture", "cycles"}, file);
  config.scalar.sram_load_to_use = config.scalar.load_to_use;
  config.scalar.dram_load_to_use = config.scalar.load_to_use;
  return config;
}

Config read_config(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in.good() && text.str().empty())
    throw Refusal("rv64", file + " cannot be read; models/rv64/cores has rv64.yaml");
  return parse_config(text.str(), file);
}

}  // namespace presil::rv64
