#include "models/dma/dma_channel.h"

#include <algorithm>

#include "models/dma/dma_check.h"

namespace presil::dma {

namespace {

/// Writes of a system-to-system copy are cut like those of a store.
Command as_store(Command command) {
  command.src_space = Space::kSram;
  return command;
}

}  // namespace

Channel::Channel(unsigned index, queue::View registers, const Surroundings& around,
                 SharedEngine& engine)
    : m_around(around),
      m_engine(engine),
      m_queue(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + index)),
      m_frontend({m_queue, Command::kWords, Command::kPitch, around.config.dma.prefetch,
                  PRESIL_DMA_ISA_VERSION, &Command::format().fields[PRESIL_DMA_COMMAND_CRC]},
                 registers, around.timeline, around.crossbar.port(m_queue), around.system,
                 around.counters) {
  m_frontend.on_offer([this](const Offer& offer) { offered(offer); });
  m_frontend.on_abort([this] { abort(); });
}

// ------------------------------------------------------------------------- a command's beginning

void Channel::offered(const Offer& offer) {
  if (const auto error = check(offer.words, *offer.job, m_around.config.sram.bytes)) {
    m_frontend.fail(*offer.job, offer.index, *error);
    return;
  }
  m_next = std::make_shared<Work>();
  Work& work = *m_next;
  const Command& c = work.command = Command::decode(offer.words);
  const JobContext& job = *offer.job;
  work.job = offer.job;
  work.index = offer.index;
  work.offered = work.cursor = offer.at;
  work.fetched = offer.fetched;
  work.path = path_of(c);
  const auto absolute = [&](Space space, unsigned region, uint64_t base) {
    return (space == Space::kSram ? job.entry.sram_base : job.entry.region_base[region]) + base;
  };
  work.source = source_of(c, absolute(c.src_space, c.src_region, c.src_base));
  work.destination = destination_of(c, absolute(c.dst_space, c.dst_region, c.dst_base));
  m_waits = 0;
  ask(0, c.wait0, c.wait0_value);
  ask(1, c.wait1, c.wait1_value);
  m_frontend.waiting(m_waits > 0);
  if (c.pack != Pack::kNone) {
    work.judged = Timeline::kNever;
    m_engine.request_division(m_queue - PRESIL_QUEUE_DMA0);
  }
  try_begin();
}

void Channel::divided() {
  m_next->judged = now();
  try_begin();
}

void Channel::ask(uint8_t port, uint8_t id, int32_t value) {
  if (id == 0) return;
  const uint8_t counter = m_next->job->counter(id);
  const uint32_t awaited = m_next->job->value(value);
  if (m_around.counters.met(counter, awaited)) return;
  ++m_waits;
  const Cause cause = wait_for(Cause::kWait, JobContext::signaller_of(id));
  m_around.counters.when_met(m_queue, port, counter, awaited,
                             [this, work = m_next.get(), cause](Cycle at) {
                               if (m_next.get() != work) return;
                               work->mark(cause, at);
                               if (--m_waits > 0) return;
                               m_frontend.waiting(false);
                               try_begin();
                             });
}

// The next command loads its iterators when its waits are met, the one before has issued its last
// burst, and nothing has to be drained first.
void Channel::try_begin() {
  if (!m_next || m_waits > 0 || m_active || m_works.size() >= kCommandsInFlight ||
      m_halt != Halt::kNo || now() < m_next->judged) {
    return;
  }
  const Work& work = *m_next;
  const bool turns =
      work.path != Path::kNone && m_last_path != Path::kNone && work.path != m_last_path;
  if ((work.command.fence || turns) && !m_works.empty()) return;
  // Of a job that a barrier has held, the first command is new when it is offered.
  const bool held = work.index == 0 && work.job->entry.barrier;
  const Cycle since = held ? work.offered : work.fetched;
  Cycle first_at = std::max({since + cycles_command_to_take, m_next_first_at, now()});
  if (now() > work.offered) first_at = std::max(first_at, now() + cycles_met_to_take);
  begin(first_at);
}

