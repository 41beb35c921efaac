#include "testbench/dma/load_bench.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <random>

#include "Vdma_load_bench.h"
#include "models/common/queue_frontend.h"
#include "models/dma/dma_core.h"
#include "models/dma/dma_timing.h"
#include "models/noc/crossbar.h"
#include "models/sync/sync_unit.h"
#include "rtl/dma/dma_bank.h"

namespace presil::testbench {

namespace {

constexpr unsigned kChannels = 4;
constexpr unsigned kAtomBytes = 64;
constexpr Cycle kQuiet = 2000;  ///< longer than any answer takes

uint64_t counts(const std::array<uint16_t, 4>& n) {
  return n[0] | uint64_t{n[1]} << 16 | uint64_t{n[2]} << 32 | uint64_t{n[3]} << 48;
}

struct Beat {
  Cycle at;
  unsigned channel;
  uint64_t address;  // of the beat
  bool last, error;
};

struct Offered {
  dma::Command command;
  std::shared_ptr<const JobContext> job;
  Cycle fetched = 0, at = 0;
  bool divided = true;  ///< its lengths are whole elements
};

}  // namespace

struct LoadBench::Tile {
  explicit Tile(const SocConfig& soc) : config(soc) {
    for (unsigned c = 0; c < kChannels; ++c) {
      const auto queue = static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + c);
      fronts.push_back(std::make_unique<QueueFrontend>(
          QueueFrontend::Shape{queue, dma::Command::kWords, dma::Command::kPitch,
                               config.dma.prefetch, PRESIL_DMA_ISA_VERSION},
          bank.channel(c), time, crossbar.port(queue), map, sync.port(queue)));
      fronts[c]->on_offer([this, c](const Offer& offer) { take_offer(c, offer); });
    }
    top.clk_i = 0;
    top.rst_ni = 1;
    top.eval();
    top.rst_ni = 0;
    top.set_i = top.begin_valid_i = top.begin_late_i = top.r_valid_i = 0;
    top.begin_age_i = 0;
    top.eval();
    tick();
    top.rst_ni = 1;
  }

  void tick() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  }

  void take_offer(unsigned channel, const Offer& offer) {
    const auto command = dma::Command::decode(offer.words);
    offers[channel] =
        Offered{command, offer.job, offer.fetched, offer.at, command.pack == dma::Pack::kNone};
    set_command(channel);
  }

  // Into the channel's register, at the cycle of the offer; top.set_i is the register's own clock.
  void set_command(unsigned channel) {
    const Offered& offered = *offers[channel];
    const dma::Command& c = offered.command;
    top.set_channel_i = static_cast<uint8_t>(channel);
    top.xor80_i = c.xor80;
    top.pad_i = c.pack == dma::Pack::kPad;
    top.drop_i = c.pack == dma::Pack::kDrop;
    top.elem_bytes_i = c.elem_bytes;
    top.pattern_i = c.pattern;
    top.source_base_i = offered.job->entry.region_base[c.src_region] + c.src_base;
    top.source_row_bytes_i = c.src_row_bytes;
    top.source_n_i = counts(c.src_n);
    top.target_base_i = offered.job->entry.sram_base + c.dst_base;
    top.target_row_bytes_i = c.dst_row_bytes;
    top.target_n_i = counts(c.dst_n);
    for (unsigned d = 0; d < 4; ++d) {
      top.source_stride_i[d] = static_cast<uint32_t>(c.src_stride[d]);
      top.target_stride_i[d] = static_cast<uint32_t>(c.dst_stride[d]);
    }
    top.set_i = 1;
    top.eval();
    top.set_i = 0;
    top.eval();
  }

  // Lengths of packed copies are divided one after another, of several the highest channel first.
  void divide() {
    const Cycle now = time.now();
    if (dividing && now >= division_ends) {
      if (offers[*dividing]) offers[*dividing]->divided = true;
      dividing.reset();
    }
    for (unsigned c = kChannels; c-- > 0 && !dividing;) {
      if (!offers[c] || offers[c]->divided) continue;
      dividing = c;
      division_ends = now + dma::cycles_pack_check;
    }
  }

  bool waits_met(unsigned channel) {
    const Offered& o = *offers[channel];
    if (!o.divided) return false;
    CounterPort& counters = sync.port(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + channel));
    const auto met = [&](uint8_t id, int32_t value) {
      return id == 0 || counters.met(o.job->counter(id), o.job->value(value));
    };
    return met(o.command.wait0, o.command.wait0_value) &&
           met(o.command.wait1, o.command.wait1_value);
  }

  void address_taken() {
    const unsigned channel = top.ar_id_o;
    const uint64_t address = top.ar_address_o;
    const unsigned beats = top.ar_len_o + 1u;
    Burst burst{time.now(),
                address,
                top.ar_bytes_o,
                false,
                static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + channel),
                0};
    crossbar.read(
        noc::Crossbar::kDmaData, burst, [this, channel, address, beats](const BurstTimes& times) {
          // An atom's beats follow each other; atoms come evenly, the last beat when the model
          // says.
          const uint64_t first_beat = address / 16 * 16;
          const auto atom_of = [&](unsigned beat) {
            return static_cast<Cycle>((first_beat + 16 * beat) / kAtomBytes -
                                      first_beat / kAtomBytes);
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
            beats_to_come.push_back(
                {at++, channel, first_beat + 16 * beat, beat + 1 == beats, times.error});
          }
        });
  }

  // A beat that is not taken holds the R port: what is booked follows as it can, and what is not
  // booked yet follows it.
  void beat_waits(Cycle now) {
    Cycle free = now + 1;
    for (const Beat& beat : beats_to_come) free = std::max(free, beat.at) + 1;
    crossbar.reserve_dma_sink(free, 0, 0);
  }

  VerilatedContext context;  // its own: that of another bench may be gone
  Vdma_load_bench top{&context};
  SocConfig config;
  Cycle period_ps = (1000000 + config.clock_mhz / 2) / config.clock_mhz;
  Timeline time;
  memory::Sram sram{config.sram};
  memory::Bytes dram{config.dram.bytes};
  memory::SystemBytes map{sram, dram};
  noc::Crossbar crossbar{config, period_ps, time, map};
  sync::SyncUnit sync{config.sync, time};
  dma::Bank bank;
  std::vector<std::unique_ptr<QueueFrontend>> fronts;
  std::optional<Offered> offers[kChannels];
  std::optional<unsigned> dividing;  // channel
  Cycle division_ends = 0;
  std::deque<Offered> begun[kChannels];
  std::deque<Beat> beats_to_come;
};

