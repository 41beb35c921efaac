// Lock-step of the DMA finds faults: what its RTL could do wrong at its boundary is told with the
// command, the stage and both values; what it does right is not told. And the bridges' order.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "models/dma/dma_check.h"
#include "sim/rtl/burst_match.h"
#include "sim/rtl/dma_reference.h"
#include "sim/rtl/memory_causes.h"
#include "sim/rtl/queue_events.h"
#include "sim/rtl/read_channels.h"

namespace presil::rtl {
namespace {

struct Bytes : BytePort {
  explicit Bytes(size_t count) : all(count) {
    for (size_t i = 0; i < count; ++i) all[i] = static_cast<uint8_t>(i * 7 + i / 256);
  }
  uint8_t* bytes_at(uint64_t address, size_t bytes) override {
    return address + bytes <= all.size() ? &all[address] : nullptr;
  }
  std::vector<uint8_t> all;
};

constexpr uint32_t kSramBase = 0x400, kFrom = 0x1008, kTo = 0x20;

/// 2 rows of 24 bytes, 100 apart, to the SRAM, where they follow on.
dma::Command load() {
  dma::Command c = dma::Command::make(dma::Op::kCopy);
  c.src_space = dma::Space::kSystem;
  c.dst_space = dma::Space::kSram;
  c.src_base = kFrom;
  c.src_row_bytes = 24;
  c.src_n = {2, 1, 1, 1};
  c.src_stride = {100, 0, 0, 0};
  c.dst_base = kTo;
  c.dst_row_bytes = 48;
  c.dst_n = {1, 1, 1, 1};
  c.tag = 77;
  return c;
}

struct DmaReferenceTest : ::testing::Test {
  DmaReferenceTest()
      : system(0x4000),
        sram(0x4000),
        reference({}, sram, system, [this](const Divergence& d) { found.push_back(d); }) {
    begin(load());
  }
  void begin(const dma::Command& command) {
    FetchedCommand fetched;
    fetched.job.sram_base = kSramBase;
    fetched.job.region_limit[0] = 4;
    fetched.words.resize(dma::Command::kWords);
    command.encode(fetched.words.data());
    reference.offered(1, fetched, 10);
    reference.begun(1, 12);
  }
  void read() {
    reference.read_asked(1, kFrom, 24, 15);
    reference.read_asked(1, kFrom + 100, 24, 16);
  }
  /// The bytes from offset `from` on of the stream, at their offset in a word of the SRAM.
  void write(unsigned from, unsigned count, uint64_t shift = 0, unsigned change = 0) {
    uint8_t word[16] = {};
    const unsigned at = kSramBase + kTo + from, offset = at % 16;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned place = from + i;
      word[offset + i] = system.all[kFrom + place / 24 * 100 + place % 24];
    }
    word[offset] = static_cast<uint8_t>(word[offset] ^ change);
    const auto strobes = static_cast<uint16_t>(((1u << count) - 1) << offset);
    reference.written(true, 1, at / 16 * 16 + shift, word, strobes, 20 + from);
  }

  Bytes system, sram;
  std::vector<Divergence> found;
  DmaReference reference;
};

TEST_F(DmaReferenceTest, what_is_right_is_not_told) {
  read();
  write(0, 16);
  write(16, 8);  // the first burst ends inside a word
  write(24, 8);
  write(32, 16);
  reference.ended(1, 0, 77, 60);
  EXPECT_TRUE(found.empty()) << found[0].text();
}

TEST_F(DmaReferenceTest, one_wrong_bit_is_told_with_its_word_and_cycle) {
  read();
  write(0, 16);
  write(16, 8, 0, 4);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].block, "dma");
  EXPECT_EQ(found[0].stage, "write");
  EXPECT_EQ(found[0].tag, 77u);
  EXPECT_EQ(found[0].address, kSramBase + kTo + 16);
  EXPECT_EQ(found[0].rtl_cycle, 36);
  EXPECT_EQ(found[0].words.size(), dma::Command::kWords);
  EXPECT_NE(found[0].model, found[0].rtl);
  EXPECT_EQ(found[0].model.substr(16), "................");  // not written
}

TEST_F(DmaReferenceTest, a_word_in_the_wrong_place_is_told_with_both_addresses) {
  read();
  write(0, 16, 16);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].model.find("at 0x0000000420"), std::string::npos) << found[0].model;
  EXPECT_NE(found[0].rtl.find("at 0x0000000430"), std::string::npos) << found[0].rtl;
}

TEST_F(DmaReferenceTest, a_command_that_ends_before_its_last_word_is_told_when_it_ends) {
  read();
  write(0, 16);
  write(16, 16);
  reference.ended(1, 0, 77, 60);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].stage, "end");
  EXPECT_EQ(found[0].model, "48 bytes");
  EXPECT_EQ(found[0].rtl, "32 bytes");
}

TEST_F(DmaReferenceTest, a_burst_of_other_bytes_is_told_at_stage_read) {
  reference.read_asked(1, kFrom, 25, 15);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].stage, "read");
  EXPECT_EQ(found[0].model, "24 bytes at 0x0000001008");
  EXPECT_EQ(found[0].rtl, "25 bytes at 0x0000001008");
}

