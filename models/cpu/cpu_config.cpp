// Cores from YAML: each key with its range; what is unknown, missing or out of range is refused.
#include "models/cpu/cpu_config.h"

#include <fstream>
#include <sstream>
#include <vector>

#include "models/base/closest.h"
#include "models/base/refusal.h"
#include "models/base/yaml_text.h"

namespace presil::cpu {
namespace {

struct CycleKey {
  const char* name;
  unsigned Timing::*field;
  unsigned least, most;
};
constexpr unsigned kMost = 200;
const std::vector<CycleKey>& cycle_keys() {
  static const std::vector<CycleKey> keys = {
      {"alu", &Timing::alu, 1, kMost},
      {"multiply", &Timing::multiply, 1, kMost},
      {"multiply_long", &Timing::multiply_long, 1, kMost},
      {"divide_least", &Timing::divide_least, 1, kMost},
      {"divide_most", &Timing::divide_most, 1, kMost},
      {"load", &Timing::load, 1, kMost},
      {"load_after_load", &Timing::load_after_load, 1, kMost},
      {"load_to_use", &Timing::load_to_use, 0, kMost},
      {"store", &Timing::store, 1, kMost},
      {"multiple_first", &Timing::multiple_first, 0, kMost},
      {"branch_not_taken", &Timing::branch_not_taken, 1, kMost},
      {"branch_refill", &Timing::branch_refill, 0, kMost},
      {"load_pc_refill", &Timing::load_pc_refill, 0, kMost},
      {"table_branch", &Timing::table_branch, 1, kMost},
      {"it", &Timing::it, 0, kMost},
      {"barrier", &Timing::barrier, 0, kMost},
      {"special", &Timing::special, 1, kMost},
      {"float_alu", &Timing::float_alu, 1, kMost},
      {"float_multiply_add", &Timing::float_multiply_add, 1, kMost},
      {"float_divide", &Timing::float_divide, 1, kMost},
      {"float_root", &Timing::float_root, 1, kMost},
      {"float_load", &Timing::float_load, 1, kMost},
      {"float_move_pair", &Timing::float_move_pair, 1, kMost},
      {"float_to_use", &Timing::float_to_use, 0, kMost},
      {"unaligned", &Timing::unaligned, 0, kMost},
      {"exception_entry", &Timing::exception_entry, 1, kMost},
      {"exception_return", &Timing::exception_return, 1, kMost},
      {"tail_chain", &Timing::tail_chain, 1, kMost},
  };
  return keys;
}

class Reader {
 public:
  Reader(const YAML::Node& node, std::string where) : m_node(node), m_where(std::move(where)) {
    if (!m_node.IsMap()) refuse("must be keys and values");
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Refusal("cpu", m_where + " " + what);
  }
  YAML::Node need(const std::string& key) {
    m_known.push_back(key);
    const YAML::Node value = m_node[key];
    if (!value) refuse("lacks \"" + key + "\"; models/cpu/cores has complete files");
    return value;
  }
  unsigned whole(const std::string& key, unsigned least, unsigned most) {
    const std::string text = this->text(key);
    unsigned value = 0;
    const bool is_number = YAML::convert<unsigned>::decode(m_node[key], value);
    if (is_number && value >= least && value <= most && text[0] != '-') return value;
    refuse("has " + key + ": " + text + ", must be a whole number " + std::to_string(least) + ".." +
           std::to_string(most));
  }
  std::string text(const std::string& key) {
    const YAML::Node value = need(key);
    if (!value.IsScalar()) refuse("has a \"" + key + "\" that is a list or map, must be a value");
    return value.as<std::string>();
  }
  bool truth(const std::string& key) {
    const std::string value = text(key);
    if (value != "true" && value != "false")
      refuse("has " + key + ": " + value + ", must be true or false");
    return value == "true";
  }
  size_t word(const std::string& key, const std::vector<std::string>& words) {
    const std::string value = text(key);
    std::string all;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] == value) return i;
      all += (i == 0 ? "" : ", ") + words[i];
    }
    refuse("has " + key + ": " + value + ", must be one of " + all + did_you_mean(value, words));
  }
  /// After all keys have been read.
  void refuse_others() const {
    for (const auto& entry : m_node) {
      const auto key = entry.first.as<std::string>("");
      bool known = false;
      for (const std::string& name : m_known) known |= name == key;
      if (!known)
        refuse("has an unknown key \"" + key + "\"" + did_you_mean(key, m_known) +
               "; remove or correct it");
    }
  }

 private:
  YAML::Node m_node;
  std::string m_where;
  std::vector<std::string> m_known;
};

Timing read_timing(const YAML::Node& node, const std::string& file) {
  Reader reader(node, file + ": cycles");
  Timing timing;
  for (const CycleKey& key : cycle_keys())
    timing.*key.field = reader.whole(key.name, key.least, key.most);
  timing.dual_issue = reader.truth("dual_issue");
  reader.refuse_others();
  if (timing.divide_most < timing.divide_least)
    reader.refuse("has divide_most: " + std::to_string(timing.divide_most) +
                  ", must be at least divide_least, " + std::to_string(timing.divide_least));
  return timing;
}

}  // namespace

Config parse_config(const std::string& text, const std::string& file) {
  const YamlText yaml = parse_yaml(text);
  if (!yaml.is_yaml()) {
    throw Refusal("cpu",
                  file + " is no YAML: line " + std::to_string(yaml.line) + ", " + yaml.message);
  }
  Reader reader(yaml.root, file);
  Config config;
  config.name = reader.text("name");
  config.architecture = reader.word("architecture", {"armv7e-m", "armv8-m.main"}) == 0
                            ? Architecture::kArmv7em
                            : Architecture::kArmv8m;
  config.fpu = static_cast<Fpu>(reader.word("fpu", {"none", "fpv4-sp", "fpv5-sp"}));
  config.dsp = reader.truth("dsp");
  config.cpuid = reader.whole("cpuid", 0, 0xffffffff);
  config.interrupts = reader.whole("interrupts", 1, 480);
  config.priority_bits = reader.whole("priority_bits", 3, 8);
  config.mpu_regions = reader.whole("mpu_regions", 0, 16);
  config.timing = read_timing(reader.need("cycles"), file);
  reader.refuse_others();
  if (config.v8() && config.fpu == Fpu::kFpv4)
    reader.refuse("has fpu: fpv4-sp, which Armv8-M does not have; use fpv5-sp or none");
  if (!config.v8() && !config.dsp)
    reader.refuse("has dsp: false, which Armv7E-M always has; use true");
  return config;
}

Config read_config(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in.good() && text.str().empty())
    throw Refusal("cpu", file +
                             " cannot be read; models/cpu/cores has cortex_m4.yaml and "
                             "cortex_m33.yaml");
  return parse_config(text.str(), file);
}

}  // namespace presil::cpu
