// Which DMA commands are refused: each rule of rtl/dma/README.md from both sides, refused next to n
// with its code, rule and word, accepted at n.
#include "models/dma/dma_check.h"

#include <gtest/gtest.h>

#include <ostream>

#include "tests/dma/dma_oracle.h"

namespace presil::dma {
namespace {

constexpr uint32_t kSramBytes = 1 << 20;

struct Verdict {
  int code = PRESIL_QUEUE_ERROR_CODE_NONE, rule = 0, word = 0;
  bool operator==(const Verdict& o) const {
    return code == o.code && rule == o.rule && word == o.word;
  }
};

std::ostream& operator<<(std::ostream& out, const Verdict& v) {
  return out << "code " << v.code << " rule " << v.rule << " word " << v.word;
}

constexpr Verdict kAccepted{};
Verdict broken(int rule) {
  return {PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule, 0};
}
// R5 to R8: the error registers hold the code and the side's word, and no rule (queue.rdl).
Verdict length(int word) {
  return {PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH, 0, word};
}
constexpr Verdict kSourceOutside{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, 8};
constexpr Verdict kDestinationOutside{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, 16};
constexpr Verdict kCounter{PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, 0, 2};

JobContext some_job() {
  JobContext job;
  job.entry.sync_count = 9;
  job.entry.region_limit.fill(16);  // 64 KiB each
  return job;
}

Verdict of(const Command& c, const JobContext& job = some_job(), uint32_t sram = kSramBytes) {
  uint32_t words[Command::kWords];
  c.encode(words);
  const auto fault = check(words, job, sram);
  return fault ? Verdict{fault->code, fault->rule, fault->word} : kAccepted;
}

// One byte from SRAM to SRAM, or into it.
Command copy(uint32_t src_row = 1, uint32_t dst_row = 1) {
  Command c = Command::make(Op::kCopy);
  c.src_row_bytes = src_row;
  c.dst_row_bytes = dst_row;
  return c;
}

Command packed(Pack pack, unsigned elem_bytes, uint32_t src_row, uint32_t dst_row) {
  Command c = copy(src_row, dst_row);
  c.pack = pack;
  c.elem_bytes = static_cast<uint16_t>(elem_bytes);
  return c;
}

Command fill(uint32_t dst_row = 1) {
  Command c = Command::make(Op::kFill);
  c.dst_row_bytes = dst_row;
  return c;
}

TEST(DmaCheck, fresh_commands_of_every_operation_are_accepted) {
  for (const Op op : {Op::kNop, Op::kCopy, Op::kFill}) EXPECT_EQ(of(Command::make(op)), kAccepted);
}

TEST(DmaCheck, fields_come_before_rules_with_code_and_word) {
  Command c = copy();
  c.src_region = 1;     // R1
  c.src_row_bytes = 0;  // field of words 8 and 9
  c.dst_tile_mask = 1;  // field of word 24
  EXPECT_EQ(of(c), (Verdict{PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE, 0, 9}));
  c.src_row_bytes = 1;
  EXPECT_EQ(of(c), (Verdict{PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE, 0, 24}));
  c.dst_tile_mask = 0;
  EXPECT_EQ(of(c), broken(1));
}

TEST(DmaCheck, reserved_bits_and_other_versions_are_refused) {
  uint32_t words[Command::kWords];
  copy().encode(words);
  words[30] = 1;
  auto fault = check(words, some_job(), kSramBytes);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->code, PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS);
  EXPECT_EQ(fault->word, 30);
  words[0] += 1u << 24;
  fault = check(words, some_job(), kSramBytes);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->code, PRESIL_QUEUE_ERROR_CODE_BAD_VERSION);
}

TEST(DmaCheck, r1_sram_source_has_no_region_and_24_bits) {
  Command c = copy();
  c.src_region = 1;
  EXPECT_EQ(of(c), broken(1));
  c.src_space = Space::kSystem;
  EXPECT_EQ(of(c), kAccepted);

  c = copy();
  c.src_base = (1 << 24) - 1;
  EXPECT_EQ(of(c, some_job(), 1 << 24), kAccepted);
  c.src_base = 1 << 24;
  EXPECT_EQ(of(c, some_job(), 1 << 24), broken(1));
}

TEST(DmaCheck, r2_sram_destination_has_no_region_and_24_bits) {
  for (Command c : {copy(), fill()}) {
    c.dst_region = 7;
    EXPECT_EQ(of(c), broken(2));
    c.dst_space = Space::kSystem;
    EXPECT_EQ(of(c), kAccepted);
  }
  for (Command c : {copy(), fill()}) {
    c.dst_base = (1 << 24) - 1;
    EXPECT_EQ(of(c, some_job(), 1 << 24), kAccepted);
    c.dst_base = 1 << 24;
    EXPECT_EQ(of(c, some_job(), 1 << 24), broken(2));
  }
}

