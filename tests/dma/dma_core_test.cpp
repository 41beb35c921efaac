// DmaCore against an oracle that moves one byte at a time, by the words of rtl/dma/README.md.
#include "models/dma/dma_core.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "models/memory/memory_core.h"

namespace presil::dma {
namespace {

std::vector<uint64_t> addresses(const Side& side) {
  std::vector<uint64_t> list;
  for (int64_t i4 = 0; i4 < side.n[3]; ++i4)
    for (int64_t i3 = 0; i3 < side.n[2]; ++i3)
      for (int64_t i2 = 0; i2 < side.n[1]; ++i2)
        for (int64_t i1 = 0; i1 < side.n[0]; ++i1)
          for (int64_t byte = 0; byte < side.row_bytes; ++byte)
            list.push_back(side.base +
                           static_cast<uint64_t>(i1 * side.stride[0] + i2 * side.stride[1] +
                                                 i3 * side.stride[2] + i4 * side.stride[3] + byte));
  return list;
}

void oracle(const Command& c, const Side& src, const Side& dst, const std::vector<uint8_t>& from,
            std::vector<uint8_t>& to) {
  const auto pattern = [&](uint64_t a) { return static_cast<uint8_t>(c.pattern >> 8 * (a % 4)); };
  const auto writes = addresses(dst);
  if (c.op == Op::kFill) {
    for (const uint64_t a : writes) to[a] = pattern(a);
    return;
  }
  const auto reads = addresses(src);
  const size_t element = c.elem_bytes, padded = (element + 15) / 16 * 16;
  size_t r = 0;
  for (size_t w = 0; w < writes.size(); ++w) {
    if (c.pack == Pack::kPad && w % padded >= element) {
      to[writes[w]] = pattern(writes[w]);
      continue;
    }
    if (c.pack == Pack::kDrop) r = w / element * padded + w % element;
    to[writes[w]] = static_cast<uint8_t>(from[reads[r]] ^ (c.xor80 ? 0x80 : 0));
    ++r;
  }
}

struct Case {
  Command command;
  Side source, destination;
};

uint32_t pick(std::mt19937& random, uint32_t low, uint32_t high) {
  return low + random() % (high - low + 1);
}

/// A side of exactly `bytes`: a row that divides it, the rest over four dimensions, any strides
/// that stay inside 64 KiB. Rows of a destination do not overlap.
Side random_side(std::mt19937& random, uint32_t bytes, uint32_t unit, bool destination) {
  Side side;
  std::vector<uint32_t> rows;
  for (uint32_t row = unit; row <= bytes; row += unit) {
    if (bytes % row == 0 && bytes / row <= 512) rows.push_back(row);
  }
  side.row_bytes = rows[random() % rows.size()];
  uint32_t left = bytes / side.row_bytes;
  for (unsigned d = 0; d < 4; ++d) {
    uint32_t n = d == 3 ? left : pick(random, 1, left);
    while (left % n != 0) --n;
    side.n[d] = static_cast<uint16_t>(n);
    left /= n;
  }
  int64_t extent = side.row_bytes;
  for (unsigned d = 0; d < 4; ++d) {
    const int64_t gap =
        destination ? extent + pick(random, 0, 3) * pick(random, 0, 16) : pick(random, 0, 40);
    side.stride[d] = static_cast<int32_t>(random() % 4 == 0 ? -gap : gap);
    extent = destination ? gap * (side.n[d] - 1) + extent : extent;
  }
  side.base = static_cast<uint64_t>(-side.low()) + pick(random, 0, 100);
  return side;
}

Case random_case(std::mt19937& random) {
  for (;;) {
    Case test;
    Command& c = test.command = Command::make(random() % 8 == 0 ? Op::kFill : Op::kCopy);
    c.pattern = random();
    const uint32_t elements = pick(random, 1, 40);
    uint32_t source_bytes = elements * pick(random, 1, 20), destination_bytes = source_bytes;
    uint32_t source_unit = 1, destination_unit = 1;
    if (c.op == Op::kCopy) {
      c.xor80 = random() % 2;
      c.pack = static_cast<Pack>(random() % 3);
      if (c.pack != Pack::kNone) {
        c.elem_bytes = static_cast<uint16_t>(pick(random, 1, 40));
        const uint32_t plain = elements * c.elem_bytes,
                       padded = elements * padded_element(c.elem_bytes);
        source_bytes = c.pack == Pack::kPad ? plain : padded;
        destination_bytes = c.pack == Pack::kPad ? padded : plain;
        if (random() % 2)
          source_unit = c.pack == Pack::kPad ? c.elem_bytes : padded_element(c.elem_bytes);
      }
    }
    test.source = random_side(random, source_bytes, source_unit, false);
    test.destination = random_side(random, destination_bytes, destination_unit, true);
    if (test.source.base + static_cast<uint64_t>(test.source.high()) > 65536) continue;
    if (test.destination.base + static_cast<uint64_t>(test.destination.high()) > 65536) continue;
    return test;
  }
}

TEST(DmaCore, random_commands_equal_a_byte_at_a_time) {
  std::mt19937 random(7);
  memory::Bytes from(65536), to(65536);
  std::vector<uint8_t> from_oracle(65536), to_oracle(65536);
  for (size_t i = 0; i < 65536; ++i)
    from.data()[i] = from_oracle[i] = static_cast<uint8_t>(random());
  for (int i = 0; i < 3000; ++i) {
    const Case test = random_case(random);
    ASSERT_TRUE(run(test.command, test.source, from, test.destination, to));
    oracle(test.command, test.source, test.destination, from_oracle, to_oracle);
    ASSERT_EQ(std::memcmp(to.data(), to_oracle.data(), 65536), 0) << "case " << i;
  }
}

TEST(DmaCore, a_byte_written_twice_keeps_the_later_value) {
  memory::Bytes from(64), to(64);
  for (int i = 0; i < 64; ++i) from.data()[i] = static_cast<uint8_t>(i);
  Command c = Command::make(Op::kCopy);
  const Side source{0, 8, {1, 1, 1, 1}, {}}, destination{0, 4, {2, 1, 1, 1}, {2, 0, 0, 0}};
  ASSERT_TRUE(run(c, source, from, destination, to));
  const uint8_t wanted[] = {0, 1, 4, 5, 6, 7};
  EXPECT_EQ(std::memcmp(to.data(), wanted, 6), 0);
}

TEST(DmaCore, nhwc_of_24_channels_becomes_c16_and_back) {
  // 5 pixels: two blocks of 16 channels each, block pitch 128
  memory::Bytes plain(256), c16(256), back(256);
  for (int i = 0; i < 120; ++i) plain.data()[i] = static_cast<uint8_t>(i + 1);
  Command pad = Command::make(Op::kCopy);
  pad.pack = Pack::kPad;
  pad.elem_bytes = 24;
  const Side dense{0, 120, {1, 1, 1, 1}, {}}, blocks{0, 16, {2, 5, 1, 1}, {128, 16, 0, 0}};
  ASSERT_TRUE(run(pad, dense, plain, blocks, c16));
  EXPECT_EQ(c16.data()[16 * 3], 24 * 3 + 1);             // pixel 3, channel 0
  EXPECT_EQ(c16.data()[128 + 16 * 3 + 7], 24 * 3 + 24);  // its channel 23
  EXPECT_EQ(c16.data()[128 + 16 * 3 + 8], 0);            // padding
  Command drop = pad;
  drop.pack = Pack::kDrop;
  ASSERT_TRUE(run(drop, blocks, c16, dense, back));
  EXPECT_EQ(std::memcmp(back.data(), plain.data(), 120), 0);
}

TEST(DmaCore, upsampling_is_a_shape) {
  memory::Bytes from(64), to(256);
  for (int i = 0; i < 64; ++i)
    from.data()[i] = static_cast<uint8_t>(i / 16 + 1);  // 2x2 words 1 2 / 3 4
  Command c = Command::make(Op::kCopy);
  const Side source{0, 16, {2, 2, 2, 2}, {0, 16, 0, 32}},
      destination{0, 64, {4, 1, 1, 1}, {64, 0, 0, 0}};
  ASSERT_TRUE(run(c, source, from, destination, to));
  const uint8_t wanted[4][4] = {{1, 1, 2, 2}, {1, 1, 2, 2}, {3, 3, 4, 4}, {3, 3, 4, 4}};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) EXPECT_EQ(to.data()[64 * y + 16 * x + 5], wanted[y][x]);
}

TEST(DmaCore, nothing_is_written_where_there_is_no_memory) {
  memory::Bytes from(64), to(64);
  const Command c = Command::make(Op::kCopy);
  const Side good{0, 32, {1, 1, 1, 1}, {}}, beyond{40, 32, {1, 1, 1, 1}, {}};
  EXPECT_FALSE(run(c, beyond, from, good, to));
  EXPECT_FALSE(run(c, good, from, beyond, to));
}

TEST(DmaCore, packed_and_source_lengths_are_inverse_at_element_borders) {
  Command c = Command::make(Op::kCopy);
  c.pack = Pack::kPad;
  c.elem_bytes = 24;
  EXPECT_EQ(packed_from_source(c, 24), 32u);
  EXPECT_EQ(packed_from_source(c, 47), 32u + 23);
  EXPECT_EQ(source_from_packed(c, 32 + 30), 24u + 24);  // inside the padding
  c.pack = Pack::kDrop;
  EXPECT_EQ(packed_from_source(c, 32), 24u);
  EXPECT_EQ(source_from_packed(c, 25), 33u);
}

}  // namespace
}  // namespace presil::dma
