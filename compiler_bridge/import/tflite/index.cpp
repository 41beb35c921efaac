// Operators that pick, repeat or mirror values, and those that take them as another type.
#include <algorithm>

#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

using Shape = std::vector<int64_t>;

/// `first` precedes what the operator becomes.
void put_in_front(const OpReader& r, ir::Op first) {
  r.following.insert(r.following.begin(), std::move(r.op));
  r.op = std::move(first);
}

/// A reshape of input `i`, which the operator reads instead.
ir::Op reshaped(const OpReader& r, size_t i, Shape shape) {
  ir::Tensor wider = r.in(i);
  wider.shape = std::move(shape);
  wider.name += "/axes";
  wider.data = nullptr;
  const ir::TensorId from = r.op.inputs[i], id = r.graph.add(wider);
  r.op.inputs[i] = id;
  return {ir::OpKind::kReshape, wider.name, {from}, {id}, ir::None{}, r.op.source_ops};
}

void gather(const OpReader& r) {
  const auto& o = r.options<file::Gather>();
  ir::Gather a;
  a.axis = static_cast<int>(axis_of(r, o.axis(), r.in(0).shape.size()));
  const int batch = o.batch_dims();
  a.batch_dims = batch < 0 ? batch + static_cast<int>(r.in(1).shape.size()) : batch;
  r.op.attributes = a;
}

/// Rows of a table: input 0 says which.
void embedding_lookup(const OpReader& r) {
  std::swap(r.op.inputs[0], r.op.inputs[1]);
  r.op.attributes = ir::Gather{};
}

void slice(const OpReader& r) {
  const Shape x = r.in(0).shape;
  ir::StridedSlice a;
  a.begin = r.integers(1, "begin"), a.size = r.integers(2, "size");
  r.require(a.begin.size() == x.size() && a.size.size() == x.size(), [&] {
    return "begin and size hold " + std::to_string(a.begin.size()) + " and " +
           std::to_string(a.size.size()) + " numbers, expected one for each axis of x " +
           ir::to_string(x);
  });
  for (size_t i = 0; i < x.size(); ++i) {
    const bool inside = a.begin[i] >= 0 && a.begin[i] < x[i];
    if (inside && a.size[i] == -1) a.size[i] = x[i] - a.begin[i];  // all that is left
  }
  a.step.assign(x.size(), 1);
  r.op.attributes = a;
  r.keep_inputs(1);
}

/// A slice whose steps go backwards.
void reverse(const OpReader& r) {
  const Shape x = r.in(0).shape;
  ir::StridedSlice a;
  a.begin.assign(x.size(), 0), a.size = x, a.step.assign(x.size(), 1);
  for (const int64_t named : r.integers(1, "axis")) {
    const auto axis = static_cast<size_t>(axis_of(r, named, x.size()));
    if (x[axis] == 1) continue;
    a.begin[axis] = x[axis] - 1;
    a.step[axis] = -1;
  }
  r.op.attributes = a;
  r.keep_inputs(1);
}

void tile(const OpReader& r) {
  r.op.attributes = ir::Tile{r.integers(1, "multiples")};
  r.keep_inputs(1);
}

/// As many axes as y has, then repeated where x has one value.
void broadcast_to(const OpReader& r) {
  const Shape y = r.out().shape, said = r.integers(1, "shape");
  Shape x = r.in(0).shape;
  bool fits = said == y && x.size() <= y.size();
  if (fits) x.insert(x.begin(), y.size() - x.size(), 1);
  for (size_t i = 0; fits && i < y.size(); ++i) fits = x[i] == y[i] || x[i] == 1;
  r.require(fits, [&] {
    return "x is " + ir::to_string(r.in(0).shape) + ", shape is " + ir::to_string(said) +
           ", y is " + ir::to_string(y) + ", y must have that shape and x its extents or 1";
  });
  ir::Tile a;
  for (size_t i = 0; i < y.size(); ++i) a.multiples.push_back(y[i] / x[i]);
  r.op.attributes = a;
  r.keep_inputs(1);
  if (x != r.in(0).shape) put_in_front(r, reshaped(r, 0, x));
}

void mirror_pad(const OpReader& r) {
  const auto pairs = r.integers(1, "paddings");
  const size_t rank = r.in(0).shape.size();
  r.require(pairs.size() == 2 * rank, [&] {
    return "paddings hold " + std::to_string(pairs.size()) +
           " numbers, expected two an axis of x " + ir::to_string(r.in(0).shape);
  });
  ir::MirrorPad a;
  for (size_t i = 0; i < rank; ++i) {
    a.before.push_back(pairs[2 * i]);
    a.after.push_back(pairs[2 * i + 1]);
  }
  const auto mode = r.options<file::MirrorPad>().mode();
  r.require(mode == file::MirrorMode_Reflect || mode == file::MirrorMode_Symmetric, [&] {
    return "its mode is number " + std::to_string(mode) + ", must be reflect or symmetric";
  });
  a.symmetric = mode == file::MirrorMode_Symmetric;
  r.op.attributes = a;
  r.keep_inputs(1);
}

