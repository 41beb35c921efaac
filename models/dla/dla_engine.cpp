#include "models/dla/dla_engine.h"

#include <algorithm>
#include <utility>

#include "models/common/counter_snapshot.h"
#include "models/dla/dla_check.h"
#include "models/dla/dla_shape.h"
#include "rtl/dla/dla_description.h"
#include "rtl/soc/address_map.h"

namespace presil::dla {
namespace {

QueueFrontend::Shape queue_shape(uint8_t queue, const DlaConfig& config) {
  return {
      queue,           Command::kWords,        Command::kPitch,
      config.prefetch, PRESIL_DLA_ISA_VERSION, &Command::format().fields[PRESIL_DLA_COMMAND_CRC]};
}

struct Wait {
  uint8_t id;
  int32_t value;
};

// By wait port of sync.
Wait wait_of(const Command& c, unsigned port) {
  switch (port) {
    case 0:
      return {c.wait_weights, c.wait_weights_value};
    case 1:
      return {c.wait_in, c.wait_in_value};
    default:
      return {c.wait_out, c.wait_out_value};
  }
}

}  // namespace

Engine::Engine(uint8_t queue, const SocConfig& config, Timeline& timeline, BurstPort& fetch,
               BytePort& system, BytePort& sram, CounterPort& counters)
    : m_queue(queue),
      m_config(config),
      m_timeline(timeline),
      m_counters(counters),
      m_sram(sram),
      m_frontend(queue_shape(queue, config.dla), m_bank.queue(), timeline, fetch, system, counters),
      m_core(config.dla) {
  show_configuration();
  m_frontend.on_offer([this](const Offer& offer) { offered(offer); });
  m_frontend.on_abort([this] { abort(); });
  m_bank.on_write(PRESIL_DLA_REG_COUNTERS_CONTROL, [this](uint32_t, uint32_t written) {
    if (written & PRESIL_DLA_COUNTERS_CONTROL_SNAPSHOT_MASK) snapshot();
    if (written & PRESIL_DLA_COUNTERS_CONTROL_CLEAR_MASK) {
      m_cycles = {};
      m_idle = 0;
      s_commands = s_steps = 0;
    }
  });
}

Engine::InFlight* Engine::find(uint32_t number) {
  for (InFlight& flight : m_flights) {
    if (flight.number == number) return &flight;
  }
  return nullptr;
}

template <class What>
void Engine::at(Cycle when, const InFlight& flight, What what) {
  m_timeline.at(when, Phase::kEngine, [this, number = flight.number, what] {
    if (InFlight* found = find(number)) what(*found);
  });
}

void Engine::offered(const Offer& offer) {
  std::shared_ptr<KnownCommand> command = accepted(offer);
  if (command == nullptr) return;
  m_flights.emplace_back(m_next_number++, offer, std::move(command));
  progress();
}

std::shared_ptr<KnownCommand> Engine::accepted(const Offer& offer) {
  const JobEntry& job = offer.job->entry;
  KnownCommands::Key key;
  std::copy_n(offer.words, key.words.size(), key.words.begin());
  key.sram_base = job.sram_base;
  key.sync_count = job.sync_count;
  if (std::shared_ptr<KnownCommand> known = m_known.find(key)) return known;
  const auto fault =
      check(offer.words, m_config.dla, job.sram_base, job.sync_count, m_config.sram.bytes);
  if (fault) {
    m_frontend.fail(*offer.job, offer.index,
                    {fault->code, fault->rule, fault->word, fault->address});
    return nullptr;
  }
  const Command command = relocated(Command::decode(offer.words), job.sram_base);
  const auto made = std::make_shared<KnownCommand>(command, m_config.dla);
  m_known.add(key, made);
  return made;
}

// Asks what may be asked, and schedules what can be.
void Engine::progress() {
  for (size_t i = 0; i < m_flights.size(); ++i) {
    for (unsigned port = 0; port < kWaits; ++port) {
      // A wait port serves one command at a time.
      if (m_flights[i].asked[port] || (i > 0 && !m_flights[i - 1].met[port])) continue;
      ask(m_flights[i], port);
    }
  }
  for (InFlight& flight : m_flights) {
    if (!flight.scheduled) {
      const auto& met = flight.met;
      if (!std::all_of(met.begin(), met.end(), [](bool m) { return m; })) break;
      schedule_front(flight);
    }
  }
  for (InFlight& flight : m_flights) {
    if (!flight.taken) {
      schedule_take(flight);
      break;
    }
  }
  m_frontend.waiting(!m_flights.empty() && !m_flights.front().scheduled);
}

void Engine::ask(InFlight& flight, unsigned port) {
  flight.asked[port] = true;
  const Wait wait = wait_of(flight.command(), port);
  const Signaller by = JobContext::signaller_of(wait.id);
  Arrival& arrival = flight.arrival;
  (port == 0 ? arrival.weights_by : port == 1 ? arrival.in_by : arrival.out_by) = by;
  const uint8_t id = flight.job->counter(wait.id);
  const uint32_t value = flight.job->value(wait.value);
  if (wait.id == 0 || m_counters.met(id, value)) {
    flight.met[port] = true;
    return;
  }
  m_counters.when_met(m_queue, static_cast<uint8_t>(port), id, value,
                      [this, number = flight.number, port](Cycle cycle) {
                        m_timeline.at(cycle, Phase::kEngine,
                                      [this, number, port, cycle] { met(number, port, cycle); });
                      });
}

void Engine::met(uint32_t number, unsigned port, Cycle cycle) {
  InFlight* flight = find(number);
  if (flight == nullptr) return;
  Arrival& arrival = flight->arrival;
  (port == 0 ? arrival.weights : port == 1 ? arrival.in : arrival.out) = cycle;
  flight->met[port] = true;
  progress();
}

// The commands before it are scheduled and its waits met: its time is known to the end.
void Engine::schedule_front(InFlight& flight) {
  flight.before = m_pipeline;
  flight.arrival.setup = setup_of(flight);
  flight.schedule = schedule(flight.plan(), flight.arrival, m_pipeline, &flight.known->runs);
  flight.scheduled = true;
  if (m_banks != nullptr) {
    const uint64_t words = (flight.plan().traffic.read() + flight.plan().traffic.written) / 16;
    Schedule& s = flight.schedule;
    hold(m_banks->lost(m_queue, s.sequencer, s.end, words), s, m_pipeline);
    m_banks->announce(m_queue, s.sequencer, s.end, words);
    m_banks->forget(m_timeline.now());
  }
  if (m_config.dla.memory_overlap == 0) {
    const Schedule& s = flight.schedule;
    hold(m_moved.paid(), flight.schedule, m_pipeline, Cause::kFeatureBank);
    m_moved.works(s.sequencer, s.end);
  }
  at(std::max(m_timeline.now(), flight.schedule.sequencer), flight,
     [this](InFlight& f) { compute(f); });
  at(flight.schedule.end, flight, [this](InFlight&) { end(); });
}

// What software takes to set a layer up, where this command is its first.
Cycle Engine::setup_of(const InFlight& flight) {
  const uint32_t tag = flight.command().tag;
  if (m_config.dla.cycles_layer == 0 || m_layers == nullptr || tag >= m_layers->size()) return 0;
  const std::pair layer{flight.job->entry.tag, (*m_layers)[tag]};
  if (m_layer && *std::exchange(m_layer, layer) == layer) return 0;
  m_layer = layer;
  return m_config.dla.cycles_layer;
}

// All units have their copy once the command before it has released the last of them, which is
// known when that one is scheduled. The units of a command that is not scheduled yet are not free.
void Engine::schedule_take(InFlight& flight) {
  if (&flight != &m_flights.front() && !m_flights.front().scheduled) return;
  flight.taken = true;
  const Pipeline& before = flight.scheduled ? flight.before : m_pipeline;
  const Cycle when = std::max(m_timeline.now(), before.taken(flight.arrival.offered));
  at(when, flight, [this](InFlight&) { m_frontend.take(); });
}

void Engine::compute(InFlight& flight) {
  if (!m_values) return;
  if (!m_spare.empty()) {
    flight.results = std::move(m_spare.back());
    m_spare.pop_back();
  }
  const uint8_t* sram = m_sram.bytes_at(0, m_config.sram.bytes);
  m_core.compute(flight.command(), sram, flight.results);
  flight.bad = read_error(flight.command());
}

std::optional<uint64_t> Engine::read_error(const Command& command) {
  const auto operands = windows(command, m_config.dla);
  for (unsigned i = 0; i < kReadWindows; ++i) {
    if (const auto bad = m_sram.read(operands[i].address, operands[i].bytes)) return bad;
  }
  return {};
}

// Word by word where a word in error may be among them, which is nearly never.
void Engine::written(const Command& c) {
  const Window output = windows(c, m_config.dla)[kReadWindows];
  if (!m_sram.read(output.address, output.bytes)) return;
  const unsigned copies = c.upsample2 ? 2 : 1;
  const uint64_t pixel = output_pixel_bytes(c);
  for (uint64_t b = 0; b < c.out_blocks; ++b) {
    for (uint64_t y = 0; y < uint64_t{c.out_h} * copies; ++y) {
      for (uint64_t x = 0; x < uint64_t{c.out_w} * copies; ++x)
        m_sram.written(c.out_base + b * c.out_cb_pitch + y * c.out_row_pitch + x * c.out_x_step,
                       pixel);
    }
  }
}

// The oldest command has written its last word.
void Engine::end() {
  if (const auto bad = m_flights.front().bad) return stop_at(*bad);
  InFlight flight = std::move(m_flights.front());
  m_flights.pop_front();
  if (m_values) {
    written(flight.command());
    Core::store(flight.command(), flight.results, m_sram.bytes_at(0, m_config.sram.bytes));
  }
  m_spare.push_back(std::move(flight.results));

  const Schedule& schedule = flight.schedule;
  CommandRecord record;
  record.queue = m_queue;
  record.tag = flight.command().tag;
  record.job = flight.job->entry.tag;
  record.index = flight.index;
  record.doorbell = flight.job->doorbell;
  record.offered = flight.arrival.offered;
  record.start = std::max(schedule.sequencer, schedule.loader);
  record.end = schedule.end;
  record.cycles = schedule.cycles;
  record.sram_read_bytes = flight.plan().traffic.read();
  record.sram_written_bytes = flight.plan().traffic.written;
  const bool wide = flight.command().in_type == InType::kInt16;
  (wide ? record.actions.wide_macs : record.actions.macs) = macs(flight.command());
  account(record);
  ++s_commands;
  s_steps += schedule.steps;
  if (m_observer) m_observer(record);

  m_frontend.complete(flight.command().irq);
  if (flight.command().signal != 0) {
    m_counters.signal(schedule.end, flight.job->counter(flight.command().signal),
                      flight.command().signal_add);
  }
  progress();
}

// Between commands the queue was idle up to the doorbell of the job, then fetching.
void Engine::account(const CommandRecord& record) {
  if (record.offered > m_accounted) {
    const Cycle doorbell = std::clamp(record.doorbell, m_accounted, record.offered);
    m_idle += doorbell - m_accounted;
    m_cycles.add(Cause::kFetch, record.offered - doorbell);
  }
  m_cycles += record.cycles;
  m_accounted = record.end;
}

// It has read what ECC cannot correct: no result, no signal.
void Engine::stop_at(uint64_t address) {
  const std::shared_ptr<const JobContext> job = m_flights.front().job;
  const uint32_t index = m_flights.front().index;
  drop();
  m_frontend.fail(*job, index, {PRESIL_QUEUE_ERROR_CODE_MEMORY_ERROR, 0, 0, address});
}

void Engine::abort() {
  drop();
  m_frontend.aborted();
}

// Drops everything in flight: no result, no signal. What it had cost counts as start.
void Engine::drop() {
  for (uint8_t port = 0; port < kWaits; ++port) m_counters.withdraw(m_queue, port);
  const Cycle now = m_timeline.now();
  if (!m_flights.empty() && now > m_accounted) {
    const Cycle from = std::clamp(m_flights.front().arrival.offered, m_accounted, now);
    m_cycles.add(Cause::kFetch, from - m_accounted);
    m_cycles.add(Cause::kStart, now - from);
    m_accounted = now;
  }
  m_flights.clear();
  m_pipeline = Pipeline();
  m_pipeline.sequencer_free = m_pipeline.loader_free = m_pipeline.writer_free = now + 1;
  m_pipeline.operand_done = m_pipeline.end = now;
}

// ---------------------------------------------------------------------------------- registers

void Engine::show_configuration() {
  const DlaConfig& d = m_config.dla;
  m_bank.set_id_prefetch(static_cast<uint8_t>(d.prefetch));
  m_bank.set_array_macs_k(static_cast<uint16_t>(d.macs_k));
  m_bank.set_array_macs_c(static_cast<uint16_t>(d.macs_c));
  m_bank.set_ports_feat_ports(static_cast<uint8_t>(d.feat_ports));
  m_bank.set_ports_weight_ports(static_cast<uint8_t>(d.weight_ports));
  m_bank.set_ports_res_ports(static_cast<uint8_t>(d.macs_k / 16));
  m_bank.set_ports_out_ports(static_cast<uint8_t>(d.macs_k / 16));
  m_bank.set_lanes_post_lanes(static_cast<uint16_t>(d.post_lanes));
  m_bank.set_lanes_ew_lanes(static_cast<uint16_t>(d.ew_lanes));
  m_bank.set_acc_depth(static_cast<uint16_t>(d.acc_depth));
  m_bank.set_sram_bytes(m_config.sram.bytes);
}

// The counters as they stand: those of a command come when it ends, idle cycles up to now.
void Engine::snapshot() {
  const Cycle now = m_timeline.now();
  if (m_frontend.jobs() == 0 && m_flights.empty() && now > m_accounted) {
    m_idle += now - m_accounted;
    m_accounted = now;
  }
  static const CounterSnapshot causes(*presil_dla_description());
  causes.write(m_bank, m_cycles);
  CountersView view = m_bank.counters();
  view.set_cycles(static_cast<uint64_t>(m_cycles.total() + m_idle));
  view.set_idle(static_cast<uint64_t>(m_idle));
  view.set_commands(s_commands);
  view.set_steps(s_steps);
}

}  // namespace presil::dla
