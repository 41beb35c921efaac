// The waveform of a Verilated class; for the file that includes what Verilator made of it. Only
// the targets that end in _fst are Verilated with waveforms.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/rtl/waveform.h"

class VerilatedFstC;

namespace presil::rtl {

/// The file comes into being with the first dump.
std::unique_ptr<Waveform> fst_file(const std::string& file,
                                   const std::function<void(VerilatedFstC*)>& attach);

/// @return nullptr in a build without waveforms
template <class Dut>
std::unique_ptr<Waveform> waveform_of([[maybe_unused]] Dut& dut,
                                      [[maybe_unused]] const std::string& file) {
#ifdef PRESIL_FST
  constexpr int kAllLevels = 99;
  dut.contextp()->traceEverOn(true);
  return fst_file(file, [&dut](VerilatedFstC* fst) { dut.trace(fst, kAllLevels); });
#else
  return nullptr;
#endif
}

}  // namespace presil::rtl