TEST_F(DmaReferenceTest, a_command_that_the_model_refuses_is_told_when_it_begins) {
  dma::Command bad = load();
  bad.dst_row_bytes = 47;
  begin(bad);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].stage, "offer");
}

TEST_F(DmaReferenceTest, after_an_error_of_the_memory_values_are_not_compared) {
  read();
  reference.failed(1);
  write(0, 16, 0, 4);
  EXPECT_TRUE(found.empty());
}

TEST_F(DmaReferenceTest, beats_of_a_store_have_all_strobes_of_their_row) {
  dma::Command store = dma::Command::make(dma::Op::kFill);
  store.dst_space = dma::Space::kSystem;
  store.dst_base = 0x1004;
  store.dst_row_bytes = 20;
  store.dst_n = {1, 1, 1, 1};
  store.pattern = 0x04030201;
  reference.dropped(1);
  begin(store);
  reference.write_asked(1, 0x1004, 20, 20);
  const uint8_t word[16] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
  reference.written(false, 1, 0x1000, word, 0xfff0, 25);
  EXPECT_TRUE(found.empty()) << found[0].text();
  reference.written(false, 1, 0x1010, word, 0x007f, 26);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].model, "0102030401020304................");
}

// ------------------------------------------------------------------------------- model and RTL

struct Found {
  std::vector<Divergence> all;
  std::function<void(const Divergence&)> report() {
    return [this](const Divergence& d) { all.push_back(d); };
  }
};

Burst burst(uint64_t address) {
  Burst b;
  b.address = address;
  b.bytes = 64;
  return b;
}

TEST(BurstMatch, the_model_gets_the_rtls_answer_whoever_asks_first) {
  Timeline timeline;
  Found found;
  BurstMatch match("dma", "read", timeline, found.report());
  std::vector<Cycle> lasts;
  const auto done = [&](const BurstTimes& times) { lasts.push_back(times.last); };
  BurstTimes times;
  times.last = 50;
  match.rtl_asked(burst(0x100));
  match.rtl_answered(times);
  match.model_asked(burst(0x100), done);
  match.model_asked(burst(0x140), done);
  match.rtl_asked(burst(0x140));
  EXPECT_EQ(lasts, std::vector<Cycle>{50});
  times.last = 60;
  match.rtl_answered(times);
  EXPECT_EQ(lasts, (std::vector<Cycle>{50, 60}));
  EXPECT_TRUE(found.all.empty());
}

TEST(BurstMatch, another_address_is_told) {
  Timeline timeline;
  Found found;
  BurstMatch match("dma", "read", timeline, found.report());
  match.model_asked(burst(0x100), [](const BurstTimes&) {});
  match.rtl_asked(burst(0x101));
  ASSERT_EQ(found.all.size(), 1u);
  EXPECT_EQ(found.all[0].stage, "read");
  EXPECT_EQ(found.all[0].rtl, "asks for 64 bytes at 0x0000000101");
}

TEST(BurstMatch, after_a_drop_the_model_is_answered_and_both_begin_again) {
  Timeline timeline;
  Found found;
  BurstMatch match("dma", "read", timeline, found.report());
  unsigned answers = 0;
  const auto done = [&](const BurstTimes&) { ++answers; };
  match.model_asked(burst(0x100), done);
  EXPECT_EQ(answers, 0u);
  match.dropped();
  EXPECT_EQ(answers, 1u);
  match.model_asked(burst(0x140), done);
  EXPECT_EQ(answers, 2u);
  match.renewed();
  match.model_asked(burst(0x800), done);
  EXPECT_EQ(answers, 2u);
  match.rtl_asked(burst(0x800));
  match.rtl_answered({});
  EXPECT_EQ(answers, 3u);
  EXPECT_TRUE(found.all.empty());
}

CommandRecord ended(uint32_t index, Cycle cycle) {
  CommandRecord record;
  record.index = index;
  record.tag = 100 + index;
  record.end = cycle;
  return record;
}

TEST(QueueEvents, a_signal_that_only_one_of_them_sends_is_told_with_its_command) {
  Timeline timeline;
  Found found;
  QueueEvents events("dma", timeline, found.report());
  for (const bool rtl_too : {true, false}) {
    events.model_ended(ended(rtl_too ? 0 : 1, 10));
    events.model_signalled(7, 1, 10);
    events.rtl_ended(ended(rtl_too ? 0 : 1, 12));
    if (rtl_too) events.rtl_signalled(7, 1, 12);
    timeline.run_all();
    EXPECT_EQ(found.all.size(), rtl_too ? 0u : 1u);
  }
  EXPECT_EQ(found.all[0].stage, "signal");
  EXPECT_EQ(found.all[0].tag, 101u);
}

