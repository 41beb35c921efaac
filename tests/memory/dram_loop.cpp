#include "tests/memory/dram_loop.h"

#include <stdexcept>

namespace presil::memory {

std::vector<Access> stream(size_t bursts, bool write, uint64_t base) {
  return rows(bursts, 256, 256, write, base);
}

std::vector<Access> rows(size_t count, unsigned bytes, uint64_t stride, bool write, uint64_t base) {
  std::vector<Access> list;
  for (size_t i = 0; i < count; ++i)
    list.push_back({(base + i * stride) % (1u << 30), bytes, write});
  return list;
}

std::vector<Access> scattered(size_t count, unsigned bytes, unsigned write_percent, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Access> list;
  for (size_t i = 0; i < count; ++i)
    list.push_back({random() % (1u << 30) / bytes * bytes, bytes, random() % 100 < write_percent});
  return list;
}

std::vector<Access> ping_pong(size_t bursts, size_t run) {
  std::vector<Access> list;
  for (size_t i = 0; i < bursts; ++i) {
    const bool write = i / run % 2 == 1;
    list.push_back({(write ? 1u << 24 : 0) + i * 256, 256, write});
  }
  return list;
}

Feed::Feed(std::vector<Master> masters, unsigned read_places, unsigned write_places)
    : m_masters(std::move(masters)),
      m_next(m_masters.size()),
      m_waiting(m_masters.size()),
      m_places{read_places, write_places} {
  for (const Master& master : m_masters) m_total += master.list.size();
}

void Feed::over(unsigned token) {
  ++m_places[access(token).write];
  --m_waiting[master(token)];
  --m_on_way;
}

int64_t ModelLoop::run(const std::vector<Master>& masters) {
  Feed feed(masters, dram.read_places(), dram.write_places());
  m_feed = &feed;
  const int64_t clock = m_config.clock_ps;
  for (;;) {
    while (!m_ends.empty() && m_ends.begin()->first < m_now * clock) {
      feed.over(m_ends.begin()->second);
      m_ends.erase(m_ends.begin());
    }
    feed.fill([&](const Access& a, unsigned token) {
      const auto master = static_cast<uint8_t>(3 + feed.master(token) % 4);
      dram.push(m_now, {a.address, a.bytes, a.write, master, token});
    });
    if (feed.done()) return m_now + 8;
    dram.step(m_now);  // what arrives in a clock is seen by what is decided in it
    const Cycle decides = dram.next();
    const Cycle ends = m_ends.empty() ? Dram::kNever : m_ends.begin()->first / clock + 1;
    if (decides == Dram::kNever && ends == Dram::kNever) throw std::logic_error("nothing happens");
    m_now = std::max(m_now, std::min(decides, ends));
  }
}

void ModelLoop::read_decided(uint32_t token, const DramTimes& times) {
  order.push_back(token);
  answered_ps += times.first_ps;
  const bool whole = DramMap(m_config).chunk_bytes() >= 256;  // else this is its last part
  const int64_t first =
      whole ? times.first_ps - m_config.read_latency_ps : m_now * m_config.clock_ps;
  m_ends.insert({first + (whole ? times.atoms - 1 : 0) * times.atom_ps, token});
}

void ModelLoop::write_decided(uint32_t token) {
  order.push_back(token);
  const Access& a = m_feed->access(token);
  const bool whole = DramMap(m_config).chunk_bytes() >= 256;
  const int64_t atom = int64_t{kAtomBytes} * 1000000 / m_config.peak_mb_per_s;
  m_ends.insert(
      {m_now * m_config.clock_ps + (whole ? atoms_of(a.address, a.bytes) - 1 : 0) * atom, token});
}

ReferenceRun run_reference(const DramConfig& config, const std::vector<Master>& masters) {
  reference::Controller controller(config);
  Feed feed(masters, config.read_queue, config.write_queue);
  for (int64_t now = 0; now < 100000000; ++now) {
    feed.fill([&](const Access& a, unsigned token) { controller.push(now, a, token); });
    if (feed.done()) return {controller.data_end, controller.turnarounds};
    for (const unsigned token : controller.clock(now)) feed.over(token);
  }
  throw std::logic_error("the reference does not end");
}

DramConfig memory_of(const std::string& preset) {
  SocConfig config;
  if (!preset.empty()) set_parameter(config, "dram.preset", preset);
  return config.dram;
}

}  // namespace presil::memory
