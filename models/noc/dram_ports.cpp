#include "models/noc/dram_ports.h"

namespace presil::noc {

DramPorts::DramPorts(const DramConfig& config, Cycle period_ps, Timeline& timeline)
    : m_timeline(timeline),
      m_dram(config, period_ps, *this),
      m_places{m_dram.read_places(), m_dram.write_places()} {}

unsigned DramPorts::add(User& user) {
  m_users.push_back(&user);
  m_dram.set_tiles(static_cast<unsigned>(m_users.size()));
  return static_cast<unsigned>(m_users.size()) - 1;
}

void DramPorts::push(unsigned tile, memory::DramBurst burst) {
  burst.tile = static_cast<uint8_t>(tile);
  burst.token |= tile << kTileShift;
  m_dram.push(m_timeline.now(), burst);
  step();
}

void DramPorts::step() {
  m_dram.step(m_timeline.now());
  const Cycle next = m_dram.next();
  if (next == memory::Dram::kNever || next >= m_steps_at) return;
  m_steps_at = next;
  m_timeline.at(next, Phase::kMemory, [this, next] {
    if (m_steps_at != next) return;
    m_steps_at = Timeline::kNever;
    step();
  });
}

void DramPorts::free_place(unsigned direction) {
  ++m_places[direction];
  const auto tiles = static_cast<unsigned>(m_users.size());
  for (unsigned i = 1; i <= tiles; ++i)
    m_users[(m_last[direction] + i) % tiles]->place_free(direction);
}

// The entry is free before its data are answered: what they set off may ask for it.
void DramPorts::read_decided(uint32_t token, const memory::DramTimes& times) {
  free_place(kRead);
  m_users[token >> kTileShift]->read_decided(token & ((1u << kTileShift) - 1), times);
}

void DramPorts::write_decided(uint32_t token) {
  m_users[token >> kTileShift]->write_decided(token & ((1u << kTileShift) - 1));
  free_place(kWrite);
}

}  // namespace presil::noc
