// One command at a time: fields, rules between fields, addresses, counters, debug map.
#include <gmock/gmock.h>

#include "driver/kernels/host/kernels.h"
#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class StreamCheckTest : public DeviceTest {
 protected:
  template <class F>
  std::string dla_refusal(F&& change) {
    LoadableMaker m = four_queues();
    change(m.dla[0]);
    return refusal(m);
  }
  template <class F>
  std::string dma_refusal(F&& change) {
    LoadableMaker m = four_queues();
    change(m.dma[0][0]);
    return refusal(m);
  }
  template <class F>
  void taken(F&& change) {
    LoadableMaker m = four_queues();
    change(m);
    ASSERT_EQ(load(m), PRESIL_OK) << text();
    presil_network_unload(network);
  }
};

// A 3x3 convolution that fits: 4 x 4 x 16 in, the same out.
dla::Command conv_of(const dla::Command& pass) {
  dla::Command c = dla::Command::make(dla::Op::kConv);
  c.in_h = c.in_w = c.out_h = c.out_w = 4;
  c.kernel_h = c.kernel_w = 3;
  c.pad_top = c.pad_left = 1;
  c.block_rows = 4;
  c.in_row_pitch = c.out_row_pitch = 64;
  c.in_x_step = c.out_x_step = 16;
  c.out_base = 0x1000;
  c.out_lanes_last = 16;
  c.w_base = 0x2000, c.w_kb_pitch = 9 * 256, c.w_cb_pitch = 9 * 256;
  c.p_base = 0x4000;
  c.act_min = -128, c.act_max = 127;
  c.wait_in = pass.wait_in, c.wait_in_value = pass.wait_in_value;
  c.signal = pass.signal, c.signal_add = pass.signal_add;
  return c;
}

TEST_F(StreamCheckTest, a_field_out_of_range_is_named_with_command_and_layer) {
  EXPECT_EQ(dla_refusal([](auto& c) { c.stride_x = 0; }),
            "dla command 0 (layer even_layer): stride_x is 0, must be 1..7 (word 11)");
  EXPECT_STREQ(error().block, "dla");
  EXPECT_EQ(error().command, 0);
  EXPECT_STREQ(error().layer, "even_layer");
  EXPECT_STREQ(error().field, "stride_x");
  EXPECT_EQ(error().got, 0);
  EXPECT_EQ(error().wanted, 1);
}

TEST_F(StreamCheckTest, misaligned_unsupported_unused_and_reserved_are_told_apart) {
  EXPECT_THAT(dla_refusal([](auto& c) { c.in_base = 7; }),
              HasSubstr("in_base is 7, must be a multiple of 16 (word 7)"));
  EXPECT_THAT(dla_refusal([](auto& c) { c.in_type = dla::InType::kInt16; }),
              HasSubstr("in_type is 1, a code that this hardware does not support"));
  EXPECT_THAT(dla_refusal([](auto& c) { c.w_base = 16; }),
              HasSubstr("w_base is 16, must be 0 (word 19)"));
  LoadableMaker m = four_queues();
  m.change_image = [](std::vector<uint8_t>& image) { image[image.size() - 128 + 30 * 4] = 2; };
  EXPECT_THAT(refusal(m), HasSubstr("reserved bits are 0x2, must be 0 (word 30)"));
}

TEST_F(StreamCheckTest, a_block_fits_the_accumulators) {
  const auto rows = [](unsigned n) {
    return [n](LoadableMaker& m) {
      m.dla[0] = conv_of(m.dla[0]);
      m.dla[0].block_rows = static_cast<uint8_t>(n);
    };
  };
  taken(rows(32));  // 32 * 4 = 128
  LoadableMaker m = four_queues();
  rows(33)(m);
  EXPECT_EQ(
      refusal(m),
      "dla command 0 (layer even_layer): block_rows * out_w is 132, must be at most 128: a block "
      "fits the accumulators (rule R1 of rtl/dla/README.md)");
}

