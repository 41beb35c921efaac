#include "compiler_bridge/plan/memory_streams.h"

#include <algorithm>
#include <deque>
#include <numeric>

#include "compiler_bridge/plan/cost.h"
#include "models/dma/dma_timing.h"
#include "models/memory/dram.h"
#include "rtl/soc/address_map.h"

namespace presil::plan {
namespace {

constexpr unsigned kBursts =
    256;  // of a sample: several rows of the DRAM and refreshes of each bank
constexpr uint64_t kWritten = (1ull << 24) + 4096;  // other rows, not of the bank read first

/// Bursts of a stream, one after another: rows cut at the blocks that a burst stays in. Of parts of
/// pixels each one in turn, for some rows.
class Walk {
 public:
  Walk(const Rows& rows, uint64_t base) : m_rows(rows), m_base(base) {}

  memory::DramBurst next(bool write) {
    constexpr uint64_t kRowsOfPart = 32;
    const uint64_t parts = m_rows.pitch / m_rows.bytes;
    const uint64_t part = m_row / kRowsOfPart % parts * m_rows.bytes;
    memory::DramBurst burst;
    burst.address = m_base + m_row * m_rows.pitch + part + m_at;
    burst.bytes = PRESIL_BURST_BYTES - static_cast<uint32_t>(burst.address % PRESIL_BURST_BYTES);
    burst.write = write;
    if (m_rows.bytes == m_rows.pitch) {  // one long row
      m_at += burst.bytes;
      return burst;
    }
    burst.bytes = static_cast<uint32_t>(std::min<uint64_t>(burst.bytes, m_rows.bytes - m_at));
    m_at += burst.bytes;
    if (m_at == m_rows.bytes) m_at = 0, ++m_row;
    return burst;
  }

  /// Cycles of the SRAM's port.
  Cycle words(const memory::DramBurst& burst) const {
    const uint64_t words = (burst.bytes * m_rows.words + m_rows.bytes - 1) / m_rows.bytes;
    return std::max(static_cast<Cycle>(words),
                    Cycle{dma::words_touched(burst.address, burst.bytes)});
  }

 private:
  Rows m_rows;
  uint64_t m_base, m_row = 0, m_at = 0;
};

/// A channel that loads and one that stores before one DRAM, as fast as they can, at the same pace.
class Sample : private memory::DramListener {
 public:
  Sample(const SocConfig& config, const Rows& reads, const Rows& writes)
      : m_config(config),
        m_period_ps(1000000 / static_cast<Cycle>(config.clock_mhz)),
        m_dram(config.dram, m_period_ps, *this),
        m_reads(reads, 0),
        m_writes(writes, kWritten),
        m_credits(std::min(config.dma.bursts_per_channel, m_dram.read_places())),
        m_places(m_dram.write_places()) {}

  /// Both sides take turns so that, by what a byte of each takes alone, writes get `share` of the
  /// time. 0, 1: one side alone.
  void run(double share, double of_read, double of_written) {
    while (m_moved < kBursts) {
      release();
      const Cycle take = m_credits == 0 || share == 1 ? kNever : m_next_take;
      const Cycle pick = m_places == 0 || share == 0 ? kNever : m_next_pick;
      // Neither side gets far ahead of the other: tiles come and go in turn.
      constexpr double kAhead = 200;  // cycles
      const double ahead =
          double(m_read) * of_read * share - double(m_written) * of_written * (1 - share);
      const bool write = pick != kNever && (ahead > 0 || take == kNever) && ahead > -kAhead;
      const Cycle at = write ? pick : ahead < kAhead ? take : kNever;
      if (at == kNever || m_dram.next() < std::max(at, m_now)) {
        wait_until(at);
      } else {
        issue(at, write);
      }
    }
    while (m_dram.next() != kNever) m_dram.step(m_now = m_dram.next());
  }

  Cycle cycles() const { return std::max(m_port_free, m_now) - m_first; }
  uint64_t read() const { return m_read; }
  uint64_t written() const { return m_written; }

 private:
  static constexpr Cycle kNever = memory::Dram::kNever;

  /// The next thing that happens before then.
  void wait_until(Cycle at) {
    const Cycle step = m_dram.next();
    const Cycle free = m_returns.empty() ? kNever : m_returns.front();
    m_now = std::max(m_now, std::min({step, free, at}));
    if (step <= m_now) m_dram.step(m_now);
  }

  void issue(Cycle at, bool write) {
    m_now = std::max(m_now, at);
    Walk& walk = write ? m_writes : m_reads;
    memory::DramBurst burst = walk.next(write);
    const Cycle words = walk.words(burst);
    burst.master = write ? PRESIL_QUEUE_DMA0 + 1 : PRESIL_QUEUE_DMA0;
    burst.token = static_cast<uint32_t>(words);
    m_dram.push(m_now, burst);
    (write ? m_written : m_read) += burst.bytes;
    ++m_moved;
    if (write) {
      --m_places;
      m_next_pick = m_now + words + dma::cycles_pick_to_pick;
      if (m_first == kNever) m_first = m_now;
    } else {
      --m_credits;
      m_next_take = m_now + 1;
    }
  }

