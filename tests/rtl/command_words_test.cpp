// Words written by hand from the pages, not from the prints: a field that moves shows here.
#include <gtest/gtest.h>

#include <array>

#include "rtl/common/job_entry.h"
#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"

extern "C" presil_queue_error_code presil_contract_check_in_c(const uint32_t* words,
                                                              const char** field);

namespace presil {
namespace {

template <class Command>
std::array<uint32_t, Command::kWords> words_of(const Command& command) {
  std::array<uint32_t, Command::kWords> words;
  words.fill(0xdeadbeef);  // encode writes all of them
  command.encode(words.data());
  return words;
}

TEST(CommandWords, dla_conv_3x3_with_fused_add) {
  dla::Command c = dla::Command::make(dla::Op::kConv);
  c.rule = dla::Rule::kDouble;
  c.ew_op = dla::EwOp::kAdd;
  c.irq = true;
  c.tag = 0x01020304;
  c.wait_weights = 4;
  c.wait_in = 5;
  c.wait_out = 6;
  c.signal = 1;
  c.wait_weights_value = 7;
  c.wait_in_value = -1;
  c.wait_out_value = 0;
  c.signal_add = 2;
  c.block_rows = 4;
  c.in_base = 0x012340;
  c.in_row_pitch = 0x1f0;
  c.kernel_h = 3;
  c.in_cb_pitch = 0x4000;
  c.kernel_w = 3;
  c.in_x_step = 16;
  c.in_blocks = 2;
  c.pad_top = 1;
  c.pad_left = 1;
  c.in_h = 32;
  c.in_w = 31;
  c.stride_y = 1;
  c.stride_x = 2;
  c.pad_value = -128;
  c.out_h = 32;
  c.out_w = 16;
  c.out_lanes_last = 16;
  c.out_base = 0x080000;
  c.out_row_pitch = 0x100;
  c.out_cb_pitch = 0x2000;
  c.out_x_step = 16;
  c.out_blocks = 3;
  c.w_base = 0x0a0000;
  c.w_kb_pitch = 0x1200;
  c.w_cb_pitch = 0x900;
  c.w_zero = -2;
  c.p_base = 0x0b0000;
  c.act_min = -128;
  c.act_max = 127;
  c.out_zero = -5;
  c.res_base = 0x0c0000;
  c.res_row_pitch = 0x100;
  c.res_cb_pitch = 0x2000;
  c.res_x_step = 16;
  c.ew_a_zero = -5;
  c.ew_b_zero = 3;
  c.ew_a_mult = 0x40000000;
  c.ew_b_mult = 0x50000000;
  c.ew_out_mult = 0x60000000;
  c.ew_a_shift = -1;
  c.ew_b_shift = 0;
  c.ew_out_shift = -18;
  c.ew_left_shift = 20;
  c.ew_out_zero = 9;
  c.ew_act_min = -128;
  c.ew_act_max = 127;

  std::array<uint32_t, 40> expected{};
  expected[0] = 1u << 24 | 1u << 21 | 1u << 15 | 1u;  // version 1, irq, ew_op add, conv
  expected[1] = 0x01020304;
  expected[2] = 0x01060504;  // signal, wait_out, wait_in, wait_weights
  expected[3] = 7;
  expected[4] = 0xffffffff;
  expected[6] = 4u << 16 | 2;  // block_rows, signal_add
  expected[7] = 0x00012340;
  expected[8] = 3u << 24 | 0x1f0;
  expected[9] = 3u << 24 | 0x4000;
  expected[10] = 1u << 27 | 1u << 22 | 2u << 12 | 16;   // pad_left, pad_top, in_blocks, in_x_step
  expected[11] = 2u << 27 | 1u << 24 | 31u << 12 | 32;  // stride_x, stride_y, in_w, in_h
  expected[12] = 0x0000ff80;                            // -128 in 16 bits
  expected[13] = 1u << 5 | 1;                           // dil_x, dil_y
  expected[14] = 16u << 24 | 16u << 12 | 32;
  expected[15] = 0x080000;
  expected[16] = 0x100;
  expected[17] = 0x2000;
  expected[18] = 3u << 12 | 16;
  expected[19] = 0x0a0000;
  expected[20] = 0x1200;
  expected[21] = 0xfe000900;  // w_zero -2
  expected[22] = 0x0b0000;
  expected[24] = 0x007fff80;  // 127, -128
  expected[25] = 0x0000fffb;  // -5
  expected[26] = 0x0c0000;
  expected[27] = 0x100;
  expected[28] = 0x2000;
  expected[29] = 16;
  expected[30] = 0x0003fffb;  // 3, -5
  expected[31] = 0x40000000;
  expected[32] = 0x50000000;
  expected[33] = 0x60000000;
  expected[34] = 20u << 24 | 0x2eu << 16 | 0x3f;  // left 20, out -18 = 64 - 18 = 0x2e, a -1
  expected[35] = 9;
  expected[36] = 0x007fff80;
  EXPECT_EQ(words_of(c), expected);
  EXPECT_FALSE(dla::Command::check(expected.data()));
  EXPECT_EQ(dla::Command::decode(expected.data()), c);
}

TEST(CommandWords, dma_copy_of_a_c16_tile_from_dram) {
  dma::Command c = dma::Command::make(dma::Op::kCopy);
  c.src_space = dma::Space::kSystem;
  c.src_region = 3;
  c.dst_space = dma::Space::kSram;
  c.tag = 42;
  c.wait0 = 1;
  c.wait0_value = -2;
  c.signal = 4;
  c.signal_add = 1;
  c.src_base = 0x1234567890;
  c.src_row_bytes = 0x0a0b0c;
  c.src_n = {16, 2, 1, 1};
  c.src_stride = {0x400, -0x10000, 0, 0};
  c.dst_base = 0x8000;
  c.dst_row_bytes = 0x0a0b0c;
  c.dst_n = {32, 1, 1, 1};
  c.dst_stride = {0x380, 0, 0, 0};

  std::array<uint32_t, 32> expected{};
  expected[0] = 1u << 24 | 3u << 6 | 1u << 4 | 1u;  // version, region 3, source in a region, copy
  expected[1] = 42;
  expected[2] = 0x04000001;
  expected[3] = 0xfffffffe;
  expected[6] = 1;
  expected[8] = 0x34567890;
  expected[9] = 0x0a0b0c12;  // row bytes above base[39:32]
  expected[10] = 2u << 16 | 16;
  expected[11] = 1u << 16 | 1;
  expected[12] = 0x400;
  expected[13] = 0xffff0000;
  expected[16] = 0x8000;
  expected[17] = 0x0a0b0c00;
  expected[18] = 1u << 16 | 32;
  expected[19] = 1u << 16 | 1;
  expected[20] = 0x380;
  EXPECT_EQ(words_of(c), expected);
  EXPECT_FALSE(dma::Command::check(expected.data()));
  EXPECT_EQ(dma::Command::decode(expected.data()), c);
}

TEST(CommandWords, dsp_run_and_select) {
  dsp::Command c = dsp::Command::make(dsp::Op::kRun);
  c.irq = true;
  c.tag = 21;
  c.wait0 = 4;
  c.wait0_value = 3;
  c.wait2 = 1;
  c.wait2_value = -1;
  c.signal = 2;
  c.signal_add = 1;
  c.region_count = 3;
  c.entry = 0x10000120;
  c.args_base = 0x8000;
  c.args_bytes = 0x120;
  c.watchdog = 100000;
  c.regions_base = 0x8120;
  c.image_crc = 0xcbf43926;
  const std::array<uint32_t, 16> run{
      0x01200001, 21,     0x02010004, 3, 0, 0xffffffff, 3u << 16 | 1u, 0x10000120, 0x8000,
      0x120,      100000, 0x8120,     0, 0, 0,          0xcbf43926};
  EXPECT_EQ(words_of(c), run);
  EXPECT_FALSE(dsp::Command::check(run.data()));
  EXPECT_EQ(dsp::Command::decode(run.data()), c);

  c = dsp::Command::make(dsp::Op::kSelect);
  c.image_offset = 0x4100;
  c.image_bytes = 0x6000;
  c.image_region = 3;
  c.image_crc = 0xcbf43926;
  const std::array<uint32_t, 16> select{0x01000002, 0, 0, 0, 0,      0,      0, 0,
                                        0,          0, 0, 0, 0x4100, 0x6000, 3, 0xcbf43926};
  EXPECT_EQ(words_of(c), select);
  EXPECT_FALSE(dsp::Command::check(select.data()));
}

TEST(CommandWords, host_task) {
  host::Command c = host::Command::make(host::Op::kRun);
  c.tag = 7;
  c.wait0 = 2;
  c.wait0_value = 3;
  c.signal = 3;
  c.signal_add = 1;
  c.kernel_id = 12;
  c.tensors_offset = 0x1000;
  c.tensors_bytes = 128;
  c.attributes_offset = 0x1080;
  c.attributes_bytes = 24;
  const std::array<uint32_t, 16> expected{0x01000001, 7,  0x03000002, 3,   0,      0,
                                          1,          12, 0x1000,     128, 0x1080, 24};
  EXPECT_EQ(words_of(c), expected);
  EXPECT_FALSE(host::Command::check(expected.data()));
}

TEST(CommandWords, job_entry) {
  JobEntry j;
  j.irq_at_end = true;
  j.barrier = true;
  j.context = 2;
  j.tag = 99;
  j.stream_address = 0x8012345600;
  j.command_count = 900;
  j.sync_base = 8;
  j.sync_count = 7;
  j.value_base = 4096;
  j.sram_base = 0x40000;
  j.region_base = {0x8000001000, 0x8000002000, 3, 4, 5, 6, 7, 0xff00000000};
  j.region_limit = {1, 2, 3, 4, 5, 6, 7, 0xffff};
  std::array<uint32_t, 32> expected{};
  expected[0] = 1u << 24 | 2u << 8 | 0xf;  // version, context, barrier, stop on error, irq, valid
  expected[1] = 99;
  expected[2] = 0x12345600;
  expected[3] = 0x80;
  expected[4] = 900;
  expected[5] = 0x0708;
  expected[6] = 4096;
  expected[7] = 0x40000;
  expected[8] = 0x1000;
  expected[9] = 0x80;
  expected[10] = 0x2000;
  expected[11] = 0x80;
  for (uint32_t i = 2; i < 7; ++i) expected[8 + 2 * i] = i + 1;
  expected[23] = 0xff;
  expected[24] = 0x00020001;
  expected[25] = 0x00040003;
  expected[26] = 0x00060005;
  expected[27] = 0xffff0007;
  EXPECT_EQ(words_of(j), expected);
  EXPECT_FALSE(JobEntry::check(expected.data()));
}

TEST(CommandWords, c_and_cpp_object_to_the_same_field) {
  dla::Command c = dla::Command::make(dla::Op::kConv);
  c.in_base = 0x17;
  const auto words = words_of(c);
  const char* field = nullptr;
  EXPECT_EQ(presil_contract_check_in_c(words.data(), &field), PRESIL_QUEUE_ERROR_CODE_MISALIGNED);
  EXPECT_STREQ(field, "in_base");
  EXPECT_STREQ(dla::Command::check(words.data())->field, "in_base");
}

}  // namespace
}  // namespace presil
