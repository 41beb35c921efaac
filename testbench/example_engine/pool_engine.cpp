#include "pool_engine.h"

#include <algorithm>

#include "models/common/counter_snapshot.h"
#include "pool/pool_description.h"

namespace presil::pool {
namespace {

QueueFrontend::Shape queue_shape(uint8_t queue, const Parameters& parameters) {
  return {queue, Command::kWords, Command::kPitch, parameters.prefetch, PRESIL_POOL_ISA_VERSION};
}

struct Wait {
  uint8_t id;
  int32_t value;
};
Wait wait_of(const Command& c, unsigned port) {
  return port == 0 ? Wait{c.wait0, c.wait0_value} : Wait{c.wait1, c.wait1_value};
}

}  // namespace

Engine::Engine(const EnginePlace& place, const Parameters& parameters, Contention* contention)
    : m_parameters(parameters),
      m_queue(place.queue),
      m_timeline(place.timeline),
      m_counters(place.counters),
      m_sram(place.sram),
      m_contention(contention),
      m_frontend(queue_shape(place.queue, parameters), m_bank.queue(), place.timeline, place.fetch,
                 place.system, place.counters) {
  if (contention == nullptr && place.banks != nullptr) {
    m_contention = &m_shares.emplace(*place.banks);
  }
  m_bank.set_id_prefetch(static_cast<uint8_t>(parameters.prefetch));
  m_bank.set_positions_entries(static_cast<uint16_t>(parameters.table_entries));
  m_bank.set_sram_bytes(parameters.sram_bytes);
  m_frontend.on_offer([this](const Offer& offer) { offered(offer); });
  m_frontend.on_abort([this] { abort(); });
  m_bank.on_write(PRESIL_POOL_REG_COUNTERS_CONTROL, [this](uint32_t, uint32_t written) {
    if (written & PRESIL_POOL_COUNTERS_CONTROL_SNAPSHOT_MASK) snapshot();
    if (written & PRESIL_POOL_COUNTERS_CONTROL_CLEAR_MASK) {
      m_cycles = {};
      m_idle = 0;
      s_commands = 0;
    }
  });
}

/// Runs `what` in cycle `when`, unless an abort or the next take comes before.
template <class What>
void Engine::at(Cycle when, What what) {
  m_timeline.at(when, Phase::kEngine, [this, life = m_life, what] {
    if (life == m_life) what();
  });
}

void Engine::offered(const Offer& offer) {
  const auto fault =
      check(offer.words, m_parameters, offer.job->entry.sram_base, offer.job->entry.sync_count);
  if (fault) {
    m_frontend.fail(*offer.job, offer.index,
                    {fault->code, fault->rule, fault->word, fault->address});
    return;
  }
  Waiting waiting;
  waiting.job = offer.job;
  waiting.index = offer.index;
  waiting.offered = offer.at;
  waiting.command = Command::decode(offer.words);
  waiting.command.in_base += offer.job->entry.sram_base;
  waiting.command.out_base += offer.job->entry.sram_base;
  waiting.command.table_base += offer.job->entry.sram_base;
  m_waiting = std::move(waiting);
  if (!m_running) ask();
}

// The engine is free, or has just ended a command: the waits are looked at.
void Engine::ask() {
  const Cycle now = m_timeline.now();
  m_waiting->asked = now;
  for (unsigned port = 0; port < kWaits; ++port) {
    const Wait wait = wait_of(m_waiting->command, port);
    const uint8_t id = m_waiting->job->counter(wait.id);
    const uint32_t value = m_waiting->job->value(wait.value);
    if (wait.id == 0 || m_counters.met(id, value)) {
      m_waiting->met[port] = now;
      continue;
    }
    m_counters.when_met(m_queue, static_cast<uint8_t>(port), id, value,
                        [this, life = m_life, port](Cycle cycle) {
                          m_timeline.at(cycle, Phase::kEngine,
                                        [this, life, port, cycle] { met(life, port, cycle); });
                        });
  }
  take_when_met();
}

void Engine::met(uint32_t number, unsigned port, Cycle cycle) {
  if (number != m_life || !m_waiting) return;
  m_waiting->met[port] = cycle;
  take_when_met();
}

void Engine::take_when_met() {
  const bool all = m_waiting->met[0] && m_waiting->met[1];
  m_frontend.waiting(!all);
  if (all) at(std::max(m_timeline.now(), m_free), [this] { take(); });
}

void Engine::take() {
  ++m_life;
  const Cycle now = m_timeline.now();
  m_running.emplace(Running{*m_waiting, now, Timing(m_waiting->command, now, m_contention)});
  m_waiting.reset();
  m_frontend.take();
  at(m_running->timing.now(), [this] { advance(); });
}

// The port comes to the next row of results.
void Engine::advance() {
  Timing& timing = m_running->timing;
  if (timing.row()) {
    at(timing.now(), [this] { advance(); });
  } else {
    at(timing.end(), [this] { end(); });
  }
}

void Engine::end() {
  const Running done = std::move(*m_running);
  m_running.reset();
  const Command& command = done.from.command;
  const Cycle now = m_timeline.now();
  compute(command, m_sram.bytes_at(0, m_parameters.sram_bytes));

  CommandRecord record;
  record.queue = m_queue;
  record.tag = command.tag;
  record.job = done.from.job->entry.tag;
  record.index = done.from.index;
  record.doorbell = done.from.job->doorbell;
  record.offered = done.from.offered;
  record.start = done.taken;
  record.end = now;
  record.sram_read_bytes = done.timing.words_read() * kWord;
  record.sram_written_bytes = done.timing.words_written() * kWord;
  account(record, done);
  ++s_commands;
  m_free = now + 1;
  if (m_observer) m_observer(record);

  m_frontend.complete(command.irq);
  if (command.signal != 0) {
    m_counters.signal(now, done.from.job->counter(command.signal), command.signal_add);
  }
  if (m_waiting) ask();
}

// Up to the doorbell of its job the queue was idle, then it was fetching, then the command waited.
void Engine::account(CommandRecord& record, const Running& done) {
  const Cycle from = std::max(m_accounted, record.offered);
  const Cycle doorbell = std::clamp(record.doorbell, m_accounted, from);
  m_idle += doorbell - m_accounted;
  m_cycles.add(Cause::kFetch, from - doorbell);
  Cycle waited = from;
  for (unsigned port = 0; port < kWaits; ++port) {
    const Cycle until = std::max(waited, *done.from.met[port]);
    const Signaller by = JobContext::signaller_of(wait_of(done.from.command, port).id);
    record.cycles.add(wait_for(Cause::kWait, by), until - waited);
    waited = until;
  }
  const Cycles& cycles = done.timing.cycles();
  record.cycles.add(Cause::kStart, done.taken - waited + cycles.start);
  record.cycles.add(Cause::kRun, cycles.run);
  record.cycles.add(Cause::kSramBank, cycles.bank);
  record.cycles.add(Cause::kDrain, cycles.drain);
  m_cycles += record.cycles;
  m_accounted = record.end;
}

// Drops what is under way: no result, no signal. What it had cost counts as start.
void Engine::abort() {
  ++m_life;
  for (uint8_t port = 0; port < kWaits; ++port) m_counters.withdraw(m_queue, port);
  const Cycle now = m_timeline.now();
  if (now > m_accounted && (m_waiting || m_running)) {
    const Waiting& of = m_running ? m_running->from : *m_waiting;
    const Cycle from = std::clamp(of.offered, m_accounted, now);
    m_cycles.add(Cause::kFetch, from - m_accounted);
    m_cycles.add(Cause::kStart, now - from);
    m_accounted = now;
  }
  m_running.reset();
  m_waiting.reset();
  m_free = now + 1;
  m_frontend.aborted();
}

// The counters as they stand: those of a command come when it ends, idle cycles up to now.
void Engine::snapshot() {
  const Cycle now = m_timeline.now();
  if (m_frontend.jobs() == 0 && !m_running && !m_waiting && now > m_accounted) {
    m_idle += now - m_accounted;
    m_accounted = now;
  }
  static const CounterSnapshot causes(*presil_pool_description());
  causes.write(m_bank, m_cycles);
  CountersView view = m_bank.counters();
  view.set_cycles(static_cast<uint64_t>(m_cycles.total() + m_idle));
  view.set_idle(static_cast<uint64_t>(m_idle));
  view.set_commands(s_commands);
}

}  // namespace presil::pool
