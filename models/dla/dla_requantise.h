// From accumulators to output words: rule, zero point, clamp, table, element-wise
// (rtl/dla/README.md, "Numerics"). One row of one block of 16 channels at a time.
#pragma once

#include <cstdint>

#include "models/dla/dla_vector.h"
#include "rtl/dla/dla_command.h"

namespace presil::dla {

/// Memory is little-endian whatever the machine is.
int32_t int32_at(const uint8_t* bytes);

/// What happens to the accumulators of one block of 16 output channels.
class Requantise {
 public:
  /// @param command of any operation but nop
  /// @param sram    where the command's addresses begin
  /// @param block   of 16 output channels
  Requantise(const Command& command, const uint8_t* sram, unsigned block);

  /// What accumulators start from: the bias, or 0 where the operation reads no parameters.
  const int32_t* bias() const { return m_bias; }

  /// Writes `pixels` words of 16 bytes. Lanes past the command's last channel are 0.
  /// @param second the second operand's words side by side; unused without ew_op
  void bytes(const int32_t* acc, size_t pixels, const uint8_t* second, uint8_t* out) const;

  /// Writes `pixels` times 16 int32, little-endian: out_type int32.
  void sums(const int32_t* acc, size_t pixels, uint8_t* out) const;

 private:
  const Command& m_command;
  const VectorLoops& m_loops;
  const uint8_t* m_table = nullptr;
  unsigned m_lanes = 16;  // lanes that hold channels
  int32_t m_bias[kLanes] = {};
  RequantiseLanes m_rule;
  ElementWise m_element_wise;
};

}  // namespace presil::dla
