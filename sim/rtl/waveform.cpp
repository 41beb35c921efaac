#include "sim/rtl/waveform.h"

#include "models/base/refusal.h"

namespace presil::rtl {

WaveRecorder::WaveRecorder(std::unique_ptr<Waveform> waveform, const TraceWindow& window,
                           Cycle period_ps)
    : m_waveform(std::move(waveform)),
      m_first(window.first),
      m_end(window.end),
      m_period_ps(period_ps) {
  if (m_waveform != nullptr) return;
  throw Refusal("trace",
                "this simulator writes no waveforms; `ninja presil_trace_tools` makes the one that "
                "does (Debian packages make, zlib1g-dev)");
}

void WaveRecorder::settled(Cycle cycle) {
  if (cycle < m_end) dump(cycle, cycle * m_period_ps + m_period_ps / 2);
}

void WaveRecorder::risen(Cycle cycle) {
  if (cycle >= m_end) m_waveform.reset();
  dump(cycle, cycle * m_period_ps);
}

// A block that waits for no event is taken back to the present: those cycles are written
// already.
void WaveRecorder::dump(Cycle cycle, Cycle ps) {
  if (m_waveform == nullptr || cycle < m_first || ps <= m_last_ps) return;
  m_last_ps = ps;
  m_waveform->dump(static_cast<uint64_t>(ps));
}

}  // namespace presil::rtl
