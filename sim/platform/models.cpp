// The blocks of the SoC that are their models.
#include <utility>

#include "models/dla/dla.h"
#include "models/dma/dma.h"
#include "models/dsp/dsp.h"
#include "models/sync/sync.h"
#include "sim/platform/blocks.h"

namespace presil::platform {
namespace {

bool reset_all(const std::vector<QueueFrontend*>& queues) {
  for (QueueFrontend* queue : queues) queue->reset();
  return true;
}

class SyncModel : public SyncBlock {
 public:
  explicit SyncModel(const SyncPlace& p) : m_sync("sync", p.config.sync, p.timekeeper) {}
  tlm::tlm_target_socket<>& registers() override { return m_sync.registers; }
  void on_interrupt(InterruptLine line) override { m_sync.unit().on_interrupt(std::move(line)); }
  CounterPort& port(uint8_t queue) override { return m_sync.unit().port(queue); }
  void watch(std::function<void(uint8_t id)> watcher) override {
    m_sync.unit().watch(std::move(watcher));
  }
  sync::SyncUnit* unit() override { return &m_sync.unit(); }
  bool reset() override {
    m_sync.unit().reset();
    return true;
  }

 private:
  sync::Sync m_sync;
};

class DlaModel : public Block {
 public:
  explicit DlaModel(const DlaPlace& p)
      : m_dla(presil_queue_name(p.queue), p.queue, p.config, p.timekeeper, p.fetch, p.system,
              p.sram, p.counters) {
    m_dla.engine().announce_to(p.banks);
    if (!p.kinds.values) m_dla.engine().leave_values();
  }
  tlm::tlm_target_socket<>& registers() override { return m_dla.registers; }
  void on_interrupt(InterruptLine line) override { m_dla.engine().on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_dla.engine().observe(std::move(observer)); }
  void set_layers(const std::shared_ptr<const std::vector<int>>& layers) override {
    m_dla.engine().set_layers(layers);
  }
  void moved(const CommandRecord& r) override { m_dla.engine().moved(r.start, r.end); }
  std::vector<QueueFrontend*> queues() override { return {&m_dla.engine().frontend()}; }
  bool reset() override { return reset_all(queues()); }

 private:
  dla::Dla m_dla;
};

class DspModel : public DspBlock {
 public:
  explicit DspModel(const DspPlace& p)
      : m_dsp("dsp", p.config, p.timekeeper, p.port, p.system, p.sram, p.counters, p.banks) {}
  tlm::tlm_target_socket<>& registers() override { return m_dsp.registers; }
  void on_interrupt(InterruptLine line) override { m_dsp.engine().on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_dsp.engine().observe(std::move(observer)); }
  std::vector<QueueFrontend*> queues() override { return {&m_dsp.engine().frontend()}; }
  bool reset() override { return reset_all(queues()); }
  void watch_programs(dsp::ProgramWatch* watch) override { m_dsp.engine().watch_programs(watch); }

 private:
  dsp::Dsp m_dsp;
};

class DmaModel : public Block {
 public:
  explicit DmaModel(const DmaPlace& p)
      : m_dma("dma", p.config, p.timekeeper, p.crossbar, p.sram, p.system, p.counters_of) {}
  tlm::tlm_target_socket<>& registers() override { return m_dma.registers; }
  void on_interrupt(InterruptLine line) override { m_dma.unit().on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_dma.unit().on_command(observer); }
  std::vector<QueueFrontend*> queues() override {
    std::vector<QueueFrontend*> all;
    for (unsigned i = 0; i < m_dma.unit().channels(); ++i)
      all.push_back(&m_dma.unit().channel(i).frontend());
    return all;
  }
  bool reset() override { return reset_all(queues()); }

 private:
  dma::Dma m_dma;
};

}  // namespace

std::unique_ptr<SyncBlock> model_of(const SyncPlace& place) {
  return std::make_unique<SyncModel>(place);
}
std::unique_ptr<Block> model_of(const DlaPlace& place) {
  return std::make_unique<DlaModel>(place);
}
std::unique_ptr<DspBlock> model_of(const DspPlace& place) {
  return std::make_unique<DspModel>(place);
}
std::unique_ptr<Block> model_of(const DmaPlace& place) {
  return std::make_unique<DmaModel>(place);
}

}  // namespace presil::platform
