#include "sim/socs/engine_list.h"

#include <yaml-cpp/yaml.h>

#include <map>

#include "models/base/closest.h"
#include "models/base/refusal.h"
#include "rtl/soc/engines.h"

namespace presil::socs {
namespace {

struct Entry {
  std::string place;  ///< "line 3: engines[1]"
  std::string kind, name;
  std::map<std::string, std::string> parameters;
};

/// Entries of a kind by the number of their instance.
using Instances = std::map<unsigned, Entry>;

/// Presil's own ones; null: there is no such kind, or each tile has it once and no list names it.
const presil_engine_description* listed(const std::string& kind) {
  for (unsigned k = 0; k < PRESIL_ENGINE_KINDS; ++k) {
    const presil_engine_description* engine = presil_engine_description_of(k);
    if (k != PRESIL_ENGINE_HOST && kind == engine->name) return engine;
  }
  return nullptr;
}

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw Refusal("soc", place + what);
}

/// The value of `kind` or `name`.
std::string text_of(const YAML::Node& entry, const std::string& key, const std::string& place) {
  const YAML::Node value = entry[key];
  if (value.IsDefined() && value.IsScalar() && !value.Scalar().empty()) return value.Scalar();
  refuse(place, " has no " + key + ", must have kind and name: {kind: dla, name: dla}");
}

Entry entry_of(const YAML::Node& node, size_t index) {
  Entry entry;
  entry.place = at_line(node.Mark().line + 1) + "engines[" + std::to_string(index) + "]";
  if (!node.IsMap()) {
    refuse(entry.place,
           " is no entry, must be kind, name and parameters: {kind: dla, name: dla, macs_k: 32}");
  }
  entry.kind = text_of(node, "kind", entry.place);
  entry.name = text_of(node, "name", entry.place);
  for (const auto& line : node) {
    const std::string key = line.first.Scalar();
    if (key == "kind" || key == "name") continue;
    if (key == "units") refuse(entry.place, ".units must not be there: each entry is one");
    const bool fresh =
        line.second.IsScalar() && entry.parameters.emplace(key, line.second.Scalar()).second;
    if (!fresh) refuse(entry.place, "." + key + " must be one number or name, and there once");
  }
  return entry;
}

/// As queues are printed (rtl/soc/engines.md): dla, dla1, dla2; dla0 is dla.
unsigned instance_of(const Entry& entry) {
  const std::string &kind = entry.kind, &name = entry.name;
  for (unsigned i = 0; i < PRESIL_ENGINE_INSTANCES; ++i) {
    if (name == kind + std::to_string(i) || (i == 0 && name == kind)) return i;
  }
  refuse(entry.place, ".name is '" + name + "', must be " + kind + ", " + kind +
                          "1 or so on: counters, reports and traces call instances by their "
                          "printed names");
}

void check_kind(const Entry& entry) {
  if (entry.kind != "host" && entry.kind != "sync") return;
  refuse(entry.place, ".kind is " + entry.kind +
                          ", must be dla, dma, dsp or an engine from outside: " + entry.kind +
                          " is there once in any tile; its parameters stand in its section");
}

/// What one has and the others have not, or otherwise.
void check_alike(const Instances& instances) {
  const Entry& first = instances.begin()->second;
  for (const auto& [i, other] : instances) {
    std::map<std::string, std::string> all = first.parameters;
    all.insert(other.parameters.begin(), other.parameters.end());
    for (const auto& [name, value] : all) {
      const auto said = [&, key = name](const Entry& entry) {
        const auto found = entry.parameters.find(key);
        return found == entry.parameters.end() ? std::string("not given") : found->second;
      };
      if (said(other) == said(first)) continue;
      refuse(other.place, "." + name + " is " + said(other) + ", must be as of " + first.name +
                              ", where it is " + said(first) + ": instances of a kind are alike, " +
                              "for the compiler gives any of them any tile");
    }
  }
}

void check_numbers(const Instances& instances) {
  unsigned next = 0;
  for (const auto& [i, entry] : instances) {
    if (i == next++) continue;
    refuse(entry.place, ".name is " + entry.name + ", and there is no " + entry.kind +
                            (next == 1 ? "" : std::to_string(next - 1)) +
                            "; instances must be numbered without a gap");
  }
  const presil_engine_description* own = listed(instances.begin()->second.kind);
  if (own == nullptr || instances.size() <= own->instances) return;
  refuse(instances.rbegin()->second.place,
         " is number " + std::to_string(instances.size()) + " of " + own->name +
             ", must be at most " + std::to_string(own->instances) +
             ": a tile has queues for so many (rtl/soc/engines.md); leave the others out");
}

}  // namespace

std::string at_line(int line) {
  return "line " + std::to_string(line) + ": ";
}

bool is_listed_kind(const std::string& kind) {
  return listed(kind) != nullptr;
}

std::vector<Override> parameters_of(const YAML::Node& list) {
  if (!list.IsSequence()) refuse("", "engines is no list, must be one of entries with kind, name");
  std::map<std::string, Instances> kinds;
  for (size_t i = 0; i < list.size(); ++i) {
    const Entry entry = entry_of(list[i], i);
    check_kind(entry);
    const auto [other, fresh] = kinds[entry.kind].emplace(instance_of(entry), entry);
    if (fresh) continue;
    refuse(entry.place, ".name is " + entry.name + ", which " +
                            other->second.place.substr(other->second.place.find("engines")) +
                            " has; must be one that no other has");
  }
  for (const char* kind : {"dla", "dma"}) {
    if (kinds.count(kind) != 0) continue;
    refuse("", std::string("engines lists no ") + kind + ", must have one: " +
                   (kind == std::string("dla") ? "the compiler relies on its convolutions"
                                               : "nothing else moves tensors to the SRAM") +
                   "; add {kind: " + kind + ", name: " + kind + "}");
  }
  std::vector<Override> said;
  if (kinds.count("dsp") == 0) said.emplace_back("dsp.units", "0");
  for (const auto& [kind, instances] : kinds) {
    check_numbers(instances);
    check_alike(instances);
    const std::string section = (listed(kind) == nullptr ? "engines." : "") + kind + ".";
    if (kind != "dma") said.emplace_back(section + "units", std::to_string(instances.size()));
    for (const auto& [name, value] : instances.begin()->second.parameters) {
      said.emplace_back(section + name, value);
    }
  }
  return said;
}

}  // namespace presil::socs
