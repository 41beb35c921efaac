// One tile put together: engines, sync, SRAM, host, interconnect, as many of each engine as its
// description says; and the driver's port. DRAM and time are the SoC's.
#pragma once

#include <presil/port.h>

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/record.h"
#include "models/host/host.h"
#include "models/memory/memory.h"
#include "models/noc/noc.h"
#include "models/soc/soc_config.h"
#include "sim/bridge/model_port.h"
#include "sim/platform/blocks.h"

namespace presil::faults {
class Injector;
}
namespace presil::host_cpu {
struct Files;
class HostCpu;
}  // namespace presil::host_cpu

namespace presil::platform {

/// What tiles share.
struct Shared {
  Timekeeper& timekeeper;
  memory::SharedDram& dram;
  bridge::BufferHeap& heap;  ///< of the DRAM
};

class Tile : public sc_core::sc_module {
 public:
  /// @param number  registers and SRAM begin at PRESIL_TILE_BASE(number)
  Tile(sc_core::sc_module_name name, unsigned number, const SocConfig& config,
       const BlockKinds& kinds, const Shared& shared, const RtlMaker* rtl,
       const UserMaker& user_maker);
  ~Tile() override;

  /// For its registers: how many the SoC has.
  void set_tiles(unsigned tiles) { m_host.bank().set_tiles_count(static_cast<uint16_t>(tiles)); }
  const presil_port* port() { return m_port.port(); }
  bridge::ModelPort& model_port() { return m_port; }
  host_cpu::HostCpu& host_cpu(const host_cpu::Files& files);
  void observe(CommandObserver observer);
  /// By tag the layer that a command belongs to (dla.cycles_layer).
  void set_layers(const std::shared_ptr<const std::vector<int>>& layers);
  void observe_model(const CommandObserver& observer);
  void watch_programs(dsp::ProgramWatch* watch);
  void stuck();
  const rtl::Divergence* divergence() const;
  void fail_bursts(std::function<bool(const Burst&)> fails);
  faults::Injector& faults();
  void reset();
  QueueFrontend* queue(uint8_t number) const;
  uint32_t counter(uint8_t id) const;
  std::string core_place() const;
  const uint8_t* sram(uint64_t offset) { return m_memory.sram().bytes_at(offset, 1); }
  /// The address space as the tile sees it.
  BytePort& system() { return m_memory.system(); }

 private:
  std::vector<std::unique_ptr<Block>> make_dlas(const RtlMaker* rtl);
  void add_outside(const RtlMaker* rtl);
  void check_kinds_of_outside() const;
  void add(unsigned kind, const std::vector<Block*>& instances);
  CounterWatch watch();
  std::vector<Block*> all_dlas() const;
  std::vector<Block*> blocks() const;
  void reset_blocks();

  // Declared in the order in which they need each other.
  const SocConfig m_config;
  const BlockKinds m_kinds;
  Timekeeper& m_timekeeper;
  std::unique_ptr<SyncBlock> m_sync;
  memory::Memory m_memory;
  BankLoad m_banks;
  std::vector<std::unique_ptr<Block>> m_dlas, m_outside;
  std::unique_ptr<Block> m_dma, m_user;
  std::unique_ptr<DspBlock> m_dsp;
  host::Host m_host;
  noc::Noc m_noc;
  bridge::ModelPort m_port;
  std::unique_ptr<host_cpu::HostCpu> m_cpu;
  std::unique_ptr<faults::Injector> m_injector;
};

}  // namespace presil::platform
