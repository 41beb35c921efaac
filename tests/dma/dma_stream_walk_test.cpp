// Picks of the store engine, counted by hand: reads from cycle 1 on, a word enters the stream the
// cycle after it was read, and one leaves it the cycle after it has entered.
#include "models/dma/dma_stream_walk.h"

#include <gtest/gtest.h>

namespace presil::dma {
namespace {

Side row(uint64_t base, uint32_t bytes) {
  Side side;
  side.base = base;
  side.row_bytes = bytes;
  return side;
}

EngineWork first_pick(const Command& command, const Side& source, const Side& destination) {
  StreamWalk walk(command, source, destination);
  PieceWalk pieces(command, source, destination, kWordBytes);
  return walk.pick(pieces);
}

TEST(DmaStreamWalk, sixteen_whole_words_leave_in_cycles_3_to_18) {
  Command copy;
  copy.op = Op::kCopy;
  const EngineWork work = first_pick(copy, row(0, 512), row(0x1000, 512));
  EXPECT_EQ(work.words, 16u);
  EXPECT_EQ(work.leaves, 18u);
  EXPECT_TRUE(work.writes);
  EXPECT_FALSE(work.last);
  EXPECT_EQ(work.to_pick(), 20);
  EXPECT_EQ(work.to_pick(7), 19) << "held up, the next pick follows at once";
}

// 24 bytes become 32: words of 16 and of 8 bytes of data in turns. The 32 bytes of the stream are
// full in cycles 8, 12 and 16, so that word 7, 10 and 13 enter a cycle late and 15 words are read
// in 18 cycles. Then 16 have left, in 3 to 18; one that is held enters in 19 while the 17th leaves,
// and in 20 the engine is at rest.
TEST(DmaStreamWalk, a_word_that_is_held_enters_the_stream_and_one_more_leaves_it) {
  Command pad;
  pad.op = Op::kCopy;
  pad.pack = Pack::kPad;
  pad.elem_bytes = 24;
  const EngineWork work = first_pick(pad, row(0, 24 * 20), row(0x1000, 32 * 20));
  EXPECT_EQ(work.words, 17u);
  EXPECT_EQ(work.puts, 17u);
  EXPECT_EQ(work.leaves, 20u);
  EXPECT_FALSE(work.writes);
  EXPECT_EQ(work.to_pick(), 21);
  EXPECT_EQ(work.to_next(), 0u) << "it has given up its turn";
}

// A word of the source is two words of the destination but for the last bytes, all in one piece:
// read in 1 and 2, the first 8 bytes leave in 3, 16 in 4, 8 in 5.
TEST(DmaStreamWalk, words_that_are_not_aligned_alike_are_one_more) {
  Command copy;
  copy.op = Op::kCopy;
  const EngineWork work = first_pick(copy, row(0, 32), row(0x1008, 32));
  EXPECT_EQ(work.words, 3u);
  EXPECT_EQ(work.leaves, 5u);
  EXPECT_TRUE(work.last);
}

TEST(DmaStreamWalk, a_burst_takes_the_data_bytes_of_its_elements) {
  Command pad;
  pad.op = Op::kCopy;
  pad.pack = Pack::kPad;
  pad.elem_bytes = 8;
  StreamWalk walk(pad, row(0, 64), row(0x1000, 128));
  Piece burst;
  burst.address = 0x1000;
  burst.bytes = 128;
  burst.words = 8;
  // 4 words are read, 8 leave in 3 to 10
  const EngineWork work = walk.burst(burst);
  EXPECT_EQ(work.words, 8u);
  EXPECT_EQ(work.leaves, 10u);
}

}  // namespace
}  // namespace presil::dma