/// The older form takes whole rows by a condition that has one value for each.
void select(const OpReader& r) {
  const size_t rank = r.in(1).shape.size();
  if (r.code != file::Builtin_SELECT || r.in(0).shape.size() != 1 || rank < 2) return;
  Shape rows(rank, 1);
  rows[0] = r.in(0).shape[0];
  put_in_front(r, reshaped(r, 0, rows));
}

void one_hot(const OpReader& r) {
  const auto depth = r.integers(1, "depth");
  const size_t rank = r.in(0).shape.size() + 1;
  const auto axis = axis_of(r, r.options<file::OneHot>().axis(), rank);
  Shape y = r.in(0).shape;
  r.require(depth.size() == 1 && depth[0] >= 1, [&] {
    return "depth is " + ir::to_string(depth) + ", expected one number of 1 or more";
  });
  y.insert(y.begin() + axis, depth[0]);
  r.set_shape(0, y);
  r.op.attributes = ir::OneHot{static_cast<int>(axis)};
  r.op.inputs.erase(r.op.inputs.begin() + 1);
}

/// Numbers as the file stores them: bytes that are int8 here are uint8 around it.
void cast(const OpReader& r) {
  const auto as_in_file = [&](ir::TensorId id) {
    ir::Tensor bytes = r.graph.tensor(id);
    bytes.dtype = ir::DType::kUint8;
    bytes.quantization.zero_points = {bytes.quantization.zero_point() + 128};
    bytes.name += "/uint8";
    bytes.data = nullptr;
    return r.graph.add(std::move(bytes));
  };
  const ir::TensorId x = r.op.inputs[0], y = r.op.outputs[0];
  if (r.unsigned_bytes[static_cast<size_t>(y)]) {
    r.op.outputs[0] = as_in_file(y);
    r.following.push_back({ir::OpKind::kQuantize,
                           r.op.name,
                           {r.op.outputs[0]},
                           {y},
                           ir::Quantize{},
                           r.op.source_ops});
  }
  if (!r.is_unsigned(0)) return;
  r.op.inputs[0] = as_in_file(x);
  put_in_front(r, {ir::OpKind::kQuantize,
                   r.graph.tensor(r.op.inputs[0]).name,
                   {x},
                   {r.op.inputs[0]},
                   ir::Quantize{},
                   r.op.source_ops});
}

void reverse_sequence(const OpReader& r) {
  const auto& o = r.options<file::ReverseSequence>();
  const size_t rank = r.in(0).shape.size();
  r.op.attributes = ir::ReverseSequence{static_cast<int>(axis_of(r, o.seq_dim(), rank)),
                                        static_cast<int>(axis_of(r, o.batch_dim(), rank))};
}

}  // namespace

std::vector<Conversion> index_conversions() {
  return {
      {file::Builtin_EMBEDDING_LOOKUP,
       ir::OpKind::kGather,
       2,
       2,
       types::kAny,
       embedding_lookup,
       {},
       1},
      {file::Builtin_GATHER, ir::OpKind::kGather, 2, 2, types::kAny, gather},
      {file::Builtin_CAST, ir::OpKind::kCast, 1, 1, types::kAny, cast},
      {file::Builtin_SELECT, ir::OpKind::kSelect, 3, 3, types::kAny, select, {}, 1},
      {file::Builtin_SLICE, ir::OpKind::kStridedSlice, 3, 3, types::kAny, slice},
      {file::Builtin_TILE, ir::OpKind::kTile, 2, 2, types::kAny, tile},
      {file::Builtin_ONE_HOT, ir::OpKind::kOneHot, 4, 4, types::kIndices, one_hot},
      {file::Builtin_MIRROR_PAD, ir::OpKind::kMirrorPad, 2, 2, types::kAny, mirror_pad},
      {file::Builtin_REVERSE_V2, ir::OpKind::kStridedSlice, 2, 2, types::kAny, reverse},
      {file::Builtin_REVERSE_SEQUENCE, ir::OpKind::kReverseSequence, 2, 2, types::kAny,
       reverse_sequence},
      {file::Builtin_GATHER_ND, ir::OpKind::kGatherNd, 2, 2, types::kAny, nothing},
      {file::Builtin_SELECT_V2, ir::OpKind::kSelect, 3, 3, types::kAny, select, {}, 1},
      {file::Builtin_BROADCAST_TO, ir::OpKind::kTile, 2, 2, types::kAny, broadcast_to},
  };
}

}  // namespace presil::import
