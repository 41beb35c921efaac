// Operators that only move values, as walks over bytes.
#pragma once

#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::common {

/// Rows of bytes from a tensor x to y, both dense: in every turn of the loops one row.
struct Move {
  size_t input = 0;          ///< operand of the op
  int64_t from = 0, to = 0;  ///< first byte of the first row
  int64_t row = 0;           ///< bytes
  struct Loop {
    int64_t n = 1;             ///< turns
    int64_t from = 0, to = 0;  ///< bytes from turn to turn

    template <class Self, class F>
    static void fields(Self& s, F&& f) {
      f("n", s.n), f("from", s.from), f("to", s.to);
    }
  };
  std::vector<Loop> loops;  ///< innermost first; neighbours that walk on alike are joined

  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("input", s.input), f("from", s.from), f("to", s.to), f("row", s.row), f("loops", s.loops);
  }
};

/// What writes every byte of y once: reshape, strided slice, transpose, tile, mirror pad, and a
/// concatenation without an activation of inputs of y's quantisation. Empty: the op does more than
/// move.
std::vector<Move> moves_of(const ir::Graph& graph, const ir::Op& op);

/// One row of that many bytes.
Move whole(int64_t bytes);

/// What the moves write, all together `bytes` of it. @param inputs  by Move::input
ir::Bytes moved(const std::vector<Move>& moves, const std::vector<const ir::Bytes*>& inputs,
                size_t bytes);

}  // namespace presil::common