void Channel::begin(Cycle first_at) {
  const std::shared_ptr<Work> held = std::move(m_next);
  m_next.reset();
  Work& work = *held;
  work.mark(Cause::kDrain, now());  // until here the command before it had the channel
  work.start = now();
  work.first_at = first_at;
  m_works.push_back(held);
  m_frontend.take();
  if (work.path == Path::kNone) {
    work.issued = true;
    work.done_at = first_at;
    m_next_first_at = first_at;
    check_front();
    return;
  }
  m_active = held;
  m_last_path = work.path;
  work.awaited.reserve(m_around.config.dma.bursts_per_channel);
  if (!m_spare.empty()) {
    work.stream = std::move(m_spare.back());
    m_spare.pop_back();
  }
  BytePort& from = work.command.src_space == Space::kSram ? m_around.sram : m_around.system;
  const bool values = m_values && work.command.op == Op::kCopy;
  if (values && !gather(work.command, work.source, from, work.stream)) {
    fail(work, work.source.base);
    settle_halt();
    return;
  }
  if (values) {
    if (const auto bad = read_error(work.source, from)) {
      fail(work, *bad, PRESIL_QUEUE_ERROR_CODE_MEMORY_ERROR);
      settle_halt();
      return;
    }
  }
  const unsigned beat = m_around.config.noc.data_bytes;
  m_take_at = m_pick_at = first_at;
  if (work.path == Path::kLoad || work.path == Path::kMove) {
    work.reads.emplace(work.command, work.source, work.destination, beat);
    m_engine.wake_takes(first_at);
  }
  if (work.path != Path::kLoad) {
    const bool move = work.path == Path::kMove;
    work.writes.emplace(move ? as_store(work.command) : work.command, work.source, work.destination,
                        beat);
    if (move) {
      work.moved.emplace(work.command, work.destination, beat);
    } else {
      work.walk.emplace(work.command, work.source, work.destination);
      m_engine.wake_picks(first_at);
    }
  }
}

void Channel::issued_all(Cycle next_first_at) {
  m_active->issued = true;
  m_active.reset();
  m_next_first_at = next_first_at;
  check_front();
  try_begin();
}

// -------------------------------------------------------------------------------- the read side

Cycle Channel::take_at() const {
  if (!m_active || m_halt != Halt::kNo || !m_active->reads || m_active->reads->done() ||
      m_reads >= m_around.config.dma.bursts_per_channel) {
    return Timeline::kNever;
  }
  if (!m_active->moved) return m_take_at;
  // What a move reads must fit between R and W.
  const Cycle at = std::max(m_take_at, now());
  return m_active->moved->room_at(at, m_active->reads->piece().bytes).value_or(Timeline::kNever);
}

void Channel::take() {
  Work& work = *m_active;
  const Piece piece = work.reads->piece();
  work.reads->next();
  if (work.moved) work.moved->taken(piece.bytes);
  work.read_bytes += piece.bytes;
  s_bytes_read += piece.bytes;
  ++work.outstanding;
  ++m_reads;
  work.awaited.push_back({piece, 0, now(), 0, false});
  m_take_at = now() + 1;
  Burst burst{now() + cycles_take_to_address, piece.address, piece.bytes, false, m_queue};
  if (!work.moved) {
    burst.cycles = static_cast<uint16_t>(std::min(piece.words, 0xffffu));
    burst.tail = static_cast<uint8_t>(std::min(piece.tail, 0xffu));
  }
  const bool last = work.path == Path::kLoad && work.reads->done();
  m_around.crossbar.read(noc::Fabric::kDmaData, burst,
                         [this, &work](const BurstTimes& times) { read_answered(work, times); });
  if (last) issued_all(now() + cycles_take_to_take);
}

