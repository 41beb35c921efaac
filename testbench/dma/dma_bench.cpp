#include "testbench/dma/dma_bench.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <optional>
#include <random>

#include "Vdma.h"
#include "models/noc/crossbar.h"
#include "models/sync/sync_unit.h"
#include "testbench/common/axi_lite.h"
#include "testbench/common/violations.h"
#include "verilated.h"

namespace presil::testbench {

namespace {

constexpr unsigned kChannels = 4;
constexpr unsigned kAtomBytes = 64;
constexpr Cycle kQuiet = 1500;  ///< longer than any answer takes

struct Beat {
  Cycle at;
  unsigned channel;
  uint64_t address;
  bool last, error;
};

/// Beats that a crossbar has booked, played one a cycle.
struct Beats {
  std::deque<Beat> to_come;

  // An atom's beats follow each other; atoms come evenly, the last beat when the model says.
  void add(unsigned channel, uint64_t address, unsigned beats, const BurstTimes& times) {
    const uint64_t first_beat = address / 16 * 16;
    const auto atom_of = [&](unsigned beat) {
      return static_cast<Cycle>((first_beat + 16 * beat) / kAtomBytes - first_beat / kAtomBytes);
    };
    const Cycle atoms = atom_of(beats - 1);
    unsigned in_last = 1;
    while (in_last < beats && atom_of(beats - 1 - in_last) == atoms) ++in_last;
    const Cycle last_atom = times.last - (in_last - 1);
    Cycle at = times.first;
    for (unsigned beat = 0; beat < beats; ++beat) {
      if (atoms > 0) {
        at = std::max(at, times.first + (last_atom - times.first) * atom_of(beat) / atoms);
      }
      if (beat + 1 == beats) at = std::max(at, times.last);
      to_come.push_back({at++, channel, first_beat + 16 * beat, beat + 1 == beats, times.error});
    }
  }
  const Beat* at(Cycle now) const {
    return !to_come.empty() && to_come.front().at <= now ? &to_come.front() : nullptr;
  }
};

struct WriteBurst {
  unsigned channel;
  uint64_t address;
  unsigned bytes, beats;
  noc::WriteTimes times;
  bool granted = false;
  unsigned sent = 0;
};

struct Answer {
  Cycle at;
  unsigned channel;
  bool error;
};

}  // namespace

struct DmaBench::Tile {
  Tile(const SocConfig& soc, uint64_t at, const std::vector<uint8_t>& system, uint32_t seed)
      : config(soc), from(at), bytes(system.size()), random(seed), registers(seed) {
    std::memcpy(map.bytes_at(at, system.size()), system.data(), system.size());
    top.clk_i = 0;
    top.rst_ni = 1;
    top.eval();
    reset();
  }

  void edge() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  }

  void reset() {
    registers.reset();
    drive();
    top.rst_ni = 0;
    top.eval();
    checker.cycle(top, true);
    edge();
    top.rst_ni = 1;
    ++now;
    fetched.to_come.clear();
    read.to_come.clear();
    written.clear();
    answers.clear();
    offered.reset();
    ++life;
  }

  bool ready(unsigned stalled) { return random() % 100 >= stalled; }

  void play(const Beat* beat, uint8_t& valid, uint8_t& id, uint8_t& last, uint8_t& resp,
            uint32_t* data) {
    valid = beat != nullptr;
    for (unsigned i = 0; i < 4; ++i) data[i] = static_cast<uint32_t>(random());
    if (beat == nullptr) return;
    id = static_cast<uint8_t>(beat->channel);
    last = beat->last;
    resp = beat->error ? 3 : 0;
    const uint8_t* from_memory = beat->error ? nullptr : map.bytes_at(beat->address, 16);
    if (from_memory != nullptr) std::memcpy(data, from_memory, 16);
  }