  /// Bursts whose last beat has come give their credit back.
  void release() {
    while (!m_returns.empty() && m_returns.front() <= m_now) {
      m_returns.pop_front();
      ++m_credits;
    }
  }

  void read_decided(uint32_t token, const memory::DramTimes& times) override {
    const auto cycle = [this](int64_t ps) { return (ps + m_period_ps - 1) / m_period_ps; };
    const Cycle first = cycle(times.first_ps),
                last = cycle(times.first_ps + times.atoms * times.atom_ps);
    if (m_first == kNever) m_first = first;
    m_port_free = std::max(std::max(first, m_port_free) + Cycle{token}, last);
    // Back at the master, the next one taken, and its address at the memory.
    const Cycle way = m_config.noc.cycles_request + m_config.noc.cycles_response;
    m_returns.push_back(m_port_free + way + 1 + dma::cycles_take_to_address);
  }

  void write_decided(uint32_t) override { ++m_places; }

  const SocConfig& m_config;
  const Cycle m_period_ps;
  memory::Dram m_dram;
  Walk m_reads, m_writes;
  unsigned m_credits, m_places, m_moved = 0;
  std::deque<Cycle> m_returns;
  uint64_t m_read = 0, m_written = 0;
  Cycle m_now = 0, m_next_take = 0, m_next_pick = 0, m_port_free = 0, m_first = kNever;
};

/// Of all time, what a stream loses to refresh: a sample is too short to meet its share of them.
/// The bank that it is in is refreshed as often as others.
double refreshed(const DramConfig& dram) {
  if (dram.setting == DramSetting::kIdeal) return 0;
  switch (dram.refresh) {
    case DramRefresh::kPerBank:
      return double(dram.t_rfc_pb) / (double(dram.t_refi_pb) * DramMap(dram).banks());
    case DramRefresh::kAllBanks:
      return double(dram.t_rfc_ab) / double(dram.t_refi);
    default:
      return 0;
  }
}

SocConfig without_refresh(SocConfig config) {
  config.dram.refresh = DramRefresh::kNone;
  return config;
}

}  // namespace

Rows Rows::dense() {
  return {PRESIL_BURST_BYTES, PRESIL_BURST_BYTES, PRESIL_BURST_BYTES / dma::kWordBytes};
}

Rows Rows::of_pixels(uint64_t part, uint64_t channels) {
  const uint64_t words = (part + dma::kWordBytes - 1) / dma::kWordBytes;
  if (part < channels) return {part, channels, words};
  const uint64_t lanes = words * dma::kWordBytes;
  return lanes == channels ? dense() : Rows{channels, channels, words};
}

MemoryStreams::MemoryStreams(const SocConfig& config)
    : m_config(without_refresh(config)),
      m_refreshed(1 / (1 - refreshed(config.dram))),
      m_load_latency(plan::load_latency(config)),
      m_store_latency(plan::store_latency(config)),
      m_fetch(plan::fetch_cycles(config)) {
  m_dense = alone(Rows::dense(), false);
}

Cycle MemoryStreams::cycles(const Rows& reads, uint64_t read, const Rows& writes,
                            uint64_t written) {
  const double reading = read == 0 ? 0 : alone(reads, false) * double(read);
  const double writing = written == 0 ? 0 : alone(writes, true) * double(written);
  const double all = reading + writing;
  if (reading == 0 || writing == 0) return static_cast<Cycle>(all);
  const double exact = writing / all * kShares;
  const auto below = static_cast<unsigned>(exact);
  const double low = mixed(reads, writes, below), high = mixed(reads, writes, below + 1);
  return static_cast<Cycle>(all * (low + (high - low) * (exact - below)));
}

double MemoryStreams::alone(const Rows& rows, bool write) {
  const auto [it, fresh] = m_alone.try_emplace({rows, write});
  if (fresh) {
    Sample sample(m_config, rows, rows);
    sample.run(write ? 1 : 0, 1, 1);
    it->second = m_refreshed * double(sample.cycles()) / double(sample.read() + sample.written());
  }
  return it->second;
}

double MemoryStreams::mixed(const Rows& reads, const Rows& writes, unsigned share) {
  if (share == 0 || share >= kShares) return 1;
  const auto [it, fresh] = m_mixed.try_emplace({reads, writes, share});
  if (fresh) {
    const double of_read = alone(reads, false), of_written = alone(writes, true);
    Sample sample(m_config, reads, writes);
    sample.run(double(share) / kShares, of_read, of_written);
    it->second = m_refreshed * double(sample.cycles()) /
                 (of_read * double(sample.read()) + of_written * double(sample.written()));
  }
  return it->second;
}

}  // namespace presil::plan