// The times of a burst are known: account for the way, and be there when it has arrived.
void Channel::read_answered(Work& work, const BurstTimes& times) {
  // reads are answered in order; among them a move awaits its writes
  const auto read = std::find_if(work.awaited.begin(), work.awaited.end(),
                                 [](const Issued& issued) { return issued.number == 0; });
  const Piece piece = read->piece;
  work.awaited.erase(read);
  Cycle own_until = std::max(times.first, work.cursor);
  const auto part = [&own_until, &work](Cycle cycles) {  // of the gap, from its end
    const Cycle own = std::clamp<Cycle>(cycles, 0, own_until - work.cursor);
    own_until -= own;
    return own;
  };
  part(times.refresh);
  const Cycle turnaround = part(times.turnaround);
  const Cycle row = part(times.row), busy = part(times.busy);
  if (!work.began) {
    work.began = true;
    work.mark(Cause::kStart, std::min(work.first_at + cycles_take_to_address, own_until));
  }
  // Between bursts that follow each other at the DRAM's pace the R port rests a cycle or two.
  const bool pace = own_until - work.cursor <= 2;
  // The beats come as the DRAM's data bus moves them, unless the SRAM port takes longer.
  const bool bus = times.bus > static_cast<Cycle>(piece.words);
  const Cycle own = std::min<Cycle>(times.own, own_until - work.cursor);
  if (pace) {
    work.mark(Cause::kRun, own_until, bus);
  } else {
    work.mark(Cause::kReadCredit, own_until - own);
    work.mark(Cause::kReadCredit, own_until, true);
  }
  const Cycle port = std::min<Cycle>(times.port, busy);
  work.mark(Cause::kDramBusy, own_until + busy - port, true);
  work.mark(Cause::kDramBusy, own_until + busy);
  work.mark(Cause::kDramRow, own_until + busy + row);
  work.mark(Cause::kDramTurnaround, own_until + busy + row + turnaround);
  work.mark(Cause::kDramRefresh, times.first);
  const Cycle gone = times.last + (work.moved ? 1 : times.gone);
  work.mark(Cause::kRun, gone, bus);
  if (work.moved) {
    work.arrivals.push_back({piece, times.error});
    work.moved->read(piece, times.first, times.last);
    move_on(work);
    return;
  }
  await_words(work, {piece, times.error}, gone, times.booking);
}

// A local copy that has come before the words since makes them later.
void Channel::await_words(Work& work, const Arrival& read, Cycle gone, uint32_t booking) {
  m_around.timeline.at(gone, Phase::kEngine, [this, &work, read, booking] {
    const Cycle at = m_around.crossbar.gone(booking, now());
    if (at > now()) return await_words(work, read, at, booking);
    read_arrived(work, read.piece, read.error);
  });
}

// What has become known of a move: bursts read whose words have gone, and one that can be written.
void Channel::move_on(Work& work) {
  while (const auto gone = work.moved->next_gone()) {
    const Arrival read = work.arrivals.front();
    work.arrivals.pop_front();
    m_around.timeline.at(std::max(now(), *gone), Phase::kEngine,
                         [this, &work, read] { read_arrived(work, read.piece, read.error); });
  }
  if (const auto at = work.moved->burst_at()) m_engine.wake_picks(std::max(now(), *at));
  m_engine.wake_takes(now());
}

void Channel::read_arrived(Work& work, const Piece& piece, bool error) {
  --m_reads;
  --work.outstanding;
  m_engine.return_read_credit();
  if (error) fail(work, piece.address);
  if (work.path == Path::kLoad && work.outstanding == 0) {
    work.done_at = now() - 1 + cycles_beat_to_complete;
  }
  check_front();
}

// ------------------------------------------------------------------------------- the write side

Cycle Channel::pick_at() const {
  if (!m_active || m_halt != Halt::kNo || !m_active->writes || m_active->writes->done() ||
      m_writes >= m_around.config.dma.bursts_per_channel) {
    return Timeline::kNever;
  }
  if (m_active->path != Path::kMove) return m_pick_at;
  const auto complete = m_active->moved->burst_at();
  return complete ? std::max(m_pick_at, *complete) : Timeline::kNever;
}

