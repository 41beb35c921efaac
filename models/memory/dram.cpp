#include "models/memory/dram.h"

#include <algorithm>
#include <numeric>

#include "models/memory/dram_channel.h"

namespace presil::memory {

namespace {

constexpr uint32_t kBackgroundRead = 0xfffffffe;  // tokens that no asker has
constexpr uint32_t kBackgroundWrite = 0xffffffff;
constexpr unsigned kMostBytes = 256, kMostParts = kMostBytes / kAtomBytes;  // of a burst

uint64_t xorshift(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ x << 17;
}

}  // namespace

uint64_t DramStatistics::total_read_bytes() const {
  return std::accumulate(read_bytes.begin(), read_bytes.end(), uint64_t{0});
}

uint64_t DramStatistics::total_written_bytes() const {
  return std::accumulate(written_bytes.begin(), written_bytes.end(), uint64_t{0});
}

double DramStatistics::row_hit_rate() const {
  const uint64_t bursts = reads + writes;
  return bursts == 0 ? 0.0 : static_cast<double>(row_hits) / static_cast<double>(bursts);
}

double DramStatistics::mean_latency() const {
  double sum = 0;
  for (size_t i = 0; i < latency.size(); ++i) sum += static_cast<double>(i) * latency[i];
  return reads == 0 ? 0.0 : sum / static_cast<double>(reads);
}

Cycle DramStatistics::latency_percentile(double fraction) const {
  uint64_t seen = 0;
  for (size_t i = 0; i < latency.size(); ++i) {
    seen += latency[i];
    if (static_cast<double>(seen) >= fraction * static_cast<double>(reads))
      return static_cast<Cycle>(i);
  }
  return static_cast<Cycle>(latency.size());
}

Dram::Dram(const DramConfig& config, Cycle period_ps, DramListener& listener)
    : m_config(config),
      m_map(config),
      m_period_ps(period_ps),
      m_listener(listener),
      m_read_places(config.read_queue),
      m_write_places(config.write_queue) {
  DramListener& self = *this;
  s.traffic = DramTraffic(kTrafficBinCycles * period_ps);
  const auto parts =
      static_cast<unsigned>(kMostBytes / std::min<uint64_t>(kMostBytes, m_map.chunk_bytes()));
  for (unsigned i = 0; i < config.channels; ++i)
    m_channels.push_back(
        std::make_unique<DramChannel>(config, m_map, parts, period_ps, i, self, s));
  if (parts > 1) m_cuts.reserve(size_t{config.read_queue} + config.write_queue);
  if (config.setting != DramSetting::kContended) {
    if (m_channels.size() == 1) m_only = m_channels.front().get();
    return;
  }
  // Reads (a display) and writes (a camera), half of the rate each, with a quarter of the queues.
  for (Background& master : m_background) {
    master.write = &master == &m_background[1];
    unsigned& places = master.write ? m_write_places : m_read_places;
    master.places = std::max(1u, places / 4);
    if (config.background_mb_per_s != 0) {
      places -= master.places;
      master.interval = int64_t{kMostBytes} * 2 * 1000000 / config.background_mb_per_s;
      master.due = master.interval;
    }
    master.random = xorshift(config.background_seed * 2 + (master.write ? 1 : 0) + 0x9e3779b9);
    master.position = master.random % config.bytes;
  }
}

Dram::~Dram() = default;

void Dram::observe(DramObserver* observer) {
  for (const auto& channel : m_channels) channel->observe(observer);
}

void Dram::set_tiles(unsigned tiles) {
  s.tiles.resize(tiles);
  for (const auto& channel : m_channels) channel->set_tiles(tiles);
}

void Dram::forward(int64_t now_ps, const DramBurst& burst) {
  if (m_map.chunk_bytes() < kMostBytes) {
    cut(now_ps, burst);
  } else {
    m_channels[m_map.channel(burst.address)]->push(now_ps, burst);
  }
}

// Each part lies in one row; its token stands for the burst's.
void Dram::cut(int64_t now_ps, const DramBurst& burst) {
  if (m_free_cuts.empty()) {
    m_free_cuts.push_back(static_cast<uint32_t>(m_cuts.size()));
    m_cuts.emplace_back();
  }
  const uint32_t token = m_free_cuts.back();
  m_free_cuts.pop_back();
  const uint64_t chunk = m_map.chunk_bytes(), end = burst.address + burst.bytes;
  m_cuts[token] = {burst, static_cast<unsigned>((end - 1) / chunk - burst.address / chunk + 1), 0};
  for (uint64_t from = burst.address; from < end;) {
    DramBurst part = burst;
    part.address = from;
    from = std::min(end, (from / chunk + 1) * chunk);
    part.bytes = static_cast<uint32_t>(from - part.address);
    part.token = token * kMostParts + static_cast<uint32_t>(part.address % kMostBytes / chunk);
    m_channels[m_map.channel(part.address)]->push(now_ps, part);
  }
}

void Dram::push(Cycle now, const DramBurst& burst) {
  const int64_t now_ps = now * m_period_ps;
  advance(now_ps - 1);
  ++m_waiting;
  forward(now_ps, burst);
}

Cycle Dram::next() const {
  if (m_waiting == 0) return kNever;
  int64_t at = DramChannel::kNeverPs;
  if (m_only != nullptr) {
    at = m_only->next_ps();
  } else {
    for (const auto& channel : m_channels) at = std::min(at, channel->next_ps());
    for (const Background& master : m_background) at = std::min(at, due_of(master));
  }
  return (at + m_period_ps - 1) / m_period_ps;
}

void Dram::step(Cycle now) {
  advance(now * m_period_ps);
}

// Everything in the order of time; at equal times the first channel, the second, the background.
void Dram::advance(int64_t until_ps) {
  if (m_only != nullptr) {
    while (m_only->next_ps() <= until_ps) m_only->step();
    return;
  }
  for (;;) {
    DramChannel* first = m_channels.front().get();
    for (const auto& channel : m_channels)
      if (channel->next_ps() < first->next_ps()) first = channel.get();
    int64_t at = first->next_ps();
    Background* background = nullptr;
    for (Background& master : m_background) {
      const int64_t due = due_of(master);
      if (due >= at) continue;
      at = due;
      background = &master;
    }
    if (at > until_ps) break;
    m_now_ps = std::max(m_now_ps, at);
    if (background != nullptr) {
      emit(*background);
    } else {
      first->step();
    }
  }
  m_now_ps = std::max(m_now_ps, until_ps);
}

// A background master whose places are taken waits for the first to become free.
int64_t Dram::due_of(const Background& master) const {
  if (master.interval == 0 || master.places == 0) return DramChannel::kNeverPs;
  return std::max(master.due, m_now_ps);
}

void Dram::emit(Background& master) {
  const bool random = m_config.background_pattern == DramPattern::kRandom;
  master.random = xorshift(master.random);
  master.position =
      random ? master.random % m_config.bytes : (master.position + kMostBytes) % m_config.bytes;
  const uint64_t address = master.position / kMostBytes * kMostBytes;
  --master.places;
  master.due += master.interval;
  forward(m_now_ps, {address, kMostBytes, master.write, kBackground,
                     master.write ? kBackgroundWrite : kBackgroundRead, kNoTile});
}

void Dram::read_decided(uint32_t token, const DramTimes& times) {
  if (m_map.chunk_bytes() >= kMostBytes) return read_done(token, times);
  Cut& cut = m_cuts[token / kMostParts];
  // Atoms leave at an even pace, and none of any part before it is there.
  const uint64_t chunk = m_map.chunk_bytes(), begin = cut.burst.address / kMostBytes * kMostBytes;
  const uint64_t part = std::max(begin + token % kMostParts * chunk, cut.burst.address);
  const auto before = static_cast<int64_t>(part / kAtomBytes - cut.burst.address / kAtomBytes);
  cut.first_ps = std::max(cut.first_ps, times.first_ps - before * times.atom_ps);
  if (--cut.left != 0) return;
  DramTimes all = times;  // the last one to be decided says what was waited for
  all.first_ps = cut.first_ps;
  all.atoms = atoms_of(cut.burst.address, cut.burst.bytes);
  const uint32_t asker = cut.burst.token;
  m_free_cuts.push_back(token / kMostParts);
  read_done(asker, all);
}

void Dram::write_decided(uint32_t token) {
  if (m_map.chunk_bytes() >= kMostBytes) return write_done(token);
  Cut& cut = m_cuts[token / kMostParts];
  if (--cut.left != 0) return;
  const uint32_t asker = cut.burst.token;
  m_free_cuts.push_back(token / kMostParts);
  write_done(asker);
}

void Dram::read_done(uint32_t token, const DramTimes& times) {
  if (token == kBackgroundRead) {
    ++m_background[0].places;
    return;
  }
  --m_waiting;
  m_listener.read_decided(token, times);
}

void Dram::write_done(uint32_t token) {
  if (token == kBackgroundWrite) {
    ++m_background[1].places;
    return;
  }
  --m_waiting;
  m_listener.write_decided(token);
}

}  // namespace presil::memory
