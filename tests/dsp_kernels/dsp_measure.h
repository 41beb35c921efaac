// Cycles of the kernels at the DSP of `edge` (VLEN 512, DLEN 256), beside their bounds and beside
// what driver/kernels/dsp/cost.h says of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/dsp_kernels/dsp_rig.h"

namespace presil::dsp {

struct Measured {
  std::string kernel, shape, of;  ///< `of`: what the cycles are divided by
  uint64_t count = 0, cycles = 0;
  double bound = 0;  ///< cycles per `of`, of the kernel's header comment, this shape's rows in it
  uint64_t estimate = 0;  ///< of cost.h
  bool gated = true;      ///< at most 1.5 times the bound
};

/// One list per family, in the order of the table.
std::vector<Measured> measure_tables();
std::vector<Measured> measure_detection();
std::vector<Measured> measure_elements();
std::vector<Measured> measure_moves();
std::vector<Measured> measure_reduce();
std::vector<Measured> measure_image();
std::vector<Measured> measure_bytes();
std::vector<Measured> measure_recurrent();
std::vector<Measured> measure_all();

/// Rows of the table in driver/kernels/dsp/README.md.
std::string table_of(const std::vector<Measured>& list);

/// Cycles of a run, or an exception that says why there was none.
uint64_t cycles_of(const Ran& ran);

}  // namespace presil::dsp
