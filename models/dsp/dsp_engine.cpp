#include "models/dsp/dsp_engine.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/base/crc.h"
#include "rtl/dsp/dsp_rules.h"

namespace presil::dsp {
namespace {

constexpr uint8_t kRegionWord = 11, kSizeWord = 13, kCrcWord = 15;

QueueFrontend::Shape queue_shape(const DspConfig& config) {
  return {PRESIL_QUEUE_DSP,       Command::kWords,
          Command::kPitch,        config.prefetch,
          PRESIL_DSP_ISA_VERSION, &Command::format().fields[PRESIL_DSP_COMMAND_CRC]};
}

}  // namespace

Engine::Engine(const SocConfig& config, Timeline& timeline, BurstPort& port, BytePort& system,
               BytePort& sram, CounterPort& counters, BankLoad& banks)
    : m_config(config),
      m_timeline(timeline),
      m_system(system),
      m_sram(sram),
      m_counters(counters),
      m_frontend(queue_shape(config.dsp), m_bank.queue(), timeline, port, system, counters),
      m_banks(banks),
      m_copier(timeline, port, PRESIL_QUEUE_DSP),
      m_program(config, sram, *this, this),
      m_limits{config.sram.bytes, config.dsp.itcm_bytes, false} {
  show_configuration();
  m_frontend.on_offer([this](const Offer& offer) { offered(offer); });
  m_frontend.on_abort([this] { abort(); });
  m_bank.on_write(PRESIL_DSP_REG_COUNTERS_CONTROL, [this](uint32_t, uint32_t written) {
    if (written & PRESIL_DSP_COUNTERS_CONTROL_SNAPSHOT_MASK) snapshot();
    if (written & PRESIL_DSP_COUNTERS_CONTROL_CLEAR_MASK) {
      m_cycles = {};
      m_idle = 0;
      s_commands = s_instructions = s_elements = 0;
      m_copier.reset_statistics();
      m_fetched_before = m_frontend.fetched_bytes();
    }
  });
  m_bank.on_read(PRESIL_DSP_REG_PROGRAM_PC,
                 [this] { m_bank.set_program_pc(m_running ? m_program.pc() : 0); });
  m_bank.on_write(PRESIL_DSP_REG_TRAP_CONTROL, [this](uint32_t, uint32_t written) {
    if ((written & PRESIL_DSP_TRAP_CONTROL_CLEAR_MASK) == 0) return;
    for (uint32_t at = PRESIL_DSP_REG_TRAP; at <= PRESIL_DSP_REG_TRAP_DISTANCE; at += 4)
      m_bank.set(at, 0);
  });
}

template <class What>
void Engine::at(Cycle when, What what) {
  m_timeline.at(std::max(when, now()), Phase::kEngine, [this, life = m_life, what] {
    if (life == m_life) what();
  });
}

// ------------------------------------------------------------------------ a command's beginning

void Engine::Work::mark(Cause cause, Cycle to) {
  if (to <= cursor) return;
  waits.push_back({cursor, to, cause});
  cursor = to;
}

void Engine::offered(const Offer& offer) {
  if (const auto error = check(offer.words, *offer.job, m_limits)) {
    m_frontend.fail(*offer.job, offer.index, *error);
    return;
  }
  m_next = std::make_unique<Work>();
  Work& work = *m_next;
  work.command = Command::decode(offer.words);
  work.job = offer.job;
  work.index = offer.index;
  work.offered = work.cursor = offer.at;
  m_waits = 0;
  ask(0, work.command.wait0, work.command.wait0_value);
  ask(1, work.command.wait1, work.command.wait1_value);
  ask(2, work.command.wait2, work.command.wait2_value);
  m_frontend.waiting(m_waits > 0 && !m_active);
  try_begin();
}

void Engine::ask(uint8_t port, uint8_t id, int32_t value) {
  if (id == 0) return;
  const uint8_t counter = m_next->job->counter(id);
  const uint32_t awaited = m_next->job->value(value);
  if (m_counters.met(counter, awaited)) return;
  ++m_waits;
  const Cause cause = wait_for(Cause::kWait, JobContext::signaller_of(id));
  m_counters.when_met(PRESIL_QUEUE_DSP, port, counter, awaited,
                      [this, life = m_life, work = m_next.get(), cause](Cycle cycle) {
                        if (life != m_life || m_next.get() != work) return;
                        work->mark(cause, cycle);
                        if (--m_waits > 0) return;
                        m_frontend.waiting(false);
                        m_timeline.at(cycle, Phase::kEngine, [this, life] {
                          if (life == m_life) try_begin();
                        });
                      });
}

void Engine::try_begin() {
  if (!m_next || m_waits > 0 || m_active || m_halting) return;
  m_active = std::move(m_next);
  m_active->start = now();
  m_frontend.take();
  switch (m_active->command.op) {
    case Op::kNop:
      m_active->cycles.add(Cause::kStart, cycles_start_to_complete);
      at(now() + cycles_start_to_complete, [this] { end(); });
      break;
    case Op::kSelect:
      select();
      break;
    default:
      at(now() + cycles_start_to_regions + m_active->command.region_count,
         [this] { load_regions(); });
      break;
  }
}

// -------------------------------------------------------------------------------------- an image

void Engine::select() {
  const Command& c = m_active->command;
  const JobContext& job = *m_active->job;
  const uint64_t from = c.image_in_sram ? job.sram_address(c.image_offset)
                                        : job.entry.region_base[c.image_region] + c.image_offset;
  const uint8_t* bytes = (c.image_in_sram ? m_sram : m_system).bytes_at(from, c.image_bytes);
  m_program.drop_image();
  show_image(0);
  if (bytes == nullptr) {
    fail({PRESIL_QUEUE_ERROR_CODE_BUS_ERROR, 0, 0, from});
    return;
  }
  if (const auto bad = (c.image_in_sram ? m_sram : m_system).read(from, c.image_bytes)) {
    fail({PRESIL_QUEUE_ERROR_CODE_MEMORY_ERROR, 0, 0, *bad});
    return;
  }
  Copy copy;
  copy.row_bytes = c.image_bytes;
  copy.rows = 1;
  copy.from.dram = !c.image_in_sram;
  copy.from.address = from;
  copy.bytes.assign(bytes, bytes + c.image_bytes);
  copy.destination.push_back(nullptr);
  m_image = copy.bytes;
  copy.destination[0] = m_image.data();
  m_copier.start(std::move(copy), now() + cycles_start_to_image,
                 [this](const Copier::Ended& ended) { selected(ended); });
}

void Engine::selected(const Copier::Ended& ended) {
  Work& work = *m_active;
  const Command& c = work.command;
  const Cycle complete = now() + cycles_image_to_complete;
  (c.image_in_sram ? work.sram_read : work.dram_read) = c.image_bytes;
  if (ended.error) {
    fail({PRESIL_QUEUE_ERROR_CODE_BUS_ERROR, 0, 0, ended.address});
    return;
  }
  work.cycles.add(Cause::kStart, ended.first - work.start);
  work.cycles.add(Cause::kRun, complete - ended.first);
  at(complete, [this] {
    const uint32_t expected = m_active->command.image_crc;
    if (crc32(m_image.data(), m_image.size()) != expected) {
      fail({PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, PRESIL_DSP_R9_IMAGE_CRC, kCrcWord, 0});
      return;
    }
    m_program.set_image(m_image);
    show_image(expected);
    end();
  });
}

void Engine::show_image(uint32_t crc) {
  m_resident_crc = crc;
  m_bank.set_image_crc(crc);
  m_bank.set_image_bytes(m_program.image_bytes());
}

// ------------------------------------------------------------------------------------- a program

// The region table has been read.
void Engine::load_regions() {
  const Command& c = m_active->command;
  const bool resident = m_program.image_bytes() != 0 && m_resident_crc == c.image_crc;
  if (!resident || c.entry - PRESIL_DSP_ITCM >= m_program.image_bytes()) {
    fail({PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, PRESIL_DSP_R8_RESIDENT, kCrcWord, 0});
    return;
  }
  m_regions.assign(c.region_count, {});
  uint64_t entry = m_active->job->sram_address(c.regions_base);
  m_active->sram_read += uint64_t{PRESIL_DSP_REGION_BYTES} * c.region_count;
  for (Region& region : m_regions) {
    uint32_t words[4];
    std::memcpy(words, m_sram.bytes_at(entry, sizeof words), sizeof words);
    if (const auto error = region_of(words, entry, region)) {
      fail(*error);
      return;
    }
    entry += PRESIL_DSP_REGION_BYTES;
  }
  if (const auto bad = read_error()) {
    fail({PRESIL_QUEUE_ERROR_CODE_MEMORY_ERROR, 0, 0, *bad});
    return;
  }
  at(now() + cycles_regions_to_instruction, [this] { first_instruction(); });
}

// What the program may read: its table, its arguments, its regions; where it reads them, and when,
// is not looked at.
std::optional<uint64_t> Engine::read_error() const {
  const Command& c = m_active->command;
  const JobContext& job = *m_active->job;
  if (const auto bad = m_sram.read(job.sram_address(c.regions_base),
                                   uint64_t{PRESIL_DSP_REGION_BYTES} * c.region_count))
    return bad;
  if (const auto bad = m_sram.read(job.sram_address(c.args_base), c.args_bytes)) return bad;
  for (const Region& region : m_regions) {
    if ((region.rights & kRead) == 0) continue;
    const bool sram = region.space == Space::kSram;
    const auto bad = sram ? m_sram.read(region.base - PRESIL_DSP_SRAM, region.bytes)
                          : m_system.read(region.base, region.bytes);
    if (bad) return bad;
  }
  return std::nullopt;
}

std::optional<QueueError> Engine::region_of(const uint32_t* words, uint64_t at,
                                            Region& region) const {
  constexpr uint32_t kRights = PRESIL_DSP_REGION_READ | PRESIL_DSP_REGION_WRITE;
  const uint32_t offset = words[0], bytes = words[1], what = words[2];
  const uint32_t space = what & PRESIL_DSP_REGION_SPACE_MASK;
  if ((what & PRESIL_DSP_REGION_RESERVED) != 0 || words[3] != 0 || bytes == 0 ||
      (what & kRights) == 0 || space > PRESIL_DSP_REGION_SPACE_SRAM)
    return QueueError{PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, PRESIL_DSP_R10_REGION_ENTRY, kRegionWord,
                      at};
  region.bytes = bytes;
  region.rights = static_cast<uint8_t>(((what & PRESIL_DSP_REGION_READ) != 0 ? kRead : 0) |
                                       ((what & PRESIL_DSP_REGION_WRITE) != 0 ? kWrite : 0));
  region.tensor = static_cast<uint16_t>(what >> PRESIL_DSP_REGION_TENSOR_SHIFT);
  if (space == PRESIL_DSP_REGION_SPACE_SRAM) {
    const uint64_t first = m_active->job->sram_address(offset);
    region.space = Space::kSram;
    region.base = PRESIL_DSP_SRAM + first;
    if (first + bytes <= m_config.sram.bytes) region.host = m_sram.bytes_at(first, bytes);
  } else {
    const auto first = m_active->job->system_address(space, offset, bytes);
    region.space = Space::kDram;
    region.base = first.value_or(0);
    if (first && *first >= PRESIL_DRAM_BASE) region.host = m_system.bytes_at(*first, bytes);
  }
  if (region.host != nullptr) return std::nullopt;
  return QueueError{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, kRegionWord, at};
}

void Engine::first_instruction() {
  const Command& c = m_active->command;
  Program::Setup setup;
  setup.entry = c.entry;
  setup.args = m_active->job->sram_address(c.args_base);
  setup.args_bytes = c.args_bytes;
  setup.watchdog = c.watchdog;
  setup.regions = m_regions;
  m_origin = now();
  m_started = m_done = 0;
  m_copy_error.reset();
  m_running = true;
  m_waiting = m_returned = false;
  m_active->cycles.add(Cause::kStart, now() - m_active->start);
  m_program.begin(setup);
  m_start = {c.tag, m_active->index, c.entry, c.image_crc, m_origin};
  if (m_watch != nullptr) m_watch->begins(m_start, m_program.core());
  step();
}

// Up to the next event of anybody else, or to where a caller from outside may act.
void Engine::step() {
  const Cycle next = std::min(m_timeline.next(), m_timeline.limit());
  const Cycle limit = std::max(next, now() + 1) - m_origin;
  m_banks.forget(now());
  switch (m_program.advance(static_cast<uint64_t>(limit))) {
    case Program::State::kRunning:
      at(std::max(now() + 1, m_origin + static_cast<Cycle>(m_program.cycle())), [this] { step(); });
      break;
    case Program::State::kWaiting:
      m_waiting = true;
      break;
    case Program::State::kEnded:
      ended();
      break;
    case Program::State::kTrapped:
      at(m_origin + static_cast<Cycle>(m_program.cycle()), [this] { trapped(); });
      break;
  }
}

// Its last instruction is done; copies may still be under way.
void Engine::ended() {
  m_returned = true;
  m_returned_at = m_origin + static_cast<Cycle>(m_program.cycle());
  if (m_copier.idle()) returned(m_returned_at);
}

void Engine::returned(Cycle when) {
  when = std::max(when, now());
  m_program.waited_until(static_cast<uint64_t>(when - m_origin));
  at(when + cycles_return_to_complete, [this] {
    account_program(*m_active);
    m_active->cycles.add(Cause::kStart, cycles_return_to_complete);
    if (const auto bad = read_error()) {  // since it began
      fail({PRESIL_QUEUE_ERROR_CODE_MEMORY_ERROR, 0, 0, *bad});
      return;
    }
    end();
  });
}

void Engine::trapped() {
  Work& work = *m_active;
  show_trap(work, m_program.trap());
  if (work.command.on_trap == OnTrap::kGoOn) {
    ended();
    return;
  }
  fail({PRESIL_QUEUE_ERROR_CODE_KERNEL_TRAP, 0, 0, 0});
}

// ------------------------------------------------------------------------- its own DMA channel

uint32_t Engine::start(Copy copy, uint64_t cycle) {
  const uint64_t bytes = uint64_t{copy.row_bytes} * copy.rows;
  if (copy.from.dram) m_active->dram_read += bytes;
  if (copy.to.dram) m_active->dram_written += bytes;
  m_copier.start(std::move(copy), m_origin + static_cast<Cycle>(cycle),
                 [this](const Copier::Ended& ended) { copied(ended); });
  return ++m_started;
}

void Engine::copied(const Copier::Ended& ended) {
  ++m_done;
  if (ended.error) {
    fail({PRESIL_QUEUE_ERROR_CODE_BUS_ERROR, 0, 0, ended.address});
    return;
  }
  if (m_returned) {
    if (m_copier.idle()) returned(m_returned_at);
  } else if (m_waiting) {
    m_waiting = false;
    m_program.waited_until(static_cast<uint64_t>(now() - m_origin));
    step();
  }
}

// --------------------------------------------------------------------------- ends of all kinds

void Engine::end() {
  const std::unique_ptr<Work> work = std::move(m_active);
  m_running = false;
  const CommandRecord record = record_of(*work, now());
  account(record);
  ++s_commands;
  if (m_observer) m_observer(record);
  m_frontend.complete(work->command.irq);
  if (const uint8_t counter = work->job->counter(work->command.signal))
    m_counters.signal(now(), counter, work->command.signal_add);
  m_frontend.waiting(m_waits > 0 && m_next != nullptr);
  try_begin();
}

// No signal; the queue stops when what is outstanding has come back.
void Engine::fail(const QueueError& error) {
  for (uint8_t port = 0; port < kWaits; ++port) m_counters.withdraw(PRESIL_QUEUE_DSP, port);
  ++m_life;
  m_halting = true;
  m_next.reset();
  m_waits = 0;
  // A program that has run ahead of the time has not done what it did.
  if (m_running && m_origin + static_cast<Cycle>(m_program.cycle()) <= now()) {
    account_program(*m_active);
  } else {
    m_active->cycles = {};
  }
  m_running = false;
  m_copier.drop([this, error] {
    m_halting = false;
    const std::unique_ptr<Work> work = std::move(m_active);
    account(record_of(*work, now()));
    m_frontend.fail(*work->job, work->index, error);
  });
}

void Engine::abort() {
  for (uint8_t port = 0; port < kWaits; ++port) m_counters.withdraw(PRESIL_QUEUE_DSP, port);
  ++m_life;
  m_halting = true;
  m_next.reset();
  m_waits = 0;
  if (m_active) m_active->cycles = {};
  m_running = false;
  m_copier.drop([this] {
    m_halting = false;
    if (m_active) account(record_of(*m_active, now()));
    m_active.reset();
    m_frontend.aborted();
  });
}

}  // namespace presil::dsp
