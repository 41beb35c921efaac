// Functions of values as seeds.
#include "testbench/fuzz/chain.h"

namespace presil::fuzz {

// Reductions, choices and places.
File reductions() {
  Chain net({1, 6, 6, 8});
  const int x = net.last();
  file::ReducerT keep;
  keep.keep_dims = true;
  net.then(file::Builtin_REDUCE_MAX, {1, 1, 1, 8}, keep, {net.integers({1, 2})});
  net.then(file::Builtin_MAXIMUM, {1, 6, 6, 8}, {x});
  net.then(file::Builtin_REDUCE_MIN, {1, 6, 1, 8}, keep, {net.integers({2})});
  net.then(file::Builtin_MINIMUM, {1, 6, 6, 8}, {x});
  net.then(file::Builtin_SUM, {1, 1, 1, 8}, keep, {net.integers({1, 2})}).quantised(4.0f, -2);
  net.then(file::Builtin_SUM, {1, 1, 1}, file::ReducerT{}, {net.integers({3})});
  net.from(x).type(file::TensorType_Int32);
  net.then(file::Builtin_ARG_MAX, {1, 6, 6}, file::ArgMaxT{}, {net.integers({-1})});
  net.then(file::Builtin_REDUCE_MAX, {1, 6}, file::ReducerT{}, {net.integers({2})});
  net.then(file::Builtin_ARG_MIN, {1}, file::ArgMinT{}, {net.integers({1})});
  return net.bytes();
}

// Functions of one value and of two.
File functions() {
  Chain net({1, 4, 4, 8});
  const int x = net.last();
  net.then(file::Builtin_ELU, {1, 4, 4, 8});
  file::GeluT gelu;
  gelu.approximate = true;
  net.then(file::Builtin_GELU, {1, 4, 4, 8}, gelu);
  net.then(file::Builtin_SQUARED_DIFFERENCE, {1, 4, 4, 8}, {x});
  net.then(file::Builtin_RSQRT, {1, 4, 4, 8});
  net.then(file::Builtin_ABS, {1, 4, 4, 8});
  net.then(file::Builtin_PRELU, {1, 4, 4, 8}, {net.weights({8})});
  net.then(file::Builtin_EXP, {1, 4, 4, 8});
  net.then(file::Builtin_LOG, {1, 4, 4, 8});
  net.then(file::Builtin_SQRT, {1, 4, 4, 8}).quantised(0.5f, 0);
  net.then(file::Builtin_NEG, {1, 4, 4, 8}).quantised(0.5f, 0);
  net.then(file::Builtin_RELU_N1_TO_1, {1, 4, 4, 8});
  net.then(file::Builtin_RELU_0_TO_1, {1, 4, 4, 8});
  return net.bytes();
}

// Comparisons, logic, whole numbers, the largest ones; a sum of several.
File numbers() {
  Chain net({1, 6, 6, 8});
  const int x = net.last();
  const std::pair<file::Builtin, file::Builtin> comparisons[] = {
      {file::Builtin_EQUAL, file::Builtin_LOGICAL_OR},
      {file::Builtin_NOT_EQUAL, file::Builtin_LOGICAL_AND},
      {file::Builtin_GREATER, file::Builtin_LOGICAL_OR},
      {file::Builtin_GREATER_EQUAL, file::Builtin_LOGICAL_AND},
      {file::Builtin_LESS, file::Builtin_LOGICAL_OR},
      {file::Builtin_LESS_EQUAL, file::Builtin_LOGICAL_AND},
  };
  int held = -1;
  for (const auto& [comparison, logic] : comparisons) {
    net.from(x).type(file::TensorType_Bool);
    net.then(comparison, {1, 6, 6, 8}, {x});
    if (held >= 0) net.then(logic, {1, 6, 6, 8}, {held});
    net.then(file::Builtin_LOGICAL_NOT, {1, 6, 6, 8});
    held = net.last();
  }
  net.from(x).type(file::TensorType_Int8);
  net.largest({1, 6, 6, 1}, net.scalar(1));
  net.then(file::Builtin_RESHAPE, {1, 6, 6}, {net.integers({1, 6, 6})});
  const int place = net.last();
  net.then(file::Builtin_FLOOR_DIV, {1, 6, 6}, {net.integers({3})});
  net.then(file::Builtin_FLOOR_MOD, {1, 6, 6}, {net.integers({2})});
  net.then(file::Builtin_ADD_N, {1, 6, 6}, {place, place});
  return net.bytes();
}

// Those that only floats have, and others of floats.
File float_functions() {
  const Shape shape = {2, 3, 8};
  Chain net(shape, file::TensorType_Float32);
  const int x = net.last();
  for (const file::Builtin code :
       {file::Builtin_FLOOR, file::Builtin_CEIL, file::Builtin_ROUND, file::Builtin_SQUARE,
        file::Builtin_SIN, file::Builtin_COS, file::Builtin_EXP, file::Builtin_ELU,
        file::Builtin_TANH, file::Builtin_HARD_SWISH, file::Builtin_RELU_N1_TO_1}) {
    net.then(code, shape);
  }
  net.then(file::Builtin_POW, shape, {x});
  file::DivT div;
  div.activation = file::Fused_Relu6;
  net.then(file::Builtin_DIV, shape, div, {x});
  net.then(file::Builtin_SQUARED_DIFFERENCE, shape, {x});
  net.then(file::Builtin_PRELU, shape, {net.floats({8})});
  net.then(file::Builtin_L2_NORMALIZATION, shape, file::L2NormT{});
  net.then(file::Builtin_LOG_SOFTMAX, shape);
  file::BatchMatMulT transposed;
  transposed.adj_y = true;
  net.then(file::Builtin_BATCH_MATMUL, {2, 3, 3}, transposed, {x});
  net.then(file::Builtin_MEAN, {2, 3}, file::ReducerT{}, {net.integers({2})});
  return net.bytes();
}

// Parts of a tensor, and one of two.
File choices() {
  const Shape shape = {1, 4, 4, 8};
  Chain net(shape);
  const int x = net.last();
  net.type(file::TensorType_Bool).then(file::Builtin_CAST, shape);
  const int condition = net.last();
  net.type(file::TensorType_Int8).from(x).then(file::Builtin_ABS, shape);
  const int other = net.last();
  net.from(condition).then(file::Builtin_SELECT, shape, {x, other});
  const int chosen = net.last();
  file::SplitT split;
  split.results = 1;
  net.from(net.scalar(3)).then(file::Builtin_SPLIT, shape, split, {chosen});
  net.then(file::Builtin_SUM, {1, 4, 8}, file::ReducerT{}, {net.integers({1})}).quantised(2, 0);
  return net.bytes();
}

}  // namespace presil::fuzz