Cycle Channel::pick(bool fifo_was_full) {
  return m_active->path == Path::kLocal ? pick_local(*m_active)
                                        : pick_write(*m_active, fifo_was_full);
}

Cycle Channel::pick_write(Work& work, bool fifo_was_full) {
  const bool move = work.path == Path::kMove;
  const Piece piece = work.writes->piece();
  const EngineWork engine = move ? EngineWork{} : work.walk->burst(piece);
  work.writes->next();
  work.written_bytes += piece.bytes;
  s_bytes_written += piece.bytes;
  ++work.outstanding;
  ++m_writes;
  const unsigned beats = words_touched(piece.address, piece.bytes, m_around.config.noc.data_bytes);
  const uint64_t number = m_engine.enter_write_fifo(beats);
  work.awaited.push_back({piece, number, now(), now() - m_pick_at, fifo_was_full});
  noc::WriteBurst write;
  write.burst = Burst{now() + cycles_take_to_address, piece.address, piece.bytes, true, m_queue};
  write.data_first = now() + cycles_pick_to_data;
  write.data_cycles = move ? 0 : engine.beats();
  // A move's words are in the W FIFO already: the store engine is not held.
  const Cycle engine_free = move ? now() : now() + engine.to_pick();
  m_pick_at = std::max(engine_free, now() + 1);
  const bool last = work.writes->done();
  const std::shared_ptr<Work> held = m_active;
  m_around.crossbar.write(
      noc::Fabric::kDmaData, write,
      [this, &work](const noc::WriteTimes& times) { address_granted(work, times); });
  if (move) {
    held->moved->picked(now(), piece.bytes);
    move_on(*held);
  }
  if (last) issued_all(now() + (move ? 1 : engine.to_command()));
  return engine_free;
}

void Channel::address_granted(Work& work, const noc::WriteTimes& times) {
  const auto of_write = std::find_if(work.awaited.begin(), work.awaited.end(),
                                     [](const Issued& issued) { return issued.number != 0; });
  const Issued issued = *of_write;
  work.awaited.erase(of_write);
  m_engine.address_granted(issued.number, times.w_last);
  if (work.path == Path::kMove) {  // accounted by its reads
    work.moved->sent_from(times.w_first);
    move_on(work);
  } else {
    Cycle queue_full = times.aw - (issued.asked + cycles_take_to_address);
    Cycle port_taken = 0;
    (issued.fifo_was_full ? queue_full : port_taken) += issued.delay;
    if (!work.began) {
      work.began = true;
      work.mark(Cause::kStart, std::min(work.first_at + cycles_pick_to_data, times.w_first));
    }
    const Cycle gap = std::max<Cycle>(times.w_first - work.cursor, 0);
    queue_full = std::min(queue_full, gap);
    port_taken = std::min(port_taken, gap - queue_full);
    work.mark(Cause::kRun, times.w_first - queue_full - port_taken);  // the engine's own pace
    work.mark(Cause::kSramPort, times.w_first - queue_full);
    work.mark(Cause::kWriteQueue, times.w_first, true);
    work.mark(Cause::kRun, times.w_last + 1);
  }
  m_around.timeline.at(times.b, Phase::kEngine,
                       [this, &work, address = issued.piece.address, error = times.error] {
                         write_answered(work, address, error);
                       });
}

void Channel::write_answered(Work& work, uint64_t address, bool error) {
  // The credit of a write is back one cycle after B.
  if (m_writes-- >= m_around.config.dma.bursts_per_channel)
    m_pick_at = std::max(m_pick_at, now() + 1);
  --work.outstanding;
  work.done_at = std::max(work.done_at, now());
  if (error) fail(work, address);
  m_engine.wake_picks(now() + 1);
  check_front();
}

