// The engines from outside that this process knows: each is looked at in a process of its own, then
// opened for good. From then on numbers, descriptions and the driver answer for it.
#pragma once

#include <string>
#include <vector>

#include "models/soc/soc_config.h"
#include "sim/engine/engine_library.h"
#include "sim/engine/find_engine.h"

namespace presil {

struct LoadedEngine {
  BuiltEngine built;
  const EngineLibrary& library;
  const presil_engine_description& description() const { return library.description(); }
};

/// Opens the library of an engine and joins it: numbers, description, driver. The same one again is
/// the first one. Before devices are opened and networks compiled that use it.
/// @param place as of find_engine
/// @throws Refusal where it is not found, is no engine of this presil, or its numbers are taken
const EngineLibrary& load_engine(const std::string& place,
                                 const std::vector<std::string>& builds = {});

/// nullptr: no engine of this name is loaded.
const EngineLibrary* loaded_engine(const std::string& name);
/// In the order of loading.
const std::vector<LoadedEngine>& loaded_engines();

/// Its parameters in this SoC, in the order of its engine.yaml; defaults where the SoC says
/// nothing.
/// @throws Refusal for a parameter that the engine does not have, or a value outside its range
std::vector<uint64_t> parameters_of(const EngineLibrary& engine, const SocConfig& config);

/// @throws Refusal where the engine cannot be there as often as the SoC says
void check_units(const EngineLibrary& engine, const EngineConfig& config);

/// Puts engines into a SoC that does not name them, and every parameter of those that it has, so
/// that one hardware has one text.
/// @param names of loaded engines
/// @throws Refusal for an engine of the SoC that is not loaded, and as parameters_of
void complete_engines(SocConfig& config, const std::vector<std::string>& names);

/// @throws Refusal for an engine of the SoC that is not loaded
void check_engines(const SocConfig& config);

}  // namespace presil
