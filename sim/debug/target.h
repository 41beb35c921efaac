// A core as a debugger sees it while it stands. A new one joins by implementing Target, and by
// asking Debugger::at before each of its instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/watched_reads.h"

namespace presil::debug {

using Bytes = std::vector<uint8_t>;

class Target {
 public:
  virtual ~Target() = default;

  /// Its registers, in XML as GDB's manual has it ("Target Descriptions"), numbered in this order.
  virtual const std::string& description() const = 0;
  virtual unsigned registers() const = 0;
  /// Little-endian, as many bytes as the description says.
  virtual Bytes register_bytes(unsigned number) const = 0;
  /// @return false: it cannot be written
  virtual bool set_register(unsigned number, const Bytes& value) = 0;
  /// Memory and registers of devices, whatever the program's rights; no time passes.
  /// @return false: nothing is there
  virtual bool read(uint64_t address, uint8_t* to, size_t bytes) = 0;
  virtual bool write(uint64_t address, const uint8_t* from, size_t bytes) = 0;
  /// Of the instruction that comes next.
  virtual uint64_t pc() const = 0;
  /// From now on loads of the program from these extents are told by `was_read`.
  /// @return false: this core cannot tell
  virtual bool watch_reads(const std::vector<WatchedReads::Extent>&) { return false; }
  /// Has it loaded from one since the last question? @param address where the extent begins
  virtual bool was_read(uint64_t& /*address*/) { return false; }
  /// A line for `monitor status`.
  virtual std::string status() const = 0;
};

}  // namespace presil::debug
