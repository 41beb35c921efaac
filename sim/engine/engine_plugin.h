// What a folder with an engine is to presil once it is built: a shared library with one C function,
//
//   extern "C" const presil::EnginePlugin* presil_engine_plugin();
//
// of which `interface` is looked at before anything else. Parameters come in the order of the
// folder's engine.yaml. Times are cycles of the SoC's clock, addresses bytes from the SRAM's start.
#pragma once

#include <cstdint>
#include <memory>

#include "driver/core/engine.h"
#include "models/common/attribution.h"
#include "models/common/bank_load.h"
#include "models/common/ports.h"
#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timeline.h"
#include "rtl/common/engine_description.h"
#include "rtl/common/register_bank.h"

namespace presil::engine {
class EngineCompiler;
}

namespace presil {

/// Of engine.yaml, the printed description and this file: changes whenever one of them does in a
/// way that a built engine could notice. INTERFACE of rtl/gen/engines.py is the same number.
inline constexpr uint32_t kEngineInterface = 4;

/// The tile of an engine: its ports, and the engine's number there.
struct EnginePlace {
  Timeline& timeline;
  BurstPort& fetch;       ///< for jobs and commands
  BytePort& system;       ///< bytes of the system address space
  BytePort& sram;         ///< of the tile, from 0 on
  CounterPort& counters;  ///< its links to sync
  BankLoad* banks;        ///< masters with priority at the SRAM; nullptr: there are none
  uint8_t queue;          ///< number of its first queue in the tile
  uint32_t sram_bytes;
  const uint64_t* parameters;  ///< nullptr: the defaults
};

/// An engine as a plain object on its tile's timeline.
class EngineModel {
 public:
  EngineModel() = default;
  EngineModel(const EngineModel&) = delete;
  EngineModel& operator=(const EngineModel&) = delete;
  virtual ~EngineModel() = default;
  virtual RegisterBank& registers() = 0;
  virtual void on_interrupt(InterruptLine line) = 0;
  /// Called with the record of every command at its end.
  virtual void observe(CommandObserver observer) = 0;
};

struct EnginePlugin {
  uint32_t interface;  ///< kEngineInterface of the header it was built with
  /// Printed from engine.yaml and the contract: presil_NAME_description().
  const presil_engine_description* description;
  /// presil_NAME_driver, as of presil's own engines; `parameters` of its limits are the engine's.
  const presil_engine_driver* driver;
  /// Values: reads and writes the SRAM. The command has passed the check.
  void (*compute)(const uint32_t* words, uint8_t* sram);
  /// Cycles from its start to its end, with the SRAM for itself: 1 or more, for each command that
  /// the check accepts. `parameters` as in the SoC; nullptr: the defaults.
  Cycle (*estimate)(const uint32_t* words, const uint64_t* parameters);
  EngineModel* (*make)(const EnginePlace& place);
  /// What the compiler asks (compiler_bridge/engine); nullptr: the engine computes no operators.
  const engine::EngineCompiler* compiler = nullptr;
};

}  // namespace presil

extern "C" const presil::EnginePlugin* presil_engine_plugin();
