#include "models/memory/dram.h"

#include <algorithm>
#include <numeric>

namespace presil::memory {

uint64_t DramStatistics::total_read_bytes() const {
  return std::accumulate(read_bytes.begin(), read_bytes.end(), uint64_t{0});
}

uint64_t DramStatistics::total_written_bytes() const {
  return std::accumulate(written_bytes.begin(), written_bytes.end(), uint64_t{0});
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
      m_period_ps(period_ps),
      m_listener(listener),
      // 64 B at peak MB/s: 64 * 10^6 / peak ps; the division loses less than a ps per atom
      m_atom_ps(int64_t{kAtomBytes} * 1000000 / config.peak_mb_per_s),
      m_next_refresh_ps(config.refresh_interval_ps) {}

void Dram::push(Cycle now, const DramBurst& burst) {
  const int64_t arrival_ps = now * m_period_ps;
  const uint8_t master = burst.master;
  // The rest of what is on the bus counts as waiting behind its master.
  const int64_t rest_ps = std::max<int64_t>(0, m_bus_free_ps - arrival_ps);
  const int64_t others_ps =
      m_served_ps - m_served_of_ps[master] - (m_last_master != master ? rest_ps : 0);
  auto& queue = burst.write ? m_writes : m_reads;
  queue.push_back(
      {burst, arrival_ps, m_refresh_ps, others_ps, atoms_of(burst.address, burst.bytes)});
}

Cycle Dram::next() const {
  if (m_reads.empty() && m_writes.empty()) return kNever;
  int64_t first_ps = INT64_MAX;
  if (!m_reads.empty()) first_ps = m_reads.front().arrival_ps;
  if (!m_writes.empty()) first_ps = std::min(first_ps, m_writes.front().arrival_ps);
  const int64_t at_ps = std::max(m_bus_free_ps, first_ps);
  return (at_ps + m_period_ps - 1) / m_period_ps;
}

void Dram::step(Cycle now) {
  while (next() <= now) serve(write_is_next() ? m_writes : m_reads);
}

// Reads go first. Writes are drained when no read waits, or from 3/4 of their queue down to 1/8 of
// it; while both wait, a side keeps its turn for at most, and gets at least, 64 atoms.
bool Dram::write_is_next() {
  if (m_reads.empty() || m_writes.empty()) {
    m_draining = m_reads.empty();
    m_batch_atoms = kBatchAtoms;  // nobody was kept waiting: the other side may begin at once
    return m_draining;
  }
  const bool batch_done = m_batch_atoms >= kBatchAtoms;
  if (m_draining) {
    if (m_writes.size() <= m_config.write_queue / 8 || batch_done) {
      m_draining = false;
      m_batch_atoms = 0;
    }
  } else if (m_writes.size() >= m_config.write_queue * 3 / 4 && batch_done) {
    m_draining = true;
    m_batch_atoms = 0;
  }
  return m_draining;
}

// Refresh of all banks every tREFI: it begins when the burst under way has ended and takes tRFC; a
// burst that would begin before its end begins there.
int64_t Dram::past_refresh(int64_t slot_ps) {
  if (slot_ps < m_next_refresh_ps) return slot_ps;
  const int64_t passed = (slot_ps - m_next_refresh_ps) / m_config.refresh_interval_ps;
  const int64_t begin_ps = m_next_refresh_ps + passed * m_config.refresh_interval_ps;
  s.refreshes += static_cast<uint64_t>(passed) + 1;
  m_next_refresh_ps = begin_ps + m_config.refresh_interval_ps;
  const int64_t start_ps = std::max(begin_ps, m_bus_free_ps);
  return std::max(slot_ps, start_ps + static_cast<int64_t>(m_config.refresh_time_ps));
}

void Dram::serve(std::deque<Queued>& queue) {
  const Queued q = queue.front();
  queue.pop_front();
  const int64_t free_ps = std::max(m_bus_free_ps, q.arrival_ps);
  const int64_t slot_ps = past_refresh(free_ps);
  const int64_t length_ps = q.atoms * m_atom_ps;
  const uint8_t master = q.burst.master;
  m_refresh_ps += slot_ps - free_ps;
  const int64_t refresh_ps = std::min(m_refresh_ps - q.refresh_before_ps, slot_ps - q.arrival_ps);
  const int64_t others_ps = m_served_ps - m_served_of_ps[master] - q.others_before_ps;
  m_bus_free_ps = slot_ps + length_ps;
  m_served_ps += length_ps;
  m_served_of_ps[master] += length_ps;
  m_last_master = master;
  m_batch_atoms += q.atoms;
  s.busy_ps += length_ps;
  if (q.burst.write) {
    ++s.writes;
    s.atoms_written += q.atoms;
    s.written_bytes[master] += q.burst.bytes;
    m_listener.write_decided(q.burst.token);
    return;
  }
  DramTimes times;
  times.first_ps = slot_ps + m_config.read_latency_ps;
  times.atom_ps = m_atom_ps;
  times.atoms = q.atoms;
  times.refresh_ps = refresh_ps;
  times.busy_ps = std::min(others_ps, slot_ps - q.arrival_ps - refresh_ps);
  ++s.reads;
  s.atoms_read += q.atoms;
  s.read_bytes[master] += q.burst.bytes;
  const size_t latency = static_cast<size_t>((times.first_ps - q.arrival_ps) / m_period_ps);
  ++s.latency[std::min(latency, s.latency.size() - 1)];
  m_listener.read_decided(q.burst.token, times);
}

}  // namespace presil::memory