  /// Inputs of this cycle that do not depend on its outputs.
  void drive() {
    registers.pace = {1 + stalls.registers / 10, 1 + stalls.registers / 10};
    registers.drive(top);
    top.f_ar_ready_i = ready(stalls.address);
    top.ar_ready_i = ready(stalls.address);
    top.aw_ready_i = 0;
    play(fetched.at(now), top.f_r_valid_i, top.f_r_id_i, top.f_r_last_i, top.f_r_resp_i,
         top.f_r_data_i.data());
    play(read.at(now), top.r_valid_i, top.r_id_i, top.r_last_i, top.r_resp_i, top.r_data_i.data());
    const WriteBurst* write = written.empty() ? nullptr : &written.front();
    top.w_ready_i = write != nullptr && write->times.w_first <= now && ready(stalls.write);
    const auto answer = std::find_if(answers.begin(), answers.end(),
                                     [this](const Answer& a) { return a.at <= now; });
    top.b_valid_i = answer != answers.end();
    if (top.b_valid_i) {
      top.b_id_i = static_cast<uint8_t>(answer->channel);
      top.b_resp_i = answer->error ? 3 : 0;
      answers.erase(answer);
    }
    top.sram_r_ready_i = ready(stalls.sram);
    top.sram_w_ready_i = ready(stalls.sram);
    for (unsigned i = 0; i < 4; ++i) {
      top.sram_r_data_i[i] = read_word ? (*read_word)[i] : static_cast<uint32_t>(random());
    }
    top.barrier_met_i = 0;
    top.wait_met_i = 0;
    top.wait_signaller_i = 0;
  }

