// Lock-step finds faults: what RTL of the DLA could do wrong at its boundary is told with the
// command, the stage and both values; what it does right is not told.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "models/dla/dla_check.h"
#include "sim/rtl/dla_reference.h"
#include "sim/rtl/dla_shadow.h"

namespace presil::rtl {
namespace {

constexpr uint32_t kBase = 0x400, kOut = 0x800;
constexpr uint64_t kEntry = 0x10000, kStream = 0x20000;

/// 4 x 4 pixels of 16 channels, passed as they are.
dla::Command copy() {
  dla::Command c = dla::Command::make(dla::Op::kPass);
  c.rule = dla::Rule::kNone;
  c.tag = 77;
  c.kernel_h = c.kernel_w = c.stride_y = c.stride_x = c.dil_y = c.dil_x = 1;
  c.in_h = c.in_w = c.out_h = c.out_w = 4;
  c.in_blocks = c.in_kb_step = c.out_blocks = 1;
  c.in_x_step = c.out_x_step = 16;
  c.in_row_pitch = c.out_row_pitch = 64;
  c.out_lanes_last = 16;
  c.block_rows = 4;
  c.act_min = c.ew_act_min = -128;
  c.act_max = c.ew_act_max = 127;
  c.ew_act_min = c.ew_act_max = 0;
  c.out_base = kOut;
  return c;
}

struct Reference : ::testing::Test {
  Reference()
      : sram(1 << 20),
        reference({}, sram.data(), [this](const Divergence& d) { found.push_back(d); }) {
    for (size_t i = 0; i < sram.size(); ++i) sram[i] = static_cast<uint8_t>(i * 7 + i / 256);
    JobEntry job;
    job.sram_base = kBase;
    job.stream_address = kStream;
    job.command_count = 2;
    uint32_t words[JobEntry::kWords];
    job.encode(words);
    reference.fetched(kEntry, reinterpret_cast<uint8_t*>(words), sizeof words);
    uint32_t command[dla::Command::kWords];
    copy().encode(command);
    EXPECT_FALSE(dla::check(command, {}, kBase, 0, 1 << 20)) << "the test's own command";
    reference.fetched(kStream, reinterpret_cast<uint8_t*>(command), sizeof command);
    reference.offered(0, 10);
    reference.started(0);
  }
  /// Word i as it should be.
  void write(unsigned i) {
    std::vector<uint8_t> bytes(&sram[kBase + 16 * i], &sram[kBase + 16 * i + 16]);
    reference.written(kBase + kOut + 16 * i, bytes.data(), 20 + i);
  }

  std::vector<uint8_t> sram;
  std::vector<Divergence> found;
  DlaReference reference;
};

TEST_F(Reference, what_is_right_is_not_told) {
  for (unsigned i = 0; i < 16; ++i) write(i);
  reference.ended(0, 77, 40);
  EXPECT_TRUE(found.empty()) << found[0].text();
}

TEST_F(Reference, one_wrong_bit_is_told_with_its_word_and_cycle) {
  for (unsigned i = 0; i < 5; ++i) write(i);
  std::vector<uint8_t> bytes(&sram[kBase + 80], &sram[kBase + 96]);
  bytes[3] ^= 0x10;
  reference.written(kBase + kOut + 80, bytes.data(), 25);
  ASSERT_EQ(found.size(), 1u);
  const Divergence& d = found[0];
  EXPECT_EQ(d.stage, "write");
  EXPECT_EQ(d.index, 0u);
  EXPECT_EQ(d.tag, 77u);
  EXPECT_EQ(d.words.size(), dla::Command::kWords);
  EXPECT_EQ(d.address, kBase + kOut + 80);
  EXPECT_EQ(d.rtl_cycle, 25);
  EXPECT_NE(d.model, d.rtl);
  EXPECT_NE(d.text().find("stage 'write' of command 0, tag 77, address 0xc50"), std::string::npos)
      << d.text();
}

TEST_F(Reference, a_word_at_the_wrong_place_is_told_with_both_addresses) {
  write(1);  // 0 is left out
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].model.find(" at 0x000c00"), std::string::npos) << found[0].model;
  EXPECT_NE(found[0].rtl.find(" at 0x000c10"), std::string::npos) << found[0].rtl;
}

TEST_F(Reference, a_word_too_few_is_told_at_the_end) {
  for (unsigned i = 0; i < 15; ++i) write(i);
  reference.ended(0, 77, 40);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].stage, "end");
  EXPECT_EQ(found[0].model, "16 words");
  EXPECT_EQ(found[0].rtl, "15 words");
}

