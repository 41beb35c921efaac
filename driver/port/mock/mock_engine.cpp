#include "driver/port/mock/mock_engine.h"

#include <cstring>

#include "driver/core/engine.h"

namespace presil::driver {

MockEngines::MockEngines(MockPort& port) : m_port(port) {
  port.on_doorbell = [this](unsigned number) { doorbell(number); };
}

void MockEngines::doorbell(unsigned number) {
  const bool busy = m_port.queue(number).status_state() == queue::State::kRunning;
  if (!busy) begin(number);  // else when the job before has ended
}

void MockEngines::begin(unsigned number) {
  queue::View q = m_port.queue(number);
  const unsigned size = 1u << q.ring_size_log2();
  const uint64_t address = q.ring_base() + uint64_t{q.head()} % size * JobEntry::kBytes;
  const uint8_t* bytes = m_port.bytes_at(address, JobEntry::kBytes);
  if (bytes == nullptr) return m_port.fail(number, queue::ErrorCode::kFetchError, UINT32_MAX, 0);
  uint32_t words[JobEntry::kWords];
  std::memcpy(words, bytes, sizeof words);
  if (JobEntry::check(words)) return m_port.fail(number, queue::ErrorCode::kBadJob, UINT32_MAX, 0);
  entries[number] = JobEntry::decode(words);
  m_queues[number] = {m_queues[number].life + 1, 0};
  q.set_status_state(queue::State::kRunning);
  q.set_current_job_tag(entries[number].tag);
  q.set_current_command_index(0);
  if (silent.count(number) == 0) step_later(number);
}

void MockEngines::step_later(unsigned number) {
  m_port.at(m_port.now_ns + command_ns, [this, number, life = m_queues[number].life] {
    if (life == m_queues[number].life) step(number);
  });
}

void MockEngines::step(unsigned number) {
  Queue& state = m_queues[number];
  queue::View q = m_port.queue(number);
  if (q.status_state() != queue::State::kRunning) return;
  const presil_engine_description& engine = *presil_engine_of(number);
  const JobEntry& job = entries[number];
  const auto& format = *engine.format();
  const size_t bytes = format.word_count * sizeof(uint32_t);
  const uint64_t address = job.stream_address + uint64_t{state.next} * format.pitch_bytes;
  const uint8_t* from = m_port.bytes_at(address, bytes);
  if (from == nullptr) {
    return m_port.fail(number, queue::ErrorCode::kFetchError, state.next, job.tag);
  }
  uint32_t words[PRESIL_MAX_COMMAND_WORDS];
  std::memcpy(words, from, bytes);

  bool met = true;
  for (unsigned id = 1; job.barrier && state.next == 0 && id <= job.sync_count; ++id) {
    const auto target = static_cast<uint32_t>(job.value_base);
    met = met && static_cast<int32_t>(m_port.count(job.sync_base + id) - target) >= 0;
  }
  for (unsigned i = 0; i < engine.waits; ++i) {
    const auto id = static_cast<unsigned>(presil_engine_get(&engine, words, engine.wait[i]));
    const auto value = static_cast<uint32_t>(presil_engine_get(&engine, words, engine.value[i]));
    if (id == 0) continue;
    const uint32_t target = value + static_cast<uint32_t>(job.value_base);
    met = met && static_cast<int32_t>(m_port.count(job.sync_base + id) - target) >= 0;
  }
  if (met) {
    const auto id = static_cast<unsigned>(presil_engine_get(&engine, words, engine.signal));
    const auto add = static_cast<uint32_t>(presil_engine_get(&engine, words, engine.signal_add));
    if (id != 0) m_port.signal(job.sync_base + id, add);
    q.set_current_command_index(++state.next);
    if (state.next == job.command_count) {
      q.set_status_state(queue::State::kIdle);
      q.set_head(static_cast<uint16_t>(q.head() + 1));
      if (q.head() != q.tail()) begin(number);
      return;
    }
  }
  step_later(number);
}

}  // namespace presil::driver
