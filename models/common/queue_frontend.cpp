#include "models/common/queue_frontend.h"

#include <algorithm>
#include <cstring>

namespace presil {

namespace {

constexpr unsigned kReadsOutstanding = 2;
constexpr uint32_t kJobItself = 0xffffffffu;
constexpr uint8_t kBarrierPort = 3;  // engines use wait ports 0 to 2

constexpr uint32_t kIrqAll =
    PRESIL_QUEUE_IRQ_STATUS_JOB_DONE_MASK | PRESIL_QUEUE_IRQ_STATUS_COMMAND_DONE_MASK |
    PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK | PRESIL_QUEUE_IRQ_STATUS_STOPPED_MASK;

uint64_t with_low(uint64_t old, uint32_t value) {
  return (old & ~uint64_t{0xffffffff}) | value;
}
uint64_t with_high(uint64_t old, uint32_t value) {
  return (old & 0xffffffff) | uint64_t{value & 0xff} << 32;
}

}  // namespace

Signaller JobContext::signaller_of(uint8_t id) {
  if (id == PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA)) return Signaller::kDla;
  if (id == PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DSP)) return Signaller::kDsp;
  if (id == PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_HOST)) return Signaller::kHost;
  return Signaller::kDma;
}

QueueFrontend::QueueFrontend(const Shape& shape, Timeline& timeline, BurstPort& fetch_port,
                             BytePort& system, CounterPort& counters)
    : m_shape(shape),
      m_timeline(timeline),
      m_port(fetch_port),
      m_system(system),
      m_counters(counters) {
  m_context.fill(1u << PRESIL_QUEUE_CONTEXT_SYNC_FIRST_SHIFT |
                 63u << PRESIL_QUEUE_CONTEXT_SYNC_LAST_SHIFT);
}

// ---------------------------------------------------------------------------------- registers

presil_queue_state QueueFrontend::state() const {
  switch (m_mode) {
    case Mode::kStopping:
    case Mode::kAborting:
    case Mode::kFailing:
      return PRESIL_QUEUE_STATE_DRAINING;
    case Mode::kStopped:
      return PRESIL_QUEUE_STATE_STOPPED;
    case Mode::kFailed:
      return PRESIL_QUEUE_STATE_ERROR;
    case Mode::kRun:
      break;
  }
  const bool in_progress = m_job_under_way || m_offered || !m_taken.empty() || !m_buffer.empty() ||
                           (m_job && m_next_command < m_job->entry.command_count);
  if (jobs() == 0 || (!m_enabled && !in_progress)) return PRESIL_QUEUE_STATE_IDLE;
  return m_waiting ? PRESIL_QUEUE_STATE_WAITING : PRESIL_QUEUE_STATE_RUNNING;
}

