// Shapes of products of matrices and what is made of them.
#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {

Shapes fully_connected(const Case& c) {
  c.require_rank(1, 2);
  const Shape& w = c.in(1);
  const int64_t count = elements(c.in(0));
  c.require(count % w[1] == 0, [&] {
    return "x is " + to_string(c.in(0)) + ", must have rows of " + text(w[1]) +
           " values as weights " + to_string(w) + " say";
  });
  require_bias(c, w[0]);
  const Shape& y = c.stated();
  c.require(!y.empty() && y.back() == w[0] && elements(y) == count / w[1] * w[0], [&] {
    return "y is " + to_string(y) + ", must have " + text(count / w[1]) + " rows of " + text(w[0]);
  });
  return y;
}

Shapes batch_matmul(const Case& c) {
  const auto& m = c.op.as<BatchMatmul>();
  const Shape &a = c.in(0), &b = c.in(1);
  c.require(a.size() >= 2 && b.size() >= 2, [&] {
    return "a is " + to_string(a) + ", b is " + to_string(b) +
           ", must be matrices: at least 2 axes";
  });
  const auto axis = [](const Shape& shape, size_t back) { return shape[shape.size() - back]; };
  const int64_t terms = axis(a, m.transpose_a ? 2 : 1), expected = axis(b, m.transpose_b ? 1 : 2);
  c.require(terms == expected, [&] {
    return "a is " + to_string(a) + (m.transpose_a ? " transposed" : "") + ", b is " +
           to_string(b) + (m.transpose_b ? " transposed" : "") + ": rows of a have " + text(terms) +
           " values, columns of b " + text(expected) + ", expected as many";
  });
  Shape y = broadcast(c, Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
  y.push_back(axis(a, m.transpose_a ? 1 : 2));
  y.push_back(axis(b, m.transpose_b ? 2 : 1));
  return y;
}

Shapes lstm(const Case& c) {
  c.require_rank(0, 3), c.require_rank(1, 2);
  const Shape& x = c.in(0);
  const int64_t units = c.in(1)[0], batch = c.op.as<Lstm>().time_major ? x[1] : x[0];
  const Shape state = {batch, units};
  for (size_t i = 1; i < c.op.inputs.size(); ++i) {
    if (!c.has(i)) continue;
    const Shape expected = i <= 4    ? Shape{units, x[2]}
                           : i <= 8  ? Shape{units, units}
                           : i <= 12 ? Shape{units}
                                     : state;
    c.require(c.in(i) == expected, [&] {
      return info(c.op.kind).inputs[i] + " is " + to_string(c.in(i)) + ", must be " +
             to_string(expected) + ": " + text(units) + " units, x " + to_string(x);
    });
  }
  return std::vector<Shape>{{x[0], x[1], units}, state, state};
}

}  // namespace presil::ir::shapes
