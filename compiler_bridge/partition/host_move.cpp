// What only moves values, as tasks of the ARM.
#include <algorithm>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "compiler_bridge/passes/int8_table.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

layer::HostLayer interleave(ir::Graph&, const ir::Op& op) {
  const auto& i = op.as<ir::Interleave>();
  const presil_interleave_attributes a{static_cast<uint32_t>(i.stride_h),
                                       static_cast<uint32_t>(i.stride_w)};
  return {PRESIL_KERNEL_INTERLEAVE, op.inputs, {}, bytes_of(a)};
}

// Where an input's meaning differs from y's, or the op clamps, every value goes through a table.
layer::HostLayer concat(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor y = graph.tensor(op.output());
  const ir::Activation act = op.as<ir::Concat>().act;
  const common::Clamp clamp = common::clamp_of(act, y, graph.numerics);
  presil_concat_attributes a{};
  a.axis = static_cast<uint32_t>(op.as<ir::Concat>().axis);
  a.requantise = act != ir::Activation::kNone ? 1 : 0;
  std::vector<int8_t> tables;
  for (const ir::TensorId x : op.inputs) {
    if (graph.tensor(x).quantization != y.quantization) a.requantise = 1;
    for (const int32_t value : passes::concat_table(graph, op, x)) {
      tables.push_back(static_cast<int8_t>(std::clamp(value, clamp.min, clamp.max)));
    }
  }
  layer::HostLayer layer{PRESIL_KERNEL_CONCAT, op.inputs, {}, bytes_of(a)};
  if (a.requantise != 0) {
    layer.inputs.push_back(add_constant(graph, y.name + "/tables", ir::DType::kInt8,
                                        {static_cast<int64_t>(op.inputs.size()), 256}, tables));
  }
  return layer;
}

layer::HostLayer pad(ir::Graph&, const ir::Op& op) {
  const auto& p = op.as<ir::Pad>();
  presil_pad_attributes a{};
  std::transform(p.before.begin(), p.before.end(), a.before,
                 [](int64_t n) { return static_cast<uint32_t>(n); });
  a.value = p.value;
  return {PRESIL_KERNEL_PAD, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer transpose(ir::Graph&, const ir::Op& op) {
  presil_transpose_attributes a{};
  const auto& perm = op.as<ir::Transpose>().perm;
  std::transform(perm.begin(), perm.end(), a.perm,
                 [](int64_t axis) { return static_cast<uint32_t>(axis); });
  return {PRESIL_KERNEL_TRANSPOSE, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer strided_slice(ir::Graph&, const ir::Op& op) {
  const auto& s = op.as<ir::StridedSlice>();
  presil_strided_slice_attributes a{};
  const auto narrow = [](int64_t n) { return static_cast<int32_t>(n); };
  std::transform(s.begin.begin(), s.begin.end(), a.begin, narrow);
  std::transform(s.size.begin(), s.size.end(), a.size, narrow);
  std::transform(s.step.begin(), s.step.end(), a.step, narrow);
  return {PRESIL_KERNEL_STRIDED_SLICE, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer mirror_pad(ir::Graph&, const ir::Op& op) {
  const auto& p = op.as<ir::MirrorPad>();
  presil_mirror_pad_attributes a{};
  std::transform(p.before.begin(), p.before.end(), a.before,
                 [](int64_t n) { return static_cast<uint32_t>(n); });
  a.symmetric = p.symmetric ? 1 : 0;
  return {PRESIL_KERNEL_MIRROR_PAD, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer gather(ir::Graph&, const ir::Op& op) {
  const auto& g = op.as<ir::Gather>();
  const presil_gather_attributes a{static_cast<uint32_t>(g.axis),
                                   static_cast<uint32_t>(g.batch_dims)};
  return {PRESIL_KERNEL_GATHER, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer one_hot(ir::Graph&, const ir::Op& op) {
  const presil_one_hot_attributes a{static_cast<uint32_t>(op.as<ir::OneHot>().axis)};
  return {PRESIL_KERNEL_ONE_HOT, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer reverse_sequence(ir::Graph&, const ir::Op& op) {
  const auto& r = op.as<ir::ReverseSequence>();
  const presil_reverse_sequence_attributes a{static_cast<uint32_t>(r.axis),
                                             static_cast<uint32_t>(r.batch_axis)};
  return {PRESIL_KERNEL_REVERSE_SEQUENCE, op.inputs, {}, bytes_of(a)};
}

/// Kernels whose tensors say everything.
template <uint32_t kernel>
layer::HostLayer plain(ir::Graph&, const ir::Op& op) {
  return {kernel, op.inputs, {}, {}};
}

}  // namespace

std::vector<Lowering> move_lowerings() {
  using K = ir::OpKind;
  return {
      {K::kReshape, plain<PRESIL_KERNEL_COPY>},
      {K::kConcat, concat},
      {K::kInterleave, interleave},
      {K::kPad, pad},
      {K::kTranspose, transpose},
      {K::kStridedSlice, strided_slice},
      {K::kTile, plain<PRESIL_KERNEL_TILE>},
      {K::kMirrorPad, mirror_pad},
      {K::kGather, gather},
      {K::kGatherNd, plain<PRESIL_KERNEL_GATHER_ND>},
      {K::kSelect, plain<PRESIL_KERNEL_SELECT>},
      {K::kOneHot, one_hot},
      {K::kReverseSequence, reverse_sequence},
      {K::kCast, plain<PRESIL_KERNEL_CAST>},
  };
}

}  // namespace presil::partition
