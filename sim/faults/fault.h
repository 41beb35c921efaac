// One thing that goes wrong in the hardware, as data: kind, place, moment. README.md has the table.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "models/common/timeline.h"

namespace presil::faults {

enum class Kind : uint8_t {
  kBusError,           ///< bursts are answered with SLVERR
  kWrongOrder,         ///< answers of one id are exchanged: the port's order check refuses them
  kLateAnswer,         ///< a burst stands on its way; those of other ids pass it
  kEccSingle,          ///< one bit of a word is wrong
  kEccDouble,          ///< two do
  kStuck,              ///< an engine begins no further command; an abort ends
  kClockStop,          ///< the same, and an abort does not end before the clock runs again
  kLostInterrupt,      ///< a line does not reach the host
  kSpuriousInterrupt,  ///< a line is up without a cause
  kLostDoorbell,       ///< a write of a queue's tail gets lost
  kCorruptCommand,     ///< bits of a command in memory change
  kCorruptJob,         ///< bits of a ring entry change as its doorbell rings
  kReset,              ///< every block of the tile as after power-on
  kPowerLoss,          ///< and SRAM and DRAM hold anything
  kCount
};
const char* name_of(Kind kind);

enum class Access : uint8_t { kAny, kRead, kWrite, kFetch };

struct Fault {
  Kind kind = Kind::kBusError;
  uint8_t queue = 0;             ///< enum presil_queue: of an engine, a master, a command
  Access access = Access::kAny;  ///< of bursts
  uint32_t lines = 0;            ///< of interrupts: bits of the host's irq_pending
  Cycle cycle = 0;               ///< from the beginning of the job
  Cycle cycles = 0;              ///< how long; 0: until it is disarmed
  uint64_t after = 0;            ///< bursts, doorbells before the first that it meets
  uint64_t count = 1;            ///< how many of them it meets
  bool sram = false;             ///< address: in the SRAM, else of the system
  uint64_t address = 0;          ///< of a word of memory
  uint32_t word = 0;             ///< of a ring entry
  bool new_crc = false;          ///< a command that changes gets the CRC of its new words
  uint32_t bits = 1;             ///< that change in a word of 32 bits
  uint32_t seed = 1;             ///< of what memory holds after a loss of power
};

/// A message's fault. @throws std::invalid_argument for a kind or queue that there is not
Fault fault_of(const nlohmann::json& message);

}  // namespace presil::faults
