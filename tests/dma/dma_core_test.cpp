// What DMA commands do to bytes: against an oracle of its own on random commands, and the table of
// uses in rtl/dma/README.md on shapes small enough to work out by hand.
#include "models/dma/dma_core.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "tests/dma/dma_oracle.h"

namespace presil::dma {
namespace {

using Bytes = std::vector<uint8_t>;

// Through the words, as the hardware gets it.
Command through_words(const Command& c) {
  uint32_t words[Command::kWords];
  c.encode(words);
  return Command::decode(words);
}

// The destination afterwards; the command's bases are offsets in the two memories.
Bytes run(const Command& c, test::Memory src, test::Memory dst) {
  const bool ran = presil::dma::run(c, source_of(c, src.address + c.src_base), src,
                                    destination_of(c, dst.address + c.dst_base), dst);
  EXPECT_TRUE(ran) << c.to_text();
  return dst.bytes;
}

Bytes run(const Command& c, const Bytes& src, const Bytes& dst, uint64_t dst_address = 0) {
  return run(c, test::Memory(0x2000, src), test::Memory(dst_address, dst));
}

Bytes counting(size_t bytes, unsigned first = 1) {
  Bytes b(bytes);
  std::iota(b.begin(), b.end(), static_cast<uint8_t>(first));
  return b;
}

struct Rows {
  uint32_t bytes;
  std::array<uint16_t, 4> n{1, 1, 1, 1};
  std::array<int32_t, 4> stride{};
};

Command copy(const Rows& src, const Rows& dst, Pack pack = Pack::kNone, unsigned elem_bytes = 0) {
  Command c = Command::make(Op::kCopy);
  c.src_row_bytes = src.bytes;
  c.src_n = src.n;
  c.src_stride = src.stride;
  c.dst_row_bytes = dst.bytes;
  c.dst_n = dst.n;
  c.dst_stride = dst.stride;
  c.pack = pack;
  c.elem_bytes = static_cast<uint16_t>(elem_bytes);
  return c;
}

TEST(DmaCore, equals_the_oracle_on_random_commands) {
  std::mt19937 random(1);
  std::set<int> kinds;
  unsigned repeated = 0, backward = 0;
  for (int round = 0; round < 20000; ++round) {
    const test::Case t = test::random_case(random);
    const Command c = through_words(t.command);
    ASSERT_EQ(c, t.command);
    const Bytes expected = test::oracle(c, t.src, t.dst);
    ASSERT_EQ(run(c, t.src, t.dst), expected) << "round " << round << ": " << c.to_text();
    kinds.insert(static_cast<int>(c.op) * 8 + static_cast<int>(c.pack) * 2 + c.xor80);
    for (unsigned d = 0; d < 4; ++d) {
      repeated += c.dst_n[d] > 1 && c.dst_stride[d] == 0;
      backward += c.dst_n[d] > 1 && c.dst_stride[d] < 0;
    }
  }
  EXPECT_EQ(kinds.size(), 7u);  // fill; copy with 3 packs, with and without xor80
  EXPECT_GT(repeated, 1000u);
  EXPECT_GT(backward, 1000u);
}

// Addresses of all bytes of a side in loop order, by counting.
std::vector<uint64_t> places(const Side& s) {
  std::vector<uint64_t> all;
  std::array<int64_t, 4> i{};
  for (i[3] = 0; i[3] < s.n[3]; ++i[3])
    for (i[2] = 0; i[2] < s.n[2]; ++i[2])
      for (i[1] = 0; i[1] < s.n[1]; ++i[1])
        for (i[0] = 0; i[0] < s.n[0]; ++i[0])
          for (uint32_t byte = 0; byte < s.row_bytes; ++byte) {
            int64_t at = static_cast<int64_t>(s.base) + byte;
            for (unsigned d = 0; d < 4; ++d) at += i[d] * s.stride[d];
            all.push_back(static_cast<uint64_t>(at));
          }
  return all;
}

TEST(DmaCore, a_walk_in_pieces_of_any_size_keeps_bytes_and_order) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const Command c = test::random_case(random).command;
    const Side side = destination_of(c, c.dst_base);
    std::vector<uint64_t> walked;
    for (RowWalk walk(side); !walk.done();) {
      ASSERT_GT(walk.in_row(), 0u);
      const uint32_t bytes = 1 + random() % walk.in_row();
      for (uint32_t i = 0; i < bytes; ++i) walked.push_back(walk.address() + i);
      walk.skip(bytes);
    }
    ASSERT_EQ(walked, places(side)) << c.to_text();
  }
}

