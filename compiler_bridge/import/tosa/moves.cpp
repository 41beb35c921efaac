// Operators that only move values.
#include <cstring>

#include "compiler_bridge/import/tosa/importer.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::tosa {
namespace {

using K = ir::OpKind;
using D = ir::DType;

void give_moved(Importer& i, K kind, ir::Attributes attributes,
                std::optional<Shape> shape = std::nullopt) {
  const ir::TensorId made =
      i.make(kind, std::move(attributes), {i.in(0)}, i.type(0), std::move(shape));
  i.zero_points().alike(i.in(0), made);
  i.give(made);
}

std::string text(const std::vector<int64_t>& list) {
  std::string all;
  for (const int64_t each : list) all += (all.empty() ? "" : ", ") + std::to_string(each);
  return "[" + all + "]";
}

void require_count(const Importer& i, const std::vector<int64_t>& list, const char* what,
                   size_t count) {
  i.require(list.size() == count, [&] {
    return std::string(what) + " is " + text(list) + ", must have " + std::to_string(count) +
           " numbers";
  });
}

void concat(Importer& i) {
  std::vector<ir::TensorId> parts;
  for (size_t k = 0; k < i.inputs(); ++k) parts.push_back(i.in(k));
  ir::Concat a;
  a.axis = i.axis(i.options<file::Axis>().axis(), i.tensor(parts[0]).shape.size());
  const ir::TensorId made = i.make(K::kConcat, a, parts, i.type(0));
  for (const ir::TensorId part : parts) i.zero_points().alike(part, made);
  i.give(made);
}

void pad(Importer& i) {
  const std::vector<int64_t> padding = i.numbers(1, "padding");
  require_count(i, padding, "padding", 2 * i.tensor(i.in(0)).shape.size());
  ir::Pad a;
  for (size_t k = 0; k < padding.size(); k += 2) {
    i.require(padding[k] >= 0 && padding[k + 1] >= 0, [] { return "padding is negative"; });
    a.before.push_back(padding[k]), a.after.push_back(padding[k + 1]);
  }
  const ir::Tensor& value = i.tensor(i.in(2));
  i.require(value.is_constant() && value.elements() == 1 && value.dtype == i.type(0),
            [] { return "pad_const must be one constant of the input's type"; });
  if (value.dtype == D::kFloat32) {
    std::memcpy(&a.value, value.data->data(), sizeof a.value);
  } else {
    a.value = static_cast<int>(i.numbers(2, "pad_const")[0]);
  }
  give_moved(i, K::kPad, a);
}

/// One extent may be open in the file: what is left.
void reshape(Importer& i) {
  Shape shape = i.numbers(1, "shape");
  constexpr int64_t kMost = int64_t{1} << 31;  // the product of two below it is no overflow
  int64_t known = 1, open = 0;
  for (const int64_t extent : shape) {
    i.require(extent > 0 || extent == -1,
              [&] { return "shape is " + text(shape) + ", must have extents of at least 1"; });
    if (extent < kMost) extent == -1 ? ++open : known *= extent;
    i.require(extent < kMost && known < kMost && open <= 1,
              [&] { return "shape is " + text(shape) + ", must have fewer than 2^31 elements"; });
  }
  const ir::Tensor& from = i.tensor(i.in(0));
  const int64_t elements = from.elements();
  for (int64_t& extent : shape) {
    if (extent == -1) extent = elements / known;
  }
  if (from.is_constant() && ir::elements(shape) == elements) return i.give(i.reshaped(shape));
  give_moved(i, K::kReshape, ir::None{}, shape);
}

void reverse(Importer& i) {
  const Shape x = i.tensor(i.in(0)).shape;
  const auto axis = static_cast<size_t>(i.axis(i.options<file::Axis>().axis(), x.size()));
  ir::StridedSlice a;
  a.begin.assign(x.size(), 0), a.size = x, a.step.assign(x.size(), 1);
  a.begin[axis] = x[axis] - 1, a.step[axis] = -1;
  give_moved(i, K::kStridedSlice, a, x);
}

void slice(Importer& i) {
  const Shape x = i.tensor(i.in(0)).shape;
  ir::StridedSlice a;
  a.begin = i.numbers(1, "start"), a.size = i.numbers(2, "size");
  require_count(i, a.begin, "start", x.size()), require_count(i, a.size, "size", x.size());
  a.step.assign(x.size(), 1);
  for (size_t k = 0; k < x.size(); ++k) {
    if (a.size[k] == -1) a.size[k] = x[k] - a.begin[k];
    i.require(a.begin[k] >= 0 && a.size[k] > 0 && a.size[k] <= x[k] - a.begin[k], [&] {
      return "start is " + text(a.begin) + ", size " + text(a.size) + ", must lie inside " +
             text(x);
    });
  }
  const Shape y = a.size;
  give_moved(i, K::kStridedSlice, a, y);
}

void tile(Importer& i) {
  ir::Tile a;
  a.multiples = i.numbers(1, "multiples");
  require_count(i, a.multiples, "multiples", i.tensor(i.in(0)).shape.size());
  give_moved(i, K::kTile, a);
}

void transpose(Importer& i) {
  const size_t rank = i.tensor(i.in(0)).shape.size();
  give_moved(i, K::kTranspose,
             ir::Transpose{i.list(i.options<file::Transpose>().perms(), "perms", rank)});
}

void gather(Importer& i) {
  i.require(i.tensor(i.in(0)).shape.size() == 3 && i.tensor(i.in(1)).shape.size() == 2,
            [] { return "values must have 3 axes and indices 2"; });
  const ir::TensorId made = i.make(K::kGather, ir::Gather{1, 1}, {i.in(0), i.in(1)}, i.type(0));
  i.zero_points().alike(i.in(0), made);
  i.give(made);
}

void scatter(Importer& i) {
  const ir::TensorId made = i.make(K::kScatter, ir::None{}, {i.in(0), i.in(1), i.in(2)}, i.type(0));
  i.zero_points().alike(i.in(0), made), i.zero_points().alike(i.in(2), made);
  i.give(made);
}

void identity(Importer& i) {
  give_moved(i, K::kReshape, ir::None{}, i.tensor(i.in(0)).shape);
}

}  // namespace

const std::vector<Conversion>& of_moves() {
  static const std::vector<Conversion> table = {
      {file::Op_CONCAT, 1, 4096, concat},    {file::Op_PAD, 3, 3, pad},
      {file::Op_RESHAPE, 2, 2, reshape},     {file::Op_REVERSE, 1, 1, reverse},
      {file::Op_SLICE, 3, 3, slice},         {file::Op_TILE, 2, 2, tile},
      {file::Op_TRANSPOSE, 1, 1, transpose}, {file::Op_GATHER, 2, 2, gather},
      {file::Op_SCATTER, 3, 3, scatter},     {file::Op_IDENTITY, 1, 1, identity},
  };
  return table;
}

}  // namespace presil::import::tosa
