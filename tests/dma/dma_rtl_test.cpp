// The whole DMA in RTL against the whole model, both after their registers and in the same memory:
// bytes of SRAM and DRAM, the cycle in which each command ends, errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/common/shown.h"
#include "tests/dma/dma_both.h"
#include "tests/dma/dma_oracle.h"

namespace presil::dma {
namespace {

using testbench::DmaBench;

bool long_run() {
  return std::getenv("PRESIL_ALL") != nullptr;
}

TEST(DmaRtl, one_row_of_each_path_ends_in_the_models_cycle) {
  for (const uint32_t bytes : {16u, 256u, 1024u, 16384u}) {
    const std::vector<Command> all = {
        copy_row(Space::kSystem, Space::kSram, 64, 0, bytes, 1),
        copy_row(Space::kSram, Space::kSystem, 0, 0x100000, bytes, 1),
        copy_row(Space::kSram, Space::kSram, 0, 0x40000, bytes, 1),
        copy_row(Space::kSystem, Space::kSystem, 0, 0x100000, bytes, 1),
        fill_row(Space::kSram, 0x800, bytes, 1),
        fill_row(Space::kSystem, 0x800, bytes, 1),
    };
    for (size_t i = 0; i < all.size(); ++i) {
      Both both;
      both.submit(0, {all[i]});
      both.run();
      both.expect_same_bytes();
      EXPECT_EQ(both.late(1), 0) << bytes << " bytes, path " << i << ", "
                                 << both.tile.record(1)->end - both.tile.record(1)->offered;
    }
  }
}

/// `rows` rows of `bytes` bytes, `stride` apart on the system's side; the other side follows on.
Command rows_of(bool store, unsigned channel, uint16_t rows, uint32_t bytes, int32_t stride,
                uint32_t tag) {
  const uint32_t at = 0x10000 * channel;
  Command c = store ? store_row(at, 0x100000 + 4 * at, rows * bytes, tag)
                    : load_row(4 * at, 0x80000 + at, rows * bytes, tag);
  (store ? c.dst_row_bytes : c.src_row_bytes) = bytes;
  (store ? c.dst_n : c.src_n)[0] = rows;
  (store ? c.dst_stride : c.src_stride)[0] = stride;
  return c;
}

TEST(DmaRtl, loads_and_stores_on_all_channels_end_in_the_models_cycles) {
  struct Rows {
    uint16_t rows;
    uint32_t bytes;
    int32_t stride;
  };
  for (const Rows r : {Rows{1, 8192, 0}, Rows{64, 1, 3}, Rows{16, 256, 512}}) {
    for (const unsigned stores : {0x0u, 0xfu, 0x5u, 0x2u}) {  // a bit for each channel
      if (!long_run() && stores != 0x5) continue;
      for (const bool rows_of_dram : {false, true}) {
        Both both(rows_of_dram ? SocConfig{} : fixed_latency());
        for (unsigned c = 0; c < 4; ++c) {
          const bool store = stores >> c & 1;
          both.submit(c, {rows_of(store, c, r.rows, r.bytes, r.stride, 10 * c),
                          rows_of(!store, c, 1, 2048, 0, 10 * c + 1),
                          rows_of(store, c, r.rows, r.bytes, r.stride, 10 * c + 2)});
        }
        both.run();
        both.expect_same_bytes();
        for (const auto& end : both.rtl->ends()) {
          EXPECT_EQ(both.late(end.tag), 0)
              << r.rows << " rows of " << r.bytes << ", stores " << stores << ", " << end.tag;
        }
      }
    }
  }
}

// System to system: rows that begin anywhere in a word, bursts that are cut otherwise on both
// sides, more and fewer rows on one side than on the other. What is held between R and W, 512 bytes
// or 32 beats, decides when the next burst is read.
TEST(DmaRtl, a_move_of_any_rows_ends_in_the_models_cycle) {
  struct Rows {
    uint32_t bytes;
    uint16_t n;
    int32_t stride;
  };
  struct Shape {
    uint64_t from;
    Rows source;
    uint64_t to;
    Rows destination;
  };
  const std::vector<Shape> all = {
      {0xea, {624, 23, 1404}, 0, {14352, 1, 0}},  // 2.4 bursts a row, into one
      {8, {640, 23, 1408}, 0, {14720, 1, 0}},    {0, {640, 23, 1408}, 8, {14720, 1, 0}},
      {3, {4096, 1, 0}, 0, {4096, 1, 0}},  // a burst is complete 3 bytes after one read
      {0, {1024, 1, 0}, 0, {16, 64, 32}},  // a burst a row: 8 of them wait at most
      {0, {512, 1, 0}, 0, {8, 64, 32}},    // half a beat each
      {0, {8, 64, 32}, 0, {8, 64, 40}},          {3, {100, 20, 100}, 0, {200, 10, 300}},
      {0, {300, 20, 500}, 0, {6000, 1, 0}},
  };
  for (size_t i = 0; i < all.size(); ++i) {
    for (const bool rows_of_dram : {false, true}) {
      const Shape& shape = all[i];
      Both both(rows_of_dram ? SocConfig{} : fixed_latency());
      Command c = copy_row(Space::kSystem, Space::kSystem, shape.from, 0x100000 + shape.to, 0, 1);
      c.src_row_bytes = shape.source.bytes;
      c.src_n[0] = shape.source.n;
      c.src_stride[0] = shape.source.stride;
      c.dst_row_bytes = shape.destination.bytes;
      c.dst_n[0] = shape.destination.n;
      c.dst_stride[0] = shape.destination.stride;
      both.submit(0, {c});
      both.run();
      both.expect_same_bytes();
      const Cycle cycles = both.tile.record(1)->end - both.tile.record(1)->offered;
      EXPECT_LE(std::abs(both.late(1)), 3) << "shape " << i << ", " << cycles << " cycles";
    }
  }
}

struct Error {
  unsigned commands = 0, equal = 0, outside = 0;
  double worst = 0;
  std::map<std::string, unsigned> seen;  // coverage: what random commands were
};

const char* name_of(Path path) {
  constexpr const char* kNames[] = {"nop", "load", "store", "local", "move"};
  return kNames[static_cast<unsigned>(path)];
}

/// Locates both ends of a random command where nothing else reads or writes.
struct Locations {
  uint64_t sram = 0x100, system = 0x100;
  uint64_t& of(Space space) { return space == Space::kSram ? sram : system; }
};

Command random_command(std::mt19937& random, Locations& locations, Error& error,
                       presil::test::Shown& shown) {
  if (random() % 12 == 0) {
    ++error.seen["nop"];
    shown.command("nop");
    return Command::make(Op::kNop);
  }
  test::Case one = test::random_case(random);
  Command c = one.command;
  c.dst_space = random() % 2 ? Space::kSram : Space::kSystem;
  if (c.op == Op::kCopy) {
    c.src_space = random() % 2 ? Space::kSram : Space::kSystem;
    uint64_t& at = locations.of(c.src_space);
    at += random() % 300;
    c.src_base += at;
    at += one.src.bytes.size() + 64;
  }
  uint64_t& at = locations.of(c.dst_space);
  at += random() % 300;
  c.dst_base += at;
  at += one.dst.bytes.size() + 64;
  c.fence = random() % 10 == 0;
  c.irq = random() % 4 == 0;
  const char* packs[] = {"", " pad", " drop"};
  ++error.seen[std::string(name_of(path_of(c))) + (c.op == Op::kFill ? " fill" : "") +
               packs[static_cast<unsigned>(c.pack)]];
  error.seen["fence"] += c.fence;
  error.seen["xor80"] += c.xor80;
  for (unsigned d = 0; d < 4; ++d) {
    error.seen["negative stride"] += c.dst_stride[d] < 0 || c.src_stride[d] < 0;
  }
  shown.command(c.to_text());
  return c;
}

// The commands after a nop have long been fetched when its wait is met.
TEST(DmaRtl, commands_after_a_nop_that_waited_begin_in_the_models_cycle) {
  for (const bool store : {false, true}) {
    Both both(fixed_latency());
    Command slow = rows_of(store, 0, 40, 256, 256, 1);
    slow.signal = 1;
    slow.signal_add = 1;
    Command nop = Command::make(Op::kNop);
    nop.tag = 2;
    nop.wait0 = 1;
    nop.wait0_value = 1;
    both.submit(0, {slow});
    both.submit(1, {nop, rows_of(store, 1, 1, 512, 0, 3), rows_of(!store, 1, 1, 512, 0, 4)});
    both.run();
    both.expect_same_bytes();
    for (const uint32_t tag : {1, 2, 3, 4}) EXPECT_EQ(both.late(tag), 0) << store << ", " << tag;
  }
}

// A job's values count from its value_base: a negative one is of a job before it. Its second region
// takes the row; the nop lets nothing by until the command before it has ended.
TEST(DmaRtl, waits_for_values_of_an_earlier_job_fences_of_a_nop_and_regions_are_the_models) {
  presil::test::Shown shown("dma", {"model", "rtl"});
  Both both(fixed_latency());
  Command first = load_row(0, 0x100, 512, 1);
  first.signal = 1;
  first.signal_add = 99;
  Command nop = Command::make(Op::kNop);
  nop.tag = 2;
  nop.fence = true;
  nop.wait0 = nop.wait1 = 1;
  nop.wait0_value = -1;  // 100 - 1 = 99
  nop.wait1_value = -2;
  Command second = store_row(0x100, 0x80, 512, 3);
  second.dst_region = 1;
  both.submit(0, {first});
  JobEntry job = both.tile.place(1, {nop, second});
  job.value_base = 100;
  job.region_base[1] = job.region_base[0] + 0x100000;
  job.region_limit[1] = 1;  // 4 KiB
  both.submit(1, job);
  both.run();
  both.expect_same_bytes();
  for (const uint32_t tag : {1, 2, 3}) EXPECT_EQ(both.late(tag), 0) << tag;
  EXPECT_GT(both.tile.record(3)->start, both.tile.record(1)->end);
  for (unsigned i = 0; i < 512; ++i)
    ASSERT_EQ(*both.tile.data(0x100080 + i), *both.tile.data(i)) << i;
  for (const Command& c : {first, nop, second}) shown.command(c.to_text());
}

TEST(DmaRtl, a_random_command_alone_ends_near_the_models_cycle) {
  std::mt19937 random(3);
  Error error;
  presil::test::Shown shown("dma", {"model", "rtl"});
  std::map<std::string, std::array<unsigned, 3>> by_path;
  for (unsigned run = 0; run < (long_run() ? 1000 : 60); ++run) {
    Locations locations;
    Command c = random_command(random, locations, error, shown);
    c.tag = 1;
    Both both(fixed_latency(), run + 1);
    both.submit(0, {c});
    both.run();
    both.expect_same_bytes();
    if (HasFatalFailure()) return;
    const Cycle whole = both.tile.record(1)->end - both.tile.record(1)->offered;
    const Cycle late = both.late(1);
    auto& [commands, equal, outside] = by_path[name_of(path_of(c))];
    ++commands;
    equal += late == 0;
    const bool out = std::abs(late) > std::max<Cycle>(20, whole / 50);
    outside += out;
    if (std::getenv("PRESIL_DMA_SHOW") && late != 0) {
      std::cout << (out ? "OUT " : "") << name_of(path_of(c)) << (c.op == Op::kFill ? " fill" : "")
                << " pack " << int(c.pack) << " elem " << c.elem_bytes << " late " << late << " of "
                << whole << " src " << (c.src_base & 15) << " rows " << c.src_row_bytes << " x "
                << c.src_n[0] * c.src_n[1] * c.src_n[2] * c.src_n[3] << " to " << (c.dst_base & 255)
                << " rows " << c.dst_row_bytes << " x "
                << c.dst_n[0] * c.dst_n[1] * c.dst_n[2] * c.dst_n[3] << "\n";
    }
  }
  for (const auto& [path, counts] : by_path) {
    std::cout << path << ": " << counts[0] << " commands, " << counts[1]
              << " end in the model's cycle, " << counts[2] << " outside max(2 %, 20 cycles)\n";
    EXPECT_LE(counts[2] * 20, counts[0]) << path;
  }
}

/// Random commands of every path on all channels, with waits and signals across channels.
Error random_commands(unsigned runs, const SocConfig& soc, DmaBench::Stalls stalls,
                      bool waits = true) {
  std::mt19937 random(17);
  Error error;
  presil::test::Shown shown("dma", {"model", "rtl"});
  for (unsigned run = 0; run < runs; ++run) {
    Both both(soc, run + 1);
    both.stalls = stalls;
    Locations locations;
    std::array<unsigned, 4> signals{};
    std::map<uint32_t, Command> all;
    for (unsigned c = 0; c < 4; ++c) {
      std::vector<Command> commands;
      const unsigned expected = 1 + random() % 6;
      while (commands.size() < expected) {
        Command command = random_command(random, locations, error, shown);
        if (locations.sram > both.tile.config.sram.bytes || locations.system > kBothDataBytes)
          break;
        command.tag = run * 100 + c * 10 + static_cast<uint32_t>(commands.size());
        if (random() % 2) {
          command.signal = static_cast<uint8_t>(c + 1);
          command.signal_add = 1;
          ++signals[c];
        }
        if (waits && c > 0 && random() % 2) {  // for channels before, so that none waits in a ring
          const unsigned of = random() % c;
          (random() % 2 ? command.wait0 : command.wait1) = static_cast<uint8_t>(of + 1);
          command.wait0_value = command.wait1_value =
              static_cast<int32_t>(random() % (signals[of] + 1));
          error.seen["wait"] += 1;
        }
        all[command.tag] = command;
        commands.push_back(command);
      }
      if (!commands.empty()) both.submit(c, commands);
    }
    both.run();
    both.expect_same_bytes();
    if (testing::Test::HasFatalFailure()) return error;
    for (const auto& end : both.rtl->ends()) {
      const Cycle late = std::abs(both.late(end.tag));
      const Cycle whole = both.tile.record(end.tag)->end - both.tile.record(end.tag)->offered;
      ++error.commands;
      error.equal += late == 0;
      const bool outside = late > std::max<Cycle>(20, whole / 50);
      error.outside += outside;
      error.worst = std::max(error.worst, 100.0 * static_cast<double>(late) / double(whole));
      if (outside && std::getenv("PRESIL_DMA_SHOW")) {
        const Command& c = all[end.tag];
        std::cout << end.tag << " " << name_of(path_of(c)) << " pack " << int(c.pack) << " late "
                  << both.late(end.tag) << " of " << whole << " end " << end.cycle << " rows "
                  << c.src_row_bytes << " x " << c.src_n[0] * c.src_n[1] * c.src_n[2] * c.src_n[3]
                  << " to " << c.dst_row_bytes << " x "
                  << c.dst_n[0] * c.dst_n[1] * c.dst_n[2] * c.dst_n[3] << "\n";
      }
    }
  }
  std::cout << error.commands << " commands: ";
  for (const auto& [what, times] : error.seen) std::cout << what << " " << times << ", ";
  if (stalls.address + stalls.write + stalls.sram == 0) {
    std::cout << error.equal << " end in the model's cycle, " << error.outside
              << " outside max(2 %, 20 cycles), worst " << error.worst << " %";
  }
  std::cout << "\n";
  return error;
}

TEST(DmaRtl, random_commands_on_all_channels_write_the_models_bytes) {
  random_commands(long_run() ? 400 : 15, fixed_latency(), {});
}

TEST(DmaRtl, random_commands_in_a_real_dram_write_the_models_bytes) {
  random_commands(long_run() ? 400 : 10, SocConfig{}, {});
}

TEST(DmaRtl, ports_that_are_not_ready_change_no_byte) {
  random_commands(long_run() ? 200 : 10, fixed_latency(), {60, 60, 60, 50});
}

}  // namespace
}  // namespace presil::dma