TEST_F(Reference, a_word_too_many_is_told) {
  for (unsigned i = 0; i < 16; ++i) write(i);
  write(16);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].model, "writes nothing");
}

TEST_F(Reference, what_a_queue_had_fetched_before_it_starts_again_does_not_count) {
  uint32_t command[dla::Command::kWords];
  dla::Command next = copy();
  next.tag = 78;
  next.encode(command);
  reference.fetched(kStream + dla::Command::kPitch, reinterpret_cast<uint8_t*>(command),
                    sizeof command);  // refused, or lost
  reference.dropped();
  reference.restarted();
  JobEntry job;
  job.sram_base = kBase;
  job.stream_address = kStream;
  job.command_count = 2;
  uint32_t words[JobEntry::kWords];
  job.encode(words);
  reference.fetched(kEntry, reinterpret_cast<uint8_t*>(words), sizeof words);
  copy().encode(command);
  reference.fetched(kStream, reinterpret_cast<uint8_t*>(command), sizeof command);
  reference.offered(0, 100);
  reference.started(0);
  for (unsigned i = 0; i < 16; ++i) write(i);
  reference.ended(0, 77, 140);
  EXPECT_TRUE(found.empty()) << found[0].text();
}

TEST_F(Reference, inputs_that_change_after_the_start_do_not_matter) {
  const std::vector<uint8_t> before = sram;
  std::memset(&sram[kBase], 0, 256);
  reference.written(kBase + kOut, &before[kBase], 20);
  EXPECT_TRUE(found.empty());
}

TEST_F(Reference, a_command_that_was_not_fetched_or_must_be_refused_is_told) {
  reference.offered(5, 50);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].stage, "offer");
  EXPECT_EQ(found[0].model, "no command 5 has been fetched");
}

struct Memory : BurstPort {
  std::vector<std::function<void(const BurstTimes&)>> asked;
  void request(const Burst&, std::function<void(const BurstTimes&)> done) override {
    asked.push_back(std::move(done));
  }
};

struct Bursts : ::testing::Test {
  Bursts() : bursts("dla", timeline, memory, [this](const Divergence& d) { found.push_back(d); }) {}
  void answer(Cycle first, Cycle last) {
    BurstTimes times;
    times.first = first;
    times.last = last;
    memory.asked.back()(times);
  }
  static Burst read(Cycle at, uint64_t address) { return {at, address, 160, false, 0, 0}; }

  Timeline timeline;
  Memory memory;
  std::vector<Divergence> found;
  RecordedBursts bursts;
  Cycle last = -1;
};

TEST_F(Bursts, the_model_gets_the_rtls_times_whoever_asks_first) {
  bursts.model().request(read(9, 0x100), [this](const BurstTimes& t) { last = t.last; });
  EXPECT_EQ(memory.asked.size(), 0u) << "the model asks no memory";
  bursts.request(read(10, 0x100), [](const BurstTimes&) {});
  answer(50, 59);
  EXPECT_EQ(last, 59);
  bursts.request(read(60, 0x200), [](const BurstTimes&) {});
  answer(100, 109);
  bursts.model().request(read(63, 0x200), [this](const BurstTimes& t) { last = t.last; });
  EXPECT_EQ(last, 109);
  EXPECT_TRUE(found.empty());
}

TEST_F(Bursts, a_model_that_asks_after_the_answer_gets_it_now) {
  bursts.request(read(10, 0x100), [](const BurstTimes&) {});
  answer(50, 59);
  timeline.run_until(70);
  bursts.model().request(read(70, 0x100), [this](const BurstTimes& t) { last = t.last; });
  EXPECT_EQ(last, 70);
}

TEST_F(Bursts, another_address_is_told_with_both_cycles) {
  bursts.request(read(10, 0x100), [](const BurstTimes&) {});
  bursts.model().request(read(12, 0x140), [](const BurstTimes&) {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].stage, "fetch");
  EXPECT_EQ(found[0].model, "asks for 160 bytes at 0x0000000140");
  EXPECT_EQ(found[0].rtl, "asks for 160 bytes at 0x0000000100");
  EXPECT_EQ(found[0].model_cycle, 12);
  EXPECT_EQ(found[0].rtl_cycle, 10);
}

}  // namespace
}  // namespace presil::rtl
