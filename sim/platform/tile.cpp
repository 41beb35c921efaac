#include "sim/platform/tile.h"

#include <tuple>
#include <utility>

#include "models/base/refusal.h"
#include "models/sync/sync_unit.h"
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

Tile::Tile(sc_core::sc_module_name name, unsigned number, const SocConfig& config,
           const BlockKinds& kinds, const Shared& shared, const RtlMaker* rtl,
           const UserMaker& user_maker)
    : sc_module(name),
      m_config(config),
      m_kinds(kinds),
      m_timekeeper(shared.timekeeper),
      m_sync(made(SyncPlace{m_config, m_kinds, m_timekeeper}, rtl)),
      m_memory("memory", m_config, m_timekeeper, number, &shared.dram),
      m_banks(m_config.sram.banks),
      m_dlas(make_dlas(rtl)),
      m_dma(made(
          DmaPlace{m_config, m_kinds, m_timekeeper, m_memory.crossbar(), m_memory.system(),
                   m_memory.sram(),
                   [this](uint8_t queue) -> CounterPort& { return m_sync->port(queue); }, watch()},
          rtl)),
      m_host("host", m_config, m_timekeeper, number),
      m_noc("noc", m_config.noc, m_timekeeper, number),
      m_port(m_host, m_memory.system(), shared.heap) {
  m_host.bus.bind(m_noc.initiators);
  m_noc.sync.bind(m_sync->registers());
  m_noc.engine(PRESIL_ENGINE_HOST).bind(m_host.registers);
  m_noc.memory.bind(m_memory.window);
  add(PRESIL_ENGINE_DLA, all_dlas());
  add(PRESIL_ENGINE_DMA, {m_dma.get()});
  m_sync->on_interrupt(m_host.line(host::Source::kSync));
  if (m_config.dsp.units != 0) {
    m_dsp = model_of(DspPlace{m_config, m_timekeeper, m_memory.crossbar().port(PRESIL_QUEUE_DSP),
                              m_memory.system(), m_memory.sram(), m_sync->port(PRESIL_QUEUE_DSP),
                              m_banks});
    add(PRESIL_ENGINE_DSP, {m_dsp.get()});
  }
  add_outside(rtl);
  if (!user_maker) return;
  m_user = user_maker({m_config, m_kinds, m_timekeeper,
                       m_memory.crossbar().port(noc::Crossbar::kUser), m_memory.system()});
  m_noc.user.bind(m_user->registers());
  m_user->on_interrupt(m_host.line(host::Source::kUser));
}

Tile::~Tile() = default;

std::vector<std::unique_ptr<Block>> Tile::make_dlas(const RtlMaker* rtl) {
  std::vector<std::unique_ptr<Block>> all;
  for (unsigned i = 0; i < m_config.dla.units; ++i) {
    const auto queue = static_cast<uint8_t>(presil_first_queue(PRESIL_ENGINE_DLA, i));
    all.push_back(
        made(DlaPlace{m_config, m_kinds, queue, m_timekeeper, m_memory.crossbar().port(queue),
                      m_memory.system(), m_memory.sram(), m_sync->port(queue), watch(), m_banks},
             rtl));
  }
  return all;
}

// Engines from outside, in the order of their names; instances of one in the order of theirs.
void Tile::add_outside(const RtlMaker* rtl) {
  check_engines(m_config);
  check_kinds_of_outside();
  for (const auto& [name, engine] : m_config.engines) {
    if (engine.units == 0) continue;
    const EngineLibrary& library = *loaded_engine(name);
    std::vector<Block*> instances;
    for (unsigned i = 0; i < engine.units; ++i) {
      const auto queue = static_cast<uint8_t>(presil_queue_of_instance(&library.description(), i));
      m_outside.push_back(
          made(EngineBlockPlace{m_config, library, parameters_of(library, m_config), m_kinds, queue,
                                m_timekeeper, m_memory.crossbar().port(queue), m_memory.system(),
                                m_memory.sram(), m_sync->port(queue), watch(), m_banks},
               rtl));
      instances.push_back(m_outside.back().get());
    }
    add(library.description().kind, instances);
  }
}

void Tile::check_kinds_of_outside() const {
  for (const auto& [name, kind] : m_kinds.outside) {
    const auto found = m_config.engines.find(name);
    if (kind == BlockKind::kModel) continue;
    if (found != m_config.engines.end() && found->second.units != 0) continue;
    throw Refusal("block", name + " in RTL: the SoC has no engine " + name + ", engines." + name +
                               ".units must be 1; or leave --block " + name + " out");
  }
}

