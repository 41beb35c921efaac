// The one function that presil looks for in the shared library.
#include <array>

#include "pool/pool_description.h"
#include "pool_compiler.h"
#include "pool_engine.h"
#include "sim/engine/engine_plugin.h"

extern "C" const presil_engine_driver presil_pool_driver;

namespace presil::pool {
namespace {

constexpr std::array<uint64_t, 2> kDefaults{PRESIL_ENGINE_DEFAULTS};

EngineModel* make(const EnginePlace& place) {
  const uint64_t* given = place.parameters != nullptr ? place.parameters : kDefaults.data();
  Parameters parameters;
  parameters.table_entries = static_cast<unsigned>(given[0]);
  parameters.prefetch = static_cast<unsigned>(given[1]);
  parameters.sram_bytes = place.sram_bytes;
  return new Engine(place, parameters);
}

const PoolCompiler kCompiler;

const EnginePlugin kPlugin{
    kEngineInterface,
    presil_pool_description(),
    &presil_pool_driver,
    [](const uint32_t* words, uint8_t* sram) { compute(Command::decode(words), sram); },
    [](const uint32_t* words, const uint64_t*) { return estimate(Command::decode(words)); },
    make,
    &kCompiler,
};

}  // namespace
}  // namespace presil::pool

const presil::EnginePlugin* presil_engine_plugin() {
  return &presil::pool::kPlugin;
}
