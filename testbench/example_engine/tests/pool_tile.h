// A small tile in SystemC around the engine in RTL, alone or in lock-step with its model, as
// sim/rtl puts it into a SoC: memory, SRAM with other masters, sync, a host that gives it jobs.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/sync/sync_unit.h"
#include "pool_core.h"
#include "sim/engine/engine_library.h"
#include "sim/rtl/outside_block.h"

namespace presil::pool::test {

/// Of one address space from `base` on.
class Bytes : public BytePort {
 public:
  Bytes(uint64_t base, size_t bytes) : all(bytes), m_base(base) {}
  uint8_t* bytes_at(uint64_t address, size_t bytes) override {
    if (address < m_base || address - m_base + bytes > all.size()) return nullptr;
    return all.data() + (address - m_base);
  }
  std::vector<uint8_t> all;

 private:
  uint64_t m_base;
};

/// 50 cycles to the first beat.
class Reads : public BurstPort {
 public:
  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
    BurstTimes times;
    times.first = burst.at + 50;
    times.last = times.first + burst.bytes / 16 - 1;
    done(times);
  }
};

class Tile : public sc_core::sc_module {
 public:
  static constexpr uint64_t kMemory = PRESIL_DRAM_BASE;
  tlm_utils::simple_initiator_socket<Tile> host;

  /// @param kinds seed and batch
  /// @param sram all of it, as it is before the first job
  Tile(sc_core::sc_module_name name, const EngineLibrary& library, const rtl::EngineRtl& rtl,
       platform::BlockKind kind, const platform::BlockKinds& kinds, std::vector<uint8_t> sram);

  void write(uint32_t offset, uint32_t value);
  uint32_t read(uint32_t offset);
  /// Puts a job into the ring and rings.
  void submit(const std::vector<Command>& commands);
  /// Until the interrupt. @return whether it came
  bool wait(Cycle limit = 1000000);

  Bytes memory{kMemory, 1 << 20};
  Bytes sram;
  BankLoad banks{16};
  std::vector<CommandRecord> records, model_records;
  rtl::QueueBlock& block() { return *m_block; }
  sync::SyncUnit& sync() { return m_sync; }
  Timekeeper& time() { return m_time; }

 private:
  uint32_t access(bool write, uint32_t offset, uint32_t value);

  const SocConfig m_config;
  const uint32_t m_queue;  // offset of its queue's registers
  Timekeeper m_time;
  Reads m_reads;
  sync::SyncUnit m_sync;
  std::unique_ptr<rtl::OutsideBlock> m_block;
  uint32_t m_jobs = 0;
  bool m_irq = false;
};

}  // namespace presil::pool::test
