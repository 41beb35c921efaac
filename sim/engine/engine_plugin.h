// What a folder with an engine is to presil once it is built: a shared library with one C function,
//
//   extern "C" const presil::EnginePlugin* presil_engine_plugin();
//
// of which `interface` is looked at before anything else. Parameters come in the order of the
// folder's engine.yaml. Times are cycles of the SoC's clock, addresses bytes from the SRAM's start.
#pragma once

#include <cstdint>
#include <memory>

#include "models/common/attribution.h"
#include "models/common/bank_load.h"
#include "models/common/ports.h"
#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timeline.h"
#include "rtl/common/field.h"
#include "rtl/common/register_bank.h"

extern "C" {
struct presil_limits;   // driver/core/engine.h
struct presil_finding;  // likewise
}

namespace presil {

/// Changes whenever anything in this file does that a built engine could notice.
inline constexpr uint32_t kEngineInterface = 1;

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
  const uint64_t* parameters;
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
  const char* name;
  const presil_command_format* (*format)();
  /// Rules between fields and addresses, as the driver checks a stream; the fields have passed.
  bool (*check)(const uint32_t* words, const presil_limits* limits, const uint64_t* parameters,
                presil_finding* finding);
  /// Values: reads and writes the SRAM. The command has passed the check.
  void (*compute)(const uint32_t* words, uint8_t* sram);
  /// Cycles from its start to its end, with the SRAM for itself.
  Cycle (*estimate)(const uint32_t* words);
  EngineModel* (*make)(const EnginePlace& place);
};

}  // namespace presil

extern "C" const presil::EnginePlugin* presil_engine_plugin();
