// The DMA's SRAM write port, booked ahead by loads: when a piece of a local copy gets its turn.
#include "models/noc/dma_sink.h"

#include <gtest/gtest.h>

namespace presil::noc {
namespace {

constexpr unsigned kPiece = 16, kNext = 19;

/// A read burst in cycles `first` to `last`, a word a beat, that is known at 90.
Cycle book(DmaSink& sink, Cycle first, Cycle last) {
  const auto beats = static_cast<unsigned>(last - first + 1);
  sink.begin(beats, beats, 1);
  for (Cycle at = first; at <= last; ++at) EXPECT_GE(sink.beat(at), at);
  return sink.end(90);
}

TEST(DmaSink, a_piece_has_the_port_when_it_asks_for_it_and_nothing_is_booked) {
  DmaSink sink;
  EXPECT_EQ(sink.reserve(100, kPiece, kNext), 100);
  EXPECT_EQ(book(sink, 101, 101), 117) << "the word comes after the piece, 116";
  book(sink, 120, 135);
  EXPECT_EQ(sink.reserve(145, kPiece, kNext), 145);
}

TEST(DmaSink, after_a_booking_it_comes_when_that_has_been_over_for_a_while) {
  for (const Cycle wish : {110, 125}) {
    DmaSink sink;
    book(sink, 100, 119);
    // 119 + 10 = 129, before 146
    EXPECT_EQ(sink.reserve(wish, kPiece, kNext), 129) << wish;
    EXPECT_EQ(book(sink, 131, 131), 146);
  }
}

TEST(DmaSink, after_a_booking_it_does_not_wait_when_it_has_waited_for_long) {
  DmaSink sink;
  book(sink, 100, 159);
  EXPECT_EQ(sink.reserve(110, kPiece, kNext), 160) << "146 is over";
}

// 20 bursts of 50 cycles, one after another: up to 1100.
TEST(DmaSink, of_a_long_row_of_bursts_it_awaits_the_first_end_after_its_patience) {
  DmaSink sink;
  for (Cycle first = 100; first < 1100; first += 50) book(sink, first, first + 49);
  // 110 + 36 = 146: the first burst ends with 149
  EXPECT_EQ(sink.reserve(110, kPiece, kNext), 150);
  EXPECT_EQ(sink.gone(sink.number(), 0), 1116) << "what comes later is booked so much later";
  // the burst of 150 is that of 166 now and ends with 215, before 181 + 36; the next with 265
  EXPECT_EQ(sink.reserve(181, kPiece, kNext), 266);
  EXPECT_EQ(sink.gone(sink.number(), 0), 1132);
}

TEST(DmaSink, a_piece_that_follows_one_that_has_waited_has_the_turn_still) {
  DmaSink sink;
  for (Cycle first = 100; first < 1100; first += 50) book(sink, first, first + 49);
  EXPECT_EQ(sink.reserve(110, kPiece, kNext), 150);
  // 19 later: the burst of 166 comes after it, with 185, and ends with 234
  EXPECT_EQ(sink.reserve(169, kPiece, kNext), 169);
  EXPECT_EQ(sink.gone(sink.number(), 0), 1100 + 35);
  EXPECT_EQ(sink.reserve(188, kPiece, kNext), 235) << "that one has not waited";
}

TEST(DmaSink, between_two_loads_it_comes_when_there_was_none_for_a_while) {
  for (const Cycle gap : {9, 10}) {
    DmaSink sink;
    book(sink, 100, 109);
    book(sink, 109 + gap, 200);
    // 109 + 10 = 119, where the next one does not begin before; else after that one
    EXPECT_EQ(sink.reserve(105, kPiece, kNext), gap == 10 ? 119 : 201) << gap;
  }
}

TEST(DmaSink, before_the_first_booking_there_is_room) {
  DmaSink sink;
  book(sink, 200, 249);
  EXPECT_EQ(sink.reserve(110, kPiece, kNext), 110);
  EXPECT_EQ(sink.gone(sink.number(), 0), 250) << "126 is before 200: it is not in its way";
}

// 16 beats that are 32 words: beat i enters the stream at 100 + 2 (i - 1), two words after the one
// before, and the last word leaves at 100 + 32. The next burst's beats wait in the FIFO of 8.
TEST(DmaSink, beats_run_8_ahead_of_their_words) {
  DmaSink sink;
  sink.begin(16, 32, 2);
  for (Cycle at = 100; at < 116; ++at) EXPECT_EQ(sink.beat(at), at);
  EXPECT_EQ(sink.end(90), 132);
  sink.begin(16, 32, 2);
  EXPECT_EQ(sink.beat(116), 116) << "beat 8 of the first one has entered at 114";
  EXPECT_EQ(sink.beat(117), 117);
  EXPECT_EQ(sink.beat(118), 119) << "beat 10 of the first one at 118";
  EXPECT_EQ(sink.beat(120), 121);
  for (Cycle at = 123; at <= 129; at += 2) EXPECT_EQ(sink.beat(at), at);
  EXPECT_EQ(sink.beat(130), 133) << "the first beat of this one enters at 132";
}

TEST(DmaSink, the_words_of_the_last_beat_come_after_it) {
  DmaSink sink;
  sink.begin(4, 5, 2);
  for (const Cycle at : {100, 101, 102, 120}) EXPECT_EQ(sink.beat(at), at);
  EXPECT_EQ(sink.end(90), 122);
}

// Its words go to W: neither does it wait for the SRAM's write port, nor a piece for it.
TEST(DmaSink, a_copy_from_system_to_system_and_a_local_copy_are_not_in_each_others_way) {
  DmaSink sink;
  sink.begin(16, 0, 0);
  for (Cycle at = 100; at < 116; ++at) EXPECT_EQ(sink.beat(at), at);
  EXPECT_EQ(sink.end(90), 116);
  EXPECT_EQ(sink.reserve(105, kPiece, kNext), 105);
  sink.begin(1, 0, 0);
  EXPECT_EQ(sink.beat(116), 116);
  EXPECT_EQ(sink.end(90), 117);
}

TEST(DmaSink, what_is_held_is_not_booked_before) {
  DmaSink sink;
  sink.hold(300);
  EXPECT_EQ(sink.reserve(110, kPiece, kNext), 300);
}

}  // namespace
}  // namespace presil::noc