uint32_t QueueFrontend::read(uint32_t offset) {
  const Taken* oldest = m_taken.empty() ? nullptr : &m_taken.front();
  const Entry* front = m_buffer.empty() ? nullptr : &m_buffer.front();
  switch (offset) {
    case PRESIL_QUEUE_REG_CONTROL:
      return m_enabled ? PRESIL_QUEUE_CONTROL_ENABLE_MASK : 0;
    case PRESIL_QUEUE_REG_STATUS:
      return state();
    case PRESIL_QUEUE_REG_RING_BASE:
      return static_cast<uint32_t>(m_ring_base);
    case PRESIL_QUEUE_REG_RING_BASE_HI:
      return static_cast<uint32_t>(m_ring_base >> 32);
    case PRESIL_QUEUE_REG_RING_SIZE_LOG2:
      return m_ring_log2;
    case PRESIL_QUEUE_REG_HEAD:
      return m_head;
    case PRESIL_QUEUE_REG_TAIL:
      return m_tail;
    case PRESIL_QUEUE_REG_IRQ_STATUS:
      return m_irq_status;
    case PRESIL_QUEUE_REG_IRQ_ENABLE:
      return m_irq_enable;
    case PRESIL_QUEUE_REG_CURRENT_JOB:
      if (oldest != nullptr) return oldest->job->entry.tag;
      return front != nullptr && front->job ? front->job->entry.tag : 0;
    case PRESIL_QUEUE_REG_CURRENT_COMMAND:
      if (oldest != nullptr) return oldest->index;
      return front != nullptr ? front->index : 0;
    case PRESIL_QUEUE_REG_ERROR:
      return static_cast<uint32_t>(m_error.code) << PRESIL_QUEUE_ERROR_CODE_SHIFT |
             static_cast<uint32_t>(m_error.rule) << PRESIL_QUEUE_ERROR_RULE_SHIFT |
             static_cast<uint32_t>(m_error.word) << PRESIL_QUEUE_ERROR_WORD_SHIFT;
    case PRESIL_QUEUE_REG_ERROR_JOB_TAG:
      return m_error_job;
    case PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX:
      return m_error_index;
    case PRESIL_QUEUE_REG_ERROR_ADDRESS:
      return static_cast<uint32_t>(m_error.address);
    case PRESIL_QUEUE_REG_ERROR_ADDRESS_HI:
      return static_cast<uint32_t>(m_error.address >> 32);
    default:
      break;
  }
  if (offset >= PRESIL_QUEUE_REG_CONTEXT(0) &&
      offset < PRESIL_QUEUE_REG_CONTEXT(PRESIL_QUEUE_CONTEXT_COUNT)) {
    return m_context[(offset - PRESIL_QUEUE_REG_CONTEXT(0)) / 4];
  }
  return 0;
}

void QueueFrontend::write(uint32_t offset, uint32_t value) {
  switch (offset) {
    case PRESIL_QUEUE_REG_CONTROL:
      control(value);
      return;
    case PRESIL_QUEUE_REG_RING_BASE:
      m_ring_base = with_low(m_ring_base, value & ~0xfffu);
      return;
    case PRESIL_QUEUE_REG_RING_BASE_HI:
      m_ring_base = with_high(m_ring_base, value);
      return;
    case PRESIL_QUEUE_REG_RING_SIZE_LOG2:
      m_ring_log2 = std::clamp(value & PRESIL_QUEUE_RING_SIZE_LOG2_VALUE_MASK, 2u, 8u);
      return;
    case PRESIL_QUEUE_REG_HEAD:
      move_head(static_cast<uint16_t>(value));
      return;
    case PRESIL_QUEUE_REG_TAIL:
      ring_doorbell(static_cast<uint16_t>(value));
      return;
    case PRESIL_QUEUE_REG_IRQ_STATUS:
      m_irq_status &= ~value;
      update_line();
      return;
    case PRESIL_QUEUE_REG_IRQ_ENABLE:
      m_irq_enable = value & kIrqAll;
      update_line();
      return;
    default:
      break;
  }
  if (offset >= PRESIL_QUEUE_REG_CONTEXT(0) &&
      offset < PRESIL_QUEUE_REG_CONTEXT(PRESIL_QUEUE_CONTEXT_COUNT)) {
    m_context[(offset - PRESIL_QUEUE_REG_CONTEXT(0)) / 4] =
        value & (PRESIL_QUEUE_CONTEXT_SYNC_FIRST_MASK | PRESIL_QUEUE_CONTEXT_SYNC_LAST_MASK);
  }
}

void QueueFrontend::control(uint32_t value) {
  m_enabled = (value & PRESIL_QUEUE_CONTROL_ENABLE_MASK) != 0;
  if (value & PRESIL_QUEUE_CONTROL_ABORT_MASK) {
    if (m_mode == Mode::kRun || m_mode == Mode::kStopping) {
      m_mode = Mode::kAborting;
      if (m_on_abort) {
        m_on_abort();
      } else {
        aborted();
      }
    }
  } else if (value & PRESIL_QUEUE_CONTROL_STOP_MASK) {
    if (m_mode == Mode::kRun) {
      m_mode = Mode::kStopping;
      settle();
    }
  } else if (value & PRESIL_QUEUE_CONTROL_START_MASK) {
    start();
  }
  fetch();
}

