// The engine in the SoC that runs have: loaded from its library, found by the driver by register,
// between two channels of the DMA. A hand-written stream runs; bad ones are refused and reported
// by the engine's name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <presil/presil.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "models/base/digest.h"
#include "models/base/refusal.h"
#include "pool_network.h"
#include "rtl/common/queue.h"
#include "sim/engine/loaded_engines.h"
#include "sim/platform/recorder.h"
#include "sim/platform/soc.h"
#include "sim/rtl/outside_block.h"

namespace presil::pool {
namespace {

using test::kIn;
using test::kInBytes;
using test::kOut;
using test::kOutBytes;
using testing::AllOf;
using testing::HasSubstr;

uint8_t queue_number() {
  return static_cast<uint8_t>(loaded_engine("pool")->description().first_queue);
}

Command largest() {
  return test::largest(queue_number());
}

/// What the network computes, pixel by pixel from the input's bytes.
std::vector<int8_t> expected(const std::vector<int8_t>& in) {
  std::vector<int8_t> out;
  for (uint32_t y = 0; y < kOut; ++y)
    for (uint32_t x = 0; x < kOut; ++x)
      for (uint32_t c = 0; c < 16; ++c) {
        const auto at = [&](uint32_t dy, uint32_t dx) {
          return in[((2 * y + dy) * kIn + 2 * x + dx) * 16 + c];
        };
        out.push_back(std::max({at(0, 0), at(0, 1), at(1, 0), at(1, 1)}));
      }
  return out;
}

/// A doorbell that the test makes the way lose.
struct LossyPort {
  presil_port port{};
  const presil_port* below = nullptr;
  uint64_t lost = 0;  ///< address; 0: none

  explicit LossyPort(const presil_port* real) : port(*real), below(real) {
    port.self = this;
    port.read32 = [](void* self, uint64_t address) {
      return of(self)->read32(of(self)->self, address);
    };
    port.write32 = [](void* self, uint64_t address, uint32_t value) {
      if (address != static_cast<LossyPort*>(self)->lost)
        of(self)->write32(of(self)->self, address, value);
    };
    port.alloc = [](void* self, size_t bytes, size_t align, presil_memory* memory) {
      return of(self)->alloc(of(self)->self, bytes, align, memory);
    };
    port.release = [](void* self, presil_memory* m) { of(self)->release(of(self)->self, m); };
    port.clean = [](void*, const void*, size_t) {};
    port.invalidate = [](void*, const void*, size_t) {};
    port.wait = [](void* self, uint64_t ns) { return of(self)->wait(of(self)->self, ns); };
    port.now_ns = [](void* self) { return of(self)->now_ns(of(self)->self); };
    port.lock = [](void* self) { of(self)->lock(of(self)->self); };
    port.unlock = [](void* self) { of(self)->unlock(of(self)->self); };
    port.observe = nullptr;
    port.instruction = nullptr;
    port.reset = nullptr;
    port.power = nullptr;
    port.handle = nullptr;
  }
  static const presil_port* of(void* self) { return static_cast<LossyPort*>(self)->below; }
};

class PoolInSoc : public testing::Test {
 protected:
  void open(const std::map<std::string, EngineConfig>& engines,
            const platform::BlockKinds& kinds = {}, const platform::RtlMaker* rtl = nullptr) {
    load_engine(ENGINE_FOLDER, {ENGINE_BUILD});
    m_config.engines = engines;
    complete_engines(m_config, {});
    m_soc = std::make_unique<platform::Soc>(m_config, kinds, rtl);
    m_soc->observe([this](const CommandRecord& record) { recorder.add(record); });
    m_soc->observe_model([this](const CommandRecord& record) { model_recorder.add(record); });
    m_port = std::make_unique<LossyPort>(m_soc->port());
    m_device_storage.resize(presil_device_bytes() / sizeof(std::max_align_t) + 1);
    ASSERT_EQ(presil_open(&m_port->port, m_device_storage.data(),
                          m_device_storage.size() * sizeof(std::max_align_t), &device),
              PRESIL_OK)
        << presil_error(device)->text;
    presil_device_set_stamp(device, soc_sha256(m_config).c_str());
    m_parameters = parameters_of(*loaded_engine("pool"), m_config);
  }
  void TearDown() override {
    if (network != nullptr) presil_network_unload(network);
    if (device != nullptr) presil_close(device);
  }
  void tell_parameters() {
    EXPECT_TRUE(presil_device_set_parameters(device, "pool", m_parameters.data()));
  }

