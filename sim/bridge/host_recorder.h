// Turns what the driver says of its host queue into command records, like those of any engine.
#pragma once

#include <presil/port.h>

#include <optional>

#include "models/common/record.h"
#include "sim/bridge/host_timeline.h"

namespace presil::bridge {

class HostRecorder {
 public:
  void on_command(CommandObserver observer) { m_observer = std::move(observer); }

  /// The driver's host queue changes state in cycle `now`: it waits for counter `id` before task
  /// `tag`, runs task `tag`, or has nothing to do.
  void observe(presil_host_state state, uint8_t id, uint32_t tag, Cycle now);
  /// Does it run a task?
  bool runs() const { return m_state == PRESIL_HOST_RUN; }

  /// Where the host's time goes in the inference that is recorded.
  HostTimeline& timeline() { return m_timeline; }

 private:
  void close_segment(Cycle now);
  void finish(Cycle now);

  CommandObserver m_observer;
  presil_host_state m_state = PRESIL_HOST_IDLE;
  Cause m_cause = Cause::kRun;
  Cycle m_since = 0;
  struct Position {
    uint32_t tag, index;
  };
  std::optional<Position> m_last;  ///< the record before
  CommandRecord m_record;
  HostTimeline m_timeline;
};

}  // namespace presil::bridge
