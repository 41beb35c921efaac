// A tile without SystemC for tests of queues and DMA: timeline, sync, crossbar, memories, DMA.
// Streams are written to DRAM, jobs to rings, and doorbells rung as a driver would.
#pragma once

#include <cstring>
#include <vector>

#include "models/dma/dma_unit.h"
#include "models/noc/crossbar.h"
#include "models/sync/sync_unit.h"

namespace presil::dma {

class DmaTile {
 public:
  static constexpr uint64_t kRings = PRESIL_DRAM_BASE;              // 4 KiB a channel
  static constexpr uint64_t kStreams = PRESIL_DRAM_BASE + 0x10000;  // 64 KiB a channel
  static constexpr uint64_t kData = PRESIL_DRAM_BASE + 0x100000;    // region 0
  static constexpr uint64_t kDataBytes = 64 << 20;

  explicit DmaTile(const SocConfig& soc = {}) : config(soc) {
    unit.on_command([this](const CommandRecord& record) { records.push_back(record); });
    for (unsigned c = 0; c < unit.channels(); ++c) {
      write(c, PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(kRings + 0x1000 * c));
      write(c, PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>((kRings + 0x1000 * c) >> 32));
      write(c, PRESIL_QUEUE_REG_RING_SIZE_LOG2, 2);
      write(c, PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
    }
  }

  void write(unsigned channel, uint32_t offset, uint32_t value) {
    unit.bank().write(PRESIL_DMA_REG_CHANNEL(channel) + offset, value);
  }
  uint32_t read(unsigned channel, uint32_t offset) {
    uint32_t value = 0;
    unit.bank().read(PRESIL_DMA_REG_CHANNEL(channel) + offset, value);
    return value;
  }

  /// A job entry as a driver makes it: region 0 is kData, counters 1 to 40.
  JobEntry job_of(unsigned channel, uint32_t commands) {
    JobEntry job;
    job.valid = true;
    job.stop_on_error = true;
    job.tag = 100 + channel;
    job.stream_address = kStreams + 0x10000 * channel + m_stream_at[channel];
    job.command_count = commands;
    job.sync_count = 40;
    job.region_base[0] = kData;
    job.region_limit[0] = static_cast<uint16_t>(kDataBytes >> 12);
    return job;
  }
  /// Puts commands after what the channel's stream area holds.
  JobEntry place(unsigned channel, const std::vector<Command>& commands) {
    const JobEntry job = job_of(channel, static_cast<uint32_t>(commands.size()));
    for (const Command& command : commands) {
      uint32_t words[Command::kWords];
      command.encode(words);
      const uint64_t at = kStreams + 0x10000 * channel + m_stream_at[channel];
      std::memcpy(map.bytes_at(at, sizeof words), words, sizeof words);
      m_stream_at[channel] += Command::kPitch;
    }
    m_stream_at[channel] = (m_stream_at[channel] + 255) & ~255u;
    return job;
  }
  void ring(unsigned channel, const JobEntry& job) {
    uint32_t words[JobEntry::kWords];
    job.encode(words);
    const uint32_t tail = read(channel, PRESIL_QUEUE_REG_TAIL);
    std::memcpy(map.bytes_at(kRings + 0x1000 * channel + tail % 4 * 128, 128), words, 128);
    write(channel, PRESIL_QUEUE_REG_TAIL, tail + 1);
  }
  void submit(unsigned channel, const std::vector<Command>& commands) {
    ring(channel, place(channel, commands));
  }
  const CommandRecord* record(uint32_t tag) const {
    for (const CommandRecord& record : records) {
      if (record.tag == tag) return &record;
    }
    return nullptr;
  }
  uint8_t* data(uint64_t offset) { return map.bytes_at(kData + offset, 1); }

  SocConfig config;
  Cycle period_ps = (1000000 + config.clock_mhz / 2) / config.clock_mhz;
  Timeline time;
  memory::Sram sram{config.sram};
  memory::Bytes dram{config.dram.bytes};
  memory::SystemBytes map{sram, dram};
  noc::Crossbar crossbar{config, period_ps, time, map};
  sync::SyncUnit sync{config.sync, time};
  DmaUnit unit{config, period_ps, time, crossbar, sram, map, [this](uint8_t queue) -> CounterPort& {
                 return sync.port(queue);
               }};
  std::vector<CommandRecord> records;

 private:
  std::vector<uint32_t> m_stream_at = std::vector<uint32_t>(8, 0);
};

/// A DRAM of one latency, for sums that are the DMA's own.
inline SocConfig fixed_latency() {
  SocConfig soc;
  soc.dram.setting = DramSetting::kIdeal;
  soc.dram.ideal_latency_ps = 40000;
  return soc;
}

/// One row from DRAM region 0 to SRAM, and back.
inline Command load_row(uint64_t from, uint32_t to, uint32_t bytes, uint32_t tag = 0) {
  Command c = Command::make(Op::kCopy);
  c.src_space = Space::kSystem;
  c.tag = tag;
  c.src_base = from;
  c.dst_base = to;
  c.src_row_bytes = c.dst_row_bytes = bytes;
  return c;
}
inline Command store_row(uint32_t from, uint64_t to, uint32_t bytes, uint32_t tag = 0) {
  Command c = load_row(from, static_cast<uint32_t>(to), bytes, tag);
  c.src_space = Space::kSram;
  c.dst_space = Space::kSystem;
  c.dst_base = to;
  return c;
}

}  // namespace presil::dma
