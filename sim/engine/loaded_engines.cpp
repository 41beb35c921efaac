#include "sim/engine/loaded_engines.h"

#include <memory>

#include "models/base/closest.h"
#include "sim/engine/try_engine.h"

namespace presil {
namespace {

/// What is loaded stays to the end of the process: models and descriptions point into it.
struct Loaded {
  EngineNumbers numbers;
  std::vector<std::unique_ptr<const EngineLibrary>> libraries;
  std::vector<LoadedEngine> engines;
};

Loaded& loaded() {
  static Loaded* const all = new Loaded;
  return *all;
}

void join(const EngineLibrary& library) {
  const presil_engine_description& d = library.description();
  if (d.queue_pitch == 0) {
    library.refuse("has no registers of a queue, must have them: queues.registers in engine.yaml");
  }
  loaded().numbers.claim(library);
  if (!presil_join_engine(&d) || !presil_join_engine_driver(d.kind, library.plugin().driver)) {
    library.refuse("claims kind " + std::to_string(d.kind) + " and queue " +
                   std::to_string(d.first_queue) +
                   ", which joined this program otherwise; must be ones that no engine has");
  }
}

[[noreturn]] void refuse_parameter(const EngineLibrary& engine, const std::string& what) {
  throw Refusal("soc", what + " (" + engine.folder() + "/engine.yaml)");
}

const EngineLibrary& engine_of_soc(const std::string& name) {
  const EngineLibrary* const engine = loaded_engine(name);
  if (engine != nullptr) return *engine;
  std::vector<std::string> known;
  for (unsigned kind = 0; kind < PRESIL_ENGINE_KINDS; ++kind) {
    if (kind != PRESIL_ENGINE_HOST) known.emplace_back(presil_engine_description_of(kind)->name);
  }
  for (const LoadedEngine& e : loaded().engines) known.emplace_back(e.description().name);
  throw Refusal("soc", "the SoC has engine " + name + did_you_mean(name, known) +
                           ", which is not loaded; name its folder: --engine DIR, engines=[DIR] in "
                           "Python, or PRESIL_ENGINES");
}

}  // namespace

const EngineLibrary& load_engine(const std::string& place, const std::vector<std::string>& builds) {
  BuiltEngine built = find_engine(place, builds);
  for (const LoadedEngine& e : loaded().engines) {
    if (e.built.library == built.library) return e.library;
  }
  try_engine(built);
  auto library = std::make_unique<const EngineLibrary>(built.library, built.folder);
  join(*library);
  loaded().libraries.push_back(std::move(library));
  loaded().engines.push_back({std::move(built), *loaded().libraries.back()});
  return *loaded().libraries.back();
}

const EngineLibrary* loaded_engine(const std::string& name) {
  for (const LoadedEngine& e : loaded().engines) {
    if (name == e.description().name) return &e.library;
  }
  return nullptr;
}

const std::vector<LoadedEngine>& loaded_engines() {
  return loaded().engines;
}

std::vector<uint64_t> parameters_of(const EngineLibrary& engine, const SocConfig& config) {
  const presil_engine_description& d = engine.description();
  const std::string prefix = std::string("engines.") + d.name + ".";
  const auto found = config.engines.find(d.name);
  const auto given =
      found == config.engines.end() ? std::map<std::string, uint64_t>() : found->second.parameters;
  std::vector<uint64_t> values;
  std::vector<std::string> known = {prefix + "units"};
  for (uint32_t i = 0; i < d.parameter_count; ++i) {
    const presil_parameter_description& p = d.parameters[i];
    known.push_back(prefix + p.name);
    const auto value = given.find(p.name);
    values.push_back(value == given.end() ? p.value : value->second);
    if (values.back() < p.min || values.back() > p.max) {
      refuse_parameter(engine, known.back() + " is " + std::to_string(values.back()) +
                                   ", must be " + std::to_string(p.min) + " to " +
                                   std::to_string(p.max) + " " + p.unit + ": " + p.meaning);
    }
  }
  for (const auto& [name, value] : given) {
    bool has = false;
    for (const std::string& one : known) has = has || one == prefix + name;
    if (has) continue;
    std::string all;
    for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
    refuse_parameter(engine, "there is no parameter '" + prefix + name + "'" +
                                 did_you_mean(prefix + name, known) + ", must be one of " + all);
  }
  return values;
}

void check_units(const EngineLibrary& engine, const EngineConfig& config) {
  const presil_engine_description& d = engine.description();
  const unsigned most = presil_joined_instances(&d);
  if (config.units <= most) return;
  const std::string said = "engines." + std::string(d.name) + ".units is " +
                           std::to_string(config.units) + ", must be 0 to " + std::to_string(most);
  if (d.instances <= most) {
    refuse_parameter(engine, said + ": instances.most of its engine.yaml; name fewer of them");
  }
  refuse_parameter(engine, said + ": a tile has " + std::to_string(PRESIL_OUTSIDE_QUEUES) +
                               " queues for engines outside, and those of further instances are "
                               "beyond them; name fewer, or lower queues.first");
}

void complete_engines(SocConfig& config, const std::vector<std::string>& names) {
  for (const std::string& name : names) config.engines.try_emplace(name);
  for (auto& [name, engine] : config.engines) {
    if (engine.units == 0) continue;
    const EngineLibrary& library = engine_of_soc(name);
    check_units(library, engine);
    const std::vector<uint64_t> values = parameters_of(library, config);
    for (size_t i = 0; i < values.size(); ++i) {
      engine.parameters[library.description().parameters[i].name] = values[i];
    }
  }
  for (SocConfig& other : config.others) complete_engines(other, names);
}

void check_engines(const SocConfig& config) {
  for (const auto& [name, engine] : config.engines) {
    if (engine.units == 0) continue;
    const EngineLibrary& library = engine_of_soc(name);
    check_units(library, engine);
    parameters_of(library, config);
  }
  for (const SocConfig& other : config.others) check_engines(other);
}

}  // namespace presil
