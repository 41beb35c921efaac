// What an engine in RTL with one queue does, as the comparison hears it: in its cycle, within it at
// the moment at which it is seen, until over(). The order in which it counts is that of
// cycle_events.h.
#pragma once

#include "models/common/record.h"

namespace presil::rtl {

class QueueTap {
 public:
  virtual ~QueueTap() = default;
  /// A read has come without error: a job entry or a command.
  virtual void fetched(uint64_t address, const uint8_t* bytes, unsigned count) = 0;
  /// An abort has dropped what was in flight.
  virtual void dropped() = 0;
  /// The engine sees a command for the first time.
  virtual void offered(uint32_t index, Cycle cycle) = 0;
  /// It begins, its waits are met (DLA: loader and sequencer have started): every input is in the
  /// SRAM, no output is.
  /// @param place 0: the oldest one in flight, 1: the next
  virtual void started(unsigned place) = 0;
  /// A word of 16 bytes is written.
  virtual void written(uint32_t address, const uint8_t* bytes, Cycle cycle) = 0;
  /// The oldest one in flight ends.
  virtual void ended(const CommandRecord& record) = 0;
  virtual void interrupt(bool level, Cycle cycle) = 0;
  virtual void signalled(uint8_t id, uint16_t add, Cycle cycle) = 0;
  /// The cycle is over: its rising edge has been, what it has written is in the SRAM.
  virtual void over() = 0;
  /// A register has been written or read, between two cycles; error: it answered SLVERR.
  virtual void accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle cycle) = 0;
};

}  // namespace presil::rtl
