#include "sim/platform/soc.h"

#include <utility>

#include "models/dla/dla.h"
#include "models/host/host.h"
#include "models/memory/dma_memory.h"
#include "models/noc/noc.h"
#include "models/sync/sync.h"
#include "sim/bridge/model_port.h"

namespace presil::platform {

/// Declared in the order in which they need each other.
struct Soc::Parts {
  Timekeeper timekeeper;
  sync::Sync sync;
  memory::DmaMemory memory;
  dla::Dla dla;
  host::Host host;
  noc::Noc noc;
  bridge::ModelPort port;

  explicit Parts(const SocConfig& config)
      : timekeeper("timekeeper", period_ps_of(config.clock_mhz)),
        sync("sync", config.sync, timekeeper),
        memory("memory", config, timekeeper,
               [this](uint8_t queue) -> CounterPort& { return sync.unit().port(queue); }),
        dla("dla", config, timekeeper, memory.port(PRESIL_QUEUE_DLA), memory.system(),
            memory.sram(), sync.unit().port(PRESIL_QUEUE_DLA)),
        host("host", config, timekeeper),
        noc("noc", config.noc, timekeeper),
        port(host, memory.system(), PRESIL_DRAM_BASE, config.dram.bytes) {
    host.bus.bind(noc.initiators);
    noc.dla.bind(dla.registers);
    noc.dma.bind(memory.registers);
    noc.sync.bind(sync.registers);
    noc.host.bind(host.registers);
    noc.memory.bind(memory.memory);
    dla.engine().on_interrupt(host.line(host::Source::kDla));
    memory.dma().on_interrupt(host.line(host::Source::kDma));
    sync.unit().on_interrupt(host.line(host::Source::kSync));
  }
};

Soc::Soc(const SocConfig& config) : m_parts(std::make_unique<Parts>(config)) {}
Soc::~Soc() = default;

const presil_port* Soc::port() {
  return m_parts->port.port();
}
Cycle Soc::now() const {
  return m_parts->timekeeper.cycle();
}

Soc::DramBursts Soc::dram_bursts() const {
  const memory::DramStatistics& dram = m_parts->memory.dram_statistics();
  return {dram.reads + dram.writes, dram.row_hits};
}

Soc::DramTraffic Soc::dram_traffic() const {
  const memory::DramTraffic& traffic = m_parts->memory.dram_statistics().traffic;
  return {traffic.bin_ps() / m_parts->timekeeper.period_ps(), traffic.bytes()};
}

void Soc::observe(CommandObserver observer) {
  m_parts->dla.engine().observe(observer);
  m_parts->memory.dma().on_command(observer);
  m_parts->port.recorder().on_command(std::move(observer));
}

const uint8_t* Soc::sram(uint64_t offset) const {
  return m_parts->memory.sram().bytes_at(offset, 1);
}

const uint8_t* Soc::system(uint64_t address) const {
  return m_parts->memory.system().bytes_at(address, 1);
}

}  // namespace presil::platform
