// The whole DMA in RTL and the whole model, both after their registers, with the same bytes in
// their memories; jobs are rung in the RTL first and in the model at the same cycles.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "testbench/dma/dma_bench.h"
#include "tests/dma/dma_tile.h"

namespace presil::dma {

constexpr size_t kBothDataBytes = 4 << 20;

struct Both {
  static constexpr uint64_t kFrom = DmaTile::kRings;
  static constexpr size_t kBytes = DmaTile::kData - DmaTile::kRings + kBothDataBytes;

  explicit Both(const SocConfig& soc = fixed_latency(), uint32_t seed = 1) : tile(soc), seed(seed) {
    std::mt19937 random(seed);
    for (size_t i = 0; i < kBothDataBytes; ++i)
      *tile.data(i) = static_cast<uint8_t>(i * 7 + (i >> 8));
    uint8_t* sram = tile.sram.bytes_at(0, tile.config.sram.bytes);
    for (size_t i = 0; i < tile.config.sram.bytes; ++i) sram[i] = static_cast<uint8_t>(random());
  }
  void submit(unsigned channel, const std::vector<Command>& commands) {
    submit(channel, tile.place(channel, commands));
  }
  void submit(unsigned channel, const JobEntry& job) {
    uint32_t words[JobEntry::kWords];
    job.encode(words);
    const uint64_t entry = tails[channel]++ % (1u << ring_size_log2);
    const uint64_t at = DmaTile::kRings + 0x1000 * channel + entry * 128;
    std::memcpy(tile.map.bytes_at(at, 128), words, 128);
  }
  void start() {
    const uint8_t* from = tile.map.bytes_at(kFrom, kBytes);
    rtl = std::make_unique<testbench::DmaBench>(tile.config, kFrom,
                                                std::vector<uint8_t>{from, from + kBytes}, seed);
    std::memcpy(rtl->sram_byte(0), tile.sram.bytes_at(0, 1), tile.config.sram.bytes);
    rtl->stalls = stalls;
    set_up_queues();
  }
  void set_up_queues() {
    for (unsigned c = 0; c < tile.unit.channels(); ++c) {
      const uint32_t queue = PRESIL_DMA_REG_CHANNEL(c);
      rtl->write(queue + PRESIL_QUEUE_REG_RING_BASE, uint32_t(DmaTile::kRings + 0x1000 * c));
      rtl->write(queue + PRESIL_QUEUE_REG_RING_BASE_HI, (DmaTile::kRings + 0x1000 * c) >> 32);
      rtl->write(queue + PRESIL_QUEUE_REG_RING_SIZE_LOG2, ring_size_log2);
      tile.write(c, PRESIL_QUEUE_REG_RING_SIZE_LOG2, ring_size_log2);
      rtl->write(queue + PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
    }
  }
  /// A queue's register, in the RTL and, at the same cycle, in the model.
  void write(unsigned channel, uint32_t offset, uint32_t value) {
    tile.time.run_until(rtl->write(PRESIL_DMA_REG_CHANNEL(channel) + offset, value));
    tile.write(channel, offset, value);
  }
  void ring() {
    for (unsigned c = 0; c < tile.unit.channels(); ++c) {
      if (tails[c] != 0) write(c, PRESIL_QUEUE_REG_TAIL, tails[c]);
    }
  }
  void run() {
    start();
    ring();
    rtl->run();
    tile.time.run_all();
    EXPECT_EQ(rtl->violations(), "");
  }
  void expect_same_bytes() {
    ASSERT_EQ(rtl->ends().size(), tile.records.size());
    const auto sram = rtl->sram();
    const uint8_t* of_model = tile.sram.bytes_at(0, tile.config.sram.bytes);
    for (size_t i = 0; i < sram.size(); ++i) ASSERT_EQ(sram[i], of_model[i]) << "SRAM " << i;
    const auto system = rtl->system();
    of_model = tile.map.bytes_at(kFrom, kBytes);
    for (size_t i = 0; i < kBytes; ++i) ASSERT_EQ(system[i], of_model[i]) << "system " << i;
  }
  /// RTL after the model, cycles, of a command by tag.
  Cycle late(uint32_t tag) const {
    for (const auto& end : rtl->ends()) {
      if (end.tag == tag) return end.cycle - tile.record(tag)->end;
    }
    return 1 << 30;
  }
  /// Error registers of a queue, both: code, rule, word, command index, job, address.
  std::array<uint64_t, 4> error(unsigned channel, bool of_rtl) {
    const auto read = [&](uint32_t offset) -> uint64_t {
      return of_rtl ? rtl->read(PRESIL_DMA_REG_CHANNEL(channel) + offset)
                    : tile.read(channel, offset);
    };
    return {read(PRESIL_QUEUE_REG_ERROR), read(PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX),
            read(PRESIL_QUEUE_REG_ERROR_JOB_TAG),
            read(PRESIL_QUEUE_REG_ERROR_ADDRESS) | read(PRESIL_QUEUE_REG_ERROR_ADDRESS_HI) << 32};
  }

  DmaTile tile;
  uint32_t seed;
  uint32_t ring_size_log2 = 2;  ///< at most 5: rings have 4 KiB
  testbench::DmaBench::Stalls stalls;
  std::unique_ptr<testbench::DmaBench> rtl;
  std::array<uint32_t, 8> tails{};
};

inline Command copy_row(Space from, Space to, uint64_t source, uint64_t target, uint32_t bytes,
                        uint32_t tag) {
  Command c = load_row(source, static_cast<uint32_t>(target), bytes, tag);
  c.src_space = from;
  c.dst_space = to;
  return c;
}

inline Command fill_row(Space to, uint64_t target, uint32_t bytes, uint32_t tag) {
  Command c = Command::make(Op::kFill);
  c.dst_space = to;
  c.dst_base = target;
  c.dst_row_bytes = bytes;
  c.pattern = 0x12345678;
  c.tag = tag;
  return c;
}

}  // namespace presil::dma
