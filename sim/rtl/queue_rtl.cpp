#include "sim/rtl/queue_rtl.h"

#include <utility>

#include "rtl/soc/address_map.h"
#include "sim/rtl/lite_access.h"

namespace presil::rtl {
namespace {

constexpr uint32_t kCounterLines = 4;  // jobs whose counters are remembered

}  // namespace

QueueRtl::QueueRtl(const Shape& shape, Timekeeper& timekeeper, BurstPort& fetch, BytePort& system,
                   CounterPort& counters, std::unique_ptr<QueueTop> top, const RtlOptions& options)
    : registers(shape.block.c_str(),
                [this](bool write, uint16_t offset, uint32_t& value) {
                  return access(write, offset, value);
                }),
      m_shape(shape),
      m_timekeeper(timekeeper),
      m_counters(counters),
      m_top(std::move(top)),
      m_clock(timekeeper.timeline(), *this, options.batch),
      m_fetch(
          fetch, system, shape.queue, [this] { m_clock.wake(); },
          [this](uint64_t address, const uint8_t* bytes, unsigned count) {
            fetched(address, bytes, count);
          }),
      m_barrier(counters, shape.queue, kBarrierPort, [this] { m_clock.wake(); }),
      m_job(shape.pitch_bytes) {
  for (uint8_t port = 0; port < shape.waits; ++port) {
    m_waits[port] =
        std::make_unique<WaitLink>(counters, shape.queue, port, [this] { m_clock.wake(); });
  }
}
QueueRtl::~QueueRtl() = default;

void QueueRtl::begin(const TraceWindow& trace) {
  m_clock.rewind();
  record(m_clock, *m_top, trace, m_shape.block, m_timekeeper.period_ps());
}

// ---------------------------------------------------------------------------------------- cycles

bool QueueRtl::settle(Cycle cycle) {
  QueuePins::In& in = m_top->pins.in;
  in.r_valid = m_fetch.beat(cycle, in.r);
  for (unsigned i = 0; i < m_shape.waits; ++i) in.met[i] = m_waits[i]->met();
  in.barrier_met = m_barrier.met();
  m_top->settle();
  return heard_outside();
}

// Levels that a question of this cycle finds met go to the block in the same cycle; what that makes
// of the outputs is looked at again.
bool QueueRtl::heard_outside() {
  QueuePins& pins = m_top->pins;
  bool heard = false;
  for (bool again = true; again;) {
    again = answer();
    const QueuePins::Out& out = pins.out;
    for (unsigned i = 0; i < m_shape.waits; ++i) {
      heard |= m_waits[i]->look(out.wait[i], out.wait_id[i], out.wait_value[i]);
      again |= pins.in.met[i] != m_waits[i]->met();
      pins.in.met[i] = m_waits[i]->met();
      if (!out.wait[i]) continue;
      const uint8_t signaller = signaller_of(out.wait_id[i]);
      again |= pins.in.signaller[i] != signaller;
      pins.in.signaller[i] = signaller;
    }
    heard |= m_barrier.look(out.barrier, out.barrier_first, out.barrier_count, out.barrier_value);
    again |= pins.in.barrier_met != m_barrier.met();
    pins.in.barrier_met = m_barrier.met();
    if (again) m_top->settle();
  }
  const QueuePins::Out& out = pins.out;
  return heard || out.ar_valid || out.signal || out.done || out.irq != m_line;
}

void QueueRtl::act(Cycle now) {
  m_asked_burst = m_signalled = m_ended = false;
  do {
    const QueuePins::Out& out = m_top->pins.out;
    if (out.done && !m_ended) {
      m_ended = true;
      end(now);
    }
    if (out.irq != m_line) {
      m_line = out.irq;
      if (m_tap != nullptr) m_tap->interrupt(m_line, now);
      if (m_interrupt) m_interrupt(m_line);
    }
    if (out.signal && !m_signalled) {
      m_signalled = true;
      if (m_tap != nullptr) m_tap->signalled(out.signal_id, out.signal_add, now);
      m_counters.signal(now, out.signal_id, out.signal_add);
    }
    if (out.ar_valid && !m_asked_burst) {
      m_asked_burst = true;
      m_fetch.request(now, out.ar_address, out.ar_beats);
    }
    for (unsigned i = 0; i < m_shape.waits; ++i) m_waits[i]->ask();
    m_barrier.ask();
  } while (heard_outside() &&
           ((m_top->pins.out.ar_valid && !m_asked_burst) ||
            (m_top->pins.out.signal && !m_signalled) || (m_top->pins.out.done && !m_ended)));
}

bool QueueRtl::edge() {
  if (!m_ended) look_inside();
  m_ended = false;
  const QueuePins& pins = m_top->pins;
  const bool beat = pins.in.r_valid && pins.out.r_ready;
  const bool worked = rise();
  if (beat) m_fetch.taken();
  if (m_top->failed()) {
    m_clock.halt();
    if (m_failure) m_failure(m_clock.cycle());
  }
  if (m_tap != nullptr) m_tap->over();
  return worked || m_fetch.outstanding() > 0;
}

// --------------------------------------------------------------------------------------- records

void QueueRtl::ended(const CommandRecord& record) {
  if (m_tap != nullptr) m_tap->ended(record);
  if (m_observer) m_observer(record);
}

// Counters of a job are known once its entry was read.
void QueueRtl::fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
  if (m_tap != nullptr) m_tap->fetched(address, bytes, count);
  if (m_job.fetched(address, bytes, count)) return;
  m_jobs.push_back({m_job.entry().sync_base, m_job.entry().sync_count});
  if (m_jobs.size() > kCounterLines) m_jobs.pop_front();
}

uint8_t QueueRtl::signaller_of(uint8_t counter) const {
  for (const Counters& job : m_jobs) {
    const unsigned id = counter - job.base;
    if (counter > job.base && id <= job.count) {
      return static_cast<uint8_t>(JobContext::signaller_of(static_cast<uint8_t>(id)));
    }
  }
  return static_cast<uint8_t>(Signaller::kHost);
}

// ------------------------------------------------------------------------------------- registers

bool QueueRtl::access(bool write, uint16_t offset, uint32_t& value) {
  const Cycle now = m_timekeeper.timeline().now();
  if (m_clock.halted()) return false;
  const RegisterAccess answer =
      lite_access(m_clock, *m_top, now, write, offset, value, [&] { acts(write, offset, value); });
  if (!write) value = answer.error ? 0 : answer.data;
  if (m_tap != nullptr) m_tap->accessed(write, offset, value, answer.error, now);
  return !answer.error;
}

}  // namespace presil::rtl