TEST_F(StreamCheckTest, dla_rules_are_checked_from_both_sides) {
  struct Case {
    const char* rule;
    std::function<void(dla::Command&)> change;
  };
  const Case cases[] = {
      {"R2 ", [](auto& c) { c.kernel_h = 17; }},
      {"R5 ", [](auto& c) { c.pad_left = 3; }},
      {"R8 ", [](auto& c) { c.packed = true; }},
      {"R9 ", [](auto& c) { c.row_bytes = 3; }},
      {"R9 ", [](auto& c) { c.in_x_step = 8; }},
      {"R11 ", [](auto& c) { c.rule = dla::Rule::kDivide; }},
      {"R12 ", [](auto& c) { c.div_count = 2; }},
      {"R13 ", [](auto& c) { c.rule = dla::Rule::kNone; }},
      {"R13 ", [](auto& c) { c.out_type = dla::OutType::kInt32; }},
      {"R14 ", [](auto& c) { c.act_min = 5, c.act_max = 4; }},
      {"R15 ", [](auto& c) { c.acc_init = dla::AccInit::kInt32, c.ew_op = dla::EwOp::kAdd; }},
      {"R16 ", [](auto& c) { c.lut_base = 16; }},
      {"R18 ", [](auto& c) { c.res_x_step = 16; }},
      {"R19 ", [](auto& c) { c.ew_out_mult = 1; }},
      {"R20 ", [](auto& c) { c.ew_op = dla::EwOp::kSub, c.ew_rule = dla::EwRule::kXnnpack; }},
      {"R21 ", [](auto& c) { c.ew_op = dla::EwOp::kMul, c.ew_b_shift = 1; }},
      {"R21 ",
       [](auto& c) {
         c.ew_op = dla::EwOp::kAdd, c.ew_rule = dla::EwRule::kXnnpack, c.ew_b_zero = 1;
       }},
      {"R22 ",
       [](auto& c) {
         c.ew_op = dla::EwOp::kAdd, c.ew_rule = dla::EwRule::kXnnpack, c.ew_out_shift = -1;
       }},
  };
  for (const Case& one : cases) {
    LoadableMaker m = four_queues();
    m.dla[0] = conv_of(m.dla[0]);
    one.change(m.dla[0]);
    EXPECT_THAT(refusal(m), HasSubstr(std::string("(rule ") + one.rule)) << one.rule;
  }
  taken([](LoadableMaker& m) { m.dla[0] = conv_of(m.dla[0]); });
}

TEST_F(StreamCheckTest, a_shift_after_element_wise_depends_on_its_rule) {
  const auto shifted = [this](dla::EwRule rule, int shift) {
    LoadableMaker m = four_queues();
    m.dla[0] = conv_of(m.dla[0]);
    m.dla[0].ew_op = dla::EwOp::kAdd, m.dla[0].ew_rule = rule;
    m.dla[0].ew_out_shift = static_cast<int8_t>(shift);
    return refusal(m);
  };
  EXPECT_THAT(
      shifted(dla::EwRule::kXnnpack, -1),
      HasSubstr("ew_out_shift is -1, must be 0..31: a shift to the right (rule R22 of rtl/dla/"));
  EXPECT_THAT(
      shifted(dla::EwRule::kTflite, 31),
      HasSubstr("ew_out_shift is 31, must be -31..30: positive is left (rule R22 of rtl/dla/"));
}

TEST_F(StreamCheckTest, a_stream_lies_in_the_image) {
  LoadableMaker m = four_queues();
  m.change_image = [](std::vector<uint8_t>& image) { image.resize(image.size() - 64); };
  EXPECT_EQ(refusal(m),
            "dma1: its stream of 1 commands at 0x500 does not lie at a multiple of 256 inside the "
            "image of 1344 bytes");
}

TEST_F(StreamCheckTest, rules_of_pass_and_pools) {
  EXPECT_THAT(dla_refusal([](auto& c) { c.kernel_w = 2; }), HasSubstr("(rule R3 "));
  EXPECT_THAT(dla_refusal([](auto& c) { c.in_blocks = 2; }), HasSubstr("(rule R7 "));
  EXPECT_THAT(dla_refusal([](auto& c) { c.p_base = 16; }), HasSubstr("(rule R17 "));
  EXPECT_THAT(dla_refusal([](auto& c) { c.op = dla::Op::kMaxpool, c.pad_value = 1; }),
              HasSubstr("(rule R4 "));
  EXPECT_THAT(
      dla_refusal([](auto& c) { c.op = dla::Op::kMaxpool, c.stride_x = 2; }),
      HasSubstr(
          "first column of the last window is 6, must be at most 3: no window is empty (rule R6 "));
  EXPECT_THAT(
      dla_refusal([](auto& c) {
        c.op = dla::Op::kSumpool, c.rule = dla::Rule::kDivide, c.kernel_w = 3, c.div_count = 3;
        c.div_recip = 0x55555555;
      }),
      HasSubstr(
          "div_recip is 1431655765, must be 1431655766: floor(2^32 / div_count) + 1 (rule R12 "));
}

