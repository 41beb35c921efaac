// Loads by the RTL of the read side against the whole model of the DMA, in the same memory: bytes
// of the SRAM, the cycle in which each command ends.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "testbench/dma/load_bench.h"
#include "tests/dma/dma_oracle.h"
#include "tests/dma/dma_tile.h"

namespace presil::dma {
namespace {

using testbench::LoadBench;
constexpr uint64_t kFrom = DmaTile::kRings;
constexpr size_t kBytes = DmaTile::kData - DmaTile::kRings + (4 << 20);

bool long_run() {
  return std::getenv("PRESIL_ALL") != nullptr;
}

struct Both {
  explicit Both(const SocConfig& soc = fixed_latency()) : tile(soc) {
    for (size_t i = 0; i < kBytes - (DmaTile::kData - kFrom); ++i) {
      *tile.data(i) = static_cast<uint8_t>(i * 7 + (i >> 8));
    }
  }
  void submit(unsigned channel, const std::vector<Command>& commands) {
    tile.submit(channel, commands);
  }
  /// The RTL runs first: the model's tile has not moved yet, only its rings are full.
  void run(LoadBench::Stalls stalls = {}, uint32_t seed = 1) {
    const uint8_t* from = tile.map.bytes_at(kFrom, kBytes);
    LoadBench bench(tile.config, kFrom, {from, from + kBytes});
    for (unsigned c = 0; c < tile.unit.channels(); ++c) {
      bench.queue(c, DmaTile::kRings + 0x1000 * c, 2, tile.read(c, PRESIL_QUEUE_REG_TAIL));
    }
    rtl = bench.run(stalls, seed);
    tile.time.run_all();
  }
  void expect_same_bytes() {
    const uint8_t* sram = tile.sram.bytes_at(0, tile.config.sram.bytes);
    ASSERT_TRUE(std::equal(rtl.sram.begin(), rtl.sram.end(), sram));
    ASSERT_EQ(rtl.ends.size(), tile.records.size());
  }
  /// RTL after the model, cycles, of a command by tag.
  Cycle late(uint32_t tag) const {
    for (const auto& end : rtl.ends) {
      if (end.tag == tag) return end.cycle - tile.record(tag)->end;
    }
    return 1 << 30;
  }

  DmaTile tile;
  LoadBench::Run rtl;
};

TEST(DmaLoadRtl, one_row_ends_in_the_models_cycle) {
  for (const uint32_t bytes : {16u, 256u, 1024u, 16384u, 100000u}) {
    Both both;
    both.submit(0, {load_row(64, 0, bytes, 1)});
    both.run();
    both.expect_same_bytes();
    EXPECT_EQ(both.late(1), 0) << bytes;
  }
}

TEST(DmaLoadRtl, commands_and_channels_after_each_other_end_in_the_models_cycles) {
  Both both;
  for (unsigned c = 0; c < 4; ++c) {
    std::vector<Command> commands;
    for (unsigned i = 0; i < 6; ++i) {
      const uint32_t at = 0x20000 * c + 0x4000 * i;
      commands.push_back(load_row(at, at, 1024 << (i % 4), 10 * c + i));
    }
    both.submit(c, commands);
  }
  both.run();
  both.expect_same_bytes();
  for (const auto& end : both.rtl.ends) EXPECT_EQ(both.late(end.tag), 0) << end.tag;
}

struct Error {
  unsigned commands = 0, equal = 0, outside = 0;
  double worst = 0;
};

/// Random shapes and packs on all channels; DRAM of fixed latency, or the real one.
Error random_loads(unsigned runs, const SocConfig& soc, LoadBench::Stalls stalls) {
  std::mt19937 random(11);
  Error error;
  uint64_t words = 0, cycles = 0;
  const auto began = std::chrono::steady_clock::now();
  for (unsigned run = 0; run < runs; ++run) {
    Both both(soc);
    uint64_t from = 0, to = 0;
    for (unsigned c = 0; c < 4; ++c) {
      std::vector<Command> commands;
      while (commands.size() < 1 + random() % 4) {
        test::Case one = test::random_case(random);
        if (one.command.op == Op::kFill) continue;
        Command command = one.command;
        command.dst_space = Space::kSram;
        command.src_base += from + random() % 300;
        command.dst_base += to + random() % 40;
        command.tag = run * 100 + c * 10 + static_cast<uint32_t>(commands.size());
        from += one.src.bytes.size() + 512;
        to += one.dst.bytes.size() + 64;
        if (to > both.tile.config.sram.bytes) break;
        commands.push_back(command);
      }
      if (!commands.empty()) both.submit(c, commands);
    }
    both.run(stalls, run);
    both.expect_same_bytes();
    words += both.rtl.words;
    cycles += static_cast<uint64_t>(both.rtl.cycles);
    for (const auto& end : both.rtl.ends) {
      const Cycle late = std::abs(both.late(end.tag));
      const Cycle whole = both.tile.record(end.tag)->end - both.tile.record(end.tag)->offered;
      ++error.commands;
      error.equal += late == 0;
      error.outside += late > std::max<Cycle>(20, whole / 50);
      error.worst = std::max(error.worst, 100.0 * static_cast<double>(late) / double(whole));
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (stalls.address + stalls.sram > 0) return error;  // no cycles to compare
  std::cout << error.commands << " commands, " << words << " words, " << cycles
            << " cycles: " << error.equal << " end in the model's cycle, " << error.outside
            << " outside max(2 %, 20 cycles), worst " << error.worst << " %; "
            << double(cycles) / took.count() / 1e6 << " M cycles a second, model included\n";
  return error;
}

TEST(DmaLoadRtl, random_loads_write_the_models_bytes_97_of_100_within_two_percent_or_20_cycles) {
  const Error error = random_loads(long_run() ? 400 : 30, fixed_latency(), {});
  EXPECT_LE(error.outside * 33, error.commands);
  EXPECT_LE(error.worst, 20);
}

TEST(DmaLoadRtl, random_loads_from_a_real_dram_97_of_100_within_two_percent_or_20_cycles) {
  const Error error = random_loads(long_run() ? 400 : 30, SocConfig{}, {});
  EXPECT_LE(error.outside * 33, error.commands);
  EXPECT_LE(error.worst, 20);
}

TEST(DmaLoadRtl, a_load_from_where_nothing_is_fails_at_the_models_address) {
  Both both;
  JobEntry job = both.tile.place(0, {load_row(0x40, 0, 512, 1), load_row(0x400, 0x400, 512, 2)});
  job.region_base[0] = 0xf000000000;
  both.tile.ring(0, job);
  both.submit(1, {load_row(0, 0x1000, 512, 3)});
  both.run();
  EXPECT_EQ(both.rtl.failed, 1u);
  EXPECT_EQ(both.rtl.failed_address, 0xf000000040u);
  EXPECT_EQ(both.tile.read(0, PRESIL_QUEUE_REG_ERROR_ADDRESS), 0x00000040u);
  ASSERT_EQ(both.rtl.ends.size(), 1u);
  EXPECT_EQ(both.late(3), 0);
}

TEST(DmaLoadRtl, ports_that_are_not_ready_change_no_byte) {
  random_loads(long_run() ? 200 : 15, fixed_latency(), {60, 70});
}

}  // namespace
}  // namespace presil::dma
