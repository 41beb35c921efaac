// The tile's modules together, driven by register accesses alone, as the driver does it.
#include "models/host/host.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "driver/kernels/host/kernels.h"
#include "models/base/digest.h"
#include "models/dma/dma.h"
#include "models/memory/memory.h"
#include "models/noc/noc.h"
#include "models/soc/host_prices.h"
#include "models/sync/sync.h"
#include "rtl/dma/dma_bank.h"

namespace presil::host {
namespace {

constexpr uint64_t kDma = PRESIL_TILE_DMA, kSync = PRESIL_TILE_SYNC, kHost = PRESIL_TILE_HOST;

class HostTest : public ::testing::Test {
 protected:
  HostTest() {
    host.bus.bind(noc.initiators);
    noc.sync.bind(sync.registers);
    noc.engine(PRESIL_ENGINE_DMA).bind(dma.registers);
    noc.memory.bind(memory.window);
    noc.engine(PRESIL_ENGINE_HOST).bind(host.registers);
    sync.unit().on_interrupt(host.line(Source::kSync));
    dma.unit().on_interrupt(host.line(source_of_engine(PRESIL_ENGINE_DMA)));
  }
  void enable_slot(uint32_t value) {
    host.write32(kHost + PRESIL_HOST_REG_IRQ_ENABLE, PRESIL_HOST_IRQ_ENABLE_SYNC_MASK);
    host.write32(kSync + PRESIL_SYNC_REG_IRQ_ENABLE, 1);
    host.write32(kSync + PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_VALUE, value);
    host.write32(kSync + PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_CONTROL,
                 4 | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
  }
  SocConfig config;
  Timekeeper keeper{"time", period_ps_of(config.clock_mhz)};
  sync::Sync sync{"sync", config.sync, keeper};
  memory::Memory memory{"memory", config, keeper};
  dma::Dma dma{"dma",
               config,
               keeper,
               memory.crossbar(),
               memory.sram(),
               memory.system(),
               [this](uint8_t q) -> CounterPort& { return sync.unit().port(q); }};
  noc::Noc noc{"noc", config.noc, keeper};
  Host host{"host", config, keeper};
};

TEST_F(HostTest, a_write_takes_8_cycles_and_a_read_16) {
  host.write32(kSync + PRESIL_SYNC_REG_LIMIT, 33);
  EXPECT_EQ(host.now(), 8);
  EXPECT_EQ(host.read32(kSync + PRESIL_SYNC_REG_LIMIT), 33u);
  EXPECT_EQ(host.now(), 8 + 16);
}

TEST_F(HostTest, a_read_sees_what_is_there_when_it_arrives) {
  host.write32(kSync + PRESIL_SYNC_REG_SIGNAL, 1u | 5u << 16);  // at 8; the counter shows it at 10
  EXPECT_EQ(host.read32(kSync + PRESIL_SYNC_REG_COUNT(1)), 5u);
  host.advance(100);
  const Cycle before = host.now();
  EXPECT_EQ(host.read32(kHost + PRESIL_HOST_REG_TIME), static_cast<uint32_t>(before + 8));
}

TEST_F(HostTest, the_interrupt_ends_the_wait_at_its_cycle) {
  enable_slot(1);
  const Cycle t = host.now() + 1000;
  keeper.timeline().at(t, Phase::kEngine, [&] { sync.unit().port(0).signal(t, 4, 1); });
  EXPECT_EQ(host.wait(5000), WaitResult::kInterrupt);
  // line 4 after completion, then the way into the driver
  EXPECT_EQ(host.now(), t + 4 + config.host.cycles_interrupt);
  host.write32(kSync + PRESIL_SYNC_REG_IRQ_STATUS, 1);
  EXPECT_EQ(host.read32(kHost + PRESIL_HOST_REG_IRQ_PENDING), 0u);
}

/// Another in the kernel: looks at the time every 7 ns, and at an event of the timeline.
struct Onlooker : sc_core::sc_module {
  explicit Onlooker(sc_core::sc_module_name name, Timekeeper& time)
      : sc_module(name), keeper(time) {
    SC_HAS_PROCESS(Onlooker);
    SC_METHOD(look);
    SC_METHOD(hear);
    sensitive << heard;
    dont_initialize();
  }
  void look() {
    exact = exact && keeper.cycle() == sc_core::sc_time_stamp() / keeper.time_of(1);
    next_trigger(7, sc_core::SC_NS);
  }
  void hear() { heard_at = sc_core::sc_time_stamp(); }
  Timekeeper& keeper;
  sc_core::sc_event heard;
  sc_core::sc_time heard_at;
  bool exact = true;
};

TEST_F(HostTest, with_another_process_in_the_kernel_time_is_the_same_and_the_kernels) {
  Onlooker onlooker("onlooker", keeper);
  enable_slot(1);
  const Cycle t = host.now() + 1000;
  keeper.timeline().at(t, Phase::kEngine, [&] {
    sync.unit().port(0).signal(t, 4, 1);
    onlooker.heard.notify();
  });
  EXPECT_EQ(host.wait(5000), WaitResult::kInterrupt);
  EXPECT_EQ(host.now(), t + 4 + config.host.cycles_interrupt);
  EXPECT_EQ(onlooker.heard_at, keeper.time_of(t));
  EXPECT_TRUE(onlooker.exact);
  host.write32(kSync + PRESIL_SYNC_REG_IRQ_STATUS, 1);
  const Cycle before = host.now();
  EXPECT_EQ(host.wait(700), WaitResult::kTimedOut);
  EXPECT_EQ(host.now(), before + 700);
}

TEST_F(HostTest, alone_the_kernels_time_follows) {
  enable_slot(1);
  const Cycle t = host.now() + 1000;
  keeper.timeline().at(t, Phase::kEngine, [&] { sync.unit().port(0).signal(t, 4, 1); });
  keeper.timeline().at(t + 3000, Phase::kEngine, [] {});
  EXPECT_EQ(host.wait(Timeline::kNever), WaitResult::kInterrupt);
  EXPECT_EQ(sc_core::sc_time_stamp(), keeper.time_of(host.now()));
  EXPECT_EQ(keeper.timeline().next(), t + 3000);
}

TEST_F(HostTest, a_pending_interrupt_does_not_sleep) {
  enable_slot(0);
  host.advance(10);
  const Cycle before = host.now();
  EXPECT_EQ(host.wait(Timeline::kNever), WaitResult::kInterrupt);
  EXPECT_EQ(host.now(), before + config.host.cycles_interrupt);
}

TEST_F(HostTest, a_timeout_ends_the_wait_at_its_cycle) {
  enable_slot(1);
  const Cycle before = host.now();
  keeper.timeline().at(before + 5000, Phase::kEngine, [] {});
  EXPECT_EQ(host.wait(700), WaitResult::kTimedOut);
  EXPECT_EQ(host.now(), before + 700);
}

TEST_F(HostTest, a_world_in_which_nothing_can_happen_is_dead) {
  enable_slot(1);
  EXPECT_EQ(host.wait(Timeline::kNever), WaitResult::kDead);
  ASSERT_EQ(sync.unit().pending().size(), 1u);
  EXPECT_EQ(sync.unit().pending()[0].queue, PRESIL_QUEUE_HOST);
}

TEST_F(HostTest, engines_work_while_the_host_does) {
  Cycle ran = 0;
  keeper.timeline().at(50, Phase::kEngine, [&] { ran = keeper.timeline().now(); });
  host.spend({"softmax_i8", 100, 800});
  // call 100 + 100 * 20 (as on edge) + 800 / 8 + 13 lines of 4
  EXPECT_EQ(host.now(), 2252);
  EXPECT_EQ(ran, 50);
}

TEST_F(HostTest, an_address_that_nobody_answers_is_counted_and_reads_ones) {
  EXPECT_EQ(host.read32(PRESIL_TILE_DLA), 0xffffffffu);  // not bound here
  EXPECT_EQ(host.read32(0x0050000), 0xffffffffu);
  EXPECT_EQ(host.read32(kSync + 0x24), 0xffffffffu);
  EXPECT_EQ(host.bus_errors(), 3u);
  EXPECT_EQ(host.last_bus_error(), kSync + 0x24);
}

TEST_F(HostTest, the_host_finds_out_what_the_tile_is) {
  EXPECT_EQ(host.read32(kHost + PRESIL_HOST_REG_SRAM), config.sram.bytes);
  EXPECT_EQ(host.read32(kHost + PRESIL_HOST_REG_CLOCK), 1000000u);
  const std::string digest = soc_sha256(config);
  const uint32_t word = host.read32(kHost + PRESIL_HOST_REG_CONFIG_HASH(0));
  char text[3];
  std::snprintf(text, sizeof text, "%02x", word & 0xff);
  EXPECT_EQ(digest.substr(0, 2), text);
  EXPECT_EQ(host.read32(kDma + PRESIL_DMA_REG_ID) >> 8 & 0xff, config.dma.channels);
}

TEST_F(HostTest, a_dma_job_runs_from_registers_alone) {
  const uint64_t ring = PRESIL_DRAM_BASE + 0x1000, stream = PRESIL_DRAM_BASE + 0x2000;
  const uint64_t region = PRESIL_DRAM_BASE + 0x10000;
  dma::Command c = dma::Command::make(dma::Op::kCopy);
  c.src_space = dma::Space::kSystem;
  c.src_row_bytes = c.dst_row_bytes = 1000;
  c.dst_base = 0x500;
  c.signal = 4;
  c.signal_add = 1;
  uint32_t words[32];
  c.encode(words);
  std::memcpy(memory.system().bytes_at(stream, 128), words, 128);
  JobEntry job;
  job.valid = job.stop_on_error = true;
  job.stream_address = stream;
  job.command_count = 1;
  job.sync_count = 10;
  job.region_base[0] = region;
  job.region_limit[0] = 1;
  job.encode(words);
  std::memcpy(memory.system().bytes_at(ring, 128), words, 128);
  for (int i = 0; i < 1000; ++i)
    *memory.system().bytes_at(region + i, 1) = static_cast<uint8_t>(i * 7);
  std::vector<CommandRecord> records;
  dma.unit().on_command([&](const CommandRecord& record) { records.push_back(record); });

  enable_slot(1);
  const uint64_t queue = kDma + PRESIL_DMA_REG_CHANNEL(0);
  host.write32(queue + PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(ring));
  host.write32(queue + PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(ring >> 32));
  host.write32(queue + PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
  const Cycle store = host.now();
  host.write32(queue + PRESIL_QUEUE_REG_TAIL, 1);
  EXPECT_EQ(host.wait(100000), WaitResult::kInterrupt);
  ASSERT_EQ(records.size(), 1u);
  // two fetches of 57, each of a closed row: tRCD 18.125, rounded up
  EXPECT_EQ(records[0].offered, store + 8 + 2 * (57 + 19));
  EXPECT_EQ(host.now(), records[0].end + 4 + config.host.cycles_interrupt);
  EXPECT_EQ(host.read32(queue + PRESIL_QUEUE_REG_HEAD), 1u);
  EXPECT_EQ(host.read32(queue + PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_IDLE);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(memory.sram().data()[0x500 + i], static_cast<uint8_t>(i * 7));
}

TEST_F(HostTest, tools_peek_and_poke_by_system_address_without_time) {
  host.advance(1);  // elaborates
  uint32_t value = 0x12345678;
  tlm::tlm_generic_payload payload;
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(4);
  payload.set_address(PRESIL_TILE_SRAM + 0x40);
  payload.set_write();
  EXPECT_EQ(host.bus->transport_dbg(payload), 4u);
  EXPECT_EQ(memory.sram().data()[0x40], 0x78);
  payload.set_address(PRESIL_DRAM_BASE + config.dram.bytes - 3);
  EXPECT_EQ(host.bus->transport_dbg(payload), 0u);
  EXPECT_EQ(host.now(), 1);
}

/// Hand-made prices, whatever the lists say.
HostConfig priced() {
  HostConfig config;
  config.cycles_call = 100;
  config.kernels = {{"nms", {0, 2.5, 0}}, {"copy", {30, 4, 0.125}}};
  config.cycles_cache_line = 4, config.cache_line_bytes = 64;
  config.bytes_per_cycle = 8;
  return config;
}

TEST(HostTiming, a_task_costs_call_elements_and_bytes) {
  const HostConfig config = priced();
  EXPECT_EQ(task_cycles(config, {"nms", 3, 0}), 100 + 8);                      // 7.5, rounded up
  EXPECT_EQ(task_cycles(config, {"copy", 3, 16}), 100 + 30 + 12 + 2 + 4);      // one line of 64 B
  EXPECT_EQ(task_cycles(config, {"copy", 3, 65}), 100 + 30 + 12 + 9 + 2 * 4);  // 8.125, rounded up
  EXPECT_EQ(task_cycles(config, {"copy", 0, 0}), 100 + 30);
  EXPECT_EQ(task_cycles(config, {kNoTask, 0, 0}), 100);
}

TEST(HostTiming, a_kernel_without_a_price_is_a_defect) {
  EXPECT_THROW(task_cycles(priced(), {"softmax_i8", 1, 1}), std::logic_error);
}

TEST(HostTiming, others_have_a_price_together_where_a_list_says_so) {
  HostConfig config = priced();
  config.kernels[kOtherKernels] = {1, 2, 3};
  EXPECT_EQ(task_cycles(config, {"softmax_i8", 10, 1}), 100 + 1 + 20 + 3 + 4);
  EXPECT_EQ(task_cycles(config, {"nms", 3, 0}), 100 + 8);
}

TEST(HostTiming, without_a_data_cache_nothing_is_cleaned) {
  HostConfig config = priced();
  config.cache_line_bytes = 0;
  EXPECT_EQ(cache_lines(config, 129), 0u);
  EXPECT_EQ(clean_cycles(config, 129), 0);
  EXPECT_EQ(task_cycles(config, {"copy", 3, 65}), 100 + 30 + 12 + 9);
}

/// Whatever presil_kernel_price can answer.
std::set<std::string> all_kernels() {
  std::set<std::string> names = {"softmax_i8_table", "log_softmax_i8_table", "cast_from_float",
                                 "resize_bilinear_i8_float"};
  for (uint32_t id = 1; id < PRESIL_KERNELS; ++id) {
    if (id == PRESIL_KERNEL_FUNCTION_F32 || id == PRESIL_KERNEL_PAIR_F32) continue;
    names.insert(presil_kernel_name(id));
  }
  for (uint32_t f = 0; f < PRESIL_F32_FUNCTIONS; ++f) names.insert(presil_f32_function_price(f));
  for (uint32_t f = 0; f < PRESIL_F32_PAIRS; ++f) names.insert(presil_f32_pair_price(f));
  return names;
}

TEST(HostTiming, every_kernel_has_a_price_and_fitted_lists_name_it) {
  EXPECT_EQ(priced_kernels(), all_kernels())
      << "rows of zeros in models/soc/host_prices_fit.h, then tests/bench/fit_prices.py --write";
  for (const char* core : {"aarch64", "m33", "m4", "rv64"}) {
    ASSERT_NE(host_prices_of(core), nullptr) << core;
    for (const std::string& name : all_kernels()) {
      EXPECT_EQ(host_prices_of(core)->kernels.count(name), 1u) << core << ' ' << name;
    }
  }
  for (const HostConfig& list : host_prices()) {
    for (const std::string& name : all_kernels()) EXPECT_NE(price_of(list, name), nullptr) << name;
  }
}

TEST(HostTiming, assumed_lists_are_those_of_their_presets) {
  const auto element = [](const char* base, const char* kernel) {
    return price_of(*host_prices_of(base), kernel)->element;
  };
  const auto byte = [](const char* base) { return price_of(*host_prices_of(base), "nms")->byte; };
  EXPECT_EQ(host_prices().front().base, HostConfig().base);
  EXPECT_EQ(element("assumed_edge", "add_i8"), 4);
  EXPECT_EQ(element("assumed_edge", "copy"), 0.25);
  EXPECT_EQ(element("assumed_big", "softmax_i8_table"), 4);
  EXPECT_EQ(element("assumed_big", "yolo_decode"), 8);
  EXPECT_EQ(element("assumed_micro", "softmax_f32"), 40);
  EXPECT_EQ(element("assumed_micro", "yolo_decode"), 24);
  EXPECT_EQ(element("assumed_micro", "box_decode"), 2);
  EXPECT_EQ(element("assumed_micro", "nms"), 4);
  EXPECT_EQ(byte("assumed_edge"), 1.0 / 8);
  EXPECT_EQ(byte("assumed_big"), 1.0 / 16);
  EXPECT_EQ(byte("assumed_micro"), 1.0 / 4);
  EXPECT_EQ(task_cycles(*host_prices_of("none"), {"nms", 1000, 1000}), 0);
}

TEST(HostTiming, copies_and_cache_work_go_by_bytes) {
  const HostConfig config = priced();
  EXPECT_EQ(copy_cycles(config, 100), 25);        // in and out at 8 B a cycle
  EXPECT_EQ(cache_lines(config, 129), 3u);        // of 64 B
  EXPECT_EQ(invalidate_cycles(config, 129), 12);  // 3 lines of 4
  EXPECT_EQ(clean_cycles(config, 129), 12 + 17);  // and 129 B at 8 a cycle, rounded up
  EXPECT_EQ(clean_cycles(config, 0), 0);
}

}  // namespace
}  // namespace presil::host
