// The DMA's SRAM write port, booked ahead by loads: when a piece of a local copy gets its turn.
#include "models/noc/dma_sink.h"

#include <gtest/gtest.h>

namespace presil::noc {
namespace {

constexpr unsigned kPiece = 16;

/// A read burst in cycles `first` to `last`, a word a beat, that is known at 90.
Cycle book(DmaSink& sink, Cycle first, Cycle last) {
  const auto beats = static_cast<unsigned>(last - first + 1);
  sink.begin(beats, beats, 1);
  for (Cycle at = first; at <= last; ++at) EXPECT_GE(sink.beat(at), at);
  return sink.end(90);
}

TEST(DmaSink, a_piece_has_the_port_when_it_asks_for_it_and_nothing_is_booked) {
  DmaSink sink;
  EXPECT_EQ(sink.reserve(100, kPiece), 100);
  EXPECT_EQ(sink.free(), 116);
  book(sink, 120, 135);
  EXPECT_EQ(sink.reserve(140, kPiece), 140);
}

TEST(DmaSink, after_a_short_booking_it_comes_when_that_is_over) {
  DmaSink sink;
  book(sink, 100, 119);
  EXPECT_EQ(sink.reserve(110, kPiece), 120);
  EXPECT_EQ(sink.free(), 136);
}

// 20 bursts of 50 cycles, one after another: up to 1100.
TEST(DmaSink, of_a_long_row_of_bursts_it_awaits_the_first_end_after_its_patience) {
  DmaSink sink;
  for (Cycle first = 100; first < 1100; first += 50) book(sink, first, first + 49);
  // 110 + 36 = 146: the first burst ends with 149
  EXPECT_EQ(sink.reserve(110, kPiece), 150);
  EXPECT_EQ(sink.free(), 1116) << "what comes later is booked so much later";
  // the burst of 150 is that of 166 now and ends with 215, before 181 + 36; the next with 265
  EXPECT_EQ(sink.reserve(181, kPiece), 266);
  EXPECT_EQ(sink.free(), 1132);
}

TEST(DmaSink, between_two_loads_it_comes_when_there_was_none_for_a_while) {
  for (const Cycle gap : {9, 10}) {
    DmaSink sink;
    book(sink, 100, 109);
    book(sink, 109 + gap, 200);
    // 109 + 10 = 119, where the next one does not begin before; else after that one
    EXPECT_EQ(sink.reserve(105, kPiece), gap == 10 ? 119 : 201) << gap;
  }
}

TEST(DmaSink, before_the_first_booking_there_is_room) {
  DmaSink sink;
  book(sink, 200, 249);
  EXPECT_EQ(sink.reserve(110, kPiece), 110);
  EXPECT_EQ(sink.free(), 266);
}

TEST(DmaSink, what_is_held_is_not_booked_before) {
  DmaSink sink;
  sink.hold(300);
  EXPECT_EQ(sink.reserve(110, kPiece), 300);
}

}  // namespace
}  // namespace presil::noc