TEST(DmaCheck, r3_elements_go_with_pack) {
  EXPECT_EQ(of(packed(Pack::kNone, 1, 1, 1)), broken(3));
  EXPECT_EQ(of(packed(Pack::kNone, 0, 1, 1)), kAccepted);
  EXPECT_EQ(of(packed(Pack::kPad, 0, 1, 16)), broken(3));
  EXPECT_EQ(of(packed(Pack::kPad, 1, 1, 16)), kAccepted);
  EXPECT_EQ(of(packed(Pack::kDrop, 0, 16, 1)), broken(3));
  EXPECT_EQ(of(packed(Pack::kDrop, 1, 16, 1)), kAccepted);
}

TEST(DmaCheck, r4_only_pad_and_fill_have_a_pattern) {
  for (Command c : {packed(Pack::kNone, 0, 1, 1), packed(Pack::kDrop, 1, 16, 1)}) {
    c.pattern = 1;
    EXPECT_EQ(of(c), broken(4));
  }
  for (Command c : {packed(Pack::kPad, 1, 1, 16), fill()}) {
    c.pattern = 1;
    EXPECT_EQ(of(c), kAccepted);
  }
}

// 65537 * 65535 = 2^32 - 1 bytes; 65536 * 2^15 * 2 = 2^32 bytes; all rows at one address.
Command long_copy(uint32_t row, uint16_t n1, uint16_t n2) {
  Command c = copy(row, row);
  c.src_n = c.dst_n = {n1, n2, 1, 1};
  return c;
}

TEST(DmaCheck, r5_a_stream_is_shorter_than_2_to_the_32) {
  EXPECT_EQ(of(long_copy(65537, 65535, 1)), kAccepted);
  EXPECT_EQ(of(long_copy(65536, 32768, 2)), length(8));

  Command c = long_copy(65536, 32768, 2);
  c.src_n = {1, 1, 1, 1};
  EXPECT_EQ(of(c), length(16));

  c = fill(65537);
  c.dst_n = {1, 1, 1, 65535};
  EXPECT_EQ(of(c), kAccepted);
  c.dst_row_bytes = 65536;
  c.dst_n = {1, 2, 1, 32768};
  EXPECT_EQ(of(c), length(16));
}

TEST(DmaCheck, r5_lengths_do_not_wrap) {
  Command c = copy(1 << 16, 1);  // 2^16 * 2^15^4 = 2^76, 0 modulo 2^64
  c.src_n.fill(1 << 15);
  EXPECT_EQ(of(c), length(8));
  c = copy((1 << 24) - 1, 1);
  c.src_n.fill(65535);
  EXPECT_EQ(of(c), length(8));
}

TEST(DmaCheck, r6_without_pack_both_sides_are_as_long) {
  Command c = copy(12, 4);
  c.dst_n = {1, 3, 1, 1};
  EXPECT_EQ(of(c), kAccepted);
  for (const uint32_t row : {11u, 13u}) {
    c.src_row_bytes = row;
    EXPECT_EQ(of(c), length(16));
  }
}

TEST(DmaCheck, r7_pad_takes_whole_elements) {
  // 12 bytes are 4 elements of 3, 64 bytes padded
  EXPECT_EQ(of(packed(Pack::kPad, 3, 12, 64)), kAccepted);
  EXPECT_EQ(of(packed(Pack::kPad, 3, 11, 64)), length(8));
  EXPECT_EQ(of(packed(Pack::kPad, 3, 13, 64)), length(8));
  EXPECT_EQ(of(packed(Pack::kPad, 3, 12, 63)), length(16));
  EXPECT_EQ(of(packed(Pack::kPad, 3, 12, 65)), length(16));
  EXPECT_EQ(of(packed(Pack::kPad, 3, 12, 12)), length(16));
}

TEST(DmaCheck, r7_no_element_is_cut_by_the_end_of_a_row) {
  // 24 bytes in rows: of 8 and elements of 12 they do not nest; of 4 three rows are an element
  Command c = packed(Pack::kPad, 12, 8, 32);
  c.src_n = {3, 1, 1, 1};
  EXPECT_EQ(of(c), length(8));
  c.src_row_bytes = 4;
  c.src_n = {5, 1, 1, 1};
  EXPECT_EQ(of(c), length(8));  // 20 bytes: 8 left over
  c.src_n = {3, 2, 1, 1};
  EXPECT_EQ(of(c), kAccepted);
  // 96 bytes out, padded elements of 32: rows of 24 do not nest; of 16 and 96 they do
  c = packed(Pack::kPad, 20, 60, 24);
  c.dst_n = {4, 1, 1, 1};
  EXPECT_EQ(of(c), length(16));
  c.dst_row_bytes = 16;
  c.dst_n = {6, 1, 1, 1};
  EXPECT_EQ(of(c), kAccepted);
  c.dst_row_bytes = 96;
  c.dst_n = {1, 1, 1, 1};
  EXPECT_EQ(of(c), kAccepted);
}

