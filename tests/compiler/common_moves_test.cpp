// Operators that only move values, as rows and loops: worked out by hand.
#include <gtest/gtest.h>

#include "compiler_bridge/common/moves.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/plan/dma_copy.h"

namespace presil::common {
namespace {

/// "row 5, 3 x (20, 5), 4 x (5, 15) from 0 to 0": turns and bytes from turn to turn, innermost
/// first
std::string text(const Move& move) {
  std::string s = "row " + std::to_string(move.row);
  for (const Move::Loop& l : move.loops) {
    s += ", " + std::to_string(l.n) + " x (" + std::to_string(l.from) + ", " +
         std::to_string(l.to) + ")";
  }
  return s + " from " + std::to_string(move.from) + " to " + std::to_string(move.to);
}

std::vector<std::string> moves(const std::string& lines) {
  const ir::Graph graph = ir::parse("graph \"g\" tflite {\n" + lines + "\n}");
  std::vector<std::string> all;
  for (const Move& move : moves_of(graph, graph.ops.front())) all.push_back(text(move));
  return all;
}

using Texts = std::vector<std::string>;

// y[0][i][j][:] = x[0][j][i][:]: rows of 5, x's axis 1 innermost, 20 bytes apart there.
TEST(Moves, axes_swapped_before_the_last_are_rows_in_two_loops) {
  EXPECT_EQ(moves("input %x : int8[1,3,4,5] q(1, 0)\n"
                  "%y = transpose(%x) {perm=[0,2,1,3]} : int8[1,4,3,5] q(1, 0)\noutput %y"),
            Texts{"row 5, 3 x (20, 5), 4 x (5, 15) from 0 to 0"});
}

TEST(Moves, axes_that_stay_together_are_one) {
  EXPECT_EQ(moves("input %x : int16[2,3,4,5] q(1, 0)\n"
                  "%y = transpose(%x) {perm=[2,3,0,1]} : int16[4,5,2,3] q(1, 0)\noutput %y"),
            Texts{"row 2, 6 x (40, 2), 20 x (2, 12) from 0 to 0"});
  EXPECT_EQ(moves("input %x : int8[1,3,1,5] q(1, 0)\n"
                  "%y = transpose(%x) {perm=[2,0,1,3]} : int8[1,1,3,5] q(1, 0)\noutput %y"),
            Texts{"row 15 from 0 to 0"});
}

// Rows 2 and 0 of columns 1 and 2: the first byte is that of (2, 1, 0), 2 * 20 + 1 * 5 = 45.
TEST(Moves, a_slice_may_walk_backwards) {
  EXPECT_EQ(moves("input %x : int8[1,3,4,5] q(1, 0)\n"
                  "%y = strided_slice(%x) {begin=[0,2,1,0], size=[1,2,2,5], step=[1,-2,1,1]} : "
                  "int8[1,2,2,5] q(1, 0)\noutput %y"),
            Texts{"row 10, 2 x (-40, 10) from 45 to 0"});
}

// y[i][r][j] = x[i][j] for r = 0, 1: rows of 3 twice; then all of that three times, of 12 bytes.
TEST(Moves, a_tile_reads_the_same_bytes_again) {
  EXPECT_EQ(moves("input %x : int8[2,3] q(1, 0)\n"
                  "%y = tile(%x) {multiples=[1,2]} : int8[2,6] q(1, 0)\noutput %y"),
            Texts{"row 3, 2 x (0, 3), 2 x (3, 6) from 0 to 0"});
  EXPECT_EQ(moves("input %x : int8[2,3] q(1, 0)\n"
                  "%y = tile(%x) {multiples=[3,1]} : int8[6,3] q(1, 0)\noutput %y"),
            Texts{"row 6, 3 x (0, 6) from 0 to 0"});
  EXPECT_EQ(moves("input %x : int16[2,3] q(1, 0)\n"
                  "%y = tile(%x) {multiples=[3,2]} : int16[6,6] q(1, 0)\noutput %y"),
            Texts{"row 6, 2 x (0, 6), 2 x (6, 12), 3 x (0, 24) from 0 to 0"});
}

// Of 0 1 2: 2 1 | 0 1 2 | 1, and with the edge twice 1 0 | 0 1 2 | 2.
TEST(Moves, a_mirror_is_a_walk_backwards_on_either_side) {
  const std::string x = "input %x : int8[3] q(1, 0)\n%y = mirror_pad(%x) ";
  EXPECT_EQ(moves(x + "{before=[2], after=[1]} : int8[6] q(1, 0)\noutput %y"),
            (Texts{"row 3 from 0 to 2", "row 1, 2 x (-1, 1) from 2 to 0", "row 1 from 1 to 5"}));
  EXPECT_EQ(moves(x + "{before=[2], after=[1], symmetric=true} : int8[6] q(1, 0)\noutput %y"),
            (Texts{"row 3 from 0 to 2", "row 1, 2 x (-1, 1) from 1 to 0", "row 1 from 2 to 5"}));
}

TEST(Moves, a_concatenation_is_a_move_for_each_input) {
  EXPECT_EQ(moves("input %a : float32[2,3,2]\ninput %b : float32[2,1,2]\n"
                  "%y = concat(%a, %b) {axis=1} : float32[2,4,2]\noutput %y"),
            (Texts{"row 24, 2 x (24, 32) from 0 to 0", "row 8, 2 x (8, 32) from 0 to 24"}));
}

TEST(Moves, what_changes_values_is_none) {
  EXPECT_EQ(moves("input %a : int8[2,3] q(1, 0)\n"
                  "%y = concat(%a, %a) {axis=1, act=relu} : int8[2,6] q(1, 0)\noutput %y"),
            Texts{});
  EXPECT_EQ(moves("input %a : int8[2,3] q(1, 0)\ninput %b : int8[2,3] q(2, 0)\n"
                  "%y = concat(%a, %b) {axis=1} : int8[2,6] q(1, 0)\noutput %y"),
            Texts{});
}

// A command's loop has at most 65535 turns: 70000 are 35000 and 35000, the second half 35000 * 8
// bytes further in x and 35000 * 3 in y.
TEST(Moves, a_loop_of_too_many_turns_takes_several_commands) {
  const Move move{0, 1, 2, 3, {{70000, 8, 3}}};
  const auto copies =
      plan::copy_rows(move, plan::region_space(1), 100, plan::region_space(2), 200, false);
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(copies[0].command.src_base, 101u);
  EXPECT_EQ(copies[0].command.dst_base, 202u);
  EXPECT_EQ(copies[0].command.src_n[0], 35000);
  EXPECT_EQ(copies[1].command.src_base, 101u + 35000 * 8);
  EXPECT_EQ(copies[1].command.dst_base, 202u + 35000 * 3);
  EXPECT_EQ(copies[1].accesses[0].end, 101u + 69999 * 8 + 3);
}

// Two turns, the second 40 bytes before the first: bytes 5 .. 14 and 45 .. 54 are read.
TEST(Moves, accesses_of_a_walk_backwards_begin_at_its_end) {
  const auto copies = plan::copy_rows({0, 45, 0, 10, {{2, -40, 10}}}, plan::region_space(1), 0,
                                      plan::region_space(2), 0, false);
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0].accesses[0].begin, 5u);
  EXPECT_EQ(copies[0].accesses[0].end, 55u);
  EXPECT_EQ(copies[0].accesses[1].end, 20u);
}

}  // namespace
}  // namespace presil::common