  presil_status load(const Command& c, uint8_t queue = queue_number()) {
    const std::vector<uint8_t> file = test::network_of(c, queue, m_config).finish();
    m_network_storage.resize(presil_network_bytes() / sizeof(std::max_align_t) + 1);
    return presil_network_load(device, file.data(), file.size(), m_network_storage.data(),
                               m_network_storage.size() * sizeof(std::max_align_t), &network);
  }
  presil_status run(uint64_t timeout_ns = 0) {
    std::mt19937 random(++m_seed);
    input.resize(kInBytes);
    for (int8_t& value : input) value = static_cast<int8_t>(random());
    std::copy(input.begin(), input.end(), static_cast<int8_t*>(presil_network_input(network, 0)));
    recorder.clear();
    const presil_status submitted = presil_job_submit(network, &m_job);
    return submitted != PRESIL_OK ? submitted : presil_job_wait(network, m_job, timeout_ns);
  }
  std::vector<int8_t> output() const {
    const auto* bytes = static_cast<const int8_t*>(presil_network_output(network, 0));
    return {bytes, bytes + kOutBytes};
  }
  std::string text() const { return presil_error(device)->text; }
  const rtl::Divergence* divergence() const { return m_soc->divergence(); }
  void lose_doorbell_of(unsigned queue) {
    const presil_engine_description& engine =
        *presil_engine_description_of(presil_kind_of_queue(queue));
    m_port->lost = PRESIL_TILE_ENGINE(engine.kind, presil_instance_of_queue(queue)) +
                   engine.queue_offset + engine.queue_pitch * presil_channel_of_queue(queue) +
                   PRESIL_QUEUE_REG_TAIL;
  }
  void cancel() {
    EXPECT_EQ(presil_job_cancel(network, m_job), PRESIL_CANCELLED);
    m_port->lost = 0;
  }

  presil_device* device = nullptr;
  presil_network* network = nullptr;
  platform::Recorder recorder, model_recorder;
  std::vector<int8_t> input;