Cycle Channel::pick_local(Work& work) {
  const EngineWork engine = work.walk->pick(*work.writes);
  const Cycle delay = now() - m_pick_at;
  const Cycle earliest = now() + cycles_pick_to_data;
  const Cycle first = engine.puts == 0 ? earliest
                                       : m_around.crossbar.reserve_dma_sink(earliest, engine.puts,
                                                                            engine.to_next());
  const Cycle held = engine.held(first - earliest), starts = earliest + held;
  if (!work.began) {
    work.began = true;
    work.mark(Cause::kStart, work.first_at + cycles_pick_to_data);
  }
  const Cycle port_taken = std::min(delay + held, std::max<Cycle>(starts - work.cursor, 0));
  work.mark(Cause::kRun, starts - port_taken);
  work.mark(Cause::kSramPort, starts);
  work.mark(Cause::kRun, starts + engine.words);
  const Cycle picked = now() + held;  // or as if then
  const Cycle engine_free = picked + engine.to_pick(held);
  m_pick_at = engine_free;
  if (engine.last) {
    const Cycle written = first + engine.puts - 1 + cycles_beat_to_complete;
    work.done_at = std::max(picked + engine.to_complete(), written);
    issued_all(picked + engine.to_command());
  }
  return engine_free;
}

// ---------------------------------------------------------------------------------- completion

void Channel::check_front() {
  if (m_halt != Halt::kNo) settle_halt();
  if (m_halt == Halt::kAbort || m_works.empty()) return;
  Work& work = *m_works.front();
  if (!work.issued || work.outstanding > 0 || work.finishing || work.error) return;
  work.finishing = true;
  const Cycle at = std::max({work.done_at, m_last_end + 1, now()});
  m_around.timeline.at(at, Phase::kEngine, [this, life = m_life] {
    if (life == m_life) finish();
  });
}

void Channel::finish() {
  if (m_halt == Halt::kAbort) return;
  const std::shared_ptr<Work> held = m_works.front();
  Work& work = *held;
  BytePort& to = work.command.dst_space == Space::kSram ? m_around.sram : m_around.system;
  const bool values = m_values && work.path != Path::kNone;
  if (values && !scatter(work.command, work.destination, to, work.stream)) {
    fail(work, work.destination.base);
    settle_halt();
    return;
  }
  if (values) written(work.destination, to);
  m_spare.push_back(std::move(work.stream));
  const CommandRecord record = record_of(work, now());
  account(record, m_attribution);
  m_works.pop_front();
  m_last_end = now();
  ++s_commands;
  if (m_observer) m_observer(record);
  m_frontend.complete(work.command.irq);
  if (const uint8_t counter = work.job->counter(work.command.signal)) {
    m_around.counters.signal(now(), counter, work.command.signal_add);
  }
  check_front();
  try_begin();
}

// ------------------------------------------------------------------------------ error and abort

void Channel::fail(Work& work, uint64_t address, presil_queue_error_code code) {
  if (!work.error) work.error = QueueError{code, 0, 0, address};
  if (m_halt == Halt::kNo) m_halt = Halt::kError;
}

void Channel::abort() {
  m_halt = Halt::kAbort;
  settle_halt();
}

// Nothing is issued any more. When all outstanding bursts have come back the rest is dropped: for
// an error after the commands before it have completed.
void Channel::settle_halt() {
  if (m_halt == Halt::kNo || m_reads + m_writes > 0) return;
  if (m_halt == Halt::kError && !m_works.empty() && !m_works.front()->error) return;
  m_around.counters.withdraw(m_queue, 0);
  m_around.counters.withdraw(m_queue, 1);
  std::shared_ptr<Work> failed;
  if (!m_works.empty()) {
    failed = m_works.front();
    account(record_of(*failed, now()), m_attribution);
    m_last_end = now();
  }
  ++m_life;
  m_works.clear();
  if (m_next && m_next->judged == Timeline::kNever) {
    m_engine.leaves_division(m_queue - PRESIL_QUEUE_DMA0);
  }
  m_next.reset();
  m_active.reset();
  m_waits = 0;
  m_last_path = Path::kNone;
  const bool error = m_halt == Halt::kError;
  m_halt = Halt::kNo;
  if (error) {
    m_frontend.fail(*failed->job, failed->index, *failed->error);
  } else {
    m_frontend.aborted();
  }
}

}  // namespace presil::dma
