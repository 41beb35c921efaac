// An engine from outside in RTL: the pins of the top module that its folder names (README.md,
// "Engines from outside"), and what its library shows of them. What Verilator makes is hidden;
// the library has one C function,
//
//   extern "C" const presil::rtl::EngineRtl* presil_engine_rtl();
#pragma once

#include <cstdint>

#include "sim/rtl/queue_pins.h"

namespace presil::rtl {

/// Beside those of its queue. The SRAM grants in the cycle of a request, data read comes in the
/// next one.
struct EnginePins {
  struct In {
    bool sram_grant = true;
    uint32_t sram_word[4] = {};  ///< read in the cycle before
  } in;
  struct Out {
    bool sram_request = false, sram_write = false;
    uint32_t sram_address = 0;  ///< bytes
    uint32_t sram_word[4] = {};
    // ---- for the simulator
    bool offered = false;  ///< the engine sees a command that it accepts, and has not taken
    bool taken = false;    ///< it takes that command, waits being met
    uint32_t index = 0;    ///< of that command, in its stream
    bool aborted = false;  ///< drops all that it was offered and has taken
    bool busy = false;     ///< low: nothing changes until a register is written
    uint16_t counter = 0;  ///< offset of the counter that this cycle counts for; 0: none
  } out;
};

class EngineTop : public QueueTop {
 public:
  EnginePins engine;
  /// The rising edge.
  virtual void edge() = 0;
};

/// A parameter of engine.yaml that the RTL was built with.
struct EngineRtlParameter {
  const char* name;
  unsigned place;  ///< in engine.yaml, from 0
  uint64_t value;
};

/// Changes whenever EngineTop or this does.
inline constexpr uint32_t kEngineRtlInterface = 1;

struct EngineRtl {
  uint32_t interface;  ///< kEngineRtlInterface of the header it was built with
  const char* name;    ///< of the engine
  const char* top;     ///< module
  unsigned waits;
  uint32_t sram_bytes;
  const EngineRtlParameter* parameters;
  unsigned parameter_count;
  /// In reset, then out of it, all inputs 0. The caller deletes it.
  /// @param seed of the state that reset does not set
  EngineTop* (*make)(uint32_t seed);
};

}  // namespace presil::rtl

extern "C" const presil::rtl::EngineRtl* presil_engine_rtl();