TEST(DmaCheck, r8_drop_takes_whole_padded_elements) {
  // 64 bytes are 2 padded elements of 24, 48 bytes of data
  EXPECT_EQ(of(packed(Pack::kDrop, 24, 64, 48)), kAccepted);
  EXPECT_EQ(of(packed(Pack::kDrop, 24, 63, 48)), length(8));
  EXPECT_EQ(of(packed(Pack::kDrop, 24, 48, 48)), length(8));
  EXPECT_EQ(of(packed(Pack::kDrop, 24, 64, 47)), length(16));
  EXPECT_EQ(of(packed(Pack::kDrop, 24, 64, 49)), length(16));
  EXPECT_EQ(of(packed(Pack::kDrop, 24, 64, 64)), length(16));
}

TEST(DmaCheck, r8_no_element_is_cut_by_the_end_of_a_row) {
  // 96 bytes in, padded elements of 32: rows of 24 do not nest, of 16 they do
  Command c = packed(Pack::kDrop, 24, 24, 72);
  c.src_n = {4, 1, 1, 1};
  EXPECT_EQ(of(c), length(8));
  c.src_row_bytes = 16;
  c.src_n = {5, 1, 1, 1};
  EXPECT_EQ(of(c), length(8));  // 80 bytes: 16 left over
  c.src_n = {2, 3, 1, 1};
  EXPECT_EQ(of(c), kAccepted);
  // 72 bytes out, elements of 24: rows of 36 do not nest, of 8 they do
  c.dst_row_bytes = 36;
  c.dst_n = {2, 1, 1, 1};
  EXPECT_EQ(of(c), length(16));
  c.dst_row_bytes = 8;
  c.dst_n = {9, 1, 1, 1};
  EXPECT_EQ(of(c), kAccepted);
}

TEST(DmaCheck, the_first_broken_rule_is_reported) {
  Command c = copy(12, 13);  // R6
  EXPECT_EQ(of(c), length(16));
  c.pattern = 1;  // R4
  EXPECT_EQ(of(c), broken(4));
  c.elem_bytes = 1;  // R3
  EXPECT_EQ(of(c), broken(3));
  c.dst_region = 1;  // R2
  EXPECT_EQ(of(c), broken(2));
  c.src_region = 1;  // R1
  EXPECT_EQ(of(c), broken(1));
}

TEST(DmaCheck, counters_are_at_most_sync_count_even_of_a_nop) {
  for (const Op op : {Op::kNop, Op::kCopy, Op::kFill}) {
    for (const unsigned field :
         {PRESIL_DMA_COMMAND_WAIT0, PRESIL_DMA_COMMAND_WAIT1, PRESIL_DMA_COMMAND_SIGNAL}) {
      Command c = Command::make(op);
      c.set(field, 9);
      EXPECT_EQ(of(c), kAccepted);
      c.set(field, 10);
      EXPECT_EQ(of(c), kCounter);
    }
  }
}

TEST(DmaCheck, rules_come_before_counters_before_source_before_destination) {
  Command c = copy(kSramBytes + 1, kSramBytes + 1);
  c.wait1 = 10;
  c.pattern = 1;
  EXPECT_EQ(of(c), broken(4));
  c.pattern = 0;
  EXPECT_EQ(of(c), kCounter);
  c.wait1 = 9;
  EXPECT_EQ(of(c), kSourceOutside);
  c.src_row_bytes = 1;  // one byte, repeated
  c.src_n = {1025, 1023, 1, 1};
  c.dst_row_bytes = 1025 * 1023;
  EXPECT_EQ(of(c), kAccepted);  // 1048575
  c.src_n = {16, 65535, 1, 1};
  c.dst_row_bytes = 16 * 65535;
  c.dst_base = 16;
  EXPECT_EQ(of(c), kAccepted);  // 16 + 1048560 = 2^20
  c.dst_base = 17;
  EXPECT_EQ(of(c), kDestinationOutside);
}

TEST(DmaCheck, sram_ends_at_its_size_less_sram_base) {
  for (const uint32_t sram_base : {0u, 0x100u}) {
    JobContext job = some_job();
    job.entry.sram_base = sram_base;
    Command c = copy();
    c.src_base = kSramBytes - sram_base - 1;
    EXPECT_EQ(of(c, job), kAccepted);
    ++c.src_base;
    EXPECT_EQ(of(c, job), kSourceOutside);
    c = fill();
    c.dst_base = kSramBytes - sram_base - 1;
    EXPECT_EQ(of(c, job), kAccepted);
    ++c.dst_base;
    EXPECT_EQ(of(c, job), kDestinationOutside);
  }
}

