// What the DLA refuses, RTL and model with their queues: every reserved encoding of commands and
// job entries, addresses, rules, doorbells beyond the ring, errors on the bus. Equal must be the
// error registers (code, rule, word, job, command, address), what has ended before, and the job
// after it.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "models/dla/dla_check.h"
#include "rtl/dla/dla_rules.h"
#include "rtl/soc/address_map.h"
#include "testbench/common/bad_words.h"
#include "tests/dla/dla_jobs.h"
#include "tests/dla/dla_oracle.h"

namespace presil::dla {
namespace {

using test::Job;
using test::Report;

constexpr Cycle kLimit = 200000;
constexpr uint32_t kUsed = 1 << 18;

std::vector<uint32_t> words_of(const Command& command) {
  std::vector<uint32_t> words(Command::kWords);
  command.encode(words.data());
  return words;
}

struct DlaBadRtl : ::testing::Test {
  DlaBadRtl() { make({}); }

  void make(bench::Pace pace) {
    pace.latency_min = 4;
    pace.latency_max = 8;
    model = bench::make_model(config, pace);
    rtl = bench::make_rtl(config, pace, 1);
    model_driver = std::make_unique<test::Driver>(*model);
    rtl_driver = std::make_unique<test::Driver>(*rtl);
  }

  /// A job of nops; whose command `place` are these words.
  Job job_of(const std::vector<uint32_t>& words, size_t place) {
    Job job;
    job.sram = sram;
    JobEntry& entry = job.entry;
    entry.tag = ++tag;
    entry.irq_at_end = true;
    entry.stream_address = bench::kMemoryBase + 0x4000;
    entry.sync_count = 12;
    entry.command_count = 3;
    for (uint32_t i = 0; i < entry.command_count; ++i) {
      Command c = Command::make(Op::kNop);
      c.tag = 100 * tag + i;
      c.signal = 1;
      c.signal_add = 1;
      c.encode(job.commands.emplace_back().data());
    }
    std::copy(words.begin(), words.end(), job.commands[place].begin());
    return job;
  }
  Job nops() { return job_of(words_of(Command::make(Op::kNop)), 1); }

  void run(const Job& job) {
    expected = model_driver->run(job, kLimit);
    got = rtl_driver->run(job, kLimit);
    ASSERT_TRUE(expected.finished);
    ASSERT_TRUE(got.finished);
    EXPECT_EQ(got.error, expected.error);
    EXPECT_EQ(got.sync, expected.sync);
    ASSERT_EQ(got.ended.size(), expected.ended.size());
    for (size_t i = 0; i < expected.ended.size(); ++i) {
      EXPECT_EQ(got.ended[i].tag, expected.ended[i].tag);
    }
  }
  unsigned code() const { return expected.error[0] & 0xff; }

  /// Refused as command `place` by both.
  void expect_refused(const std::vector<uint32_t>& words, size_t place) {
    const Job job = job_of(words, place);
    run(job);
    EXPECT_NE(code(), 0u);
    EXPECT_EQ(expected.ended.size(), place);
    EXPECT_EQ(expected.error[1], job.entry.tag);
    EXPECT_EQ(expected.error[2], place);
    codes.insert(code());
  }
  void expect_next_exact() {
    run(nops());
    EXPECT_EQ(expected.error, (std::array<uint32_t, 5>{}));
    EXPECT_EQ(expected.ended.size(), 3u);
  }

