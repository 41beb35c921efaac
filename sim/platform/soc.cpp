#include "sim/platform/soc.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/base/refusal.h"
#include "models/host/host.h"
#include "models/memory/memory.h"
#include "models/noc/noc.h"
#include "models/sync/sync_unit.h"
#include "sim/bridge/model_port.h"
#include "sim/engine/loaded_engines.h"
#include "sim/faults/fault_injector.h"
#include "sim/host_cpu/host_cpu.h"

namespace presil::platform {
namespace {

/// More than what engines have outstanding takes to come back.
constexpr Cycle kCyclesOfReset = 100'000;

/// @throws Refusal where there is none
const RtlMaker& maker_of(const char* block, const RtlMaker* rtl) {
  if (rtl != nullptr) return *rtl;
  throw Refusal("block",
                std::string(block) +
                    " in RTL requires the simulator with Verilated blocks, this one is without; "
                    "`ninja presil_rtl_tools` in a build folder configured with -DPRESIL_RTL=ON "
                    "makes it (Debian package verilator)");
}

/// The RTL of sync has links for presil's own queues alone.
void check_no_outside(const SocConfig& config) {
  for (const auto& [name, engine] : config.engines) {
    if (engine.units == 0) continue;
    throw Refusal("block", "sync in RTL: the SoC has engine " + name +
                               ", must have none from outside; take the model of sync, or a SoC "
                               "without it");
  }
}

/// Times of other engines, which the RTL does not have.
void check_times(const SocConfig& config) {
  const DlaConfig& d = config.dla;
  const DlaConfig rtl;
  for (const auto& [name, value, built] :
       {std::make_tuple("cycles_command", d.cycles_command, rtl.cycles_command),
        std::make_tuple("cycles_layer", d.cycles_layer, rtl.cycles_layer),
        std::make_tuple("cycles_step", d.cycles_step, rtl.cycles_step),
        std::make_tuple("post_operations", d.post_operations, rtl.post_operations),
        std::make_tuple("post_overlap", d.post_overlap, rtl.post_overlap),
        std::make_tuple("memory_overlap", d.memory_overlap, rtl.memory_overlap)}) {
    if (value == built) continue;
    throw Refusal("block", std::string("dla in RTL: dla.") + name + " is " + std::to_string(value) +
                               ", must be " + std::to_string(built) +
                               ": the RTL is built so; take its model, or leave the parameter out");
  }
}

/// The RTL of the DLA has the SRAM's banks to itself, and that of sync has no link for a second
/// one.
void check_alone(const char* block, const SocConfig& config) {
  if (config.dla.units == 1) return;
  throw Refusal("block", std::string(block) + " in RTL: dla.units is " +
                             std::to_string(config.dla.units) +
                             ", must be 1; take its model, or a SoC with one DLA");
}

std::unique_ptr<SyncBlock> made(const SyncPlace& place, const RtlMaker* rtl) {
  if (place.kinds.sync == BlockKind::kModel) return model_of(place);
  check_alone("sync", place.config);
  check_no_outside(place.config);
  return maker_of("sync", rtl).sync(place);
}
std::unique_ptr<Block> made(const DlaPlace& place, const RtlMaker* rtl) {
  if (place.kinds.dla == BlockKind::kModel) return model_of(place);
  check_alone("dla", place.config);
  check_times(place.config);
  return maker_of("dla", rtl).dla(place);
}
std::unique_ptr<Block> made(const DmaPlace& place, const RtlMaker* rtl) {
  if (place.kinds.dma == BlockKind::kModel) return model_of(place);
  return maker_of("dma", rtl).dma(place);
}
std::unique_ptr<Block> made(const EngineBlockPlace& place, const RtlMaker* rtl) {
  const char* const name = place.library.description().name;
  const auto kind = place.kinds.outside.find(name);
  if (kind == place.kinds.outside.end() || kind->second == BlockKind::kModel) {
    return model_of(place);
  }
  return maker_of(name, rtl).outside(place, kind->second);
}

}  // namespace

/// Declared in the order in which they need each other.
struct Soc::Parts {
  const SocConfig config;
  const BlockKinds kinds;
  Timekeeper timekeeper;
  std::unique_ptr<SyncBlock> sync;
  memory::Memory memory;
  BankLoad banks;
  std::vector<std::unique_ptr<Block>> dlas, outside;
  std::unique_ptr<Block> dma, user;
  std::unique_ptr<DspBlock> dsp;
  host::Host host;
  noc::Noc noc;
  bridge::ModelPort port;
  std::unique_ptr<host_cpu::HostCpu> cpu;
  std::unique_ptr<faults::Injector> injector;

