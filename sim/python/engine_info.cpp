#include "sim/python/engine_info.h"

#include <pybind11/stl.h>

#include <sstream>
#include <string>
#include <vector>

#include "compiler_bridge/engine/joined.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/engines.h"
#include "sim/engine/loaded_engines.h"

namespace py = pybind11;

namespace presil::python {
namespace {

std::vector<std::string> queue_names() {
  std::vector<std::string> names;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) names.emplace_back(presil_queue_name(q));
  return names;
}

/// By number of a queue; "" where no engine has it.
std::vector<std::string> queue_engines() {
  std::vector<std::string> names;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    const auto* engine = presil_engine_description_of(presil_kind_of_queue(q));
    names.emplace_back(engine == nullptr ? "" : engine->name);
  }
  return names;
}

bool has(const SocConfig& tile, const std::string& engine) {
  const auto found = tile.engines.find(engine);
  return found != tile.engines.end() && found->second.units != 0;
}

/// In the order of kinds.
std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (unsigned kind = 0; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
    const auto* engine = presil_engine_description_of(kind);
    if (engine != nullptr) names.emplace_back(engine->name);
  }
  return names;
}

/// The fields of a command that name counters to wait for.
std::vector<std::string> engine_waits(const std::string& name) {
  std::vector<std::string> waits;
  for (unsigned kind = 0; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
    const auto* engine = presil_engine_description_of(kind);
    if (engine == nullptr || name != engine->name) continue;
    for (unsigned i = 0; i < engine->waits; ++i) {
      waits.emplace_back(engine->format()->fields[engine->wait[i]].name);
    }
  }
  return waits;
}

py::dict parameter_dict(const presil_parameter_description& p) {
  py::dict d;
  d["name"] = p.name;
  d["unit"] = p.unit;
  d["default"] = p.value;
  d["min"] = p.min;
  d["max"] = p.max;
  d["meaning"] = p.meaning;
  return d;
}

/// By name, as the SoC's text has them.
py::dict parameters_dict(const SocConfig& config, const presil_engine_description& engine) {
  const std::string outside = engine.kind < PRESIL_ENGINE_KINDS ? "" : "engines.";
  const std::string prefix = outside + engine.name + ".";
  py::dict d;
  std::istringstream lines(canonical_text(config));
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (line.compare(0, prefix.size(), prefix) != 0) continue;
    const std::string name = line.substr(prefix.size(), equals - prefix.size());
    if (name != "units") d[py::str(name)] = line.substr(equals + 1);
  }
  return d;
}

py::dict engine_dict(const SocConfig& config, const presil_engine_description& engine,
                     unsigned instance) {
  const uint32_t first = presil_queue_of_instance(&engine, instance);
  const unsigned queues = engine.kind == PRESIL_ENGINE_DMA ? config.dma.channels : engine.queues;
  py::list names;
  for (uint32_t q = first; q < first + queues; ++q) names.append(presil_queue_name(q));
  py::dict d;
  d["kind"] = engine.name;
  d["name"] = engine.name + (instance == 0 ? "" : std::to_string(instance));
  d["instance"] = instance;
  d["queues"] = names;
  d["registers"] = PRESIL_TILE_ENGINE(engine.kind, instance);
  d["parameters"] = parameters_dict(config, engine);
  return d;
}

/// The engines of a SoC, in the order of their kinds.
py::list engines_of(const SocConfig& config) {
  check_engines(config);
  py::list all;
  for (unsigned kind = 0; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
    const presil_engine_description* engine = presil_engine_description_of(kind);
    if (engine == nullptr) continue;
    const auto outside = config.engines.find(engine->name);
    const unsigned units = kind == PRESIL_ENGINE_DLA         ? config.dla.units
                           : kind == PRESIL_ENGINE_DSP       ? config.dsp.units
                           : kind < PRESIL_ENGINE_KINDS      ? 1
                           : outside == config.engines.end() ? 0
                                                             : outside->second.units;
    for (unsigned i = 0; i < units; ++i) all.append(engine_dict(config, *engine, i));
  }
  return all;
}

py::list loaded() {
  py::list all;
  for (const LoadedEngine& engine : loaded_engines()) {
    const presil_engine_description& description = engine.description();
    py::dict d;
    d["name"] = description.name;
    d["kind"] = description.kind;
    d["meaning"] = description.meaning;
    d["folder"] = engine.built.folder;
    d["library"] = engine.built.library;
    d["note"] = engine.built.note;
    py::list parameters;
    for (uint32_t i = 0; i < description.parameter_count; ++i) {
      parameters.append(parameter_dict(description.parameters[i]));
    }
    d["parameters"] = parameters;
    all.append(d);
  }
  return all;
}

}  // namespace

void bind_engines(py::module_& m) {
  m.def("queue_names", &queue_names);
  m.def("queue_engines", &queue_engines);
  m.def("engine_names", &engine_names);
  m.def("engine_waits", &engine_waits, py::arg("engine"));
  m.def("loaded_engines", &loaded);
  m.def("engines_of", &engines_of, py::arg("soc"));
  m.def(
      "load_engine",
      [](const std::string& place, const std::vector<std::string>& builds) {
        const EngineLibrary& library = load_engine(place, builds);
        const presil_engine_description& engine = library.description();
        if (engine::find(engine.name) == nullptr) engine::join(engine, library.plugin().compiler);
        return std::string(engine.name);
      },
      py::arg("place"), py::arg("builds"));
  m.def(
      "with_engines",
      [](SocConfig config, const std::vector<std::string>& names) {
        complete_engines(config, names);
        return config;
      },
      py::arg("soc"), py::arg("names"));
  m.def(
      "engine_notes",
      [](const SocConfig& config) {
        check_engines(config);
        std::vector<std::string> notes;
        for (const LoadedEngine& engine : loaded_engines()) {
          const char* const name = engine.description().name;
          bool any = has(config, name);
          for (const SocConfig& tile : config.others) any = any || has(tile, name);
          if (any) notes.push_back(engine.built.note);
        }
        return notes;
      },
      py::arg("soc"));
}

}  // namespace presil::python