void QueueFrontend::start() {
  if (m_mode == Mode::kFailed || (m_mode == Mode::kStopped && m_head_moved)) {
    m_mode = Mode::kRun;
    restart();
  } else if (m_mode == Mode::kStopped) {
    m_mode = Mode::kRun;  // goes on with the next command
  } else {
    return;
  }
  m_error = {};
  m_error_job = m_error_index = 0;
  schedule_offer();
}

// Forgets everything but the ring: the job at head begins again from its first command.
void QueueFrontend::restart() {
  ++m_epoch;
  m_front_place += static_cast<uint32_t>(m_buffer.size());
  m_buffer.clear();
  m_taken.clear();
  m_job.reset();
  m_next_command = 0;
  m_reads = 0;
  m_job_under_way = m_fetch_blocked = m_offered = m_offer_scheduled = false;
  m_head_moved = m_waiting = false;
  m_next_job = m_head;
}

void QueueFrontend::ring_doorbell(uint16_t tail) {
  if (jobs() == 0) {
    m_active_base = m_ring_base;
    m_active_log2 = m_ring_log2;
  }
  if (static_cast<uint16_t>(tail - m_head) > (1u << m_active_log2)) {
    stop_with(0, kJobItself, {PRESIL_QUEUE_ERROR_CODE_RING_OVERRUN});
    return;
  }
  m_tail = tail;
  while (m_doorbells.size() < jobs()) m_doorbells.push_back(m_timeline.now());
  fetch();
}

void QueueFrontend::move_head(uint16_t head) {
  const auto s = state();
  if (s != PRESIL_QUEUE_STATE_IDLE && s != PRESIL_QUEUE_STATE_STOPPED &&
      s != PRESIL_QUEUE_STATE_ERROR) {
    return;
  }
  if (s == PRESIL_QUEUE_STATE_IDLE) {
    m_head = head;
    if (!m_enabled || m_head == m_tail) m_next_job = head;
  } else {
    m_head = head;
    m_head_moved = true;
  }
  while (m_doorbells.size() > jobs()) m_doorbells.pop_front();
  while (m_doorbells.size() < jobs()) m_doorbells.push_back(m_timeline.now());
}

// -------------------------------------------------------------------------------------- fetch

void QueueFrontend::fetch() {
  while (m_mode == Mode::kRun && !m_fetch_blocked && m_reads < kReadsOutstanding) {
    if (m_job && m_next_command < m_job->entry.command_count) {
      if (m_buffer.size() > m_shape.prefetch) return;
      request_command();
    } else if (m_enabled && !m_job_under_way && m_next_job != m_tail) {
      request_job();
    } else {
      return;
    }
  }
}

void QueueFrontend::request_job() {
  const uint64_t place = m_next_job & ((1u << m_active_log2) - 1);
  const uint64_t address = m_active_base + place * JobEntry::kBytes;
  m_job_under_way = true;
  ++m_reads;
  s_fetched_bytes += JobEntry::kBytes;
  Burst burst{m_timeline.now(), address, JobEntry::kBytes, false, m_shape.queue};
  m_port.request(burst, [this, epoch = m_epoch, address](const BurstTimes& times) {
    m_timeline.at(times.last + 1, Phase::kEngine, [this, epoch, address, times] {
      if (epoch == m_epoch) job_arrived(address, times);
    });
  });
}

void QueueFrontend::request_command() {
  const uint64_t address =
      m_job->entry.stream_address + uint64_t{m_next_command} * m_shape.pitch_bytes;
  const uint32_t bytes = m_shape.command_words * 4;
  const uint32_t place = m_front_place + static_cast<uint32_t>(m_buffer.size());
  m_buffer.emplace_back();
  m_buffer.back().job = m_job;
  m_buffer.back().index = m_next_command++;
  ++m_reads;
  s_fetched_bytes += bytes;
  Burst burst{m_timeline.now(), address, bytes, false, m_shape.queue};
  m_port.request(burst, [this, epoch = m_epoch, place](const BurstTimes& times) {
    m_timeline.at(times.last + 1, Phase::kEngine, [this, epoch, place, times] {
      if (epoch == m_epoch) command_arrived(place, times);
    });
  });
}