  Parts(const SocConfig& c, const BlockKinds& k, const RtlMaker* rtl, const UserMaker& user_maker)
      : config(c),
        kinds(k),
        timekeeper("timekeeper", period_ps_of(config.clock_mhz)),
        sync(made(SyncPlace{config, kinds, timekeeper}, rtl)),
        memory("memory", config, timekeeper),
        banks(config.sram.banks),
        dlas(make_dlas(rtl)),
        dma(made(
            DmaPlace{config, kinds, timekeeper, memory.crossbar(), memory.system(), memory.sram(),
                     [this](uint8_t queue) -> CounterPort& { return sync->port(queue); }, watch()},
            rtl)),
        host("host", config, timekeeper),
        noc("noc", config.noc, timekeeper),
        port(host, memory.system(), PRESIL_DRAM_BASE, config.dram.bytes) {
    host.bus.bind(noc.initiators);
    noc.sync.bind(sync->registers());
    noc.engine(PRESIL_ENGINE_HOST).bind(host.registers);
    noc.memory.bind(memory.window);
    add(PRESIL_ENGINE_DLA, all_dlas());
    add(PRESIL_ENGINE_DMA, {dma.get()});
    sync->on_interrupt(host.line(host::Source::kSync));
    if (config.dsp.units != 0) {
      dsp = model_of(DspPlace{config, timekeeper, memory.crossbar().port(PRESIL_QUEUE_DSP),
                              memory.system(), memory.sram(), sync->port(PRESIL_QUEUE_DSP), banks});
      add(PRESIL_ENGINE_DSP, {dsp.get()});
    }
    add_outside(rtl);
    if (!user_maker) return;
    user = user_maker(
        {config, kinds, timekeeper, memory.crossbar().port(noc::Crossbar::kUser), memory.system()});
    noc.user.bind(user->registers());
    user->on_interrupt(host.line(host::Source::kUser));
  }