TEST(DmaCore, a_byte_alone_is_the_one_that_scatter_writes_last) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const test::Case t = test::random_case(random);
    const Command& c = t.command;
    test::Memory src = t.src, dst = t.dst;
    std::vector<uint8_t> stream;
    if (c.op == Op::kCopy) {
      ASSERT_TRUE(gather(c, source_of(c, src.address + c.src_base), src, stream));
    }
    uint64_t index = 0;
    for (const uint64_t at : places(destination_of(c, dst.address + c.dst_base))) {
      *dst.bytes_at(at, 1) = destination_byte(c, stream, index++, at);
    }
    ASSERT_EQ(dst.bytes, run(c, t.src, t.dst)) << c.to_text();
  }
}

TEST(DmaCore, low_and_high_are_the_first_byte_and_the_end) {
  // dimension 1 goes down 3 * 10, dimension 3 up 2 * 100: -30 .. 200 + 4
  const Side s{0, 4, {4, 1, 3, 1}, {-10, 7, 100, -9}};
  EXPECT_EQ(s.low(), -30);
  EXPECT_EQ(s.high(), 204);
  EXPECT_EQ(s.rows(), 12u);
  EXPECT_EQ(s.bytes(), 48u);
}

TEST(DmaCore, where_there_is_no_memory_nothing_is_written) {
  Command c = copy({4, {3, 1, 1, 1}, {4, 0, 0, 0}}, {12});
  test::Memory src(0x100, counting(12)), dst(0x200, Bytes(12, 0xee));
  const auto ran = [&](uint64_t from, uint64_t to) {
    return presil::dma::run(c, source_of(c, from), src, destination_of(c, to), dst);
  };
  EXPECT_FALSE(ran(0x101, 0x200));
  EXPECT_FALSE(ran(0xff, 0x200));
  EXPECT_FALSE(ran(0x100, 0x201));
  EXPECT_EQ(dst.bytes, Bytes(12, 0xee));
  EXPECT_TRUE(ran(0x100, 0x200));
  EXPECT_EQ(dst.bytes, counting(12));
}

TEST(DmaCore, padding_counts_from_the_end_of_each_element) {
  const Command pad = copy({12}, {64}, Pack::kPad, 3);
  for (const auto& [in, out] : {std::pair{0, 0}, {1, 1}, {3, 16}, {4, 17}, {6, 32}, {12, 64}})
    EXPECT_EQ(packed_from_source(pad, in), uint64_t(out)) << in;
  for (const auto& [out, in] : {std::pair{0, 0}, {2, 2}, {3, 3}, {15, 3}, {16, 3}, {17, 4}})
    EXPECT_EQ(source_from_packed(pad, out), uint64_t(in)) << out;
  const Command drop = copy({64}, {48}, Pack::kDrop, 24);
  for (const auto& [in, out] : {std::pair{0, 0}, {5, 5}, {24, 24}, {31, 24}, {32, 24}, {33, 25}})
    EXPECT_EQ(packed_from_source(drop, in), uint64_t(out)) << in;
  for (const auto& [out, in] : {std::pair{0, 0}, {23, 23}, {24, 32}, {25, 33}, {48, 64}})
    EXPECT_EQ(source_from_packed(drop, out), uint64_t(in)) << out;
}

