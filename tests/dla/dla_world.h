// What surrounds a DLA engine in tests: SRAM, a memory with fixed latency that holds the ring and
// the stream, the tile's counters, and a driver of three lines.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "models/common/timeline.h"
#include "models/dla/dla_engine.h"
#include "models/sync/sync_unit.h"

namespace presil::dla::test {

class Memory : public BytePort {
 public:
  Memory(uint64_t base, size_t bytes) : m_base(base), m_bytes(bytes) {}
  uint8_t* bytes_at(uint64_t address, size_t bytes) override {
    if (address < m_base || address - m_base + bytes > m_bytes.size()) return nullptr;
    return m_bytes.data() + (address - m_base);
  }
  std::vector<uint8_t>& bytes() { return m_bytes; }

  /// Bytes that cannot be read until they are written.
  std::set<uint64_t> bad;
  std::optional<uint64_t> read(uint64_t address, uint64_t bytes) override {
    const auto first = bad.lower_bound(address);
    return first != bad.end() && *first < address + bytes ? std::optional(*first) : std::nullopt;
  }
  void written(uint64_t address, uint64_t bytes) override {
    bad.erase(bad.lower_bound(address), bad.lower_bound(address + bytes));
  }

 private:
  uint64_t m_base;
  std::vector<uint8_t> m_bytes;
};

/// Every read: first beat 50 cycles after AR, a beat a cycle.
class FixedLatency : public BurstPort {
 public:
  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
    BurstTimes times;
    times.first = burst.at + 50;
    times.last = times.first + (burst.bytes + 15) / 16 - 1;
    done(times);
  }
};

struct World {
  static constexpr uint64_t kRing = PRESIL_DRAM_BASE, kStream = PRESIL_DRAM_BASE + 0x10000;

  /// AR of the job entry at 0, 8 beats: 57; command's AR at 58, 10 beats: 117; offered at 118.
  static constexpr Cycle kFirstOffer = 118;

  explicit World(SocConfig the_config = {})
      : config(the_config),
        dram(PRESIL_DRAM_BASE, 1 << 20),
        sram(0, config.sram.bytes),
        sync(config.sync, time),
        engine(PRESIL_QUEUE_DLA, config, time, fetch, dram, sram, sync.port(PRESIL_QUEUE_DLA)) {
    engine.observe([this](const CommandRecord& record) { records.push_back(record); });
    engine.on_interrupt([this](bool level) { irq = level; });
    write(PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(kRing));
    write(PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(kRing >> 32));
    write(PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
    write(PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_IRQ_ENABLE, 0xf);
  }

  void write(uint32_t offset, uint32_t value) { engine.bank().write(offset, value); }
  uint32_t read(uint32_t offset) {
    uint32_t value = 0;
    engine.bank().read(offset, value);
    return value;
  }

  /// Puts a job of these commands into the ring and rings.
  void submit(const std::vector<Command>& commands, JobEntry job = {}) {
    for (size_t i = 0; i < commands.size(); ++i) {
      uint32_t words[Command::kWords];
      commands[i].encode(words);
      std::memcpy(dram.bytes_at(kStream + m_placed * Command::kPitch, sizeof words), words,
                  sizeof words);
      if (i == 0) job.stream_address = kStream + m_placed * Command::kPitch;
      ++m_placed;
    }
    job.command_count = static_cast<uint32_t>(commands.size());
    if (job.sync_count == 0) job.sync_count = 12;
    uint32_t words[JobEntry::kWords];
    job.encode(words);
    std::memcpy(dram.bytes_at(kRing + m_jobs % 4 * JobEntry::kBytes, sizeof words), words,
                sizeof words);
    write(PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_TAIL, ++m_jobs);
  }

  SocConfig config;
  Timeline time;
  Memory dram, sram;
  FixedLatency fetch;
  sync::SyncUnit sync;
  Engine engine;
  std::vector<CommandRecord> records;
  bool irq = false;

 private:
  uint32_t m_placed = 0, m_jobs = 0;
};

}  // namespace presil::dla::test