 private:
  SocConfig m_config;
  std::unique_ptr<platform::Soc> m_soc;
  std::unique_ptr<LossyPort> m_port;
  std::vector<uint64_t> m_parameters;
  std::vector<std::max_align_t> m_device_storage, m_network_storage;
  uint32_t m_seed = 0, m_job = 0;
};

const std::map<std::string, EngineConfig> kOne = {{"pool", {}}};

TEST_F(PoolInSoc, AStreamRunsAndItsCyclesAreNamed) {
  open(kOne);
  tell_parameters();
  ASSERT_EQ(load(largest()), PRESIL_OK) << text();
  for (int times = 0; times < 3; ++times) {
    ASSERT_EQ(run(), PRESIL_OK) << text();
    EXPECT_EQ(output(), expected(input));
  }
  const platform::JobSummary summary = recorder.summary();
  const auto engine = std::find_if(summary.engines.begin(), summary.engines.end(),
                                   [](const auto& e) { return e.first == "pool"; });
  ASSERT_NE(engine, summary.engines.end());
  // 16 results of 4 taps, a word each: 64 + 16
  EXPECT_EQ(engine->second.attribution[Cause::kRun], 80);
  EXPECT_GT(engine->second.attribution[cause_of("wait:dma")], 0) << "the input is loaded first";
  EXPECT_EQ(engine->second.attribution.total() + engine->second.idle, summary.cycles());
}

TEST_F(PoolInSoc, ItsNetworkRunsWholeAndFromAnAddressOfItsOwn) {
  open(kOne);
  tell_parameters();
  ASSERT_EQ(load(largest()), PRESIL_OK) << text();
  EXPECT_EQ(presil_network_set_preemptible(network, nullptr, PRESIL_EVERY_LAYER), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("the network cannot be cut at its layers: an engine from outside "
                                "may keep what an earlier command has left"));
  ASSERT_EQ(presil_network_set_sram(network, 0x8000), PRESIL_OK) << text();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(output(), expected(input));
}

/// Of this engine alone.
class Maker : public platform::RtlMaker {
 public:
  std::unique_ptr<platform::SyncBlock> sync(const platform::SyncPlace&) const override {
    return nullptr;
  }
  std::unique_ptr<platform::Block> dla(const platform::DlaPlace&) const override { return nullptr; }
  std::unique_ptr<platform::Block> dma(const platform::DmaPlace&) const override { return nullptr; }
  std::unique_ptr<platform::Block> outside(const platform::EngineBlockPlace& place,
                                           platform::BlockKind kind) const override {
    return rtl::make_outside(place, kind);
  }
};
const Maker kMaker;

platform::BlockKinds kinds_of(platform::BlockKind kind) {
  platform::BlockKinds kinds;
  kinds.outside["pool"] = kind;
  return kinds;
}

TEST_F(PoolInSoc, InLockstepItsRtlRunsAndNothingDiffers) {
  open(kOne, kinds_of(platform::BlockKind::kLockstep), &kMaker);
  tell_parameters();
  ASSERT_EQ(load(largest()), PRESIL_OK) << text();
  for (int times = 0; times < 3; ++times) {
    ASSERT_EQ(run(), PRESIL_OK) << text();
    EXPECT_EQ(output(), expected(input));
  }
  ASSERT_EQ(divergence(), nullptr) << divergence()->text();
  ASSERT_EQ(model_recorder.records().size(), 3u) << "of the block in lock-step alone";
  const CommandRecord& model = model_recorder.records().back();
  const auto& all = recorder.records();
  const auto rtl = std::find_if(all.begin(), all.end(),
                                [](const CommandRecord& r) { return r.queue == queue_number(); });
  ASSERT_NE(rtl, all.end());
  EXPECT_EQ(rtl->cycles[Cause::kRun], 80);
  EXPECT_EQ(rtl->end - rtl->start, model.end - model.start);
  EXPECT_LE(std::abs(rtl->end - model.end), 2);
  EXPECT_GT(rtl->cycles[cause_of("wait:dma")], 0);
}

TEST_F(PoolInSoc, RtlAloneGivesTheSameValuesAndCounters) {
  open(kOne, kinds_of(platform::BlockKind::kRtl), &kMaker);
  tell_parameters();
  ASSERT_EQ(load(largest()), PRESIL_OK) << text();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(output(), expected(input));
  std::vector<presil_counter> counters(64);
  const uint32_t count = presil_counters(device, "pool", counters.data(), 64);
  const auto busy = std::find_if(counters.begin(), counters.begin() + count,
                                 [](const auto& c) { return std::string(c.name) == "run"; });
  EXPECT_EQ(busy->cycles, 80u);
}

TEST_F(PoolInSoc, RtlOfAnEngineThatTheSocLacksIsRefused) {
  try {
    open({{"pool", {0, {}}}}, kinds_of(platform::BlockKind::kRtl), &kMaker);
    ADD_FAILURE() << "taken";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("pool in RTL: the SoC has no engine pool, "
                                          "engines.pool.units must be 1"));
  }
}

TEST_F(PoolInSoc, CountersAreReadByItsName) {
  open(kOne);
  tell_parameters();
  ASSERT_EQ(load(largest()), PRESIL_OK) << text();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  std::vector<presil_counter> counters(64);
  const uint32_t count = presil_counters(device, "pool", counters.data(), 64);
  EXPECT_EQ(count, loaded_engine("pool")->description().counter_count);
  uint64_t busy = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (std::string(counters[i].name) == "run") busy = counters[i].cycles;
  }
  EXPECT_EQ(busy, 80u);
}

