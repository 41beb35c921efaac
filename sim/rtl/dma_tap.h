// What the DMA in RTL does, as the comparison hears it: in its cycle, within it at the moment at
// which it is seen, until over(). The order in which it counts is that of cycle_events.h.
#pragma once

#include "models/common/ports.h"
#include "models/common/record.h"
#include "sim/rtl/fetched_commands.h"

namespace presil::rtl {

class DmaTap {
 public:
  virtual ~DmaTap() = default;
  /// A read of the queue or of data is asked for, and answered; in order within a channel.
  virtual void read_asked(bool fetch, uint8_t channel, const Burst& burst) = 0;
  virtual void read_answered(bool fetch, uint8_t channel, const BurstTimes& times) = 0;
  /// A command is seen for the first time; nothing where the RTL offers what it has not fetched.
  virtual void offered(uint8_t channel, const std::optional<FetchedCommand>& command,
                       Cycle cycle) = 0;
  /// It begins: its waits are met.
  virtual void begun(uint8_t channel, Cycle cycle) = 0;
  /// An abort or an error has dropped what was in flight.
  virtual void dropped(uint8_t channel) = 0;
  /// A write is asked for, and its address taken by the crossbar; in order within a channel.
  virtual void write_asked(uint8_t channel, const Burst& burst) = 0;
  virtual void write_granted(uint8_t channel, bool error) = 0;
  /// Bytes of a word are written: to the SRAM, or to the system (a beat).
  virtual void written(bool sram, uint8_t channel, uint64_t address, const uint8_t* bytes,
                       uint16_t strobes, Cycle cycle) = 0;
  /// The oldest one in flight of record.queue ends.
  virtual void ended(const CommandRecord& record) = 0;
  virtual void interrupt(bool level, Cycle cycle) = 0;
  virtual void signalled(uint8_t channel, uint8_t id, uint16_t add, Cycle cycle) = 0;
  /// The cycle is over: its rising edge has been, what it has written is in the memories.
  virtual void over() = 0;
  /// A register has been written or read, between two cycles; error: it answered SLVERR.
  virtual void accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle cycle) = 0;
};

}  // namespace presil::rtl