LoadBench::LoadBench(const SocConfig& config, uint64_t at, const std::vector<uint8_t>& system)
    : m_tile(std::make_unique<Tile>(config)) {
  std::memcpy(m_tile->map.bytes_at(at, system.size()), system.data(), system.size());
}

LoadBench::~LoadBench() {
  m_tile->top.final();
}

void LoadBench::queue(unsigned channel, uint64_t ring, unsigned size_log2, uint32_t jobs) {
  const auto write = [&](uint32_t offset, uint32_t value) {
    m_tile->bank.write(PRESIL_DMA_REG_CHANNEL(channel) + offset, value);
  };
  write(PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(ring));
  write(PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(ring >> 32));
  write(PRESIL_QUEUE_REG_RING_SIZE_LOG2, size_log2);
  write(PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
  if (jobs > 0) write(PRESIL_QUEUE_REG_TAIL, jobs);
}

LoadBench::Run LoadBench::run(Stalls stalls, uint32_t seed, Cycle limit) {
  Tile& t = *m_tile;
  auto& top = t.top;
  std::mt19937 random(seed);
  Run result;
  Cycle busy_at = 0;
  for (Cycle now = 0; now < limit && now < busy_at + kQuiet; ++now) {
    t.time.run_until(now);
    top.begin_valid_i = top.begin_late_i = 0;
    top.begin_age_i = 0;
    t.divide();
    for (unsigned c = 0; c < kChannels; ++c) {
      if (!t.offers[c] || !t.waits_met(c)) continue;
      const auto age = static_cast<uint32_t>(std::min<Cycle>(now - t.offers[c]->fetched, 4));
      top.begin_valid_i |= 1u << c;
      top.begin_late_i |= static_cast<uint8_t>(now > t.offers[c]->at) << c;
      top.begin_age_i |= age << 3 * c;
    }
    top.ar_ready_i = random() % 100 >= stalls.address;
    top.write_ready_i = random() % 100 >= stalls.sram;
    const bool beat = !t.beats_to_come.empty() && t.beats_to_come.front().at <= now;
    top.r_valid_i = beat;
    if (beat) {
      const Beat& b = t.beats_to_come.front();
      top.r_id_i = static_cast<uint8_t>(b.channel);
      top.r_last_i = b.last;
      top.r_resp_i = b.error ? 3 : 0;
      if (const uint8_t* bytes = t.map.bytes_at(b.address, 16)) {
        std::memcpy(&top.r_data_i[0], bytes, 16);
      }
    }
    top.eval();
    for (unsigned c = 0; c < kChannels; ++c) {
      if (top.complete_o >> c & 1) {
        const Offered done = t.begun[c].front();
        t.begun[c].pop_front();
        result.ends.push_back({done.command.tag, done.at, now});
        t.fronts[c]->complete(done.command.irq);
        if (const uint8_t counter = done.job->counter(done.command.signal)) {
          t.sync.port(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + c))
              .signal(now, counter, done.command.signal_add);
        }
      }
      if (top.begin_valid_i & top.begin_ready_o & 1u << c) {
        t.begun[c].push_back(*t.offers[c]);
        t.offers[c].reset();
        t.fronts[c]->take();
      }
      const bool failed = top.failed_o >> c & 1;
      if (!failed && (!t.begun[c].empty() || t.offers[c])) busy_at = now;
    }
    if (top.ar_valid_o && top.ar_ready_i) t.address_taken();
    if (beat && top.r_ready_o) t.beats_to_come.pop_front();
    if (beat && !top.r_ready_o) t.beat_waits(now);
    if (top.write_valid_o && top.write_ready_i) {
      ++result.words;
      uint8_t* word = t.sram.bytes_at(top.write_address_o, 16);
      for (unsigned i = 0; word != nullptr && i < 16; ++i) {
        if (top.write_strobe_o >> i & 1) {
          word[i] = static_cast<uint8_t>(top.write_data_o[i / 4] >> 8 * (i % 4));
        }
      }
    }
    if (top.failed_o != 0 && result.failed == 0) {
      result.failed_address = top.failed_address_o[0] | uint64_t{top.failed_address_o[1] & 0xff}
                                                            << 32;
    }
    result.failed = top.failed_o;
    t.time.run_until(now);  // grants of this cycle see this cycle's AR
    t.tick();
    result.cycles = now;
  }
  const uint8_t* sram = t.sram.bytes_at(0, t.config.sram.bytes);
  result.sram.assign(sram, sram + t.config.sram.bytes);
  return result;
}

}  // namespace presil::testbench