TEST_F(StreamCheckTest, what_a_command_touches_ends_inside_the_sram) {
  const auto at = [](uint32_t base) {
    return [base](LoadableMaker& m) {
      m.sram_bytes = 1u << 20;
      m.dla[0].out_base = base;
      m.dma[1][0].src_base = base;
    };
  };
  taken(at((1u << 20) - 256));
  LoadableMaker m = four_queues();
  at((1u << 20) - 240)(m);
  EXPECT_THAT(refusal(m),
              HasSubstr("end of the output (out_base and pitches) is 1048592, must be at "
                        "most 1048576: the SRAM ends there"));
  EXPECT_THAT(dla_refusal([](auto& c) {
                c.upsample2 = true;
                c.out_base = (1u << 20) - 256;
              }),
              HasSubstr("end of the output"));
  EXPECT_THAT(dla_refusal([](auto& c) { c.in_base = (1u << 20) - 16; }),
              HasSubstr("end of the input"));
  m = four_queues();
  m.dla[0] = conv_of(m.dla[0]);
  m.dla[0].w_base = (1u << 20) - 9 * 256 + 16;
  EXPECT_THAT(refusal(m), HasSubstr("end of the weights"));
  m.dla[0] = conv_of(m.dla[0]);
  m.dla[0].p_base = (1u << 20) - 128;
  EXPECT_THAT(refusal(m), HasSubstr("end of the channel parameters"));
}

TEST_F(StreamCheckTest, dma_streams_have_one_length) {
  EXPECT_EQ(
      dma_refusal([](auto& c) { c.dst_row_bytes = 255; }),
      "dma0 command 0 (layer odd_layer): destination bytes is 255, must be 256: as many as the "
      "source has (rule R6 of rtl/dma/README.md)");
  EXPECT_THAT(dma_refusal([](auto& c) { c.src_n[0] = c.src_n[1] = c.src_n[2] = 65535; }),
              HasSubstr("(rule R5 "));
  EXPECT_THAT(dma_refusal([](auto& c) { c.src_region = 1, c.src_space = dma::Space::kSram; }),
              HasSubstr("(rule R1 "));
  EXPECT_THAT(dma_refusal([](auto& c) { c.dst_base = 1 << 24; }), HasSubstr("(rule R2 "));
  EXPECT_THAT(dma_refusal([](auto& c) { c.elem_bytes = 3; }),
              HasSubstr("elem_bytes is 3, must be 0: elements go with pack (rule R3 "));
  EXPECT_THAT(dma_refusal([](auto& c) { c.pattern = 3; }),
              HasSubstr("pattern is 3, must be 0: only pack pad uses it (rule R4 "));
}

TEST_F(StreamCheckTest, packed_elements_are_not_cut) {
  const auto pad = [](dma::Command& c) {
    c.pack = dma::Pack::kPad, c.elem_bytes = 3, c.src_row_bytes = 48, c.dst_row_bytes = 256;
  };
  taken([&](LoadableMaker& m) { pad(m.dma[0][0]); });
  EXPECT_THAT(dma_refusal([&](auto& c) { pad(c), c.src_row_bytes = 47; }),
              HasSubstr("an element is cut"));
  EXPECT_THAT(
      dma_refusal([&](auto& c) { pad(c), c.dst_row_bytes = 272; }),
      HasSubstr(
          "destination bytes is 272, must be 256: as many as the packed source gives (rule R7 "));
  EXPECT_THAT(
      dma_refusal([&](auto& c) { pad(c), c.dst_row_bytes = 32 * 4 / 3 * 2, c.dst_n[0] = 3; }),
      HasSubstr("(rule R7 "));
  const auto drop = [](dma::Command& c) {
    c.pack = dma::Pack::kDrop, c.elem_bytes = 3, c.src_row_bytes = 256, c.dst_row_bytes = 48;
  };
  taken([&](LoadableMaker& m) { drop(m.dma[0][0]); });
  EXPECT_THAT(dma_refusal([&](auto& c) { drop(c), c.dst_row_bytes = 47; }), HasSubstr("(rule R8 "));
}

TEST_F(StreamCheckTest, dma_stays_in_its_regions) {
  taken([](LoadableMaker& m) { m.dma[0][0].src_base = 4096 - 256; });
  EXPECT_THAT(dma_refusal([](auto& c) { c.src_base = 4096 - 255; }),
              HasSubstr("end of the source is 4097, must be 0..4096: the region ends there"));
  EXPECT_THAT(dma_refusal([](auto& c) { c.src_region = 5; }),
              HasSubstr("must be 0: the region ends there"));
  EXPECT_THAT(dma_refusal([](auto& c) {
                c.src_row_bytes = 128, c.src_n[0] = 2, c.src_stride[0] = -128, c.src_base = 127;
              }),
              HasSubstr("first source byte is -1, must be at least 0: it is before the region"));
  taken([](LoadableMaker& m) {
    dma::Command& c = m.dma[0][0];
    c.src_row_bytes = 128, c.src_n[0] = 2, c.src_stride[0] = -128, c.src_base = 128;
  });
}