TEST(DmaCheck, a_job_whose_sram_base_is_beyond_the_sram_reaches_nothing) {
  JobContext job = some_job();
  job.entry.sram_base = kSramBytes;
  EXPECT_EQ(of(copy(), job), kSourceOutside);
  job.entry.sram_base = kSramBytes + 4096;
  EXPECT_EQ(of(copy(), job), kSourceOutside);
}

TEST(DmaCheck, a_region_ends_at_its_limit_of_pages) {
  JobContext job = some_job();
  job.entry.region_limit[3] = 2;
  Command c = copy();
  c.src_space = Space::kSystem;
  c.src_region = 3;
  c.src_base = 8191;
  EXPECT_EQ(of(c, job), kAccepted);
  c.src_base = 8192;
  EXPECT_EQ(of(c, job), kSourceOutside);
  c.src_region = 4;  // 16 pages
  EXPECT_EQ(of(c, job), kAccepted);
  c = fill(8192);
  c.dst_space = Space::kSystem;
  c.dst_region = 3;
  EXPECT_EQ(of(c, job), kAccepted);
  c.dst_row_bytes = 8193;
  EXPECT_EQ(of(c, job), kDestinationOutside);
}

TEST(DmaCheck, rows_below_the_base_stay_at_or_above_zero) {
  Command c = copy();  // 3 rows down and 4 rows up: reaches base - 2 * 100 .. base + 3 * 10 + 1
  c.src_n = {3, 4, 1, 1};
  c.src_stride = {-100, 10, 0, 0};
  c.dst_row_bytes = 12;
  c.src_base = 200;
  EXPECT_EQ(of(c), kAccepted);
  c.src_base = 199;
  EXPECT_EQ(of(c), kSourceOutside);
  c.src_base = kSramBytes - 31;
  EXPECT_EQ(of(c), kAccepted);
  ++c.src_base;
  EXPECT_EQ(of(c), kSourceOutside);
}

TEST(DmaCheck, the_farthest_strides_do_not_wrap) {
  Command c = fill();
  c.dst_space = Space::kSystem;
  c.dst_n = {65535, 65535, 1, 1};  // 2^32 - 131071 bytes, so R5 holds
  c.dst_stride = {INT32_MIN, INT32_MAX, 0, 0};
  EXPECT_EQ(of(c), kDestinationOutside);
  c.dst_stride = {INT32_MAX, INT32_MAX, 0, 0};
  EXPECT_EQ(of(c), kDestinationOutside);
  c.dst_base = (uint64_t{1} << 40) - 1;
  c.dst_stride = {INT32_MIN, 0, 0, 0};
  EXPECT_EQ(of(c), kDestinationOutside);
}

TEST(DmaCheck, strides_of_dimensions_of_one_step_do_not_matter) {
  Command c = copy();
  c.src_stride.fill(INT32_MIN);
  c.dst_stride.fill(INT32_MAX);
  EXPECT_EQ(of(c), kAccepted);
}

TEST(DmaCheck, an_address_error_names_the_byte_that_is_outside) {
  JobContext job = some_job();
  job.entry.sram_base = 0x1000;
  job.entry.region_base[2] = 0x12345000;
  const auto address = [&](const Command& c) {
    uint32_t words[Command::kWords];
    c.encode(words);
    const auto fault = check(words, job, kSramBytes);
    return fault ? fault->address : 0;
  };
  Command c = copy(16, 16);
  c.src_base = kSramBytes - 0x1000 - 15;  // one byte too far
  EXPECT_EQ(address(c), kSramBytes);
  c = fill(8);
  c.dst_space = Space::kSystem;
  c.dst_region = 2;
  c.dst_base = 0x10000 - 7;
  EXPECT_EQ(address(c), 0x12345000u + 0x10000);
  c.dst_base = 4;  // second row at -6
  c.dst_n[0] = 2;
  c.dst_stride[0] = -10;
  EXPECT_EQ(address(c), 0x12345000u - 6);
}

TEST(DmaCheck, whatever_the_oracle_can_do_is_accepted) {
  std::mt19937 random(2);
  JobContext job = some_job();
  for (int round = 0; round < 5000; ++round) {
    const test::Case t = test::random_case(random);
    const size_t reach = std::max(t.src.bytes.size(), t.dst.bytes.size());
    job.entry.region_limit.fill(static_cast<uint16_t>((reach + 4095) / 4096));
    ASSERT_EQ(of(t.command, job, 0), kAccepted) << t.command.to_text();
  }
}

}  // namespace
}  // namespace presil::dma
