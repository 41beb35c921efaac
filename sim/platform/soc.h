// The SoC put together: its tiles, as many as its description lists, on one clock and one DRAM.
// Elaborated once per process.
#pragma once

#include <presil/port.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/common/record.h"
#include "models/soc/soc_config.h"
#include "sim/platform/blocks.h"

namespace presil::faults {
class Injector;
}
namespace presil::bridge {
class ModelPort;
}
namespace presil::host_cpu {
struct Files;
class HostCpu;
}  // namespace presil::host_cpu

namespace presil::platform {

class Tile;

/// Where a call does not name a tile, tile 0.
class Soc {
 public:
  /// @param kinds what each block is; all models by default
  /// @param rtl makes the blocks in RTL; nullptr: there are none
  /// @param user makes a block of the user's own at PRESIL_TILE_USER
  /// @throws Refusal where a block in RTL is required that there is not, or an engine from outside
  /// that is not loaded (sim/engine)
  explicit Soc(const SocConfig& config, const BlockKinds& kinds = {}, const RtlMaker* rtl = nullptr,
               const UserMaker& user = {});
  ~Soc();

  unsigned tiles() const;
  Tile& tile(unsigned number) const;
  /// Programs side by side, as of several hosts: each uses the ports of tiles of its own, and runs
  /// on a stack of its own; between its calls of a port no time passes for the others.
  void run(std::vector<std::function<void()>> programs);
  /// The driver's way in to a tile; lives as long as the SoC.
  const presil_port* port(unsigned tile = 0);
  /// That of tile 0, with what simulations ask of it.
  bridge::ModelPort& model_port();
  /// A core as the host, instead of the driver at the port: made at the first call.
  host_cpu::HostCpu& host_cpu(const host_cpu::Files& files);
  /// Called at the end of every command of every queue, host tasks included.
  void observe(CommandObserver observer, unsigned tile = 0);
  /// By tag the layer that a command belongs to (dla.cycles_layer), of the network that is loaded.
  void set_layers(const std::shared_ptr<const std::vector<int>>& layers, unsigned tile = 0);
  /// Of blocks in lock-step: the same commands as their models have run them.
  void observe_model(CommandObserver observer);
  /// Of every program on the DSP; nullptr: no watch. Nothing where the SoC has no DSP.
  void watch_programs(dsp::ProgramWatch* watch, unsigned tile = 0);
  /// The job has failed: blocks in lock-step look for what their RTL has not done.
  void stuck();
  /// Why a block in RTL has stopped for good; nullptr where none has.
  const rtl::Divergence* divergence() const;
  Cycle now() const;
  /// Since the start: bursts that the DRAM has served and those that found their row open; rows
  /// opened, refreshes of banks, bytes over the bus in whole column accesses.
  struct DramCounts {
    uint64_t bursts = 0, row_hits = 0;
    uint64_t activates = 0, refreshes = 0, bytes_read = 0, bytes_written = 0;
  };
  DramCounts dram_counts() const;
  /// Of it, since the start, what the bursts of a tile have had; and the cycles that its reads have
  /// waited, summed up, while the bus moved bursts of other tiles.
  struct TileDram {
    uint64_t reads = 0, bytes_read = 0, bytes_written = 0;
    Cycle waited = 0;
  };
  TileDram tile_dram(unsigned tile) const;
  /// Bytes over the DRAM's bus, in bins from cycle 0 on.
  struct DramTraffic {
    Cycle bin_cycles = 0;
    std::vector<uint64_t> bytes;
  };
  DramTraffic dram_traffic() const;
  /// For tests: bursts for which `fails` holds are answered with SLVERR.
  void fail_bursts(std::function<bool(const Burst&)> fails, unsigned tile = 0);
  /// What goes wrong in the next job.
  faults::Injector& faults();
  /// Every block is as after power-on, once what is under way has come back; SRAM and DRAM keep
  /// their bytes and lose their errors.
  void reset();
  /// A queue that is a model's; nullptr: none.
  QueueFrontend* queue(uint8_t queue, unsigned tile = 0) const;
  uint32_t counter(uint8_t id, unsigned tile = 0) const;
  /// What the host reads there: the first address that ECC cannot correct.
  std::optional<uint64_t> read_error(uint64_t address, uint64_t bytes) const;
  void written(uint64_t address, uint64_t bytes) const;
  /// Where the core is, and what it does; empty: there is none.
  std::string core_place() const;
  /// Backdoor views for checking, without time: nullptr where there is no memory.
  const uint8_t* sram(uint64_t offset, unsigned tile = 0) const;
  const uint8_t* system(uint64_t address) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace presil::platform