void QueueFrontend::job_arrived(uint64_t address, const BurstTimes& times) {
  --m_reads;
  m_job_under_way = false;
  auto job = std::make_shared<JobContext>();
  const uint16_t distance = static_cast<uint16_t>(m_next_job - m_head);
  job->doorbell = distance < m_doorbells.size() ? m_doorbells[distance] : m_timeline.now();
  ++m_next_job;
  std::optional<QueueError> error;
  const uint8_t* bytes = m_system.bytes_at(address, JobEntry::kBytes);
  if (times.error || bytes == nullptr) {
    error = QueueError{PRESIL_QUEUE_ERROR_CODE_FETCH_ERROR, 0, 0, address};
  } else {
    uint32_t words[JobEntry::kWords];
    std::memcpy(words, bytes, sizeof words);
    job->entry = JobEntry::decode(words);
    error = check(job->entry, words);
  }
  m_job = std::move(job);
  m_next_command = 0;
  if (error) {  // reported when its turn comes
    m_fetch_blocked = true;
    m_buffer.emplace_back();
    Entry& entry = m_buffer.back();
    entry.job = m_job;
    entry.index = kJobItself;
    entry.filled = true;
    entry.fetched = m_timeline.now();
    entry.error = error;
  }
  fetch();
  schedule_offer();
}

void QueueFrontend::command_arrived(uint32_t place, const BurstTimes& times) {
  --m_reads;
  Entry& entry = m_buffer[place - m_front_place];
  const uint64_t address =
      entry.job->entry.stream_address + uint64_t{entry.index} * m_shape.pitch_bytes;
  const uint8_t* bytes = m_system.bytes_at(address, m_shape.command_words * 4);
  if (times.error || bytes == nullptr) {
    entry.error = QueueError{PRESIL_QUEUE_ERROR_CODE_FETCH_ERROR, 0, 0, address};
    m_fetch_blocked = true;
  } else {
    std::memcpy(entry.words.data(), bytes, m_shape.command_words * 4);
  }
  entry.filled = true;
  entry.fetched = m_timeline.now();
  fetch();
  schedule_offer();
}

std::optional<QueueError> QueueFrontend::check(const JobEntry& entry, const uint32_t* words) const {
  if (const auto violation = JobEntry::check(words)) {
    const bool version = violation->code == PRESIL_QUEUE_ERROR_CODE_BAD_VERSION;
    return QueueError{version ? violation->code : PRESIL_QUEUE_ERROR_CODE_BAD_JOB, 0,
                      static_cast<uint8_t>(violation->word), 0};
  }
  if (entry.isa_version != m_shape.isa_version)
    return QueueError{PRESIL_QUEUE_ERROR_CODE_BAD_VERSION};
  if (entry.context >= m_context.size()) return QueueError{PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT};
  const uint32_t limits = m_context[entry.context];
  const uint32_t first = limits & 0xff, last = limits >> PRESIL_QUEUE_CONTEXT_SYNC_LAST_SHIFT;
  const uint32_t lowest = entry.sync_base + 1u,
                 highest = uint32_t{entry.sync_base} + entry.sync_count;
  if (entry.sync_count > 0 && (lowest < first || highest > last)) {
    return QueueError{PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT, 0, 5, 0};
  }
  return std::nullopt;
}

// -------------------------------------------------------------------------------------- offer

void QueueFrontend::schedule_offer() {
  if (m_mode != Mode::kRun || m_offered || m_offer_scheduled || m_buffer.empty() ||
      !m_buffer.front().filled) {
    return;
  }
  m_offer_scheduled = true;
  const Cycle at = std::max({m_timeline.now(), m_buffer.front().fetched, m_taken_at + 1});
  m_timeline.at(at, Phase::kEngine, [this, epoch = m_epoch] {
    if (epoch != m_epoch) return;
    m_offer_scheduled = false;
    offer();
  });
}

