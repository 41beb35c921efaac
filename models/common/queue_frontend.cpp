#include "models/common/queue_frontend.h"

#include <algorithm>
#include <cstring>

#include "models/common/command_crc.h"

namespace presil {

namespace {

constexpr unsigned kReadsOutstanding = 2;
constexpr uint32_t kJobItself = 0xffffffffu;
constexpr uint32_t kRegisterBytes = 0x100;  // of the queue's block
constexpr uint8_t kBarrierPort = 3;         // engines use wait ports 0 to 2

}  // namespace

Signaller JobContext::signaller_of(uint8_t id) {
  const unsigned kind = presil_kind_of_queue(id - PRESIL_QUEUE_COUNTER(0));
  // of no queue: register SIGNAL; counters of waits tell presil's own kinds apart
  return kind < PRESIL_ENGINE_KINDS ? static_cast<Signaller>(kind) : Signaller::kHost;
}

QueueFrontend::QueueFrontend(const Shape& shape, queue::View registers, Timeline& timeline,
                             BurstPort& fetch_port, BytePort& system, CounterPort& counters)
    : m_shape(shape),
      m_timeline(timeline),
      m_port(fetch_port),
      m_system(system),
      m_counters(counters),
      m_registers(registers) {
  attach();
}

// ---------------------------------------------------------------------------------- registers

void QueueFrontend::attach() {
  m_registers.on_write(PRESIL_QUEUE_REG_CONTROL,
                       [this](uint32_t, uint32_t written) { control(written); });
  m_registers.on_write(PRESIL_QUEUE_REG_TAIL, [this](uint32_t before, uint32_t) {
    doorbell(static_cast<uint16_t>(before), m_registers.tail());
  });
  m_registers.on_write(PRESIL_QUEUE_REG_HEAD, [this](uint32_t before, uint32_t) {
    move_head(static_cast<uint16_t>(before), m_registers.head());
  });
  m_registers.on_write(PRESIL_QUEUE_REG_IRQ_STATUS, [this](uint32_t, uint32_t) { update_line(); });
  m_registers.on_write(PRESIL_QUEUE_REG_IRQ_ENABLE, [this](uint32_t, uint32_t) { update_line(); });
  m_registers.on_read(PRESIL_QUEUE_REG_STATUS, [this] { m_registers.set_status_state(state()); });
  m_registers.on_read(PRESIL_QUEUE_REG_CURRENT_JOB, [this] {
    if (!m_taken.empty()) {
      m_registers.set_current_job_tag(m_taken.front().job->entry.tag);
    } else if (!m_buffer.empty()) {
      m_registers.set_current_job_tag(m_buffer.front().job->entry.tag);
    }
  });
  m_registers.on_read(PRESIL_QUEUE_REG_CURRENT_COMMAND, [this] {
    if (!m_taken.empty()) {
      m_registers.set_current_command_index(m_taken.front().index);
    } else if (!m_buffer.empty()) {
      m_registers.set_current_command_index(m_buffer.front().index);
    }
  });
}

queue::State QueueFrontend::state() const {
  switch (m_mode) {
    case Mode::kStopping:
    case Mode::kAborting:
    case Mode::kFailing:
      return queue::State::kDraining;
    case Mode::kStopped:
      return queue::State::kStopped;
    case Mode::kFailed:
      return queue::State::kError;
    case Mode::kRun:
      break;
  }
  const bool in_progress = m_job_under_way || m_offered || !m_taken.empty() || !m_buffer.empty() ||
                           (m_job && m_next_command < m_job->entry.command_count);
  if (jobs() == 0 || (!m_registers.control_enable() && !in_progress)) return queue::State::kIdle;
  return m_waiting ? queue::State::kWaiting : queue::State::kRunning;
}

QueueFrontend::Oldest QueueFrontend::oldest() const {
  if (!m_taken.empty()) return {m_taken.front().job, m_taken.front().index, true};
  if (!m_buffer.empty()) return {m_buffer.front().job, m_buffer.front().index, false};
  return {};
}

void QueueFrontend::control(uint32_t written) {
  if (written & PRESIL_QUEUE_CONTROL_ABORT_MASK) {
    if (m_mode == Mode::kRun || m_mode == Mode::kStopping) abort();
  } else if (written & PRESIL_QUEUE_CONTROL_STOP_MASK) {
    if (m_mode == Mode::kRun) {
      m_mode = Mode::kStopping;
      settle();
    }
  } else if (written & PRESIL_QUEUE_CONTROL_START_MASK) {
    start();
  }
  fetch();
}

void QueueFrontend::abort() {
  m_mode = Mode::kAborting;
  if (m_deaf) return;
  if (m_on_abort) {
    m_on_abort();
  } else {
    aborted();
  }
}

void QueueFrontend::stand(bool stands, bool deaf) {
  const bool aborts = m_deaf && !(stands && deaf) && m_mode == Mode::kAborting;
  m_stands = stands;
  m_deaf = stands && deaf;
  if (aborts) return abort();
  if (!stands) schedule_offer();
}

void QueueFrontend::reset() {
  const bool deaf = m_deaf;
  m_stands = m_deaf = false;
  m_resets = true;
  m_registers.set(PRESIL_QUEUE_REG_IRQ_ENABLE, 0);
  update_line();
  if (m_mode != Mode::kAborting || deaf) abort();  // else it is under way
}

void QueueFrontend::to_reset_values() {
  m_resets = false;
  m_registers.reset_first(kRegisterBytes);
  m_doorbells.clear();
  m_mode = Mode::kRun;
  m_ring_base = 0;
  m_ring_entries = 4;
  m_next_job = 0;
  update_line();
}

void QueueFrontend::start() {
  if (m_mode != Mode::kFailed && m_mode != Mode::kStopped) return;
  m_mode = Mode::kRun;
  restart();
  m_registers.set(PRESIL_QUEUE_REG_ERROR, 0);
  m_registers.set_error_job_tag(0);
  m_registers.set_error_command_index(0);
  m_registers.set_error_address(0);
}

// Forgets everything but the ring: the job at head begins again from its first command.
void QueueFrontend::restart() {
  ++m_epoch;
  m_front_place += static_cast<uint32_t>(m_buffer.size());
  m_buffer.clear();
  m_taken.clear();
  m_job.reset();
  m_next_command = 0;
  m_job_under_way = m_fetch_blocked = m_offered = m_offer_scheduled = false;
  m_waiting = false;
  m_next_job = m_registers.head();
}

void QueueFrontend::doorbell(uint16_t before, uint16_t tail) {
  const uint16_t head = m_registers.head();
  if (before == head) {  // the ring was empty: it may have moved
    m_ring_base = m_registers.ring_base();
    m_ring_entries = 1u << std::clamp<unsigned>(m_registers.ring_size_log2(), 2, 8);
  }
  if (static_cast<uint16_t>(tail - head) > m_ring_entries) {
    m_registers.set_tail(before);
    stop_with(0, kJobItself, {PRESIL_QUEUE_ERROR_CODE_RING_OVERRUN});
    return;
  }
  m_doorbells.resize(jobs(), m_timeline.now());
  fetch();
}

// Past a cancelled job; only while nothing is in progress.
void QueueFrontend::move_head(uint16_t before, uint16_t head) {
  const queue::State now = state();
  const bool idle = m_buffer.empty() && m_taken.empty() && !m_job_under_way && !m_offered;
  if (now != queue::State::kStopped && now != queue::State::kError && !idle) {
    m_registers.set_head(before);
    return;
  }
  if (idle && m_mode == Mode::kRun) m_next_job = head;
  while (m_doorbells.size() > jobs()) m_doorbells.pop_front();
  m_doorbells.resize(jobs(), m_timeline.now());
}

// -------------------------------------------------------------------------------------- fetch

void QueueFrontend::fetch() {
  while (m_mode == Mode::kRun && !m_fetch_blocked && m_reads < kReadsOutstanding) {
    if (m_job && m_next_command < m_job->entry.command_count) {
      if (m_buffer.size() > m_shape.prefetch) return;
      request_command();
    } else if (m_registers.control_enable() && !m_job_under_way &&
               m_next_job != m_registers.tail()) {
      request_job();
    } else {
      return;
    }
  }
}

void QueueFrontend::request_job() {
  const uint64_t place = m_next_job & (m_ring_entries - 1);
  const uint64_t address = m_ring_base + place * JobEntry::kBytes;
  m_job_under_way = true;
  ++m_reads;
  s_fetched_bytes += JobEntry::kBytes;
  Burst burst{m_timeline.now(), address, JobEntry::kBytes, false, m_shape.queue};
  m_port.request(burst, [this, epoch = m_epoch, address](const BurstTimes& times) {
    m_timeline.at(times.last + 1, Phase::kEngine, [this, epoch, address, times] {
      --m_reads;
      if (epoch == m_epoch) {
        job_arrived(address, times);
      } else {
        fetch();
      }
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
      --m_reads;
      if (epoch == m_epoch) {
        command_arrived(place, times);
      } else {
        fetch();
      }
    });
  });
}

void QueueFrontend::job_arrived(uint64_t address, const BurstTimes& times) {
  m_job_under_way = false;
  auto job = std::make_shared<JobContext>();
  const uint16_t distance = static_cast<uint16_t>(m_next_job - m_registers.head());
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
    if (const auto bad = m_system.read(address, JobEntry::kBytes)) {
      error = QueueError{PRESIL_QUEUE_ERROR_CODE_MEMORY_ERROR, 0, 0, *bad};
    } else if (m_registers.control_check() &&
               !has_crc(words, JobEntry::kWords, JobEntry::format().fields[PRESIL_JOB_ENTRY_CRC])) {
      error = QueueError{PRESIL_QUEUE_ERROR_CODE_CRC_MISMATCH, 0, 0, address};
    } else {
      error = check(job->entry, words);
    }
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
  Entry& entry = m_buffer[place - m_front_place];
  const uint64_t address =
      entry.job->entry.stream_address + uint64_t{entry.index} * m_shape.pitch_bytes;
  const uint8_t* bytes = m_system.bytes_at(address, m_shape.command_words * 4);
  if (times.error || bytes == nullptr) {
    entry.error = QueueError{PRESIL_QUEUE_ERROR_CODE_FETCH_ERROR, 0, 0, address};
    m_fetch_blocked = true;
  } else {
    std::memcpy(entry.words.data(), bytes, m_shape.command_words * 4);
    entry.error = check_command(entry.words.data(), address);
    m_fetch_blocked = m_fetch_blocked || entry.error;
  }
  entry.filled = true;
  entry.fetched = m_timeline.now();
  fetch();
  schedule_offer();
}

std::optional<QueueError> QueueFrontend::check_command(const uint32_t* words,
                                                       uint64_t address) const {
  if (const auto bad = m_system.read(address, m_shape.command_words * 4u))
    return QueueError{PRESIL_QUEUE_ERROR_CODE_MEMORY_ERROR, 0, 0, *bad};
  if (m_shape.crc == nullptr || !m_registers.control_check() ||
      has_crc(words, m_shape.command_words, *m_shape.crc)) {
    return std::nullopt;
  }
  return QueueError{PRESIL_QUEUE_ERROR_CODE_CRC_MISMATCH, 0, 0, address};
}

std::optional<QueueError> QueueFrontend::check(const JobEntry& entry, const uint32_t* words) const {
  if (const auto violation = JobEntry::check(words)) {
    const bool version = violation->code == PRESIL_QUEUE_ERROR_CODE_BAD_VERSION;
    return QueueError{version ? violation->code : PRESIL_QUEUE_ERROR_CODE_BAD_JOB, 0,
                      static_cast<uint8_t>(violation->word), 0};
  }
  if (entry.isa_version != m_shape.isa_version)
    return QueueError{PRESIL_QUEUE_ERROR_CODE_BAD_VERSION};
  if (entry.context >= PRESIL_QUEUE_CONTEXT_COUNT) {
    return QueueError{PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT};
  }
  const uint32_t first = m_registers.context_sync_first(entry.context);
  const uint32_t last = m_registers.context_sync_last(entry.context);
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
  if (m_mode != Mode::kRun || m_offered || m_buffer.empty() || m_stands) return;
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
    m_registers.set_head(static_cast<uint16_t>(m_registers.head() + 1));
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
  m_offered = false;  // it, or one after it, which the engine drops
  m_taken.erase(failed, m_taken.end());
  stop_with(job.entry.tag, index, error);
}

void QueueFrontend::stop_with(uint32_t job_tag, uint32_t index, const QueueError& error) {
  if (m_mode == Mode::kFailing || m_mode == Mode::kFailed) {  // the first error stays
    settle();
    return;
  }
  m_registers.set_error_code(static_cast<queue::ErrorCode>(error.code));
  m_registers.set_error_rule(error.rule);
  m_registers.set_error_word(error.word);
  m_registers.set_error_job_tag(job_tag);
  m_registers.set_error_command_index(index);
  m_registers.set_error_address(error.address);
  m_waiting = false;
  if (m_mode == Mode::kAborting) return;  // an overrun: the abort goes on, to state stopped
  m_mode = Mode::kFailing;
  settle();
}

void QueueFrontend::aborted() {
  if (m_mode != Mode::kAborting) return;
  restart();
  if (m_resets) return to_reset_values();
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
  m_registers.set(PRESIL_QUEUE_REG_IRQ_STATUS,
                  m_registers.get(PRESIL_QUEUE_REG_IRQ_STATUS) | irq_bits);
  update_line();
}

void QueueFrontend::update_line() {
  const bool level = (m_registers.get(PRESIL_QUEUE_REG_IRQ_STATUS) &
                      m_registers.get(PRESIL_QUEUE_REG_IRQ_ENABLE)) != 0;
  if (level == m_line) return;
  m_line = level;
  if (m_interrupt) m_interrupt(level);
}

}  // namespace presil