  void answer_sync() {
    for (unsigned p = 0; p < 2 * kChannels; ++p) {
      if (!(top.wait_valid_o >> p & 1)) continue;
      const auto id = static_cast<uint8_t>(top.wait_id_o >> 8 * p);
      violations.unless(id != 0, "a wait asks for counter 0");
      const CounterPort& port = sync.port(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + p / 2));
      top.wait_met_i |= static_cast<uint8_t>(port.met(id, top.wait_value_o[p]) << p);
    }
    for (unsigned c = 0; c < kChannels; ++c) {
      if (!(top.barrier_valid_o >> c & 1)) continue;
      const unsigned first = top.barrier_first_o >> 8 * c & 0xff;
      const unsigned count = top.barrier_count_o >> 8 * c & 0xff;
      const CounterPort& port = sync.port(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + c));
      bool met = true;
      for (unsigned id = first; id < first + count; ++id) {
        met &= port.met(static_cast<uint8_t>(id), top.barrier_value_o[c]);
      }
      top.barrier_met_i |= static_cast<uint8_t>(met << c);
    }
  }

  void fetch_asked() {
    const unsigned channel = top.f_ar_id_o, beats = top.f_ar_len_o + 1u;
    const uint64_t address = top.f_ar_addr_o;
    const auto queue = static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + channel);
    crossbar.read(queue, Burst{now, address, 16 * beats, false, queue, 0},
                  [this, channel, address, beats, of = life](const BurstTimes& times) {
                    if (of == life) fetched.add(channel, address, beats, times);
                  });
  }

  void read_asked() {
    const unsigned channel = top.ar_id_o, beats = top.ar_len_o + 1u;
    const uint64_t address = top.ar_addr_o;
    check_burst(address, top.ar_bytes_o, beats, "a read");
    const auto queue = static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + channel);
    crossbar.read(noc::Crossbar::kDmaData, Burst{now, address, top.ar_bytes_o, false, queue, 0},
                  [this, channel, address, beats, of = life](const BurstTimes& times) {
                    if (of == life) read.add(channel, address, beats, times);
                  });
  }

  void check_burst(uint64_t address, unsigned bytes, unsigned beats, const char* what) {
    violations.unless(address % 256 + bytes <= 256, std::string(what) + " crosses 256 bytes");
    violations.unless((address % 16 + bytes + 15) / 16 == beats,
                      std::string(what) + " has beats that it does not need, or lacks one");
  }

  // AW in its first cycle: the crossbar grants it in this cycle or later.
  void write_offered() {
    if (!top.aw_valid_o || offered) return;
    offered.emplace();
    offered->channel = top.aw_id_o;
    offered->address = top.aw_addr_o;
    offered->bytes = top.aw_bytes_o;
    offered->beats = top.aw_len_o + 1u;
    check_burst(offered->address, offered->bytes, offered->beats, "a write");
    noc::WriteBurst write;
    write.burst = Burst{now,
                        offered->address,
                        offered->bytes,
                        true,
                        static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + offered->channel),
                        0};
    write.data_first = now + 1;
    write.sent_later = true;
    crossbar.write(noc::Crossbar::kDmaData, write, [this, of = life](const noc::WriteTimes& times) {
      if (of != life) return;
      offered->granted = true;
      offered->times = times;
    });
  }

  void beat_written() {
    if (!top.w_valid_o) return;
    if (written.empty()) {
      violations.add("W before its AW");
      return;
    }
    if (!top.w_ready_i) return;
    WriteBurst& burst = written.front();
    const uint64_t at = burst.address / 16 * 16 + 16 * burst.sent;
    uint8_t* word = burst.times.error ? nullptr : map.bytes_at(at, 16);
    for (unsigned i = 0; i < 16; ++i) {
      if (!(top.w_strb_o >> i & 1)) continue;
      violations.unless(at + i >= burst.address && at + i < burst.address + burst.bytes,
                        "a strobe outside its burst");
      if (word != nullptr) word[i] = static_cast<uint8_t>(top.w_data_o[i / 4] >> 8 * (i % 4));
    }
    ++burst.sent;
    violations.unless(top.w_last_o == (burst.sent == burst.beats), "W last is not the last beat");
    if (burst.sent < burst.beats) return;
    const Cycle way = config.noc.cycles_request + config.noc.cycles_response;
    if (burst.times.token != noc::WriteTimes::kNobody) crossbar.sent(burst.times.token, now);
    answers.push_back({now + way, burst.channel, burst.times.error});
    written.pop_front();
  }

  void sram_port() {
    read_word.reset();
    if (top.sram_r_valid_o && top.sram_r_ready_i) {
      read_word.emplace();
      const uint8_t* word = sram.bytes_at(top.sram_r_addr_o, 16);
      violations.unless(word != nullptr, "SRAM is read outside");
      if (word != nullptr) std::memcpy(read_word->data(), word, 16);
    }
    if (!top.sram_w_valid_o || !top.sram_w_ready_i) return;
    ++words;
    uint8_t* word = sram.bytes_at(top.sram_w_addr_o, 16);
    violations.unless(word != nullptr, "SRAM is written outside");
    for (unsigned i = 0; word != nullptr && i < 16; ++i) {
      if (top.sram_w_strb_o >> i & 1) {
        word[i] = static_cast<uint8_t>(top.sram_w_data_o[i / 4] >> 8 * (i % 4));
      }
    }
  }

  // A beat that is not taken holds the R port: what is booked follows as it can, and what is not
  // booked yet follows it.
  void beat_waits() {
    Cycle free = now + 1;
    for (const Beat& beat : read.to_come) free = std::max(free, beat.at) + 1;
    crossbar.hold_dma_sink(free);
  }

  void cycle() {
    violations.next_cycle();
    time.run_until(now);
    drive();
    top.eval();
    answer_sync();
    top.eval();
    write_offered();
    if (top.f_ar_valid_o && top.f_ar_ready_i) fetch_asked();
    if (top.ar_valid_o && top.ar_ready_i) read_asked();
    for (unsigned c = 0; c < kChannels; ++c) {
      if (top.signal_valid_o >> c & 1) {
        sync.port(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + c))
            .signal(now, static_cast<uint8_t>(top.signal_id_o >> 8 * c),
                    static_cast<uint16_t>(top.signal_add_o >> 16 * c));
      }
      if (top.done_valid_o >> c & 1) {
        ends.push_back({c, top.done_tag_o[c], top.done_index_o[c], now});
      }
    }
    beat_written();
    sram_port();
    time.run_until(now);  // grants of this cycle see this cycle's requests
    if (offered && offered->granted && offered->times.aw <= now) {
      top.aw_ready_i = 1;
      top.eval();
      written.push_back(*offered);
      offered.reset();
    }
    checker.cycle(top);
    registers.sample(top);
    const bool beat = top.r_valid_i != 0;
    if (beat && top.r_ready_o) read.to_come.pop_front();
    if (beat && !top.r_ready_o) beat_waits();
    if (top.f_r_valid_i) fetched.to_come.pop_front();
    violations.unless(top.f_r_ready_o && top.b_ready_o, "an answer is not taken");
    if (top.ar_valid_o || top.f_ar_valid_o || top.aw_valid_o || top.w_valid_o || beat ||
        top.f_r_valid_i || top.b_valid_i || top.sram_r_valid_o || top.sram_w_valid_o ||
        !registers.idle()) {
      busy_at = now;
    }
    edge();
    ++now;
  }

  VerilatedContext context;
  Vdma top{&context};
  SocConfig config;
  uint64_t from, bytes;
  std::mt19937 random;
  Stalls stalls;
  Cycle period_ps = (1000000 + config.clock_mhz / 2) / config.clock_mhz;
  Timeline time;
  memory::Sram sram{config.sram};
  memory::Bytes dram{config.dram.bytes};
  memory::SystemBytes map{sram, dram};
  noc::Crossbar crossbar{config, period_ps, time, map};
  sync::SyncUnit sync{config.sync, time};
  AxiLiteMaster registers;
  AxiLiteChecker checker;
  Violations violations;

  Cycle now = 0, busy_at = 0;
  uint32_t life = 0;  // answers to before a reset are dropped
  Beats fetched, read;
  std::optional<WriteBurst> offered;
  std::deque<WriteBurst> written;
  std::deque<Answer> answers;
  std::optional<std::array<uint32_t, 4>> read_word;
  std::vector<End> ends;
  uint64_t words = 0;
  uint8_t response = 0;
};

