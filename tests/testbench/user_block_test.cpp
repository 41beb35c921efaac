// A block of the user's own in the SoC, as its model and as RTL: the same answers in the same
// cycles.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "models/base/refusal.h"
#include "rtl/host/host.h"
#include "sim/platform/soc.h"
#include "sim/rtl/axi_block.h"
#include "testbench/example_block/histogram_core.h"
#include "testbench/example_block/histogram_driver.h"
#include "testbench/example_block/histogram_model.h"
#include "testbench/example_block/histogram_top.h"

namespace presil::example {
namespace {

constexpr uint64_t kBlock = PRESIL_TILE_USER;
constexpr uint64_t kNowhere = 0x7000000;  // no memory there

struct Tile {
  explicit Tile(const platform::UserMaker& block, uint32_t seed = 1)
      : soc(SocConfig{}, kinds(seed), nullptr, block), port(*soc.port()) {}

  static platform::BlockKinds kinds(uint32_t seed) {
    platform::BlockKinds kinds;
    kinds.seed = seed;
    kinds.batch = seed == 1 ? 0 : 7;
    return kinds;
  }
  uint32_t get(uint32_t offset) { return port.read32(port.self, kBlock + offset); }
  void set(uint32_t offset, uint32_t value) { port.write32(port.self, kBlock + offset, value); }
  presil_memory memory(size_t bytes) {
    presil_memory memory{};
    EXPECT_EQ(port.alloc(port.self, bytes, 256, &memory), 0);
    return memory;
  }

  platform::Soc soc;
  const presil_port& port;
};

platform::UserMaker model() {
  return [](const platform::UserPlace& place) { return std::make_unique<HistogramModel>(place); };
}

TEST(UserBlock, is_of_a_soc_of_one_tile) {
  SocConfig config;
  set_parameter(config, "tiles", "2");
  try {
    const platform::Soc soc(config, {}, nullptr, model());
    FAIL() << "it has been made";
  } catch (const Refusal& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "block: the SoC has 2 tiles, must have 1 with a block of the user's own; set "
                 "tiles to 1");
  }
}

/// What a program sees of a block, in words; the two kinds must say the same.
std::string session(const platform::UserMaker& block, uint32_t seed = 1) {
  Tile tile(block, seed);
  std::string said;
  const auto say = [&](uint64_t value) {
    said += std::to_string(value) + " at " + std::to_string(tile.soc.now()) + "\n";
  };
  const presil_memory counts = tile.memory(sizeof(Histogram));
  presil_memory source = tile.memory(4096);
  auto* bytes = static_cast<uint8_t*>(source.host);
  for (unsigned i = 0; i < 4096; ++i) bytes[i] = static_cast<uint8_t>(i * i >> 4);
  source.address += 48;  // not at a multiple of a burst
  source.host = bytes + 48;
  for (const uint32_t size : {0u, 16u, 208u, 224u, 4032u}) {
    const histogram_result result = histogram_run(&tile.port, &source, size, &counts);
    EXPECT_EQ(result.error, nullptr);
    Histogram expected{};
    count(expected, bytes + 48, size);
    EXPECT_EQ(std::memcmp(expected.data(), counts.host, sizeof expected), 0) << size;
    say(result.cycles);
  }
  // Registers that there are not, or that are busy or read-only; a job polled for.
  say(tile.get(0x28));
  say(tile.get(2));
  tile.set(HISTOGRAM_ID, 1);
  tile.set(HISTOGRAM_IRQ_ENABLE, 0);
  tile.set(HISTOGRAM_CONTROL, 1);
  tile.set(HISTOGRAM_BYTES, 16);
  for (uint32_t status = HISTOGRAM_BUSY; status == HISTOGRAM_BUSY;) {
    status = tile.get(HISTOGRAM_STATUS);
    say(status);
  }
  say(tile.get(HISTOGRAM_BYTES));
  // Memory that there is not, to read from and to write to.
  presil_memory nowhere = source;
  nowhere.address = kNowhere;
  say(histogram_run(&tile.port, &nowhere, 512, &counts).status);
  say(histogram_run(&tile.port, &source, 512, &nowhere).status);
  say(histogram_run(&tile.port, &source, 512, &counts).status);
  return said;
}

/// A process has one SoC: this one is of a process of its own.
std::string of_child(const std::function<std::string()>& told) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = told() + (testing::Test::HasFailure() ? "with failures" : "");
    const bool written = write(ends[1], text.data(), text.size()) == ssize_t(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) text.append(part, got);
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(text.find("with failures"), std::string::npos) << text;
  return text;
}

TEST(UserBlock, in_rtl_answers_what_its_model_does_in_the_same_cycles) {
  const std::string by_model = of_child([] { return session(model()); });
  EXPECT_EQ(by_model.substr(0, 7), "142 at ") << by_model;  // without a byte: 64 + 1 + 77
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const std::string by_rtl =
        of_child([&] { return session(rtl::user_rtl(make_histogram_top), seed); });
    EXPECT_EQ(by_rtl, by_model) << seed;
  }
}

TEST(UserBlock, in_its_place_answers_and_without_one_the_bus_does) {
  Tile tile({});
  EXPECT_EQ(tile.get(HISTOGRAM_ID), 0xffffffffu);
  const presil_memory memory = tile.memory(1024);
  EXPECT_STREQ(histogram_run(&tile.port, &memory, 16, &memory).error,
               "there is no histogram in this tile");
}

}  // namespace
}  // namespace presil::example
