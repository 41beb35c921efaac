// The DMA's byte stream in RTL against models/dma: bytes of dma_core, bursts and words of
// dma_timing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "models/dma/dma_timing.h"
#include "testbench/dma/stream_bench.h"
#include "tests/dma/dma_oracle.h"

namespace presil::dma {
namespace {

struct DmaStreamRtl : ::testing::Test {
  struct Ran {
    testbench::StreamBench::Result rtl;
    std::vector<uint8_t> expected;
    std::vector<Piece> pieces;
  };

  /// The command as a load's or a store's, on both.
  Ran run(test::Case c, bool store, unsigned stalls) {
    // absolute addresses anywhere in a burst
    const uint64_t from = 0x80000000u + random() % 4096, to = 0x90000000u + random() % 4096;
    Ran ran;
    test::Memory source(from, c.src.bytes), target(to, c.dst.bytes);
    Command command = c.command;
    command.src_base += from;
    command.dst_base += to;
    if (command.op == Op::kCopy) command.src_space = store ? Space::kSram : Space::kSystem;
    command.dst_space = store ? Space::kSystem : Space::kSram;
    ran.rtl = bench.run(command, store, source.bytes, from, target.bytes, to, stalls, random);
    const Side src = source_of(command, command.src_base);
    const Side dst = destination_of(command, command.dst_base);
    EXPECT_TRUE(dma::run(command, src, source, dst, target));
    ran.expected = target.bytes;
    for (PieceWalk walk(command, src, dst, kWordBytes); !walk.done(); walk.next()) {
      ran.pieces.push_back(walk.piece());
    }
    cover(c.command, store, dst);
    return ran;
  }

  void cover(const Command& c, bool store, const Side& dst) {
    const std::string kind = c.op == Op::kFill       ? "fill"
                             : c.pack == Pack::kNone ? "copy"
                             : c.pack == Pack::kPad  ? "pad"
                                                     : "drop";
    ++covered[kind + (store ? " store" : " load") + (c.xor80 ? " xor80" : "")];
    ++covered["rows of " + std::string(dst.row_bytes % 16 ? "odd" : "whole") + " words"];
    for (unsigned d = 0; d < 4; ++d) {
      if (dst.n[d] > 1) ++covered["dimension " + std::to_string(d + 1)];
      if (dst.stride[d] < 0) ++covered["runs backwards"];
    }
  }

  std::mt19937 random{7};
  testbench::StreamBench bench;
  std::map<std::string, unsigned> covered;
};

unsigned cases() {
  return std::getenv("PRESIL_ALL") != nullptr ? 20000 : 1500;
}

TEST_F(DmaStreamRtl, random_commands_write_the_models_bytes) {
  for (unsigned i = 0; i < cases(); ++i) {
    const test::Case c = test::random_case(random);
    const bool fill = c.command.op == Op::kFill;
    const bool store = fill || random() % 2 == 0;
    const Ran ran = run(c, store, i % 3 == 0 ? 0 : random() % 80);
    ASSERT_TRUE(ran.rtl.ended) << i << " " << c.command.to_text();
    ASSERT_FALSE(ran.rtl.outside) << i << " " << c.command.to_text();
    ASSERT_EQ(ran.rtl.written, ran.expected) << i << " " << c.command.to_text();
    ASSERT_EQ(ran.rtl.pieces.size(), ran.pieces.size()) << i << " " << c.command.to_text();
  }
  for (const auto& [what, times] : covered) std::cout << what << ": " << times << "\n";
}

TEST_F(DmaStreamRtl, bursts_take_the_models_words_but_for_two_in_a_hundred) {
  unsigned pieces = 0, late = 0, most = 0;
  for (unsigned i = 0; i < cases(); ++i) {
    const test::Case c = test::random_case(random);
    const bool fill = c.command.op == Op::kFill;
    const Ran ran = run(c, fill || random() % 2 == 0, 0);
    ASSERT_EQ(ran.rtl.pieces.size(), ran.pieces.size()) << c.command.to_text();
    for (size_t p = 0; p < ran.pieces.size(); ++p) {
      ++pieces;
      const unsigned got = ran.rtl.pieces[p], words = ran.pieces[p].words;
      late += got != words;
      most = std::max(most, got > words ? got - words : 0);
    }
  }
  std::cout << pieces << " bursts, " << late << " not of the model's cycles, most after " << most
            << "\n";
  EXPECT_LE(late, pieces / 50);
  EXPECT_LE(most, 3u);
}

}  // namespace
}  // namespace presil::dma