void Tile::add(unsigned kind, const std::vector<Block*>& instances) {
  for (unsigned i = 0; i < instances.size(); ++i) {
    m_noc.engine(kind, i).bind(instances[i]->registers());
    instances[i]->on_interrupt(m_host.line(host::source_of_engine(kind)));
  }
  m_host.add_engines(kind, static_cast<unsigned>(instances.size()));
}

CounterWatch Tile::watch() {
  return [this](auto watcher) { m_sync->watch(std::move(watcher)); };
}

std::vector<Block*> Tile::all_dlas() const {
  std::vector<Block*> all;
  for (const auto& dla : m_dlas) all.push_back(dla.get());
  return all;
}

std::vector<Block*> Tile::blocks() const {
  std::vector<Block*> all = all_dlas();
  all.insert(all.end(), {m_sync.get(), m_dma.get()});
  if (m_dsp != nullptr) all.push_back(m_dsp.get());
  for (const auto& engine : m_outside) all.push_back(engine.get());
  if (m_user != nullptr) all.push_back(m_user.get());
  return all;
}

QueueFrontend* Tile::queue(uint8_t number) const {
  for (Block* block : blocks()) {
    for (QueueFrontend* queue : block->queues()) {
      if (queue->queue() == number) return queue;
    }
  }
  return nullptr;
}

uint32_t Tile::counter(uint8_t id) const {
  sync::SyncUnit* const unit = m_sync->unit();
  return unit == nullptr ? 0 : unit->counter(id);
}

host_cpu::HostCpu& Tile::host_cpu(const host_cpu::Files& files) {
  if (m_cpu == nullptr) {
    m_cpu = std::make_unique<host_cpu::HostCpu>(files, m_config, m_host, m_memory.system(),
                                                m_port.recorder());
  }
  return *m_cpu;
}

std::string Tile::core_place() const {
  return m_cpu == nullptr ? "" : m_cpu->place();
}

void Tile::observe(CommandObserver observer) {
  for (Block* block : blocks()) {
    if (block != m_dma.get() || m_config.dla.memory_overlap != 0) {
      block->observe(observer);
      continue;
    }
    block->observe([this, observer](const CommandRecord& record) {
      for (const auto& dla : m_dlas) dla->moved(record);
      observer(record);
    });
  }
  m_port.recorder().on_command(std::move(observer));
}

void Tile::set_layers(const std::shared_ptr<const std::vector<int>>& layers) {
  for (const auto& dla : m_dlas) dla->set_layers(layers);
}

void Tile::observe_model(const CommandObserver& observer) {
  for (Block* block : blocks()) block->observe_model(observer);
}

void Tile::watch_programs(dsp::ProgramWatch* watch) {
  if (m_dsp != nullptr) m_dsp->watch_programs(watch);
}

void Tile::stuck() {
  for (Block* block : blocks()) block->stuck();
}

// The earliest one: what another block does later may be its consequence.
const rtl::Divergence* Tile::divergence() const {
  const rtl::Divergence* first = nullptr;
  for (const Block* block : blocks()) {
    const rtl::Divergence* found = block->divergence();
    if (found != nullptr && (first == nullptr || found->seen() < first->seen())) first = found;
  }
  return first;
}

void Tile::fail_bursts(std::function<bool(const Burst&)> fails) {
  m_memory.crossbar().fail(std::move(fails));
}

faults::Injector& Tile::faults() {
  if (m_injector == nullptr) {
    m_injector = std::make_unique<faults::Injector>(
        faults::Tile{m_timekeeper, m_memory, m_host,
                     [this](uint8_t number) { return queue(number); }, [this] { reset_blocks(); }});
  }
  return *m_injector;
}

// Engines first: they withdraw what they wait for.
void Tile::reset_blocks() {
  for (Block* block : blocks()) {
    if (block != m_sync.get()) block->reset();
  }
  m_sync->reset();
  m_host.reset();
}

void Tile::reset() {
  m_timekeeper.timeline();
  if (m_injector != nullptr) m_injector->disarm();
  m_memory.sram().errors().clear();
  m_memory.dram().errors().clear();
  reset_blocks();
  m_host.advance(kCyclesOfReset);
}

}  // namespace presil::platform
