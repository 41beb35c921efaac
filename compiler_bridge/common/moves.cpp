#include "compiler_bridge/common/moves.h"

#include <algorithm>

namespace presil::common {
namespace {

using Shape = std::vector<int64_t>;

/// Bytes from one element to the next along each axis.
Shape strides(const Shape& shape, int64_t element) {
  Shape strides(shape.size(), element);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// @param loops  innermost first
Move joined(Move move, const std::vector<Move::Loop>& loops) {
  for (const Move::Loop& loop : loops) {
    if (loop.n == 1) continue;
    auto& out = move.loops;
    if (out.empty() && loop.from == move.row && loop.to == move.row) {
      move.row *= loop.n;
    } else if (!out.empty() && loop.from == out.back().from * out.back().n &&
               loop.to == out.back().to * out.back().n) {
      out.back().n *= loop.n;
    } else {
      out.push_back(loop);
    }
  }
  return move;
}

Move transpose(const ir::Tensor& x, const ir::Tensor& y, const ir::Transpose& a) {
  const int64_t element = ir::size_of(x.dtype);
  const Shape from = strides(x.shape, element), to = strides(y.shape, element);
  std::vector<Move::Loop> loops;
  for (size_t i = y.shape.size(); i-- > 0;) {
    loops.push_back({y.shape[i], from[static_cast<size_t>(a.perm[i])], to[i]});
  }
  return joined({0, 0, 0, element, {}}, loops);
}

Move slice(const ir::Tensor& x, const ir::StridedSlice& a) {
  const int64_t element = ir::size_of(x.dtype);
  const Shape from = strides(x.shape, element), to = strides(a.size, element);
  Move move{0, 0, 0, element, {}};
  std::vector<Move::Loop> loops;
  for (size_t i = x.shape.size(); i-- > 0;) {
    move.from += a.begin[i] * from[i];
    loops.push_back({a.size[i], a.step[i] * from[i], to[i]});
  }
  return joined(move, loops);
}

std::vector<Move> concat(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& y = graph.tensor(op.output());
  const auto& a = op.as<ir::Concat>();
  const auto axis = static_cast<size_t>(a.axis);
  const int64_t to = strides(y.shape, ir::size_of(y.dtype))[axis] * y.shape[axis];
  std::vector<Move> moves;
  int64_t at = 0;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const ir::Tensor& x = graph.tensor(op.input(i));
    if (a.act != ir::Activation::kNone || x.quantization != y.quantization) return {};
    const int64_t row = strides(x.shape, ir::size_of(x.dtype))[axis] * x.shape[axis];
    const auto rows = static_cast<int64_t>(x.bytes()) / row;
    moves.push_back(joined({i, 0, at, row, {}}, {{rows, row, to}}));
    at += row;
  }
  return moves;
}

Move tile(const ir::Tensor& x, const ir::Tensor& y, const ir::Tile& a) {
  const int64_t element = ir::size_of(x.dtype);
  const Shape from = strides(x.shape, element), to = strides(y.shape, element);
  std::vector<Move::Loop> loops;
  for (size_t i = x.shape.size(); i-- > 0;) {
    loops.push_back({x.shape[i], from[i], to[i]});
    loops.push_back({a.multiples[i], 0, to[i] * x.shape[i]});
  }
  return joined({0, 0, 0, element, {}}, loops);
}

/// What stands along an axis: before x its mirror, x, after it another.
struct Stretch {
  int64_t first, step, n, to;  ///< in elements: of x, of y
};
std::vector<Stretch> stretches(const ir::MirrorPad& a, size_t axis, int64_t extent) {
  const int64_t before = a.before[axis], after = a.after[axis], edge = a.symmetric ? 1 : 0;
  std::vector<Stretch> all = {{0, 1, extent, before}};
  if (before > 0) all.push_back({before - edge, -1, before, 0});
  if (after > 0) all.push_back({extent - 2 + edge, -1, after, before + extent});
  return all;
}

std::vector<Move> mirror_pad(const ir::Tensor& x, const ir::Tensor& y, const ir::MirrorPad& a) {
  const int64_t element = ir::size_of(x.dtype);
  const Shape from = strides(x.shape, element), to = strides(y.shape, element);
  struct Part {
    Move move;
    std::vector<Move::Loop> loops;
  };
  std::vector<Part> parts = {{{0, 0, 0, element, {}}, {}}};
  for (size_t i = x.shape.size(); i-- > 0;) {
    std::vector<Part> longer;
    for (const Stretch& s : stretches(a, i, x.shape[i])) {
      for (Part part : parts) {
        part.move.from += s.first * from[i], part.move.to += s.to * to[i];
        part.loops.push_back({s.n, s.step * from[i], to[i]});
        longer.push_back(std::move(part));
      }
    }
    parts = std::move(longer);
  }
  std::vector<Move> moves;
  for (const Part& part : parts) moves.push_back(joined(part.move, part.loops));
  return moves;
}

/// The rows of all turns of the first `loops` loops.
void copy(const Move& move, size_t loops, const uint8_t* from, uint8_t* to) {
  if (loops == 0) {
    std::copy_n(from, move.row, to);
    return;
  }
  const Move::Loop& outer = move.loops[loops - 1];
  for (int64_t turn = 0; turn < outer.n; ++turn) {
    copy(move, loops - 1, from + turn * outer.from, to + turn * outer.to);
  }
}

}  // namespace

Move whole(int64_t bytes) {
  return {0, 0, 0, bytes, {}};
}

std::vector<Move> moves_of(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& y = graph.tensor(op.output());
  switch (op.kind) {
    case ir::OpKind::kReshape:
      return {whole(static_cast<int64_t>(y.bytes()))};
    case ir::OpKind::kTranspose:
      return {transpose(graph.tensor(op.input(0)), y, op.as<ir::Transpose>())};
    case ir::OpKind::kStridedSlice:
      return {slice(graph.tensor(op.input(0)), op.as<ir::StridedSlice>())};
    case ir::OpKind::kConcat:
      return concat(graph, op);
    case ir::OpKind::kTile:
      return {tile(graph.tensor(op.input(0)), y, op.as<ir::Tile>())};
    case ir::OpKind::kMirrorPad:
      return mirror_pad(graph.tensor(op.input(0)), y, op.as<ir::MirrorPad>());
    default:
      return {};
  }
}

ir::Bytes moved(const std::vector<Move>& moves, const std::vector<const ir::Bytes*>& inputs,
                size_t bytes) {
  ir::Bytes y(bytes);
  for (const Move& move : moves) {
    copy(move, move.loops.size(), inputs.at(move.input)->data() + move.from, y.data() + move.to);
  }
  return y;
}

}  // namespace presil::common
