#include "sim/bridge/host_recorder.h"

#include "models/common/queue_frontend.h"
#include "rtl/soc/address_map.h"

namespace presil::bridge {

void HostRecorder::observe(presil_host_state state, uint8_t id, uint32_t tag, Cycle now) {
  if (m_state != PRESIL_HOST_IDLE) close_segment(now);
  const bool same_task =
      m_state == PRESIL_HOST_WAIT && state != PRESIL_HOST_IDLE && tag == m_record.tag;
  if (m_state != PRESIL_HOST_IDLE && !same_task) finish(now);
  if (m_state == PRESIL_HOST_IDLE || !same_task) {
    m_record = {};
    m_record.queue = PRESIL_QUEUE_HOST;
    m_record.tag = tag;
    m_record.offered = m_record.start = now;
  }
  m_state = state;
  m_since = now;
  if (state == PRESIL_HOST_WAIT) m_cause = wait_for(Cause::kWait, JobContext::signaller_of(id));
  if (state == PRESIL_HOST_RUN) {
    m_cause = Cause::kRun;
    m_record.start = now;
  }
}

void HostRecorder::close_segment(Cycle now) {
  if (now == m_since) return;
  m_record.cycles.add(m_cause, now - m_since);
  m_record.segments.push_back({m_since, now, m_cause});
}

void HostRecorder::finish(Cycle now) {
  m_record.end = now;
  // Tags rise along a stream: one that does not begins another job.
  m_record.index = m_last && m_record.tag > m_last->tag ? m_last->index + 1 : 0;
  m_last = {m_record.tag, m_record.index};
  if (m_observer) m_observer(m_record);
}

}  // namespace presil::bridge