TEST(DmaLayout, nhwc_of_3_channels_to_c16_pads_each_pixel) {
  // 2 x 2 pixels of 3 bytes -> one block of 4 words, the image row at a pitch of 48 B
  Command c = copy({12}, {16, {1, 2, 2, 1}, {0, 16, 48, 0}}, Pack::kPad, 3);
  c.pattern = 0x80808080;
  Bytes expected(80, 0xee);
  for (const auto& [at, first] : {std::pair{0, 1}, {16, 4}, {48, 7}, {64, 10}}) {
    for (int i = 0; i < 16; ++i) expected[at + i] = static_cast<uint8_t>(i < 3 ? first + i : 0x80);
  }
  EXPECT_EQ(run(c, counting(12), Bytes(80, 0xee)), expected);
}

TEST(DmaLayout, nhwc_of_24_channels_to_c16_fills_two_blocks) {
  // 3 pixels of 24 B; element 32 B = word of block 0 (at 0), word of block 1 (at 64)
  const Command c = copy({72}, {16, {2, 3, 1, 1}, {64, 16, 0, 0}}, Pack::kPad, 24);
  Bytes expected(112, 0xee);
  for (int pixel = 0; pixel < 3; ++pixel) {
    for (int i = 0; i < 16; ++i)
      expected[16 * pixel + i] = static_cast<uint8_t>(1 + 24 * pixel + i);
    for (int i = 0; i < 16; ++i)
      expected[64 + 16 * pixel + i] = static_cast<uint8_t>(i < 8 ? 1 + 24 * pixel + 16 + i : 0);
  }
  EXPECT_EQ(run(c, counting(72), Bytes(112, 0xee)), expected);
}

TEST(DmaLayout, c16_of_24_channels_to_nhwc_drops_8_lanes) {
  // 2 blocks of 2 x 2 words, blocks 64 B apart; an image row of 2 pixels is 48 B, pitch 50
  const Command c =
      copy({16, {2, 2, 2, 1}, {64, 16, 32, 0}}, {48, {2, 1, 1, 1}, {50, 0, 0, 0}}, Pack::kDrop, 24);
  const Bytes src = counting(128, 0);
  Bytes expected(98, 0xee);
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 2; ++x) {
      for (int ch = 0; ch < 24; ++ch)
        expected[50 * y + 24 * x + ch] =
            static_cast<uint8_t>(ch / 16 * 64 + 32 * y + 16 * x + ch % 16);
    }
  }
  EXPECT_EQ(run(c, src, Bytes(98, 0xee)), expected);
}

TEST(DmaLayout, nhwc_of_32_channels_to_c16_is_a_word_shape_without_pack) {
  // 2 rows of 3 pixels of 32 B; blocks 96 B apart, image rows 48 B
  const Command c = copy({192}, {16, {2, 3, 2, 1}, {96, 16, 48, 0}});
  Bytes expected(192);
  for (int pixel = 0; pixel < 6; ++pixel) {
    for (int ch = 0; ch < 32; ++ch)
      expected[ch / 16 * 96 + 16 * pixel + ch % 16] = static_cast<uint8_t>(32 * pixel + ch);
  }
  EXPECT_EQ(run(c, counting(192, 0), Bytes(192)), expected);
}

TEST(DmaLayout, upsampling_by_2_repeats_words_and_rows) {
  // 2 x 2 words a b / c d -> a a b b / a a b b / c c d d / c c d d
  const Command c = copy({16, {2, 2, 2, 2}, {0, 16, 0, 32}}, {64, {4, 1, 1, 1}, {64, 0, 0, 0}});
  Bytes expected;
  for (const int first : {0, 0, 16, 16, 0, 0, 16, 16, 32, 32, 48, 48, 32, 32, 48, 48}) {
    for (int i = 0; i < 16; ++i) expected.push_back(static_cast<uint8_t>(first + i));
  }
  EXPECT_EQ(run(c, counting(64, 0), Bytes(256)), expected);
}

