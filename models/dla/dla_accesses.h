// What a command asks of the SRAM, in order, as banks: the words of every step, of every line of
// the weight loader, of every pixel of second operand and output.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/dla/dla_timing.h"

namespace presil::dla {

/// Words that are asked for together, by port.
struct Access {
  std::array<uint8_t, 16> banks{};
  uint8_t words = 0;
  /// @param of  banks of the SRAM
  void add(uint64_t address, unsigned of) {
    banks[words++] = static_cast<uint8_t>(address / 16 % of);
  }
};

struct StepAccess : Access {
  bool first_of_pass = false, first_pass = false, pixel = false;
  bool last_pass = false, last_of_group = false;
};

/// A line of the loader, or (no words) the turn of a pass that reads none.
struct LineAccess : Access {
  enum Kind : uint8_t { kTable, kParameters, kSet, kNothing } kind = kTable;
  bool ends_phase = false;  ///< last of its parameters or set
  bool ends_pass = false;   ///< the pass may begin after it
};

struct Accesses {
  explicit Accesses(const Plan& plan);
  std::vector<StepAccess> steps;
  std::vector<LineAccess> lines;
  std::vector<Access> second, output;  ///< in words: four a pixel where there are four

 private:
  void add_steps(const Plan& plan);
  void add_lines(const Plan& plan);
};

}  // namespace presil::dla
