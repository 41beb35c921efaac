// Shapes of functions of values: one, two, or all along some axes.
#include <algorithm>

#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {

Shape broadcast(const Case& c, const Shape& a, const Shape& b) {
  Shape y(std::max(a.size(), b.size()), 1);
  for (size_t i = 1; i <= y.size(); ++i) {
    const int64_t from_a = i <= a.size() ? a[a.size() - i] : 1;
    const int64_t from_b = i <= b.size() ? b[b.size() - i] : 1;
    c.require(from_a == from_b || from_a == 1 || from_b == 1, [&] {
      return "a is " + to_string(c.in(0)) + ", b is " + to_string(c.in(1)) +
             ", extents must be equal or 1";
    });
    y[y.size() - i] = std::max(from_a, from_b);
  }
  return y;
}

Shapes elementwise(const Case& c) {
  return broadcast(c, c.in(0), c.in(1));
}

Shapes same(const Case& c) {
  return c.in(0);
}

Shapes reduce(const Case& c) {
  const auto& a = c.op.as<Reduce>();
  const Shape& x = c.in(0);
  std::vector<bool> gone(x.size(), false);
  int64_t previous = -1;
  for (int64_t axis : a.axes) {
    c.require(axis > previous && axis < static_cast<int64_t>(x.size()), [&] {
      return "axes are " + to_string(a.axes) + ", must be ascending axes of x " + to_string(x);
    });
    gone[static_cast<size_t>(axis)] = true;
    previous = axis;
  }
  Shape y;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!gone[i]) {
      y.push_back(x[i]);
    } else if (a.keep_dims) {
      y.push_back(1);
    }
  }
  return y;
}

Shapes arg(const Case& c) {
  Shape y = c.in(0);
  const int axis = c.op.as<Arg>().axis;
  c.require(axis >= 0 && static_cast<size_t>(axis) < y.size(), [&] {
    return "axis is " + text(axis) + ", must be an axis of x " + to_string(c.in(0));
  });
  y.erase(y.begin() + axis);
  return y;
}

Shapes prelu(const Case& c) {
  c.require(broadcast(c, c.in(0), c.in(1)) == c.in(0), [&] {
    return "x is " + to_string(c.in(0)) + ", alpha is " + to_string(c.in(1)) +
           ", extents of alpha must be 1 or x's";
  });
  return c.in(0);
}

Shapes softmax(const Case& c) {
  c.require(!c.in(0).empty(), "x is a scalar, must have at least one axis");
  return c.in(0);
}

Shapes layer_norm(const Case& c) {
  c.require(!c.in(0).empty(), "x is a scalar, must have at least one axis");
  const Shape row = {c.in(0).back()};
  for (size_t i = 1; i <= 2; ++i) {
    c.require(c.in(i) == row, [&] {
      return info(c.op.kind).inputs[i] + " is " + to_string(c.in(i)) + ", must be " +
             to_string(row) + ", the last axis of x";
    });
  }
  return c.in(0);
}

/// As many of each row as y states.
Shapes top_k(const Case& c) {
  const Shape &x = c.in(0), &stated = c.stated();
  c.require(
      !x.empty() && stated.size() == x.size() && stated.back() >= 1 && stated.back() <= x.back(),
      [&] {
        return "x is " + to_string(x) + ", y is " + to_string(stated) +
               ", expected as many axes, the last one 1 up to x's";
      });
  Shape y = x;
  y.back() = stated.back();
  return std::vector<Shape>{y, y};
}

Shapes lut(const Case& c) {
  c.require(c.in(1) == Shape{256}, [&] {
    return "table is " + to_string(c.in(1)) + ", must be [256], one entry per value of x";
  });
  return c.in(0);
}

}  // namespace presil::ir::shapes