TEST(DmaLayout, im2col_makes_one_element_of_a_window_s_rows) {
  // 4 x 3 pixels of 1 byte, kernel 2 x 2, stride 1: 3 x 2 windows of 4 bytes, each a word
  //   0 1 2 3      row = 2 B, n1 = 2 kernel rows (4 B apart), n2 = 3 windows (1 B), n3 = 2 (4 B)
  //   4 5 6 7
  //   8 9 a b
  const Command c =
      copy({2, {2, 3, 2, 1}, {4, 1, 4, 0}}, {16, {6, 1, 1, 1}, {16, 0, 0, 0}}, Pack::kPad, 4);
  Bytes expected;
  for (const int corner : {0, 1, 2, 4, 5, 6}) {
    for (int i = 0; i < 16; ++i)
      expected.push_back(static_cast<uint8_t>(i < 4 ? corner + i / 2 * 4 + i % 2 : 0));
  }
  EXPECT_EQ(run(c, counting(12, 0), Bytes(96, 0xee)), expected);
}

TEST(DmaLayout, bytes_transpose_as_rows_of_one) {
  // 2 x 3 -> 3 x 2
  const Command c = copy({1, {2, 3, 1, 1}, {3, 1, 0, 0}}, {6});
  EXPECT_EQ(run(c, {1, 2, 3, 4, 5, 6}, Bytes(6)), (Bytes{1, 4, 2, 5, 3, 6}));
}

TEST(DmaLayout, negative_strides_turn_an_image_upside_down) {
  Command c = copy({2, {3, 1, 1, 1}, {-2, 0, 0, 0}}, {6});
  c.src_base = 4;
  EXPECT_EQ(run(c, {1, 2, 3, 4, 5, 6}, Bytes(6)), (Bytes{5, 6, 3, 4, 1, 2}));
}

TEST(DmaFill, pattern_goes_by_address_and_not_by_place_in_the_row) {
  Command c = Command::make(Op::kFill);
  c.dst_row_bytes = 3;
  c.dst_n = {2, 1, 1, 1};
  c.dst_stride = {5, 0, 0, 0};
  c.dst_base = 1;
  c.pattern = 0x44332211;
  // addresses 0x1003, 4, 5 and 0x1008, 9, a: bytes 3 0 1 and 0 1 2 of the pattern
  EXPECT_EQ(run(c, {}, Bytes(10), 0x1002), (Bytes{0, 0x44, 0x11, 0x22, 0, 0, 0x11, 0x22, 0x33, 0}));
}

TEST(DmaFill, padding_takes_the_pattern_by_address_too) {
  Command c = copy({15}, {16}, Pack::kPad, 15);
  c.pattern = 0x44332211;
  EXPECT_EQ(run(c, Bytes(15, 9), Bytes(16), 0x1000).back(), 0x44);  // 0x100f mod 4 = 3
  EXPECT_EQ(run(c, Bytes(15, 9), Bytes(16), 0x1002).back(), 0x22);  // 0x1011 mod 4 = 1
}

TEST(DmaXor80, inverts_data_and_never_padding) {
  Command c = copy({15}, {16}, Pack::kPad, 15);
  c.xor80 = true;
  Bytes expected(16, 0x81);
  expected[15] = 0;
  EXPECT_EQ(run(c, Bytes(15, 1), Bytes(16, 0xee)), expected);
}

TEST(DmaOverlap, a_byte_written_twice_keeps_the_later_value) {
  // Elements of 1 byte, words 1 B apart: each word's data falls on the padding of the one before.
  Command c = copy({3}, {16, {3, 1, 1, 1}, {1, 0, 0, 0}}, Pack::kPad, 1);
  c.pattern = 0x55555555;
  Bytes expected(18, 0x55);
  expected[0] = 1, expected[1] = 2, expected[2] = 3;
  EXPECT_EQ(run(c, {1, 2, 3}, Bytes(18)), expected);
}

TEST(DmaNop, touches_nothing) {
  EXPECT_EQ(run(Command::make(Op::kNop), Bytes{1}, Bytes{7}), Bytes{7});
}

}  // namespace
}  // namespace presil::dma