  SocConfig config;
  std::vector<uint8_t> sram = std::vector<uint8_t>(config.sram.bytes);
  std::unique_ptr<bench::Dut> model, rtl;
  std::unique_ptr<test::Driver> model_driver, rtl_driver;
  Report expected, got;
  uint32_t tag = 0;
  std::set<unsigned> codes;
};

TEST_F(DlaBadRtl, every_reserved_encoding_of_a_command_stops_both_at_it_with_the_same_registers) {
  unsigned cases = 0;
  std::set<int> done;
  std::mt19937 random(11);
  while (done.size() < 5) {
    const Command c = test::random_command(random, config.dla, kUsed);
    if (!done.insert(static_cast<int>(c.op)).second) continue;
    for (const testbench::BadWords& bad : testbench::bad_words(Command::format(), words_of(c))) {
      SCOPED_TRACE(bad.what + ", operation " + std::to_string(static_cast<int>(c.op)));
      expect_refused(bad.words, cases++ % 3);
      if (HasFailure()) return;
    }
  }
  for (const auto code :
       {PRESIL_QUEUE_ERROR_CODE_BAD_VERSION, PRESIL_QUEUE_ERROR_CODE_BAD_OP,
        PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS, PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE,
        PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED, PRESIL_QUEUE_ERROR_CODE_MISALIGNED}) {
    EXPECT_EQ(codes.count(code), 1u) << code;
  }
  expect_next_exact();
  std::cout << cases << " reserved encodings\n";
}

TEST_F(DlaBadRtl, every_rule_and_every_address_outside_stops_both_with_its_number_and_word) {
  std::set<std::pair<unsigned, unsigned>> seen;  // code, and rule or word
  std::mt19937 random(12);
  for (unsigned tries = 0; tries < 400000 && seen.size() < 21 + 6; ++tries) {
    std::vector<uint32_t> words = words_of(test::random_command(random, config.dla, kUsed));
    const presil_field& f = Command::format().fields[random() % Command::kFields];
    const int64_t now = presil_field_get(words.data(), &f);
    const int64_t choices[] = {0, 1, f.min, f.max, f.max - f.max % 16, now + 1, now + 16, now * 2};
    presil_field_set(words.data(), &f, choices[random() % 8]);
    const auto fault = check(words.data(), config.dla, 0, 12, config.sram.bytes);
    if (!fault) continue;
    const bool rule = fault->code == PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN;
    if (!rule && fault->code != PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE) continue;
    if (!seen.insert({fault->code, rule ? fault->rule : fault->word}).second) continue;
    SCOPED_TRACE(fault->text);
    expect_refused(words, tries % 3);
    EXPECT_EQ(expected.error[0],
              fault->code | unsigned{fault->rule} << 8 | unsigned{fault->word} << 16);
    if (HasFailure()) return;
  }
  for (unsigned rule = 1; rule <= PRESIL_DLA_RULES; ++rule) {
    if (rule == PRESIL_DLA_R10_KB_STEP) continue;  // of arrays with more than 16 rows
    EXPECT_EQ(seen.count({PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule}), 1u) << "R" << rule;
  }
  for (const unsigned word : {7u, 15u, 19u, 22u, 23u, 26u}) {
    EXPECT_EQ(seen.count({PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, word}), 1u) << "word " << word;
  }
  expect_next_exact();
}

TEST_F(DlaBadRtl, every_reserved_encoding_of_a_job_entry_stops_both_before_its_first_command) {
  unsigned cases = 0;
  std::vector<uint32_t> sound(JobEntry::kWords);
  nops().entry.encode(sound.data());
  for (const testbench::BadWords& bad : testbench::bad_words(JobEntry::format(), sound)) {
    SCOPED_TRACE(bad.what);
    Job job = nops();
    std::copy_n(bad.words.begin(), JobEntry::kWords, job.entry_words.emplace().begin());
    run(job);
    EXPECT_NE(code(), 0u);
    EXPECT_EQ(expected.error[2], 0xffffffffu);
    EXPECT_TRUE(expected.ended.empty());
    if (HasFailure()) return;
    ++cases;
  }
  expect_next_exact();
  std::cout << cases << " reserved encodings of the entry\n";
}

TEST_F(DlaBadRtl, counters_beyond_the_context_or_the_job_stop_both) {
  const auto refused = [&](auto change) {
    Job job = nops();
    change(job);
    run(job);
    return code();
  };
  EXPECT_EQ(refused([](Job& job) { job.entry.context = 4; }), PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT);
  EXPECT_EQ(refused([](Job& job) { job.entry.sync_base = 60; }),
            PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT);
  EXPECT_EQ(refused([](Job& job) { job.entry.sync_count = 0; }),
            PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT);
  expect_next_exact();
}

TEST_F(DlaBadRtl, a_doorbell_beyond_the_ring_stops_both_and_one_of_a_full_ring_does_not) {
  const unsigned ring = 4;  // as after reset
  Job job = nops();
  job.doorbell_beyond = ring;
  run(job);
  EXPECT_EQ(code(), unsigned{PRESIL_QUEUE_ERROR_CODE_RING_OVERRUN});
  expect_next_exact();
  job.doorbell_beyond = 0xffff - ring;  // after head: seen as far beyond it
  run(job);
  EXPECT_EQ(code(), unsigned{PRESIL_QUEUE_ERROR_CODE_RING_OVERRUN});
  expect_next_exact();
}

TEST_F(DlaBadRtl, a_stream_where_no_memory_is_stops_both_at_the_command_that_is_not_there) {
  for (const uint64_t back : {0u, 1u, 2u}) {  // so many commands are still in memory
    Job job = nops();
    job.entry.stream_address = bench::kMemoryBase + bench::kMemoryBytes - 256 * back;
    const uint64_t at = bench::kMemoryBytes - 256 * back;
    for (uint64_t i = 0; i < back; ++i) {
      for (bench::Dut* dut : {model.get(), rtl.get()}) {
        std::copy_n(reinterpret_cast<const uint8_t*>(job.commands[i].data()),
                    sizeof job.commands[i], &dut->memory[at + 256 * i]);
      }
    }
    run(job);
    EXPECT_EQ(code(), unsigned{PRESIL_QUEUE_ERROR_CODE_FETCH_ERROR});
    EXPECT_EQ(expected.error[2], back);
    EXPECT_EQ(expected.error[3], static_cast<uint32_t>(bench::kMemoryBase + bench::kMemoryBytes));
    EXPECT_EQ(expected.ended.size(), back);
  }
  expect_next_exact();
}

TEST_F(DlaBadRtl, a_read_that_fails_stops_both_at_the_same_entry_or_command) {
  unsigned failed = 0, entries = 0;
  bench::Pace pace;
  pace.error = 6;
  for (pace.seed = 1; pace.seed <= 60; ++pace.seed) {
    SCOPED_TRACE("seed " + std::to_string(pace.seed));
    make(pace);  // anew: which reads fail goes by their number
    run(nops());
    if (HasFailure()) return;
    if (code() == 0) continue;
    EXPECT_EQ(code(), unsigned{PRESIL_QUEUE_ERROR_CODE_FETCH_ERROR});
    ++failed;
    entries += expected.error[2] == 0xffffffffu;
  }
  EXPECT_GE(failed, 10u);
  EXPECT_GE(entries, 3u);
}

}  // namespace
}  // namespace presil::dla
