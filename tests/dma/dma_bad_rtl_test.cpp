// What the DMA refuses, RTL and model with their queues: every reserved encoding of commands and
// job entries, doorbells beyond the ring, streams where no memory is. Equal must be the error
// registers (code, rule, word, job, command, address) and which commands have ended.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "rtl/dma/dma_rules.h"
#include "testbench/common/bad_words.h"
#include "tests/common/shown.h"
#include "tests/dma/dma_both.h"

namespace presil::dma {
namespace {

using testbench::BadWords;

constexpr uint32_t kEntry = 0xffffffff;  // the index of a job entry
constexpr unsigned kChannels = 4, kRingLog2 = 5;
constexpr size_t kJobs = kChannels << kRingLog2;  // of full rings

std::vector<uint32_t> words_of(const Command& command) {
  std::vector<uint32_t> words(Command::kWords);
  command.encode(words.data());
  return words;
}

uint8_t* bytes(Both& both, uint64_t address) {
  return both.tile.map.bytes_at(address, 4 * JobEntry::kWords);
}

/// A job of a sound command and these words.
void second_command(Both& both, unsigned channel, const std::vector<uint32_t>& words) {
  const uint32_t at = 0x1000 * channel;
  const JobEntry job = both.tile.place(channel, {load_row(at, at, 64, 7), Command::make(Op::kNop)});
  std::memcpy(bytes(both, job.stream_address + Command::kPitch), words.data(), 4 * words.size());
  both.submit(channel, job);
}

struct DmaBadRtl : ::testing::Test {
  /// `submit` puts job i of a tile into a channel's ring; each must be refused at command `index`.
  template <class Submit>
  void expect_refused(const std::vector<BadWords>& bad, uint32_t index, Submit submit) {
    for (size_t first = 0; first < bad.size(); first += kJobs) {
      Both both(fixed_latency(), static_cast<uint32_t>(first) + 1);
      both.ring_size_log2 = kRingLog2;
      const size_t jobs = std::min(kJobs, bad.size() - first);
      for (size_t i = 0; i < jobs; ++i) submit(both, i % kChannels, bad[first + i].words);
      both.start();
      for (size_t i = 0; i < jobs && !HasFailure(); i += kChannels) {
        const auto job = static_cast<uint32_t>(i / kChannels + 1);
        const auto channels = static_cast<unsigned>(std::min<size_t>(kChannels, jobs - i));
        for (unsigned c = 0; c < channels; ++c) both.write(c, PRESIL_QUEUE_REG_TAIL, job);
        settle(both);
        for (unsigned c = 0; c < channels; ++c) {
          SCOPED_TRACE(bad[first + i + c].what);
          expect_stopped(both, c, index);
          both.write(c, PRESIL_QUEUE_REG_HEAD, job);
          both.write(c, PRESIL_QUEUE_REG_CONTROL,
                     PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK);
        }
      }
      EXPECT_EQ(both.rtl->ends().size(), both.tile.records.size());
      if (HasFailure()) return;
    }
    std::cout << bad.size() << " are refused, " << codes.size() << " codes\n";
  }

  void settle(Both& both) {
    both.rtl->run();
    both.tile.time.run_all();
    both.tile.time.run_until(both.rtl->now());
    EXPECT_EQ(both.rtl->violations(), "");
  }

  void expect_stopped(Both& both, unsigned channel, uint32_t index) {
    const auto of_model = both.error(channel, false);
    EXPECT_EQ(both.error(channel, true), of_model);
    EXPECT_NE(of_model[0], 0u);
    EXPECT_EQ(of_model[1], index);
    codes.insert(of_model[0] & 0xff);
    if (const auto rule =
            (of_model[0] & PRESIL_QUEUE_ERROR_RULE_MASK) >> PRESIL_QUEUE_ERROR_RULE_SHIFT)
      shown.broken(presil_dma_rules()[rule - 1].name);
    const uint32_t at = PRESIL_DMA_REG_CHANNEL(channel) + PRESIL_QUEUE_REG_STATUS;
    EXPECT_EQ(both.rtl->read(at), uint32_t{PRESIL_QUEUE_STATE_ERROR});
    EXPECT_EQ(both.tile.read(channel, PRESIL_QUEUE_REG_STATUS), uint32_t{PRESIL_QUEUE_STATE_ERROR});
  }

