#include "sim/platform/soc.h"

#include <utility>

#include "models/dla/dla.h"
#include "models/host/host.h"
#include "models/memory/dma_memory.h"
#include "models/noc/noc.h"
#include "models/sync/sync.h"
#include "rtl/soc/refusal.h"
#include "sim/bridge/model_port.h"

namespace presil::platform {
namespace {

class DlaModel : public DlaBlock {
 public:
  explicit DlaModel(const DlaPlace& p)
      : m_dla("dla", p.config, p.timekeeper, p.fetch, p.system, p.sram, p.counters) {}
  tlm::tlm_target_socket<>& registers() override { return m_dla.registers; }
  void on_interrupt(InterruptLine line) override { m_dla.engine().on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_dla.engine().observe(std::move(observer)); }

 private:
  dla::Dla m_dla;
};

}  // namespace

/// Declared in the order in which they need each other.
struct Soc::Parts {
  Timekeeper timekeeper;
  sync::Sync sync;
  memory::DmaMemory memory;
  std::unique_ptr<DlaBlock> dla;
  host::Host host;
  noc::Noc noc;
  bridge::ModelPort port;

  Parts(const SocConfig& config, const BlockKinds& kinds, const RtlMaker* rtl)
      : timekeeper("timekeeper", period_ps_of(config.clock_mhz)),
        sync("sync", config.sync, timekeeper),
        memory("memory", config, timekeeper,
               [this](uint8_t queue) -> CounterPort& { return sync.unit().port(queue); }),
        dla(make_dla(config, kinds, rtl)),
        host("host", config, timekeeper),
        noc("noc", config.noc, timekeeper),
        port(host, memory.system(), PRESIL_DRAM_BASE, config.dram.bytes) {
    host.bus.bind(noc.initiators);
    noc.dla.bind(dla->registers());
    noc.dma.bind(memory.registers);
    noc.sync.bind(sync.registers);
    noc.host.bind(host.registers);
    noc.memory.bind(memory.memory);
    dla->on_interrupt(host.line(host::Source::kDla));
    memory.dma().on_interrupt(host.line(host::Source::kDma));
    sync.unit().on_interrupt(host.line(host::Source::kSync));
  }

  std::unique_ptr<DlaBlock> make_dla(const SocConfig& config, const BlockKinds& kinds,
                                     const RtlMaker* rtl) {
    const DlaPlace place{config,
                         kinds,
                         timekeeper,
                         memory.port(PRESIL_QUEUE_DLA),
                         memory.system(),
                         memory.sram(),
                         sync.unit().port(PRESIL_QUEUE_DLA),
                         [this](auto watcher) { sync.unit().watch(std::move(watcher)); }};
    if (kinds.dla == BlockKind::kModel) return std::make_unique<DlaModel>(place);
    if (rtl == nullptr) {
      throw Refusal("block",
                    "dla in RTL wants the simulator with Verilated blocks, this one is without; "
                    "`ninja presil_rtl_tools` in a build folder configured with -DPRESIL_RTL=ON "
                    "makes it (Debian package verilator)");
    }
    return rtl->dla(place);
  }
};

Soc::Soc(const SocConfig& config, const BlockKinds& kinds, const RtlMaker* rtl)
    : m_parts(std::make_unique<Parts>(config, kinds, rtl)) {}
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
  m_parts->dla->observe(observer);
  m_parts->memory.dma().on_command(observer);
  m_parts->port.recorder().on_command(std::move(observer));
}

void Soc::observe_model(CommandObserver observer) {
  m_parts->dla->observe_model(std::move(observer));
}

void Soc::stuck() {
  m_parts->dla->stuck();
}

const rtl::Divergence* Soc::divergence() const {
  return m_parts->dla->divergence();
}

const uint8_t* Soc::sram(uint64_t offset) const {
  return m_parts->memory.sram().bytes_at(offset, 1);
}

const uint8_t* Soc::system(uint64_t address) const {
  return m_parts->memory.system().bytes_at(address, 1);
}

}  // namespace presil::platform