TEST_F(PoolInSoc, ASecondOneRunsByItsOwnQueueAndName) {
  open({{"pool", {2, {}}}});
  tell_parameters();
  constexpr uint8_t kSecond = 15;
  ASSERT_EQ(load(test::largest(kSecond), kSecond), PRESIL_OK) << text();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(output(), expected(input));
  const auto busy = [&](const char* name) {
    std::vector<presil_counter> counters(64);
    const uint32_t count = presil_counters(device, name, counters.data(), 64);
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (std::string(counters[i].name) == "run") cycles = counters[i].cycles;
    }
    return cycles;
  };
  EXPECT_EQ(busy("pool"), 0u);
  EXPECT_EQ(busy("pool1"), 80u);  // 16 results of 4 taps, a word each
  EXPECT_EQ(presil_counters(device, "pool2", nullptr, 0), 0u) << "the SoC has two";
  const platform::JobSummary summary = recorder.summary();
  for (const auto& [name, engine] : summary.engines) {
    EXPECT_EQ(engine.used, name == "pool1" || name == "dma") << name;
  }
}

TEST_F(PoolInSoc, AStuckSecondOneIsReportedByItsName) {
  open({{"pool", {2, {}}}});
  tell_parameters();
  constexpr uint8_t kSecond = 15;
  ASSERT_EQ(load(test::largest(kSecond), kSecond), PRESIL_OK) << text();
  lose_doorbell_of(kSecond);
  EXPECT_EQ(run(100000), PRESIL_TIMED_OUT);
  EXPECT_THAT(text(), HasSubstr("pool1 has nothing to run, yet its counter 16 is 0 of 1"));
  cancel();
}

TEST_F(PoolInSoc, AQueueOfAnInstanceThatTheSocLacksIsRefused) {
  open(kOne);
  tell_parameters();
  constexpr uint8_t kSecond = 15;
  EXPECT_EQ(load(test::largest(kSecond), kSecond), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("the loadable has a stream for queue 15, which this SoC does not"));
}

TEST_F(PoolInSoc, ABadCommandIsRefusedByTheEnginesRule) {
  open({{"pool", {1, {{"table_entries", 32}}}}});
  tell_parameters();
  Command c = largest();
  c.pad_top = 2;
  EXPECT_EQ(load(c), PRESIL_REFUSED);
  EXPECT_THAT(text(), AllOf(HasSubstr("pool"), HasSubstr("pad_top is 2, must be at most 1"),
                            HasSubstr("(rule R2 of engine pool)")));
  c = Command::make(Op::kNearest);
  const Command sizes = largest();
  c.clamp_low = -128;
  c.clamp_high = 127;
  c.in_h = c.in_w = kIn;
  c.blocks = 1;
  c.out_w = 1;
  c.in_row_pitch = sizes.in_row_pitch;
  c.in_block_pitch = sizes.in_block_pitch;
  c.out_row_pitch = 16;
  c.out_base = sizes.out_base;
  c.table_base = 0x8000;
  c.wait0 = sizes.wait0;
  c.wait0_value = 1;
  c.signal = sizes.signal;
  c.signal_add = 1;
  c.out_h = 33;  // of this SoC's engine, not of the default one
  EXPECT_EQ(load(c), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("out_h is 33, must be at most 32: as many rows as the table has "
                                "(rule R4 of engine pool)"));
  c.out_h = 32;
  EXPECT_EQ(load(c), PRESIL_OK) << text();
}

TEST_F(PoolInSoc, AStuckJobIsReportedByItsName) {
  open(kOne);
  tell_parameters();
  ASSERT_EQ(load(largest()), PRESIL_OK) << text();
  lose_doorbell_of(PRESIL_QUEUE_DMA0);
  EXPECT_EQ(run(100000), PRESIL_TIMED_OUT);
  EXPECT_THAT(text(), HasSubstr("pool command 0"));
  EXPECT_THAT(text(), HasSubstr("waits for counter 4 to reach 1, it is 0: dma0 command 0"));
  cancel();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(output(), expected(input)) << "after one that was cancelled";
}

