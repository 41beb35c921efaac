// What a Verilated block does, cycle by cycle, in a file for waveform viewers. Time is that of the
// tile in ps: cycle c begins with the rising edge at c periods; half a period later the clock falls
// and the cycle's inputs, outputs and everything between them have settled.
#pragma once

#include <memory>
#include <string>

#include "models/soc/soc_config.h"

namespace presil::rtl {

/// Which cycles of every block in RTL are written, into FOLDER/BLOCK.fst.
struct TraceWindow {
  std::string folder;  ///< empty: none
  Cycle first = 0, end = 0;
};

/// Writes down every signal of a block as it is now.
class Waveform {
 public:
  virtual ~Waveform() = default;
  /// @param ps later than the time before
  virtual void dump(uint64_t ps) = 0;
};

/// A waveform of the cycles of a window; those in which the block is not clocked are not in it.
class WaveRecorder {
 public:
  /// @throws Refusal where waveform is nullptr: the program has none
  WaveRecorder(std::unique_ptr<Waveform> waveform, const TraceWindow& window, Cycle period_ps);

  /// The cycle has settled; its edge comes next.
  void settled(Cycle cycle);
  /// The edge that begins the cycle.
  void risen(Cycle cycle);

 private:
  void dump(Cycle cycle, Cycle ps);

  std::unique_ptr<Waveform> m_waveform;  // nullptr: the window is over
  Cycle m_first, m_end, m_period_ps, m_last_ps = -1;
};

}  // namespace presil::rtl