TEST(QueueEvents, what_the_model_has_ended_and_the_rtl_has_not_is_told_when_asked) {
  Timeline timeline;
  Found found;
  QueueEvents events("dma", timeline, found.report());
  events.model_ended(ended(3, 10));
  timeline.run_all();
  EXPECT_TRUE(found.all.empty());
  events.report_unmatched();
  ASSERT_EQ(found.all.size(), 1u);
  EXPECT_EQ(found.all[0].stage, "end");
}

// --------------------------------------------------------------------------------------- bridges

BurstTimes times(Cycle first, Cycle last, bool error = false) {
  BurstTimes t;
  t.first = first;
  t.last = last;
  t.error = error;
  return t;
}

TEST(ReadChannels, an_id_is_answered_in_its_order_and_others_as_they_come) {
  Bytes memory(0x1000);
  std::vector<unsigned> known;
  ReadChannels reads(memory, [&](uint8_t id, const BurstTimes&) { known.push_back(id); }, {});
  const uint64_t slow = reads.asked(1, 0x100, 1), nowhere = reads.asked(1, 0x2000, 1);
  const uint64_t other = reads.asked(2, 0x200, 1);
  reads.answered(1, nowhere, times(8, 8, true));  // no memory is asked where there is none
  reads.answered(2, other, times(20, 20));
  EXPECT_EQ(known, std::vector<unsigned>{2});
  reads.answered(1, slow, times(30, 30));
  EXPECT_EQ(known, (std::vector<unsigned>{2, 1, 1}));
  std::vector<std::pair<unsigned, unsigned>> came;  // id, response
  for (Cycle cycle = 0; cycle < 40; ++cycle) {
    const ReadChannels::Beat* beat = reads.beat(cycle);
    if (beat == nullptr) continue;
    came.emplace_back(beat->id, beat->resp);
    reads.taken();
  }
  EXPECT_EQ(came, (std::vector<std::pair<unsigned, unsigned>>{{2, 0}, {1, 0}, {1, 3}}));
  EXPECT_EQ(reads.outstanding(), 0u);
}

TEST(ReadChannels, a_beat_stays_until_it_is_taken_and_holds_those_after_it) {
  Bytes memory(0x1000);
  std::vector<uint8_t> whole;
  ReadChannels reads(
      memory, [](uint8_t, const BurstTimes&) {},
      [&](uint8_t, uint64_t, const uint8_t* bytes, unsigned count) {
        whole.assign(bytes, bytes + count);
      });
  reads.answered(0, reads.asked(0, 0x108, 4), times(10, 14));
  EXPECT_EQ(reads.beat(9), nullptr);
  ASSERT_NE(reads.beat(10), nullptr);
  EXPECT_EQ(std::memcmp(reads.beat(10)->data, &memory.all[0x100], 16), 0);
  EXPECT_EQ(reads.free_after(10), 15);
  EXPECT_EQ(reads.free_after(20), 25);
  unsigned beats = 0;
  for (Cycle cycle = 20; reads.beat(cycle) != nullptr; ++cycle) {
    EXPECT_EQ(reads.beat(cycle)->last, ++beats == 4);
    reads.taken();
  }
  EXPECT_EQ(beats, 4u);
  EXPECT_EQ(whole, std::vector<uint8_t>(&memory.all[0x100], &memory.all[0x140]));
}

// -------------------------------------------------------------------------------------- accounts

TEST(MemoryCauses, what_a_channel_waits_for_is_the_answers_from_the_first_beat_backwards) {
  MemoryCauses memory;
  BurstTimes t = times(100, 110);
  t.refresh = 20;
  t.row = 15;
  t.busy = 5;
  memory.answered(t);
  std::vector<Segment> line;
  memory.append(line, {10, 40, Cause::kDrain});
  memory.append(line, {40, 100, Cause::kReadCredit});
  memory.append(line, {100, 111, Cause::kRun});
  const std::vector<std::pair<Cause, Cycle>> expected = {
      {Cause::kDrain, 40},   {Cause::kReadCredit, 60},   {Cause::kDramBusy, 65},
      {Cause::kDramRow, 80}, {Cause::kDramRefresh, 100}, {Cause::kRun, 111}};
  ASSERT_EQ(line.size(), expected.size());
  Cycle begin = 10;
  for (size_t i = 0; i < line.size(); ++i) {
    EXPECT_EQ(line[i].begin, begin);
    EXPECT_EQ(line[i].cause, expected[i].first);
    EXPECT_EQ(line[i].end, expected[i].second);
    begin = line[i].end;
  }
}

TEST(MemoryCauses, a_rest_of_two_cycles_between_bursts_is_the_pace) {
  MemoryCauses memory;
  memory.answered(times(10, 15));
  memory.answered(times(18, 20));
  std::vector<Segment> line;
  memory.append(line, {10, 16, Cause::kRun});
  memory.append(line, {16, 18, Cause::kReadCredit});
  memory.append(line, {18, 21, Cause::kRun});
  memory.append(line, {21, 30, Cause::kReadCredit});  // for a burst that is not answered yet
  ASSERT_EQ(line.size(), 2u);
  EXPECT_EQ(line[0].end, 21);
  EXPECT_EQ(line[1].cause, Cause::kReadCredit);
}

}  // namespace
}  // namespace presil::rtl