// A barrier holds the first command of a job until each counter of the job has reached value_base.
bool QueueFrontend::barrier_holds(const JobContext& job) {
  for (unsigned i = 1; i <= job.entry.sync_count; ++i) {
    const uint8_t id = job.counter(static_cast<uint8_t>(i));
    if (m_counters.met(id, job.value(0))) continue;
    m_waiting = m_offer_scheduled = true;
    m_counters.when_met(m_shape.queue, kBarrierPort, id, job.value(0),
                        [this, epoch = m_epoch](Cycle) {
                          if (epoch != m_epoch) return;
                          m_waiting = m_offer_scheduled = false;
                          schedule_offer();
                        });
    return true;
  }
  return false;
}

void QueueFrontend::offer() {
  if (m_mode != Mode::kRun || m_offered || m_buffer.empty()) return;
  Entry& entry = m_buffer.front();
  if (entry.error) {
    stop_with(entry.job->entry.tag, entry.index, *entry.error);
    return;
  }
  if (entry.index == 0 && entry.job->entry.barrier && barrier_holds(*entry.job)) return;
  m_offered = true;
  Offer offer;
  offer.words = entry.words.data();
  offer.job = entry.job;
  offer.index = entry.index;
  offer.last = entry.index + 1 == entry.job->entry.command_count;
  offer.fetched = entry.fetched;
  offer.at = m_timeline.now();
  if (m_on_offer) m_on_offer(offer);
}

void QueueFrontend::take() {
  m_taken.push_back({m_buffer.front().job, m_buffer.front().index});
  m_buffer.pop_front();
  ++m_front_place;
  m_offered = false;
  m_taken_at = m_timeline.now();
  fetch();
  schedule_offer();
}

void QueueFrontend::complete(bool irq) {
  const Taken done = std::move(m_taken.front());
  m_taken.pop_front();
  uint32_t events = irq ? PRESIL_QUEUE_IRQ_STATUS_COMMAND_DONE_MASK : 0;
  if (done.index + 1 == done.job->entry.command_count) {
    ++m_head;
    if (!m_doorbells.empty()) m_doorbells.pop_front();
    if (done.job->entry.irq_at_end) events |= PRESIL_QUEUE_IRQ_STATUS_JOB_DONE_MASK;
  }
  if (events != 0) raise(events);
  settle();
}

// ------------------------------------------------------------------------------ stop and error

void QueueFrontend::fail(const JobContext& job, uint32_t index, const QueueError& error) {
  const auto failed = std::find_if(m_taken.begin(), m_taken.end(), [&](const Taken& taken) {
    return taken.job.get() == &job && taken.index == index;
  });
  if (failed == m_taken.end()) m_offered = false;  // refused before it was taken
  m_taken.erase(failed, m_taken.end());
  stop_with(job.entry.tag, index, error);
}

void QueueFrontend::stop_with(uint32_t job_tag, uint32_t index, const QueueError& error) {
  if (m_mode == Mode::kFailing || m_mode == Mode::kFailed) return;  // the first error stays
  m_error = error;
  m_error_job = job_tag;
  m_error_index = index;
  m_waiting = false;
  m_mode = Mode::kFailing;
  settle();
}

void QueueFrontend::aborted() {
  if (m_mode != Mode::kAborting) return;
  restart();
  m_head_moved = true;  // the job at head begins again, or the next one if the driver moves head
  m_mode = Mode::kStopped;
  raise(PRESIL_QUEUE_IRQ_STATUS_STOPPED_MASK);
}

void QueueFrontend::settle() {
  if (!m_taken.empty() || m_offered) return;
  if (m_mode == Mode::kFailing) {
    m_mode = Mode::kFailed;
    raise(PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK);
  } else if (m_mode == Mode::kStopping) {
    m_mode = Mode::kStopped;
    raise(PRESIL_QUEUE_IRQ_STATUS_STOPPED_MASK);
  }
}

void QueueFrontend::raise(uint32_t irq_bits) {
  m_irq_status |= irq_bits;
  update_line();
}

void QueueFrontend::update_line() {
  const bool level = (m_irq_status & m_irq_enable) != 0;
  if (level == m_line) return;
  m_line = level;
  if (m_interrupt) m_interrupt(level);
}

}  // namespace presil
