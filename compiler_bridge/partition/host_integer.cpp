// Operators on stored integers as tasks of the ARM.
#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;

layer::HostLayer rescale(ir::Graph&, const ir::Op& op) {
  const auto& r = op.as<ir::Rescale>();
  const presil_rescale_attributes a{r.in_zero, r.out_zero, r.round_twice, r.in_unsigned,
                                    r.out_unsigned};
  return {PRESIL_KERNEL_RESCALE, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer conv_sums(ir::Graph&, const ir::Op& op) {
  const auto& c = op.as<ir::ConvSums>();
  presil_conv_sums_attributes a{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, 0, 0, 0};
  const size_t space = c.stride.size();
  for (size_t i = 0; i < space; ++i) {
    a.stride[3 - space + i] = static_cast<uint32_t>(c.stride[i]);
    a.dilation[3 - space + i] = static_cast<uint32_t>(c.dilation[i]);
    a.before[3 - space + i] = static_cast<int32_t>(c.before[i]);
  }
  a.in_zero = c.in_zero, a.weight_zero = c.weight_zero;
  a.depthwise = c.depthwise, a.transposed = c.transposed;
  return {PRESIL_KERNEL_CONV_SUMS, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer matmul_sums(ir::Graph&, const ir::Op& op) {
  const auto& m = op.as<ir::MatmulSums>();
  const presil_matmul_sums_attributes a{m.a_zero, m.b_zero};
  return {PRESIL_KERNEL_MATMUL_SUMS, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer mean_pool(ir::Graph&, const ir::Op& op) {
  const auto& p = op.as<ir::MeanPool>();
  const auto u = [](int value) { return static_cast<uint32_t>(value); };
  const presil_mean_pool_attributes a{u(p.kernel_h), u(p.kernel_w), u(p.stride_h), u(p.stride_w),
                                      u(p.pad_top),  u(p.pad_left), p.in_zero,     p.out_zero};
  return {PRESIL_KERNEL_MEAN_POOL, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer resize_by_ratio(ir::Graph&, const ir::Op& op) {
  const auto& r = op.as<ir::ResizeByRatio>();
  const auto u = [](int64_t value) { return static_cast<uint32_t>(value); };
  const presil_resize_by_ratio_attributes a{u(r.scale[0]),
                                            u(r.scale[1]),
                                            u(r.scale[2]),
                                            u(r.scale[3]),
                                            static_cast<int32_t>(r.offset[0]),
                                            static_cast<int32_t>(r.offset[1]),
                                            r.nearest};
  return {PRESIL_KERNEL_RESIZE_BY_RATIO, op.inputs, {}, bytes_of(a)};
}

template <uint32_t Kernel>
layer::HostLayer plain(ir::Graph&, const ir::Op& op) {
  return {Kernel, op.inputs, {}, {}};
}

template <uint32_t Function>
layer::HostLayer pair(ir::Graph&, const ir::Op& op) {
  const presil_pair_attributes a{Function};
  return {PRESIL_KERNEL_PAIR, op.inputs, {}, bytes_of(a)};
}

template <uint32_t Function>
layer::HostLayer bits(ir::Graph&, const ir::Op& op) {
  const presil_bits_attributes a{Function, 0};
  return {PRESIL_KERNEL_BITS, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer shift_right(ir::Graph&, const ir::Op& op) {
  const presil_bits_attributes a{op.as<ir::ShiftRight>().round
                                     ? uint32_t{PRESIL_BITS_SHIFT_RIGHT_ROUND}
                                     : uint32_t{PRESIL_BITS_SHIFT_RIGHT},
                                 0};
  return {PRESIL_KERNEL_BITS, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer mul_shift(ir::Graph&, const ir::Op& op) {
  const presil_bits_attributes a{PRESIL_BITS_MUL_SHIFT,
                                 static_cast<uint32_t>(op.as<ir::MulShift>().shift)};
  return {PRESIL_KERNEL_BITS, op.inputs, {}, bytes_of(a)};
}

}  // namespace

std::vector<Lowering> integer_lowerings() {
  return {
      {K::kRescale, rescale},
      {K::kConvSums, conv_sums},
      {K::kMatmulSums, matmul_sums},
      {K::kMeanPool, mean_pool},
      {K::kResizeByRatio, resize_by_ratio},
      {K::kTableBetween, plain<PRESIL_KERNEL_TABLE_BETWEEN>},
      {K::kScatter, plain<PRESIL_KERNEL_SCATTER>},
      {K::kLeadingZeros, plain<PRESIL_KERNEL_LEADING_ZEROS>},
      {K::kBitwiseAnd, pair<PRESIL_PAIR_AND>},
      {K::kBitwiseOr, pair<PRESIL_PAIR_OR>},
      {K::kBitwiseXor, bits<PRESIL_BITS_XOR>},
      {K::kShiftLeft, bits<PRESIL_BITS_SHIFT_LEFT>},
      {K::kShiftRight, shift_right},
      {K::kShiftRightLogical, bits<PRESIL_BITS_SHIFT_RIGHT_LOGICAL>},
      {K::kIntDiv, bits<PRESIL_BITS_DIV>},
      {K::kMulShift, mul_shift},
  };
}

}  // namespace presil::partition