DmaBench::DmaBench(const SocConfig& config, uint64_t at, const std::vector<uint8_t>& system,
                   uint32_t seed)
    : m_tile(std::make_unique<Tile>(config, at, system, seed)) {}

DmaBench::~DmaBench() {
  m_tile->top.final();
}

Cycle DmaBench::write(uint32_t offset, uint32_t value) {
  Tile& t = *m_tile;
  t.stalls = stalls;
  bool done = false;
  Cycle at = 0;
  t.registers.write(static_cast<uint16_t>(offset), value, [&](uint8_t resp) {
    t.response = resp;
    done = true;
    at = t.now;  // B a cycle after the write, which is the model's in the next cycle
  });
  while (!done) t.cycle();
  return at;
}

uint32_t DmaBench::read(uint32_t offset) {
  Tile& t = *m_tile;
  t.stalls = stalls;
  bool done = false;
  uint32_t value = 0;
  t.registers.read(static_cast<uint16_t>(offset), [&](uint32_t data, uint8_t resp) {
    value = data;
    t.response = resp;
    done = true;
  });
  while (!done) t.cycle();
  return value;
}

uint8_t DmaBench::last_response() const {
  return m_tile->response;
}

void DmaBench::signal(uint8_t counter, uint16_t add) {
  m_tile->sync.port(PRESIL_QUEUE_HOST).signal(m_tile->now, counter, add);
}

void DmaBench::run(Cycle cycles) {
  Tile& t = *m_tile;
  t.stalls = stalls;
  t.busy_at = t.now;
  const Cycle end = t.now + cycles;
  while (t.now < end && t.now < t.busy_at + kQuiet) t.cycle();
}

void DmaBench::reset() {
  m_tile->reset();
}

Cycle DmaBench::now() const {
  return m_tile->now;
}

const std::vector<DmaBench::End>& DmaBench::ends() const {
  return m_tile->ends;
}

std::vector<uint8_t> DmaBench::sram() const {
  const uint8_t* bytes = m_tile->sram.bytes_at(0, m_tile->config.sram.bytes);
  return {bytes, bytes + m_tile->config.sram.bytes};
}

std::vector<uint8_t> DmaBench::system() const {
  const uint8_t* bytes = m_tile->map.bytes_at(m_tile->from, m_tile->bytes);
  return {bytes, bytes + m_tile->bytes};
}

uint8_t* DmaBench::sram_byte(uint32_t address) {
  return m_tile->sram.bytes_at(address, 1);
}

bool DmaBench::interrupt() const {
  return m_tile->top.irq_o != 0;
}

std::string DmaBench::violations() const {
  return m_tile->violations.text() + m_tile->checker.violations().text();
}

uint64_t DmaBench::words_written() const {
  return m_tile->words;
}

}  // namespace presil::testbench
