#include "sim/platform/soc.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/base/refusal.h"
#include "models/common/callers.h"
#include "sim/platform/tile.h"

namespace presil::platform {
namespace {

/// What has state that tiles cannot have side by side.
void check_several(const SocConfig& config, const BlockKinds& kinds, const UserMaker& user) {
  if (tiles_of(config) == 1) return;
  const std::string has =
      "the SoC has " + std::to_string(tiles_of(config)) + " tiles, must have 1 ";
  const bool models = kinds.dla == BlockKind::kModel && kinds.dma == BlockKind::kModel &&
                      kinds.sync == BlockKind::kModel &&
                      std::all_of(kinds.outside.begin(), kinds.outside.end(),
                                  [](const auto& one) { return one.second == BlockKind::kModel; });
  if (!models) {
    throw Refusal("block", has + "with blocks in RTL, whose clocks let time pass of their own; " +
                               "take models, or --set tiles=1");
  }
  if (user) throw Refusal("block", has + "with a block of the user's own; set tiles to 1");
}

}  // namespace

/// Declared in the order in which they need each other.
struct Soc::Parts {
  Timekeeper timekeeper;
  memory::SharedDram dram;
  bridge::BufferHeap heap;
  std::vector<std::unique_ptr<Tile>> tiles;

  Parts(const SocConfig& config, const BlockKinds& kinds, const RtlMaker* rtl,
        const UserMaker& user)
      : timekeeper("timekeeper", period_ps_of(config.clock_mhz)),
        dram(config.dram, timekeeper),
        heap(PRESIL_DRAM_BASE, config.dram.bytes) {
    for (unsigned t = 0; t < tiles_of(config); ++t) {
      const std::string name = "tile" + std::to_string(t);
      tiles.push_back(std::make_unique<Tile>(name.c_str(), t, tile_of(config, t), kinds,
                                             Shared{timekeeper, dram, heap}, rtl, user));
      tiles.back()->set_tiles(tiles_of(config));
    }
  }
};

Soc::Soc(const SocConfig& config, const BlockKinds& kinds, const RtlMaker* rtl,
         const UserMaker& user) {
  check_several(config, kinds, user);  // before anything is elaborated
  m_parts = std::make_unique<Parts>(config, kinds, rtl, user);
}
Soc::~Soc() = default;

unsigned Soc::tiles() const {
  return static_cast<unsigned>(m_parts->tiles.size());
}
Tile& Soc::tile(unsigned number) const {
  return *m_parts->tiles.at(number);
}
void Soc::run(std::vector<std::function<void()>> programs) {
  Callers(m_parts->timekeeper).run(std::move(programs));
}

const presil_port* Soc::port(unsigned number) {
  return tile(number).port();
}
bridge::ModelPort& Soc::model_port() {
  return tile(0).model_port();
}
host_cpu::HostCpu& Soc::host_cpu(const host_cpu::Files& files) {
  return tile(0).host_cpu(files);
}
Cycle Soc::now() const {
  return m_parts->timekeeper.cycle();
}

Soc::DramCounts Soc::dram_counts() const {
  const memory::DramStatistics& dram = m_parts->dram.ports.statistics();
  return {dram.reads + dram.writes,
          dram.row_hits,
          dram.activates,
          dram.refreshes,
          dram.atoms_read * memory::kAtomBytes,
          dram.atoms_written * memory::kAtomBytes};
}

Soc::TileDram Soc::tile_dram(unsigned number) const {
  const memory::DramStatistics::Tile& dram = m_parts->dram.ports.statistics().tiles.at(number);
  return {dram.reads, dram.atoms_read * memory::kAtomBytes, dram.atoms_written * memory::kAtomBytes,
          dram.waited_ps / m_parts->timekeeper.period_ps()};
}

Soc::DramTraffic Soc::dram_traffic() const {
  const memory::DramTraffic& traffic = m_parts->dram.ports.statistics().traffic;
  return {traffic.bin_ps() / m_parts->timekeeper.period_ps(), traffic.bytes()};
}

void Soc::observe(CommandObserver observer, unsigned number) {
  tile(number).observe(std::move(observer));
}
void Soc::set_layers(const std::shared_ptr<const std::vector<int>>& layers, unsigned number) {
  tile(number).set_layers(layers);
}
void Soc::observe_model(CommandObserver observer) {
  tile(0).observe_model(observer);
}
void Soc::watch_programs(dsp::ProgramWatch* watch, unsigned number) {
  tile(number).watch_programs(watch);
}
void Soc::stuck() {
  for (const auto& tile : m_parts->tiles) tile->stuck();
}
const rtl::Divergence* Soc::divergence() const {
  return tile(0).divergence();
}
void Soc::fail_bursts(std::function<bool(const Burst&)> fails, unsigned number) {
  tile(number).fail_bursts(std::move(fails));
}
faults::Injector& Soc::faults() {
  return tile(0).faults();
}
void Soc::reset() {
  for (const auto& tile : m_parts->tiles) tile->reset();
}
QueueFrontend* Soc::queue(uint8_t queue, unsigned number) const {
  return tile(number).queue(queue);
}
uint32_t Soc::counter(uint8_t id, unsigned number) const {
  return tile(number).counter(id);
}
std::optional<uint64_t> Soc::read_error(uint64_t address, uint64_t bytes) const {
  return tile(0).system().read(address, bytes);
}
void Soc::written(uint64_t address, uint64_t bytes) const {
  tile(0).system().written(address, bytes);
}
std::string Soc::core_place() const {
  return tile(0).core_place();
}
const uint8_t* Soc::sram(uint64_t offset, unsigned number) const {
  return tile(number).sram(offset);
}
const uint8_t* Soc::system(uint64_t address) const {
  return tile(0).system().bytes_at(address, 1);
}

}  // namespace presil::platform
