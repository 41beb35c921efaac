// Shapes of what repeats, mirrors or picks values.
#include <algorithm>
#include <cstring>

#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {
namespace {

/// Element i of a constant of int32 or int64.
int64_t index_at(const Tensor& tensor, size_t i) {
  return tensor.dtype == DType::kInt64 ? tensor.values<int64_t>()[i] : tensor.values<int32_t>()[i];
}

/// Constant indices lie inside the axes that they count: extents[i % as many].
void check_indices(const Case& c, const Shape& extents) {
  const Tensor& indices = c.graph.tensor(c.op.inputs[1]);
  if (!indices.is_constant() || extents.empty()) return;
  const auto count = static_cast<size_t>(elements(indices.shape));
  for (size_t i = 0; i < count; ++i) {
    const int64_t index = index_at(indices, i), extent = extents[i % extents.size()];
    c.require(index >= 0 && index < extent, [&] {
      return "index " + text(static_cast<int64_t>(i)) + " is " + text(index) + ", must be 0.." +
             text(extent - 1) + " of x " + to_string(c.in(0));
    });
  }
}

}  // namespace

Shapes tile(const Case& c) {
  const auto& multiples = c.op.as<Tile>().multiples;
  Shape y = c.in(0);
  c.require(multiples.size() == y.size(), [&] {
    return "multiples are " + to_string(multiples) + ", expected one per axis of x " + to_string(y);
  });
  for (size_t i = 0; i < y.size(); ++i) {
    c.require(multiples[i] >= 1 && multiples[i] <= (1 << 24),
              [&] { return "multiples are " + to_string(multiples) + ", must be 1 or more each"; });
    y[i] *= multiples[i];
  }
  return y;
}

Shapes mirror_pad(const Case& c) {
  const auto& a = c.op.as<MirrorPad>();
  Shape y = c.in(0);
  c.require(a.before.size() == y.size() && a.after.size() == y.size(), [&] {
    return "before is " + to_string(a.before) + ", after is " + to_string(a.after) +
           ", expected an entry for each axis of x " + to_string(y);
  });
  for (size_t i = 0; i < y.size(); ++i) {
    const int64_t most = a.symmetric ? y[i] : y[i] - 1;
    c.require(a.before[i] >= 0 && a.after[i] >= 0 && a.before[i] <= most && a.after[i] <= most,
              [&] {
                return "axis " + text(static_cast<int64_t>(i)) + " grows by " + text(a.before[i]) +
                       " and " + text(a.after[i]) + ", a mirror shows 0.." + text(most) + " of it";
              });
    y[i] += a.before[i] + a.after[i];
  }
  return y;
}

Shapes gather(const Case& c) {
  const auto& a = c.op.as<Gather>();
  const Shape &x = c.in(0), &indices = c.in(1);
  const auto rank = static_cast<int64_t>(x.size());
  const auto most = std::min<int64_t>(a.axis, static_cast<int64_t>(indices.size()));
  c.require(a.axis >= 0 && a.axis < rank && a.batch_dims >= 0 && a.batch_dims <= most, [&] {
    return "axis is " + text(a.axis) + ", batch_dims is " + text(a.batch_dims) + ", x is " +
           to_string(x) + ", indices are " + to_string(indices) +
           ", must be an axis of x, with no more batch axes than lie before it";
  });
  const auto axis = static_cast<size_t>(a.axis), batch = static_cast<size_t>(a.batch_dims);
  for (size_t i = 0; i < batch; ++i) {
    c.require(x[i] == indices[i], [&] {
      return "x is " + to_string(x) + ", indices are " + to_string(indices) +
             ", must agree in their first " + text(a.batch_dims) + " axes";
    });
  }
  check_indices(c, {x[axis]});
  Shape y(x.begin(), x.begin() + a.axis);
  y.insert(y.end(), indices.begin() + a.batch_dims, indices.end());
  y.insert(y.end(), x.begin() + a.axis + 1, x.end());
  return y;
}

Shapes gather_nd(const Case& c) {
  const Shape &x = c.in(0), &indices = c.in(1);
  const auto rank = static_cast<int64_t>(x.size());
  c.require(!indices.empty() && indices.back() <= rank, [&] {
    return "indices are " + to_string(indices) + ", must have a last axis of at most " +
           text(rank) + ", the axes of x";
  });
  const auto named = static_cast<std::ptrdiff_t>(indices.back());
  check_indices(c, Shape(x.begin(), x.begin() + named));
  Shape y(indices.begin(), indices.end() - 1);
  y.insert(y.end(), x.begin() + named, x.end());
  return y;
}

Shapes select(const Case& c) {
  Shape y;
  for (size_t i = 0; i < 3; ++i) {
    const Shape& from = c.in(i);
    if (from.size() > y.size()) y.insert(y.begin(), from.size() - y.size(), 1);
    for (size_t k = 1; k <= from.size(); ++k) {
      int64_t& extent = y[y.size() - k];
      const int64_t own = from[from.size() - k];
      c.require(own == extent || own == 1 || extent == 1, [&] {
        return "condition is " + to_string(c.in(0)) + ", a is " + to_string(c.in(1)) + ", b is " +
               to_string(c.in(2)) + ", extents must be equal or 1";
      });
      extent = std::max(extent, own);
    }
  }
  return y;
}

Shapes one_hot(const Case& c) {
  const auto axis = static_cast<int64_t>(c.op.as<OneHot>().axis);
  Shape y = c.in(0);
  c.require(
      axis >= 0 && axis <= static_cast<int64_t>(y.size()) && c.stated().size() == y.size() + 1 &&
          elements(c.in(1)) == 1 && elements(c.in(2)) == 1,
      [&] {
        return "indices are " + to_string(y) + ", y is " + to_string(c.stated()) + ", axis is " +
               text(axis) + ", expected one axis more than indices there, and one value on and off";
      });
  y.insert(y.begin() + axis, c.stated()[static_cast<size_t>(axis)]);
  return y;
}

}  // namespace presil::ir::shapes
