// Operators with many results, or inputs that are parts of the result.
#include <algorithm>

#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

/// Extents of the results along the split axis of x. One of -1 is what the others leave.
std::vector<int64_t> split_sizes(const OpReader& r, int64_t extent) {
  const auto count = static_cast<int64_t>(r.op.outputs.size());
  if (r.code == file::Builtin_SPLIT) {
    r.require(extent % count == 0, [&] {
      return "it splits " + std::to_string(extent) + " into " + std::to_string(count) +
             " results, which must divide it";
    });
    return std::vector<int64_t>(static_cast<size_t>(count), extent / count);
  }
  std::vector<int64_t> sizes = r.integers(1, "size_splits");
  int64_t sum = 0, open = 0;
  bool sound = static_cast<int64_t>(sizes.size()) == count;
  for (const int64_t size : sizes) {
    sound = sound && size >= -1 && size <= extent;
    if (sound) size == -1 ? open += 1 : sum += size;
  }
  r.require(sound && (open == 0 ? sum == extent : open == 1 && sum <= extent), [&] {
    return "size_splits are " + ir::to_string(sizes) + ", must be " + std::to_string(count) +
           " sizes that are " + std::to_string(extent) + " together, one of them perhaps -1";
  });
  std::replace(sizes.begin(), sizes.end(), int64_t{-1}, extent - sum);
  return sizes;
}

}  // namespace

/// A slice for each result.
void split(const OpReader& r) {
  const bool sized = r.code == file::Builtin_SPLIT_V;
  const std::vector<ir::TensorId> results = r.op.outputs;
  const int stated =
      sized ? r.options<file::SplitV>().results() : r.options<file::Split>().results();
  r.require(stated == static_cast<int>(results.size()), [&] {
    return "it states " + std::to_string(stated) + " results and has " +
           std::to_string(results.size()) + ", expected as many";
  });
  const size_t of_x = sized ? 0 : 1;
  const std::vector<int64_t> shape = r.in(of_x).shape;
  const auto where = r.integers(sized ? 2 : 0, "axis");
  r.require(where.size() == 1,
            [&] { return "axis holds " + std::to_string(where.size()) + " numbers, expected 1"; });
  const auto axis = static_cast<size_t>(axis_of(r, where[0], shape.size()));
  const std::vector<int64_t> sizes = split_sizes(r, shape[axis]);
  r.op.inputs = {r.op.inputs[of_x]};
  ir::StridedSlice a;
  a.begin.assign(shape.size(), 0), a.size = shape, a.step.assign(shape.size(), 1);
  std::vector<ir::Op> slices;
  for (size_t i = 0; i < results.size(); ++i) {
    a.size[axis] = sizes[i];
    slices.push_back(r.op);
    slices.back().name = r.graph.tensor(results[i]).name;
    slices.back().outputs = {results[i]};
    slices.back().attributes = a;
    a.begin[axis] += sizes[i];
  }
  r.op = slices.front();
  r.following.assign(slices.begin() + 1, slices.end());
}

/// y has one axis more than each input: each gets it, then they are concatenated along it.
void pack(const OpReader& r) {
  const std::vector<ir::TensorId> parts = r.op.inputs;
  std::vector<int64_t> shape = r.in(0).shape;
  const auto axis =
      static_cast<size_t>(axis_of(r, r.options<file::Stack>().axis(), shape.size() + 1));
  for (size_t i = 0; i < parts.size(); ++i) {
    r.require(r.has(i), [&] { return "its input " + std::to_string(i) + " is missing"; });
    const ir::Tensor &x = r.in(i), &y = r.out();
    r.require(x.shape == shape && x.dtype == y.dtype && x.quantization == y.quantization, [&] {
      return "its input " + std::to_string(i) + " is " + ir::type_of(x) + ", y is " +
             ir::type_of(y) + ", inputs must have one shape and the type of y";
    });
  }
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  ir::Op joined = r.op;
  joined.attributes = ir::Concat{static_cast<int>(axis), ir::Activation::kNone, false};
  std::vector<ir::Op> made;
  for (size_t i = 0; i < parts.size(); ++i) {
    ir::Tensor wider = r.graph.tensor(parts[i]);
    wider.shape = shape;
    wider.name += "/pack";
    wider.data = nullptr;
    joined.inputs[i] = r.graph.add(wider);
    made.push_back({ir::OpKind::kReshape,
                    wider.name,
                    {parts[i]},
                    {joined.inputs[i]},
                    ir::None{},
                    r.op.source_ops});
  }
  made.push_back(std::move(joined));
  r.op = made.front();
  r.following.assign(made.begin() + 1, made.end());
}

/// A slice of one for each result, which lacks that axis.
void unpack(const OpReader& r) {
  const std::vector<ir::TensorId> results = r.op.outputs;
  const std::vector<int64_t> shape = r.in(0).shape;
  const auto axis =
      static_cast<size_t>(axis_of(r, r.options<file::Unstack>().axis(), shape.size()));
  r.require(static_cast<size_t>(shape[axis]) == results.size(), [&] {
    return "it takes axis " + std::to_string(axis) + " of " + ir::to_string(shape) +
           " apart into " + std::to_string(results.size()) + " results, expected as many as it has";
  });
  std::vector<int64_t> left = shape;
  left.erase(left.begin() + static_cast<std::ptrdiff_t>(axis));
  ir::StridedSlice a;
  a.begin.assign(shape.size(), 0), a.size = shape, a.step.assign(shape.size(), 1);
  a.size[axis] = 1;
  std::vector<ir::Op> slices(results.size(), r.op);
  for (size_t i = 0; i < results.size(); ++i) {
    r.set_shape(i, left);
    a.begin[axis] = static_cast<int64_t>(i);
    slices[i].name = r.graph.tensor(results[i]).name;
    slices[i].outputs = {results[i]};
    slices[i].attributes = a;
  }
  r.op = slices.front();
  r.following.assign(slices.begin() + 1, slices.end());
}

std::vector<Conversion> parts_conversions() {
  return {
      {file::Builtin_SPLIT, ir::OpKind::kStridedSlice, 2, 2, types::kAny, split, {}, 1, 1024},
      {file::Builtin_PACK, ir::OpKind::kConcat, 1, 1024, types::kAny, pack},
      {file::Builtin_UNPACK, ir::OpKind::kStridedSlice, 1, 1, types::kAny, unpack, {}, 0, 1024},
      {file::Builtin_SPLIT_V, ir::OpKind::kStridedSlice, 3, 3, types::kAny, split, {}, 0, 1024},
  };
}

}  // namespace presil::import
