// Shapes of what only moves values.
#include <algorithm>

#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {

Shapes reshape(const Case& c) {
  c.require(elements(c.stated()) == elements(c.in(0)), [&] {
    return "y is " + to_string(c.stated()) + ", expected as many elements as x " +
           to_string(c.in(0));
  });
  return c.stated();
}

Shapes concat(const Case& c) {
  const auto& a = c.op.as<Concat>();
  Shape y = c.in(0);
  c.require(a.axis >= 0 && static_cast<size_t>(a.axis) < y.size(),
            [&] { return "axis is " + text(a.axis) + ", must be an axis of " + to_string(y); });
  const size_t axis = static_cast<size_t>(a.axis);
  for (size_t i = 1; i < c.op.inputs.size(); ++i) {
    Shape x = c.in(i);
    c.require(x.size() == y.size(), [&] {
      return "inputs are " + to_string(c.in(0)) + " and " + to_string(x) +
             ", must have the same rank";
    });
    y[axis] += x[axis];
    x[axis] = y[axis];
    c.require(x == y, [&] {
      return "inputs are " + to_string(c.in(0)) + " and " + to_string(c.in(i)) +
             ", extents must be equal but for axis " + text(a.axis);
    });
  }
  return y;
}

Shapes interleave(const Case& c) {
  const auto& a = c.op.as<Interleave>();
  const auto count = static_cast<int64_t>(c.op.inputs.size());
  c.require(a.stride_h >= 1 && a.stride_w >= 1 && int64_t{a.stride_h} * a.stride_w == count, [&] {
    return "strides are " + text(a.stride_h) + " and " + text(a.stride_w) +
           ", must be a product of " + text(count) + ", the number of inputs";
  });
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    c.require(c.in(i).size() == 4, [&] {
      return "input " + text(static_cast<int64_t>(i)) + " is " + to_string(c.in(i)) +
             ", must have rank 4";
    });
  }
  const auto columns = static_cast<size_t>(a.stride_w);
  Shape y = {c.in(0)[0], 0, 0, c.in(0)[3]};
  for (size_t i = 0; i < c.op.inputs.size(); i += columns) y[1] += c.in(i)[1];
  for (size_t j = 0; j < columns; ++j) y[2] += c.in(j)[2];
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    const int64_t row = static_cast<int64_t>(i / columns),
                  column = static_cast<int64_t>(i % columns);
    const Shape expected = {y[0], (y[1] - row + a.stride_h - 1) / a.stride_h,
                            (y[2] - column + a.stride_w - 1) / a.stride_w, y[3]};
    c.require(c.in(i) == expected, [&] {
      return "input " + text(static_cast<int64_t>(i)) + " is " + to_string(c.in(i)) + ", must be " +
             to_string(expected) + ", its pixels of y " + to_string(y);
    });
  }
  return y;
}

Shapes pad(const Case& c) {
  const auto& a = c.op.as<Pad>();
  Shape y = c.in(0);
  c.require(a.before.size() == y.size() && a.after.size() == y.size(), [&] {
    return "before is " + to_string(a.before) + ", after is " + to_string(a.after) +
           ", expected one entry per axis of x " + to_string(y);
  });
  for (size_t i = 0; i < y.size(); ++i) {
    c.require(
        a.before[i] >= 0 && a.after[i] >= 0 && a.before[i] < (1 << 24) && a.after[i] < (1 << 24),
        [&] {
          return "padding is " + to_string(a.before) + " and " + to_string(a.after) +
                 ", must be 0 or more";
        });
    y[i] += a.before[i] + a.after[i];
  }
  return y;
}

Shapes transpose(const Case& c) {
  const auto& perm = c.op.as<Transpose>().perm;
  Shape sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  bool whole = perm.size() == c.in(0).size();
  for (size_t i = 0; i < sorted.size(); ++i) whole = whole && sorted[i] == static_cast<int64_t>(i);
  c.require(whole, [&] {
    return "perm is " + to_string(perm) + ", must have every axis of x " + to_string(c.in(0)) +
           " once";
  });
  Shape y;
  for (int64_t axis : perm) y.push_back(c.in(0)[static_cast<size_t>(axis)]);
  return y;
}

Shapes strided_slice(const Case& c) {
  const auto& a = c.op.as<StridedSlice>();
  const Shape& x = c.in(0);
  c.require(
      a.begin.size() == x.size() && a.size.size() == x.size() && a.step.size() == x.size(),
      [&] { return "begin, size and step must have one entry per axis of x " + to_string(x); });
  for (size_t i = 0; i < x.size(); ++i) {
    const bool small = a.size[i] >= 1 && a.size[i] <= x[i] && a.step[i] >= -x[i] &&
                       a.step[i] <= x[i] && a.begin[i] >= 0 && a.begin[i] < x[i];
    const int64_t last = small ? a.begin[i] + (a.size[i] - 1) * a.step[i] : -1;
    c.require(small && last >= 0 && last < x[i], [&] {
      return "axis " + text(static_cast<int64_t>(i)) + " takes " + text(a.size[i]) + " from " +
             text(a.begin[i]) + " by " + text(a.step[i]) + ", must remain within 0.." +
             text(x[i] - 1);
    });
  }
  const auto without_ones = [](Shape shape) {
    shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
    return shape;
  };
  c.require(without_ones(c.stated()) == without_ones(a.size), [&] {
    return "y is " + to_string(c.stated()) + ", must have size " + to_string(a.size) +
           " but for axes of 1";
  });
  return c.stated();
}

}  // namespace presil::ir::shapes
