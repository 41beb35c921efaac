#include "compiler_bridge/play/tile.h"

#include <algorithm>
#include <cstring>

namespace presil::play {

Tile::Tile(const SocConfig& config)
    : m_config(config),
      m_period_ps((1000000 + config.clock_mhz / 2) / static_cast<Cycle>(config.clock_mhz)),
      m_sram(config.sram),
      m_dram(config.dram.bytes),
      m_system(m_sram, m_dram),
      m_crossbar(m_config, m_period_ps, m_timeline, m_system),
      m_sync(config.sync, m_timeline),
      m_banks(config.sram.banks),
      m_dma(m_config, m_period_ps, m_timeline, m_crossbar, m_sram, m_system,
            [this](uint8_t queue) -> CounterPort& { return m_sync.port(queue); }) {
  m_dma.leave_values();
  m_dma.on_command([this](const CommandRecord& record) { seen(record); });
  for (unsigned i = 0; i < config.dla.units; ++i) {
    const auto queue = static_cast<uint8_t>(presil_first_queue(PRESIL_ENGINE_DLA, i));
    auto& engine = m_dlas[queue] = std::make_unique<dla::Engine>(
        queue, m_config, m_timeline, m_crossbar.port(queue), m_system, m_sram, m_sync.port(queue));
    engine->leave_values();
    engine->announce_to(m_banks);
    engine->observe([this](const CommandRecord& record) { seen(record); });
  }
}

bool Tile::plays(uint8_t queue) const {
  return m_dlas.count(queue) != 0 || presil_kind_of_queue(queue) == PRESIL_ENGINE_DMA;
}

TimedQueue& Tile::timed(uint8_t queue) {
  const auto [it, fresh] = m_timed.try_emplace(queue, queue, m_timeline, m_sync.port(queue));
  return it->second;
}

void Tile::seen(const CommandRecord& record) {
  ++m_commands;
  m_first = std::min(m_first, record.offered);
  m_last = std::max(m_last, record.end);
}

void Tile::write(uint8_t queue, uint32_t offset, uint32_t value) {
  if (const auto dla = m_dlas.find(queue); dla != m_dlas.end()) {
    dla->second->bank().write(PRESIL_DLA_REG_QUEUE + offset, value);
  } else {
    m_dma.bank().write(PRESIL_DMA_REG_CHANNEL(presil_channel_of_queue(queue)) + offset, value);
  }
}

void Tile::submit(uint8_t queue, const JobEntry& job, const std::vector<uint32_t>& words,
                  Cycle at) {
  std::memcpy(m_system.bytes_at(job.stream_address, words.size() * sizeof words[0]), words.data(),
              words.size() * sizeof words[0]);
  uint32_t entry[JobEntry::kWords];
  job.encode(entry);
  std::memcpy(m_system.bytes_at(ring_of(queue), sizeof entry), entry, sizeof entry);
  write(queue, PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(ring_of(queue)));
  write(queue, PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(ring_of(queue) >> 32));
  write(queue, PRESIL_QUEUE_REG_RING_SIZE_LOG2, 2);
  write(queue, PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
  m_timeline.at(at, Phase::kCounters, [this, queue] { write(queue, PRESIL_QUEUE_REG_TAIL, 1); });
}

}  // namespace presil::play