TEST_F(PoolInSoc, WhoWaitsForAStuckOneNamesIt) {
  open(kOne);
  tell_parameters();
  ASSERT_EQ(load(largest()), PRESIL_OK) << text();
  lose_doorbell_of(queue_number());
  EXPECT_EQ(run(100000), PRESIL_TIMED_OUT);
  EXPECT_THAT(text(), HasSubstr("dma1 command 0"));
  EXPECT_THAT(text(), HasSubstr("to reach 1, it is 0: pool command 0"));
  EXPECT_THAT(text(), HasSubstr("pool has nothing to run, yet its counter 15 is 0 of 1"));
  cancel();
}

TEST_F(PoolInSoc, ASocWithoutItRefusesItsStream) {
  open({{"pool", {0, {}}}});
  tell_parameters();
  EXPECT_EQ(load(largest()), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("the loadable has a stream for queue 14, which this SoC does not"));
}

TEST_F(PoolInSoc, ParametersMustBeKnownBeforeItsNetworksAreLoaded) {
  open(kOne);
  EXPECT_FALSE(presil_device_set_parameters(device, "other", nullptr));
  EXPECT_EQ(load(largest()), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("the parameters of engine pool are not known"));
  tell_parameters();
  EXPECT_EQ(load(largest()), PRESIL_OK) << text();
}

TEST(PoolOutsideSoc, SyncInRtlHasNoLinksForIt) {
  load_engine(ENGINE_FOLDER, {ENGINE_BUILD});
  SocConfig config;
  config.engines = kOne;
  platform::BlockKinds kinds;
  kinds.sync = platform::BlockKind::kLockstep;
  try {
    const platform::Soc soc(config, kinds);
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("block: sync in RTL: the SoC has engine pool, must have "
                                          "none from outside; take the model of sync"));
  }
}

TEST(PoolOutsideSoc, ItsRtlIsAskedOfTheMakerOfBlocks) {
  load_engine(ENGINE_FOLDER, {ENGINE_BUILD});
  SocConfig config;
  config.engines = kOne;
  platform::BlockKinds kinds;
  platform::set_block(kinds, "pool", "lockstep");
  try {
    const platform::Soc soc(config, kinds);
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("block: pool in RTL requires the simulator with"));
  }
}

TEST(PoolOutsideSoc, WhatTheSocSaysOfItIsChecked) {
  const auto said = [](const std::map<std::string, EngineConfig>& engines) -> std::string {
    SocConfig config;
    config.engines = engines;
    try {
      complete_engines(config, {});
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
    return canonical_text(config);
  };
  EXPECT_THAT(said(kOne), HasSubstr("soc: the SoC has engine pool, which is not loaded; name its "
                                    "folder: --engine DIR"));
  const EngineLibrary& library = load_engine(ENGINE_FOLDER, {ENGINE_BUILD});
  EXPECT_EQ(&load_engine(ENGINE_BUILD), &library) << "the same one, by its build folder";
  EXPECT_THAT(said(kOne), HasSubstr("\nengines.pool.prefetch=2\nengines.pool.table_entries=128\n"
                                    "engines.pool.units=1\n"));
  EXPECT_THAT(said({{"pool", {1, {{"table_entries", 3}}}}}),
              AllOf(HasSubstr("engines.pool.table_entries is 3, must be 4 to 1024 entries"),
                    HasSubstr("engine.yaml")));
  EXPECT_THAT(said({{"pool", {1, {{"table_entry", 8}}}}}),
              HasSubstr("there is no parameter 'engines.pool.table_entry' (did you mean "
                        "'engines.pool.table_entries'?), must be one of engines.pool.units, "
                        "engines.pool.table_entries, engines.pool.prefetch"));
  SocConfig plain;
  const std::string before = canonical_text(plain);
  complete_engines(plain, {});
  EXPECT_EQ(canonical_text(plain), before);
  complete_engines(plain, {"pool"});
  EXPECT_EQ(canonical_text(plain), said(kOne));
}

}  // namespace
}  // namespace presil::pool
