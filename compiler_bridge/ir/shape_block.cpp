// Shapes of what moves blocks of pixels between space, channels and batch.
#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {
namespace {

int64_t block_of(const Case& c) {
  const int64_t block = c.op.as<Blocks>().block;
  c.require_rank(0, 4);
  c.require(block >= 1 && block <= (1 << 15),
            [&] { return "block is " + text(block) + ", must be 1..32768"; });
  return block;
}

/// One entry of each list per axis of a block; the axes exist.
void check_blocks(const Case& c) {
  const auto& a = c.op.as<BatchBlocks>();
  const Shape& x = c.in(0);
  const size_t axes = a.block.size();
  c.require(axes >= 1 && axes < x.size() && a.before.size() == axes && a.after.size() == axes, [&] {
    return "block is " + to_string(a.block) + ", before " + to_string(a.before) + ", after " +
           to_string(a.after) + ", expected as many entries each, for axes of x " + to_string(x) +
           " from axis 1 on";
  });
  for (size_t i = 0; i < axes; ++i) {
    constexpr int64_t kMost = 1 << 24;
    c.require(a.block[i] >= 1 && a.block[i] <= kMost && a.before[i] >= 0 && a.before[i] <= kMost &&
                  a.after[i] >= 0 && a.after[i] <= kMost,
              [&] {
                return "axis " + text(static_cast<int64_t>(i)) + " has blocks of " +
                       text(a.block[i]) + ", " + text(a.before[i]) + " before and " +
                       text(a.after[i]) + " after, blocks must be 1 or more, padding 0 or more";
              });
  }
}

}  // namespace

Shapes space_to_depth(const Case& c) {
  const int64_t block = block_of(c);
  const Shape& x = c.in(0);
  c.require(x[1] % block == 0 && x[2] % block == 0, [&] {
    return "x is " + to_string(x) + ", must have rows and columns in blocks of " + text(block);
  });
  return Shape{x[0], x[1] / block, x[2] / block, x[3] * block * block};
}

Shapes depth_to_space(const Case& c) {
  const int64_t block = block_of(c);
  const Shape& x = c.in(0);
  c.require(x[3] % (block * block) == 0, [&] {
    return "x is " + to_string(x) + ", must be a multiple of " + text(block * block) +
           " channels for blocks of " + text(block);
  });
  return Shape{x[0], x[1] * block, x[2] * block, x[3] / (block * block)};
}

Shapes space_to_batch(const Case& c) {
  check_blocks(c);
  const auto& a = c.op.as<BatchBlocks>();
  Shape y = c.in(0);
  for (size_t i = 0; i < a.block.size(); ++i) {
    const int64_t wide = a.before[i] + y[i + 1] + a.after[i];
    c.require(wide % a.block[i] == 0, [&] {
      return "axis " + text(static_cast<int64_t>(i) + 1) + " is " + text(wide) +
             " with its padding, must be a multiple of the block " + text(a.block[i]);
    });
    y[i + 1] = wide / a.block[i];
    c.require(y[0] <= (int64_t{1} << 40) / a.block[i],
              [&] { return "the batch grows by blocks " + to_string(a.block) + " beyond 2^40"; });
    y[0] *= a.block[i];
  }
  return y;
}

Shapes batch_to_space(const Case& c) {
  check_blocks(c);
  const auto& a = c.op.as<BatchBlocks>();
  Shape y = c.in(0);
  for (size_t i = 0; i < a.block.size(); ++i) {
    c.require(y[0] % a.block[i] == 0, [&] {
      return "x is " + to_string(c.in(0)) +
             ", must have a batch that is a multiple of the blocks " + to_string(a.block);
    });
    y[0] /= a.block[i];
    y[i + 1] = y[i + 1] * a.block[i] - a.before[i] - a.after[i];
    c.require(y[i + 1] >= 1, [&] {
      return "axis " + text(static_cast<int64_t>(i) + 1) + " loses " + text(a.before[i]) + " and " +
             text(a.after[i]) + " of its elements, nothing is left";
    });
  }
  return y;
}

}  // namespace presil::ir::shapes