  std::set<uint64_t> codes;
  presil::test::Shown shown{"dma", {"model", "rtl"}};
};

TEST_F(DmaBadRtl, every_reserved_encoding_of_a_command_stops_both_at_it_with_the_same_registers) {
  std::vector<BadWords> bad;
  for (const Command& sound :
       {Command::make(Op::kNop), load_row(0, 0, 64), fill_row(Space::kSram, 0x100, 64, 5)}) {
    const auto more = testbench::bad_words(Command::format(), words_of(sound));
    bad.insert(bad.end(), more.begin(), more.end());
  }
  expect_refused(bad, 1, second_command);
  for (const auto code :
       {PRESIL_QUEUE_ERROR_CODE_BAD_VERSION, PRESIL_QUEUE_ERROR_CODE_BAD_OP,
        PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS, PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE}) {
    EXPECT_EQ(codes.count(code), 1u) << code;
  }
}

// A sound load of a row of 64 bytes, broken in one way each.
TEST_F(DmaBadRtl, every_rule_length_counter_and_address_that_is_wrong_stops_both) {
  struct Wrong {
    const char* what;
    void (*change)(Command&);
  };
  static constexpr uint32_t kSram = 1 << 20;
  static const std::vector<Wrong> kWrong = {
      {"R1, region", [](Command& c) { c.src_space = Space::kSram, c.src_region = 1; }},
      {"R1, base", [](Command& c) { c.src_space = Space::kSram, c.src_base = 1 << 24; }},
      {"R2, region", [](Command& c) { c.dst_region = 1; }},
      {"R2, base", [](Command& c) { c.dst_base = 1 << 24; }},
      {"R3, elements without pack", [](Command& c) { c.elem_bytes = 4; }},
      {"R3, pack without elements", [](Command& c) { c.pack = Pack::kPad; }},
      {"R4", [](Command& c) { c.pattern = 1; }},
      {"lengths differ", [](Command& c) { c.src_row_bytes = 65; }},
      {"source of 2^32 bytes",
       [](Command& c) {
         c.src_n = {65535, 65535, 65535, 65535};
       }},
      {"destination of 2^32 bytes",
       [](Command& c) {
         c.op = Op::kFill, c.src_space = Space::kSram, c.src_row_bytes = 0, c.src_n = {};
         c.dst_n = {65535, 65535, 1, 1};
       }},
      {"pad of a part", [](Command& c) { c.pack = Pack::kPad, c.elem_bytes = 7; }},
      {"pad to another length", [](Command& c) { c.pack = Pack::kPad, c.elem_bytes = 4; }},
      {"drop of a part", [](Command& c) { c.pack = Pack::kDrop, c.elem_bytes = 17; }},
      {"drop to another length", [](Command& c) { c.pack = Pack::kDrop, c.elem_bytes = 4; }},
      {"first wait", [](Command& c) { c.wait0 = 41; }},
      {"second wait", [](Command& c) { c.wait1 = 41; }},
      {"signal", [](Command& c) { c.signal = 255; }},
      {"a byte past the region", [](Command& c) { c.src_base = DmaTile::kDataBytes - 63; }},
      {"a region of nothing", [](Command& c) { c.src_region = 3; }},
      {"before the region",
       [](Command& c) { c.src_row_bytes = 32, c.src_n[0] = 2, c.src_stride[0] = -1; }},
      {"a byte past the SRAM", [](Command& c) { c.dst_base = kSram - 63; }},
      {"rows past the SRAM",
       [](Command& c) { c.dst_row_bytes = 1, c.dst_n[3] = 64, c.dst_stride[3] = 1 << 20; }},
      {"before the SRAM",
       [](Command& c) { c.dst_row_bytes = 32, c.dst_n[1] = 2, c.dst_stride[1] = -(1 << 30); }},
      {"source past the SRAM",
       [](Command& c) { c.src_space = Space::kSram, c.src_base = kSram - 63; }},
      {"destination past the region",
       [](Command& c) { c.dst_space = Space::kSystem, c.dst_base = DmaTile::kDataBytes; }},
  };
  std::vector<BadWords> bad;
  for (const Wrong& wrong : kWrong) {
    Command c = load_row(0, 0x100, 64, 9);
    wrong.change(c);
    bad.push_back({wrong.what, words_of(c)});
  }
  expect_refused(bad, 1, second_command);
  for (const auto code :
       {PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH,
        PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE}) {
    EXPECT_EQ(codes.count(code), 1u) << code;
  }
}

TEST_F(DmaBadRtl, every_reserved_encoding_of_a_job_entry_stops_both_before_its_first_command) {
  std::vector<uint32_t> sound(JobEntry::kWords);
  DmaTile().job_of(0, 1).encode(sound.data());
  expect_refused(testbench::bad_words(JobEntry::format(), sound), kEntry,
                 [](Both& both, unsigned channel, const std::vector<uint32_t>& words) {
                   const uint64_t entry = both.tails[channel];
                   both.submit(channel, {load_row(0, 0, 64, 7)});
                   std::memcpy(bytes(both, DmaTile::kRings + 0x1000 * channel + 128 * entry),
                               words.data(), 4 * words.size());
                 });
}

TEST_F(DmaBadRtl, doorbells_beyond_the_ring_and_streams_without_memory_stop_both) {
  Both both;
  for (unsigned c = 0; c < 2; ++c) both.submit(c, {load_row(0, 0x1000 * c, 64, 7)});
  both.tails[0] = 5;       // a ring of 4
  both.tails[1] = 0xffff;  // after head: far beyond it
  for (unsigned c = 2; c < 4; ++c) {
    JobEntry job = both.tile.place(c, {load_row(0, 0x1000 * c, 64, 7)});
    job.stream_address = c == 2 ? 0xff00000000 : 0x100;
    both.submit(c, job);
  }
  both.run();
  for (unsigned c = 0; c < 4; ++c) {
    SCOPED_TRACE("channel " + std::to_string(c));
    EXPECT_EQ(both.error(c, true), both.error(c, false));
    EXPECT_EQ(both.error(c, false)[0] & 0xff,
              c < 2 ? PRESIL_QUEUE_ERROR_CODE_RING_OVERRUN : PRESIL_QUEUE_ERROR_CODE_FETCH_ERROR);
  }
  EXPECT_EQ(both.error(2, true)[3], 0xff00000000u);
}

}  // namespace
}  // namespace presil::dma