TEST_F(StreamCheckTest, a_queue_signals_its_own_counter_and_waits_for_known_ones) {
  EXPECT_THAT(dma_refusal([](auto& c) { c.signal = 1; }),
              HasSubstr("signal is counter 1, must be 0 or the queue's own, 4"));
  EXPECT_THAT(dma_refusal([](auto& c) { c.wait1 = 12; }),
              HasSubstr("wait1 is counter 12, the loadable has counters 1..11"));
}

TEST_F(StreamCheckTest, host_tasks_are_checked_whole) {
  const auto host_refusal = [this](auto&& change) {
    LoadableMaker m = four_queues();
    change(m);
    return refusal(m);
  };
  EXPECT_EQ(host_refusal([](auto& m) { m.host[0].kernel_id = 99; }),
            "host command 0 (layer even_layer): kernel number is 99, must be " +
                std::to_string(PRESIL_KERNELS - 1) + ": kernels are numbered from 1");
  EXPECT_THAT(host_refusal([](auto& m) { m.host[0].tensors_bytes = 96; }),
              HasSubstr("tensors_bytes is 96, must be a multiple of 64 (word 9)"));
  EXPECT_THAT(
      host_refusal([](auto& m) { m.host[0].tensors_offset = 1 << 20; }),
      HasSubstr("end of the tensor list is 1048768, must be 0..1408: the image ends there"));
  EXPECT_THAT(host_refusal([](auto& m) { m.host[0].attributes_bytes = 4; }),
              HasSubstr("bytes of attributes is 4, must be 0: lut_i8"));

  const auto tensors = [this](auto&& change) {
    LoadableMaker m = four_queues();
    m.change_image = [&](std::vector<uint8_t>& image) {
      presil_host_tensor list[3];
      std::memcpy(list, image.data() + m.host[0].tensors_offset, sizeof list);
      change(list);
      std::memcpy(image.data() + m.host[0].tensors_offset, list, sizeof list);
    };
    return refusal(m);
  };
  EXPECT_THAT(tensors([](auto* t) { t[2].region = 0; }),
              HasSubstr("region of a tensor is 0, must be 1..7: a result is not a constant"));
  EXPECT_THAT(tensors([](auto* t) { t[0].region = 8; }), HasSubstr("region of a tensor is 8"));
  EXPECT_THAT(tensors([](auto* t) { t[0].offset = 3856; }),
              HasSubstr("end of a tensor is 4112, must be 0..4096"));
  EXPECT_THAT(tensors([](auto* t) { t[0].offset = UINT64_MAX - 15; }),
              HasSubstr("end of a tensor"));
  EXPECT_THAT(tensors([](auto* t) { t[0].offset = 8; }),
              HasSubstr("offset of a tensor modulo 16 is 8"));
  EXPECT_THAT(tensors([](auto* t) { t[1].shape[0] = 255; }),
              HasSubstr("number of elements is 255, must be 256: lut_i8"));
  EXPECT_THAT(tensors([](auto* t) { t[0].rank = 7; }), HasSubstr("rank is 7"));
  EXPECT_THAT(tensors([](auto* t) { t[0].reserved0 = 1; }), HasSubstr("reserved word of a tensor"));
}

TEST_F(StreamCheckTest, the_debug_map_agrees_with_the_streams) {
  LoadableMaker m = four_queues();
  m.change_map = [](auto& map) { std::swap(map[0], map[1]); };
  EXPECT_THAT(refusal(m), HasSubstr("its tag 0 is host command 0 in the debug map"));
  m.change_map = [](auto& map) { map.pop_back(); };
  EXPECT_THAT(refusal(m), HasSubstr("dma1 command 0: tag is 3, the debug map has 3 entries"));
  m.change_map = [](auto& map) { map[1][2] = 2; };
  EXPECT_THAT(refusal(m), HasSubstr("entry 1 of its debug map names layer 2 of 2"));
}

TEST_F(StreamCheckTest, a_stream_for_a_missing_channel_is_refused) {
  LoadableMaker m = four_queues();
  m.dma[4] = {m.dma[0][0]};
  m.dma[4][0].signal = 8;
  EXPECT_THAT(
      refusal(m),
      HasSubstr("dma4: the loadable has a stream for queue 7, which this SoC does not have"));
}

}  // namespace
}  // namespace presil::driver
