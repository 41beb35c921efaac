// Functions of numbers as such, as tasks of the ARM: comparisons, logic, whole numbers, the
// largest.
#include <cmath>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;

uint32_t comparison_of(K kind) {
  switch (kind) {
    case K::kEqual:
      return PRESIL_COMPARE_EQUAL;
    case K::kNotEqual:
      return PRESIL_COMPARE_NOT_EQUAL;
    case K::kGreater:
      return PRESIL_COMPARE_GREATER;
    case K::kGreaterEqual:
      return PRESIL_COMPARE_GREATER_EQUAL;
    case K::kLess:
      return PRESIL_COMPARE_LESS;
    default:
      return PRESIL_COMPARE_LESS_EQUAL;
  }
}

layer::HostLayer compare(ir::Graph& graph, const ir::Op& op) {
  presil_compare_attributes p{};
  p.function = comparison_of(op.kind);
  const ir::Tensor &a = graph.tensor(op.input(0)), &b = graph.tensor(op.input(1));
  if (a.dtype == ir::DType::kInt8) {
    p.scaled = 1;
    p.a_zero = a.quantization.zero_point(), p.b_zero = b.quantization.zero_point();
    const auto fixed_a = common::fixed_point(op, static_cast<double>(a.quantization.scale()));
    const auto fixed_b = common::fixed_point(op, static_cast<double>(b.quantization.scale()));
    p.a_mult = fixed_a.multiplier, p.a_shift = fixed_a.shift;
    p.b_mult = fixed_b.multiplier, p.b_shift = fixed_b.shift;
  }
  return {PRESIL_KERNEL_COMPARE, op.inputs, {}, bytes_of(p)};
}

// Not x: x is unlike true.
layer::HostLayer logical_not(ir::Graph& graph, const ir::Op& op) {
  presil_compare_attributes p{};
  p.function = PRESIL_COMPARE_NOT_EQUAL;
  const ir::TensorId yes = add_constant(graph, graph.tensor(op.output()).name + "/true",
                                        ir::DType::kBool, {}, std::vector<uint8_t>{1});
  return {PRESIL_KERNEL_COMPARE, {op.input(0), yes}, {}, bytes_of(p)};
}

uint32_t pair_of(K kind) {
  switch (kind) {
    case K::kMaximum:
      return PRESIL_PAIR_MAXIMUM;
    case K::kMinimum:
      return PRESIL_PAIR_MINIMUM;
    case K::kFloorDiv:
      return PRESIL_PAIR_FLOOR_DIV;
    case K::kFloorMod:
      return PRESIL_PAIR_FLOOR_MOD;
    case K::kLogicalAnd:
      return PRESIL_PAIR_AND;
    case K::kLogicalOr:
      return PRESIL_PAIR_OR;
    case K::kSub:
      return PRESIL_PAIR_SUB;
    case K::kMul:
      return PRESIL_PAIR_MUL;
    default:
      return PRESIL_PAIR_ADD;
  }
}

layer::HostLayer pair(ir::Graph& graph, const ir::Op& op) {
  return is_float(graph, op) ? pair_float(graph, op) : pair_whole(graph, op);
}

layer::HostLayer reduce(ir::Graph& graph, const ir::Op& op) {
  return is_float(graph, op) ? reduce_float(graph, op) : reduce_whole(graph, op);
}

layer::HostLayer reduce_prod(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  if (!x.quantization.present()) return reduce(graph, op);
  const auto factors = static_cast<double>(x.elements() / y.elements());
  const double root = std::pow(static_cast<double>(y.quantization.scale()), 1 / factors);
  const common::FixedPoint scale =
      common::fixed_point(op, static_cast<double>(x.quantization.scale()) / root);
  presil_mean_attributes a{};
  for (const int64_t axis : op.as<ir::Reduce>().axes) a.axes |= 1u << axis;
  a.rule = PRESIL_RULE_WIDE;
  a.multiplier = scale.multiplier, a.shift = scale.shift;
  a.in_zero = x.quantization.zero_point(), a.out_zero = y.quantization.zero_point();
  const common::Clamp whole = common::range_of(y.dtype);
  a.act_min = whole.min, a.act_max = whole.max;
  return {PRESIL_KERNEL_REDUCE_PROD, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer arg(ir::Graph&, const ir::Op& op) {
  const presil_arg_attributes a{static_cast<uint32_t>(op.as<ir::Arg>().axis),
                                op.kind == K::kArgMin ? 1u : 0u};
  return {PRESIL_KERNEL_ARG, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer top_k(ir::Graph&, const ir::Op& op) {
  return {PRESIL_KERNEL_TOP_K, op.inputs, {}, {}};
}

layer::HostLayer cumsum(ir::Graph& graph, const ir::Op& op) {
  const auto& c = op.as<ir::Cumsum>();
  presil_cumsum_attributes a{};
  a.axis = static_cast<uint32_t>(c.axis), a.exclusive = c.exclusive, a.reverse = c.reverse;
  const ir::Quantization& qx = graph.tensor(op.input(0)).quantization;
  const ir::Quantization& qy = graph.tensor(op.output()).quantization;
  if (graph.tensor(op.output()).dtype == ir::DType::kInt8) {
    const double steps = std::ldexp(static_cast<double>(qy.scale()), 20);
    const auto scale = common::fixed_point(op, 2 * static_cast<double>(qx.scale()) / steps);
    a.in_zero = qx.zero_point(), a.out_zero = qy.zero_point();
    a.multiplier = scale.multiplier, a.shift = scale.shift;
  }
  return {PRESIL_KERNEL_CUMSUM, op.inputs, {}, bytes_of(a)};
}

}  // namespace

layer::HostLayer pair_whole(ir::Graph&, const ir::Op& op) {
  const presil_pair_attributes a{pair_of(op.kind)};
  return {PRESIL_KERNEL_PAIR, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer reduce_whole(ir::Graph&, const ir::Op& op) {
  const uint32_t function = op.kind == K::kSum          ? PRESIL_REDUCE_SUM
                            : op.kind == K::kReduceMax  ? PRESIL_REDUCE_MAX
                            : op.kind == K::kReduceProd ? PRESIL_REDUCE_PROD
                                                        : PRESIL_REDUCE_MIN;
  uint32_t axes = 0;
  for (const int64_t axis : op.as<ir::Reduce>().axes) axes |= 1u << axis;
  const presil_reduce_attributes a{axes, function};
  return {PRESIL_KERNEL_REDUCE, op.inputs, {}, bytes_of(a)};
}

std::vector<Lowering> number_lowerings() {
  return {
      {K::kMaximum, pair},         {K::kMinimum, pair},
      {K::kFloorDiv, pair},        {K::kFloorMod, pair},
      {K::kReduceMax, reduce},     {K::kReduceMin, reduce},
      {K::kArgMax, arg},           {K::kArgMin, arg},
      {K::kTopK, top_k},           {K::kEqual, compare},
      {K::kNotEqual, compare},     {K::kGreater, compare},
      {K::kGreaterEqual, compare}, {K::kLess, compare},
      {K::kLessEqual, compare},    {K::kLogicalAnd, pair},
      {K::kLogicalOr, pair},       {K::kLogicalNot, logical_not},
      {K::kCumsum, cumsum},        {K::kReduceProd, reduce_prod},
  };
}

}  // namespace presil::partition