  std::vector<std::unique_ptr<Block>> make_dlas(const RtlMaker* rtl) {
    std::vector<std::unique_ptr<Block>> all;
    for (unsigned i = 0; i < config.dla.units; ++i) {
      const auto queue = static_cast<uint8_t>(presil_first_queue(PRESIL_ENGINE_DLA, i));
      all.push_back(
          made(DlaPlace{config, kinds, queue, timekeeper, memory.crossbar().port(queue),
                        memory.system(), memory.sram(), sync->port(queue), watch(), banks},
               rtl));
    }
    return all;
  }
  /// Engines from outside, in the order of their names; instances of one in the order of theirs.
  void add_outside(const RtlMaker* rtl) {
    check_engines(config);
    check_kinds_of_outside();
    for (const auto& [name, engine] : config.engines) {
      if (engine.units == 0) continue;
      const EngineLibrary& library = *loaded_engine(name);
      std::vector<Block*> instances;
      for (unsigned i = 0; i < engine.units; ++i) {
        const auto queue =
            static_cast<uint8_t>(presil_queue_of_instance(&library.description(), i));
        outside.push_back(
            made(EngineBlockPlace{config, library, parameters_of(library, config), kinds, queue,
                                  timekeeper, memory.crossbar().port(queue), memory.system(),
                                  memory.sram(), sync->port(queue), watch(), banks},
                 rtl));
        instances.push_back(outside.back().get());
      }
      add(library.description().kind, instances);
    }
  }
  void check_kinds_of_outside() const {
    for (const auto& [name, kind] : kinds.outside) {
      const auto found = config.engines.find(name);
      if (kind == BlockKind::kModel) continue;
      if (found != config.engines.end() && found->second.units != 0) continue;
      throw Refusal("block", name + " in RTL: the SoC has no engine " + name + ", engines." + name +
                                 ".units must be 1; or leave --block " + name + " out");
    }
  }
  void add(unsigned kind, const std::vector<Block*>& instances) {
    for (unsigned i = 0; i < instances.size(); ++i) {
      noc.engine(kind, i).bind(instances[i]->registers());
      instances[i]->on_interrupt(host.line(host::source_of_engine(kind)));
    }
    host.add_engines(kind, static_cast<unsigned>(instances.size()));
  }
  CounterWatch watch() {
    return [this](auto watcher) { sync->watch(std::move(watcher)); };
  }
  std::vector<Block*> all_dlas() const {
    std::vector<Block*> all;
    for (const auto& dla : dlas) all.push_back(dla.get());
    return all;
  }
  QueueFrontend* queue(uint8_t number) const {
    for (Block* block : blocks()) {
      for (QueueFrontend* queue : block->queues()) {
        if (queue->queue() == number) return queue;
      }
    }
    return nullptr;
  }
  /// Engines first: they withdraw what they wait for.
  void reset() {
    for (Block* block : blocks()) {
      if (block != sync.get()) block->reset();
    }
    sync->reset();
    host.reset();
  }
  std::vector<Block*> blocks() const {
    std::vector<Block*> all = all_dlas();
    all.insert(all.end(), {sync.get(), dma.get()});
    if (dsp != nullptr) all.push_back(dsp.get());
    for (const auto& engine : outside) all.push_back(engine.get());
    if (user != nullptr) all.push_back(user.get());
    return all;
  }
};

Soc::Soc(const SocConfig& config, const BlockKinds& kinds, const RtlMaker* rtl,
         const UserMaker& user)
    : m_parts(std::make_unique<Parts>(config, kinds, rtl, user)) {}
Soc::~Soc() = default;

const presil_port* Soc::port() {
  return m_parts->port.port();
}
bridge::ModelPort& Soc::model_port() {
  return m_parts->port;
}
host_cpu::HostCpu& Soc::host_cpu(const host_cpu::Files& files) {
  Parts& p = *m_parts;
  if (p.cpu == nullptr) {
    p.cpu = std::make_unique<host_cpu::HostCpu>(files, p.config, p.host, p.memory.system(),
                                                p.port.recorder());
  }
  return *p.cpu;
}
Cycle Soc::now() const {
  return m_parts->timekeeper.cycle();
}

Soc::DramCounts Soc::dram_counts() const {
  const memory::DramStatistics& dram = m_parts->memory.dram_statistics();
  return {dram.reads + dram.writes,
          dram.row_hits,
          dram.activates,
          dram.refreshes,
          dram.atoms_read * memory::kAtomBytes,
          dram.atoms_written * memory::kAtomBytes};
}

Soc::DramTraffic Soc::dram_traffic() const {
  const memory::DramTraffic& traffic = m_parts->memory.dram_statistics().traffic;
  return {traffic.bin_ps() / m_parts->timekeeper.period_ps(), traffic.bytes()};
}

void Soc::observe(CommandObserver observer) {
  for (Block* block : m_parts->blocks()) {
    if (block != m_parts->dma.get() || m_parts->config.dla.memory_overlap != 0) {
      block->observe(observer);
      continue;
    }
    block->observe([this, observer](const CommandRecord& record) {
      for (const auto& dla : m_parts->dlas) dla->moved(record);
      observer(record);
    });
  }
  m_parts->port.recorder().on_command(std::move(observer));
}

void Soc::set_layers(const std::shared_ptr<const std::vector<int>>& layers) {
  for (const auto& dla : m_parts->dlas) dla->set_layers(layers);
}

void Soc::observe_model(CommandObserver observer) {
  for (Block* block : m_parts->blocks()) block->observe_model(observer);
}

void Soc::watch_programs(dsp::ProgramWatch* watch) {
  if (m_parts->dsp != nullptr) m_parts->dsp->watch_programs(watch);
}

void Soc::stuck() {
  for (Block* block : m_parts->blocks()) block->stuck();
}

// The earliest one: what another block does later may be its consequence.
const rtl::Divergence* Soc::divergence() const {
  const rtl::Divergence* first = nullptr;
  for (const Block* block : m_parts->blocks()) {
    const rtl::Divergence* found = block->divergence();
    if (found != nullptr && (first == nullptr || found->seen() < first->seen())) first = found;
  }
  return first;
}

void Soc::fail_bursts(std::function<bool(const Burst&)> fails) {
  m_parts->memory.crossbar().fail(std::move(fails));
}

faults::Injector& Soc::faults() {
  Parts& p = *m_parts;
  if (p.injector == nullptr) {
    p.injector = std::make_unique<faults::Injector>(
        faults::Tile{p.timekeeper, p.memory, p.host,
                     [&p](uint8_t number) { return p.queue(number); }, [&p] { p.reset(); }});
  }
  return *p.injector;
}

void Soc::reset() {
  Parts& p = *m_parts;
  p.timekeeper.timeline();
  if (p.injector != nullptr) p.injector->disarm();
  p.memory.sram().errors().clear();
  p.memory.dram().errors().clear();
  p.reset();
  p.host.advance(kCyclesOfReset);
}

QueueFrontend* Soc::queue(uint8_t queue) const {
  return m_parts->queue(queue);
}

uint32_t Soc::counter(uint8_t id) const {
  sync::SyncUnit* const unit = m_parts->sync->unit();
  return unit == nullptr ? 0 : unit->counter(id);
}

std::optional<uint64_t> Soc::read_error(uint64_t address, uint64_t bytes) const {
  return m_parts->memory.system().read(address, bytes);
}

void Soc::written(uint64_t address, uint64_t bytes) const {
  m_parts->memory.system().written(address, bytes);
}

std::string Soc::core_place() const {
  return m_parts->cpu == nullptr ? "" : m_parts->cpu->place();
}

const uint8_t* Soc::sram(uint64_t offset) const {
  return m_parts->memory.sram().bytes_at(offset, 1);
}

const uint8_t* Soc::system(uint64_t address) const {
  return m_parts->memory.system().bytes_at(address, 1);
}

}  // namespace presil::platform
