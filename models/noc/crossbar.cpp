#include "models/noc/crossbar.h"

#include <algorithm>

namespace presil::noc {

namespace {

unsigned beats_of(uint64_t address, unsigned bytes, unsigned beat_bytes) {
  return static_cast<unsigned>((address + bytes - 1) / beat_bytes - address / beat_bytes + 1);
}

unsigned lowest_bit(uint32_t mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

}  // namespace

class Crossbar::Port : public BurstPort {
 public:
  Port(Crossbar& crossbar, unsigned input, unsigned beat_bytes)
      : m_crossbar(crossbar), m_input(input), m_beat_bytes(beat_bytes) {}

  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
    if (!burst.write) {
      m_crossbar.read(m_input, burst, std::move(done));
      return;
    }
    // burst.at is the wish for the last beat: AW goes out just in time for it.
    const Cycle beats = beats_of(burst.address, burst.bytes, m_beat_bytes);
    WriteBurst write;
    write.burst = burst;
    write.burst.at = std::max(m_crossbar.m_timeline.now(), burst.at - beats);
    write.data_first = burst.at - beats + 1;
    m_crossbar.write(m_input, write, [done = std::move(done)](const WriteTimes& times) {
      done({times.b, times.b, times.error, 0, 0});
    });
  }

 private:
  Crossbar& m_crossbar;
  unsigned m_input;
  unsigned m_beat_bytes;
};

Crossbar::Crossbar(const SocConfig& config, Cycle period_ps, Timeline& timeline,
                   memory::SystemBytes& map, DramPorts* dram)
    : m_config(config.noc),
      m_dram_channels(config.dram.channels),
      m_period_ps(period_ps),
      m_timeline(timeline),
      m_map(map),
      m_own_dram(dram == nullptr ? std::make_unique<DramPorts>(config.dram, period_ps, timeline)
                                 : nullptr),
      m_dram(dram == nullptr ? *m_own_dram : *dram),
      m_tile(m_dram.add(*this)) {
  for (unsigned input = 0; input < kInputs; ++input) {
    m_ports.push_back(std::make_unique<Port>(*this, input, m_config.data_bytes));
  }
  m_channels[kSramRead].places = m_channels[kSramWrite].places = 4;  // skid buffer of the window
}

Crossbar::~Crossbar() = default;

uint32_t Crossbar::hold(unsigned input, const Burst& burst) {
  if (m_free.empty()) {
    m_free.push_back(static_cast<uint32_t>(m_requests.size()));
    m_requests.emplace_back();
  }
  const uint32_t token = m_free.back();
  m_free.pop_back();
  Request& request = m_requests[token];
  request.burst = burst;
  request.input = input;
  request.failed = request.decided = false;
  return token;
}

// The DMA's channels share one fetch port; every other input has its own.
Cycle& Crossbar::return_port(unsigned input) {
  const bool dma_fetch = input >= PRESIL_QUEUE_DMA0 && input < PRESIL_OWN_QUEUES;
  return m_return_free[dma_fetch ? unsigned{PRESIL_QUEUE_DMA0} : input];
}

Cycle Crossbar::reserve_dma_sink(Cycle earliest, unsigned cycles, unsigned next) {
  return m_dma_sink.reserve(earliest, cycles, next);
}

Cycle Crossbar::gone(uint32_t booking, Cycle otherwise) const {
  return m_dma_sink.gone(booking, otherwise);
}

void Crossbar::hold_dma_sink(Cycle until) {
  m_dma_sink.hold(until);
  m_dram_r_free = std::max(m_dram_r_free, until);
}

// -------------------------------------------------------------------------- requests and grants

void Crossbar::read(unsigned input, const Burst& burst, ReadDone done) {
  const memory::Slave slave = m_map.slave_of(burst.address, burst.bytes);
  if (slave == memory::Slave::kNone) {  // DECERR by the crossbar itself
    const Cycle at = burst.at + m_config.cycles_request + m_config.cycles_response;
    done({at, at, true, 0, 0});
    return;
  }
  const uint32_t token = hold(input, burst);
  m_requests[token].read_done = std::move(done);
  const unsigned channel = slave == memory::Slave::kDram ? kDramRead : kSramRead;
  if (m_disturb) return disturb_read(channel, token);
  enqueue(channel, token);
}

// One that stands holds those of its id that come after it: answers of an id stay in order.
void Crossbar::disturb_read(unsigned channel, uint32_t token) {
  Request& request = m_requests[token];
  const BurstFault fault = m_disturb(request.burst);
  request.failed = fault.error;
  const unsigned id = request.input * PRESIL_QUEUES + request.burst.master % PRESIL_QUEUES;
  const auto before = m_standing.find(id);
  if (before != m_standing.end()) {
    before->second.push_back(token);
    return;
  }
  if (fault.late == 0) return enqueue(channel, token);
  m_standing[id].push_back(token);
  request.burst.at += fault.late;
  m_timeline.at(std::max(m_timeline.now(), request.burst.at), Phase::kGrant, [this, id] {
    const std::deque<uint32_t> tokens = std::move(m_standing[id]);
    m_standing.erase(id);
    for (const uint32_t one : tokens) {
      Burst& burst = m_requests[one].burst;
      burst.at = std::max(burst.at, m_timeline.now());
      const bool dram = m_map.slave_of(burst.address, burst.bytes) == memory::Slave::kDram;
      enqueue(dram ? kDramRead : kSramRead, one);
    }
  });
}

void Crossbar::write(unsigned input, const WriteBurst& write, WriteDone done) {
  const memory::Slave slave = m_map.slave_of(write.burst.address, write.burst.bytes);
  if (slave == memory::Slave::kNone) {
    const unsigned beats = beats_of(write.burst.address, write.burst.bytes, m_config.data_bytes);
    const Cycle aw = write.burst.at;
    const Cycle first = std::max(write.data_first, aw + 1);
    const Cycle last = first + std::max(beats, write.data_cycles) - 1;
    done({aw, first, last, last + m_config.cycles_request + m_config.cycles_response, true,
          WriteTimes::kNobody});
    return;
  }
  const uint32_t token = hold(input, write.burst);
  Request& request = m_requests[token];
  request.data_first = write.data_first;
  request.data_cycles = write.data_cycles;
  request.sent_later = write.sent_later;
  request.write_done = std::move(done);
  if (m_disturb) {  // the W port is one: those after it stand, too
    const BurstFault fault = m_disturb(request.burst);
    request.failed = fault.error;
    request.burst.at += fault.late;
  }
  enqueue(slave == memory::Slave::kDram ? kDramWrite : kSramWrite, token);
}

void Crossbar::enqueue(unsigned channel, uint32_t token) {
  Channel& c = m_channels[channel];
  const Request& request = m_requests[token];
  c.waiting[request.input].push_back(token);
  c.inputs |= 1u << request.input;
  wake(channel, std::max(request.burst.at, c.next_grant));
}

// One event per grant: the arbiter wakes in the first cycle in which it could grant.
void Crossbar::wake(unsigned channel, Cycle at) {
  Channel& c = m_channels[channel];
  if (c.inputs == 0 || at >= c.wakes_at || places(channel) == 0) return;
  c.wakes_at = at;
  m_timeline.at(at, Phase::kGrant, [this, channel, at] {
    if (m_channels[channel].wakes_at != at) return;  // overtaken by an earlier wake
    m_channels[channel].wakes_at = Timeline::kNever;
    arbitrate(channel);
  });
}

void Crossbar::arbitrate(unsigned channel) {
  Channel& c = m_channels[channel];
  const Cycle now = m_timeline.now();
  if (c.inputs == 0 || places(channel) == 0) return;
  if (now < c.next_grant) {
    wake(channel, c.next_grant);
    return;
  }
  // Round robin: the inputs after the last one, then from the first.
  const uint32_t after = c.inputs & ~((2u << c.last_input) - 1);
  bool granted = false;
  for (const uint32_t part : {after, c.inputs & ~after}) {
    for (uint32_t mask = part; mask != 0 && !granted; mask &= mask - 1) {
      const unsigned input = lowest_bit(mask);
      auto& waiting = c.waiting[input];
      const uint32_t token = waiting.front();
      if (m_requests[token].burst.at > now) continue;
      granted = true;
      waiting.pop_front();
      if (waiting.empty()) c.inputs &= ~(1u << input);
      take_place(channel);
      c.last_input = input;
      c.next_grant = now + 1;
      if (channel == kDramRead || channel == kSramRead) {
        grant(channel, token, now);
      } else {
        grant_write(channel, token, now);
      }
    }
  }
  Cycle ready = Timeline::kNever;
  for (uint32_t mask = c.inputs; mask != 0; mask &= mask - 1) {
    ready = std::min(ready, m_requests[c.waiting[lowest_bit(mask)].front()].burst.at);
  }
  if (ready != Timeline::kNever) wake(channel, std::max(ready, now + 1));
}

void Crossbar::grant(unsigned channel, uint32_t token, Cycle now) {
  m_timeline.at(now + m_config.cycles_request, Phase::kMemory, [this, channel, token] {
    if (channel == kDramRead) {
      returning_of(m_requests[token]).push_back(token);
      push(token, false);
    } else {
      answer_sram(token);
    }
  });
}

void Crossbar::grant_write(unsigned channel, uint32_t token, Cycle now) {
  const bool dram = channel == kDramWrite;
  Request& request = m_requests[token];
  Cycle& w_free = m_w_free[dram ? 0 : 1];
  const unsigned beats = beats_of(request.burst.address, request.burst.bytes, m_config.data_bytes);
  WriteTimes times;
  times.aw = now;
  times.w_first = std::max({request.data_first, now + 1, w_free});
  times.w_last = times.w_first + std::max(beats, request.data_cycles) - 1;
  const Cycle arrival = times.w_last + m_config.cycles_request;
  times.b = arrival + m_config.cycles_response;
  times.error = fails(request);
  times.token = token;
  const WriteDone done = std::move(request.write_done);  // its answer may ask again
  if (!request.sent_later) {
    w_free = times.w_last + 1;
    arrives(token, dram, arrival);
  }
  done(times);
}

void Crossbar::sent(uint32_t token, Cycle now) {
  const Burst& burst = m_requests[token].burst;
  const bool dram = m_map.slave_of(burst.address, burst.bytes) == memory::Slave::kDram;
  m_w_free[dram ? 0 : 1] = now + 1;
  arrives(token, dram, now + m_config.cycles_request);
}

void Crossbar::arrives(uint32_t token, bool dram, Cycle at) {
  m_timeline.at(at, Phase::kMemory, [this, dram, token] {
    if (dram) {
      push(token, true);
    } else {
      release(token);
      ++m_channels[kSramWrite].places;
      wake(kSramWrite, m_timeline.now());
    }
  });
}

// ---------------------------------------------------------------------------------- the slaves

std::deque<uint32_t>& Crossbar::returning_of(const Request& request) {
  return m_returning[request.input * PRESIL_QUEUES + request.burst.master % PRESIL_QUEUES];
}

void Crossbar::push(uint32_t token, bool write) {
  const Burst& burst = m_requests[token].burst;
  m_dram.push(m_tile, {burst.address, burst.bytes, write, burst.master, token, 0});
}

void Crossbar::take_place(unsigned channel) {
  if (channel <= kDramWrite)
    m_dram.take_place(channel, m_tile);
  else
    --m_channels[channel].places;
}

void Crossbar::place_free(unsigned direction) {
  wake(direction, m_timeline.now());
}

BurstTimes Crossbar::book(const Burst& burst, unsigned input, Cycle& slave_free, Cycle first_ready,
                          int64_t first_ps, int64_t atom_ps) {
  const bool dma_data = input == kDmaData;
  const unsigned beat = m_config.data_bytes;
  BurstTimes times;
  times.first =
      std::max({first_ready, slave_free, dma_data ? m_dma_sink.free() : return_port(input)});
  Cycle next = times.first;
  const auto come = [&](uint64_t from, uint64_t to) {
    const unsigned beats = beats_of(from, static_cast<unsigned>(to - from), beat);
    if (!dma_data) {
      next += beats;
      return;
    }
    for (unsigned i = 0; i < beats; ++i) {
      const Cycle at = m_dma_sink.beat(next);
      if (next == times.first) times.first = at;
      next = at + 1;
    }
  };
  uint64_t from = burst.address;
  const uint64_t end = burst.address + burst.bytes;
  if (dma_data) m_dma_sink.begin(beats_of(from, burst.bytes, beat), burst.cycles, burst.tail);
  if (atom_ps == 0) {
    come(from, end);
  } else {
    for (int64_t atom = 0; from < end; ++atom) {
      const uint64_t to = std::min(end, (from / memory::kAtomBytes + 1) * memory::kAtomBytes);
      const Cycle ready = (first_ps + atom * atom_ps + m_period_ps - 1) / m_period_ps +
                          static_cast<Cycle>(m_config.cycles_response);
      next = std::max(next, ready);
      come(from, to);
      from = to;
    }
  }
  times.last = next - 1;
  if (dma_data) {
    times.gone = static_cast<int32_t>(m_dma_sink.end(m_timeline.now()) - times.last);
    times.booking = m_dma_sink.number();
  } else {
    times.last = std::max(times.last, times.first + burst.cycles - 1);
    return_port(input) = times.last + 1;
  }
  slave_free = times.last + 1;
  return times;
}

// The controller decides in its own order; an id's data return in the order of its requests.
void Crossbar::read_decided(uint32_t token, const memory::DramTimes& dram) {
  Request& request = m_requests[token];
  request.decided = true;
  request.dram = dram;
  auto& returning = returning_of(request);
  while (!returning.empty() && m_requests[returning.front()].decided) {
    const uint32_t next = returning.front();
    returning.pop_front();
    answer_dram(next);
  }
}

void Crossbar::answer_dram(uint32_t token) {
  Request& request = m_requests[token];
  const memory::DramTimes& dram = request.dram;
  const Cycle ready = (dram.first_ps + m_period_ps - 1) / m_period_ps +
                      static_cast<Cycle>(m_config.cycles_response);
  BurstTimes times =
      book(request.burst, request.input, m_dram_r_free, ready, dram.first_ps, dram.atom_ps);
  const auto cycles = [this](int64_t ps) { return static_cast<int32_t>(ps / m_period_ps); };
  times.refresh = cycles(dram.refresh_ps);
  times.row = cycles(dram.row_ps);
  times.turnaround = cycles(dram.turnaround_ps);
  times.port = static_cast<int32_t>(times.first - ready);
  times.busy = cycles(dram.busy_ps) + times.port;
  times.own = cycles(dram.own_ps);
  times.bus = cycles(dram.atom_ps * dram.atoms / m_dram_channels + m_period_ps - 1);
  times.error = fails(request);
  const ReadDone done = std::move(request.read_done);  // its asker may ask again
  release(token);
  done(times);
}

void Crossbar::write_decided(uint32_t token) {
  release(token);
}

void Crossbar::answer_sram(uint32_t token) {
  Request& request = m_requests[token];
  const Cycle ready = m_timeline.now() + cycles_sram_window + m_config.cycles_response;
  BurstTimes times = book(request.burst, request.input, m_sram_r_free, ready, 0, 0);
  times.error = fails(request);
  ++m_channels[kSramRead].places;
  wake(kSramRead, m_timeline.now());
  const ReadDone done = std::move(request.read_done);
  release(token);
  done(times);
}

}  // namespace presil::noc
