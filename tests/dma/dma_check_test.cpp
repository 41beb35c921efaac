#include "models/dma/dma_check.h"

#include <gtest/gtest.h>

#include "tests/dma/dma_tile.h"

namespace presil::dma {
namespace {

struct DmaCheck : ::testing::Test {
  DmaCheck() {
    job.entry.sync_count = 5;
    job.entry.region_base[0] = PRESIL_DRAM_BASE;
    job.entry.region_limit[0] = 2;  // 8 KiB
  }
  presil_queue_error_code code(const Command& command) {
    uint32_t words[Command::kWords];
    command.encode(words);
    const auto found = check(words, job, 1 << 20);
    error = found.value_or(QueueError{});
    return error.code;
  }
  JobContext job;
  QueueError error;
};

TEST_F(DmaCheck, a_legal_command_passes) {
  EXPECT_EQ(code(load_row(0, 0, 4096)), PRESIL_QUEUE_ERROR_CODE_NONE);
  EXPECT_EQ(code(store_row(0, 0, 4096)), PRESIL_QUEUE_ERROR_CODE_NONE);
  EXPECT_EQ(code(Command::make(Op::kNop)), PRESIL_QUEUE_ERROR_CODE_NONE);
}

TEST_F(DmaCheck, fields_are_checked_before_rules) {
  Command c = load_row(0, 0, 16);
  c.isa_version = 2;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_BAD_VERSION);
  c = load_row(0, 0, 16);
  c.src_n[1] = 0;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE);
  EXPECT_EQ(error.word, 10);
  c = load_row(0, 0, 16);
  uint32_t words[Command::kWords];
  c.encode(words);
  words[5] = 1;
  EXPECT_EQ(check(words, job, 1 << 20)->code, PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS);
}

TEST_F(DmaCheck, rules_1_to_4_name_themselves) {
  Command c = store_row(1 << 23, 0, 16);
  c.src_base = 1 << 24;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN);
  EXPECT_EQ(error.rule, 1);
  c = load_row(0, 0, 16);
  c.dst_region = 1;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN);
  EXPECT_EQ(error.rule, 2);
  c = load_row(0, 0, 16);
  c.elem_bytes = 3;
  code(c);
  EXPECT_EQ(error.rule, 3);
  c = load_row(0, 0, 16);
  c.pattern = 1;
  code(c);
  EXPECT_EQ(error.rule, 4);
}

TEST_F(DmaCheck, lengths_must_agree) {
  Command c = load_row(0, 0, 16);
  c.dst_row_bytes = 17;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH);
  EXPECT_EQ(error.word, 16);
  c = load_row(0, 0, 48);  // two elements of 24, padded to 32
  c.pack = Pack::kPad;
  c.elem_bytes = 24;
  c.dst_row_bytes = 64;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_NONE);
  c.dst_row_bytes = 48;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH);
  c = load_row(0, 0, 16);  // an element cut by a row end: rows of 16, elements of 24
  c.src_n[0] = 3;
  c.src_stride[0] = 16;
  c.pack = Pack::kPad;
  c.elem_bytes = 24;
  c.dst_row_bytes = 64;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH);
  EXPECT_EQ(error.word, 8);
}

TEST_F(DmaCheck, lengths_do_not_wrap) {
  Command c = load_row(0, 0, 1 << 16);
  c.src_n = c.dst_n = {65535, 65535, 65535, 65535};
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH);
  EXPECT_EQ(error.word, 8);
}

TEST_F(DmaCheck, counters_of_the_stream_end_at_sync_count) {
  Command c = load_row(0, 0, 16);
  c.signal = 5;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_NONE);
  c.signal = 6;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT);
  EXPECT_EQ(error.word, 2);
}

TEST_F(DmaCheck, the_last_byte_of_a_region_and_of_the_sram_is_the_limit) {
  EXPECT_EQ(code(load_row(8192 - 16, 0, 16)), PRESIL_QUEUE_ERROR_CODE_NONE);
  EXPECT_EQ(code(load_row(8192 - 15, 0, 16)), PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE);
  EXPECT_EQ(error.word, 8);
  EXPECT_EQ(error.address, PRESIL_DRAM_BASE + 8192);
  EXPECT_EQ(code(load_row(0, (1 << 20) - 16, 16)), PRESIL_QUEUE_ERROR_CODE_NONE);
  EXPECT_EQ(code(load_row(0, (1 << 20) - 15, 16)), PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE);
  EXPECT_EQ(error.word, 16);
  job.entry.sram_base = 16;
  EXPECT_EQ(code(load_row(0, (1 << 20) - 16, 16)), PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE);
}

TEST_F(DmaCheck, negative_strides_may_not_pass_the_base) {
  Command c = load_row(16, 0, 16);
  c.src_n[0] = c.dst_n[0] = 2;
  c.src_stride[0] = -16;
  c.dst_stride[0] = 16;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_NONE);
  c.src_stride[0] = -17;
  EXPECT_EQ(code(c), PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE);
}

}  // namespace
}  // namespace presil::dma
