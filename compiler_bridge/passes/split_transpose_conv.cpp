// A transposed convolution becomes one convolution for each phase of its result.
//
//   before   y = transpose_conv2d(x, w, b){stride 2x2}     after   p0 = conv2d(x, w0, b) ... p3
//                                                                  y = interleave(p0 .. p3)
//
// Why: of a stride of s, every s-th row of y is a convolution of x with every s-th row of the
// kernel, backwards. So no zero is put between the pixels of x and none is multiplied, and engines
// write the phases where they belong.
//
// One axis: y[Y] = sum over i, k with i * s + k - pad = Y of x[i] * w[k]. For Y = o * s + phase let
// phase + pad = q * s + r. Then k = r + s * j with 0 <= j < J = ceil((kernel - r) / s), and
// i = o + q - j: tap t = J - 1 - j of a convolution reads x[o + t - (J - 1 - q)], which is padded
// by J - 1 - q. Where that is negative, or the convolution would have more rows than the phase,
// taps of zero stand before or after; so does the one tap of a phase without any (J = 0). Of
// floats the sums would have another order: they stay as they are.
#include <algorithm>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

/// One phase along one axis as a convolution: out = before + in + after - taps.size() + 1.
struct Axis {
  std::vector<int64_t> taps;  ///< of the kernel, by tap of the convolution; -1: zero
  int64_t before = 0, after = 0;
  int64_t out = 0;
};

Axis axis_of(int64_t phase, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t pad) {
  const int64_t q = (phase + pad) / stride, r = (phase + pad) % stride;
  Axis axis;
  axis.out = (out - phase + stride - 1) / stride;
  for (int64_t k = r; k < kernel; k += stride) axis.taps.insert(axis.taps.begin(), k);
  if (axis.taps.empty()) axis.taps.push_back(-1);
  axis.before = static_cast<int64_t>(axis.taps.size()) - 1 - q;
  for (; axis.before < 0; ++axis.before) axis.taps.insert(axis.taps.begin(), -1);
  axis.after = axis.out - axis.before - in + static_cast<int64_t>(axis.taps.size()) - 1;
  for (; axis.after < 0; ++axis.after) axis.taps.push_back(-1);
  return axis;
}

/// [out][rows.taps][columns.taps][in], zero points where there is no tap.
ir::Tensor pick(const ir::Tensor& weights, const Axis& rows, const Axis& columns) {
  const auto& shape = weights.shape;
  const auto channels = static_cast<size_t>(shape[3]);
  ir::Tensor picked = weights;
  picked.shape = {shape[0], static_cast<int64_t>(rows.taps.size()),
                  static_cast<int64_t>(columns.taps.size()), shape[3]};
  ir::Bytes bytes(picked.bytes(), static_cast<uint8_t>(weights.quantization.zero_points[0]));
  uint8_t* to = bytes.data();
  for (int64_t k = 0; k < shape[0]; ++k) {
    for (const int64_t ky : rows.taps) {
      for (const int64_t kx : columns.taps) {
        const int64_t from = ((k * shape[1] + ky) * shape[2] + kx) * shape[3];
        if (ky >= 0 && kx >= 0) std::copy_n(weights.data->data() + from, channels, to);
        to += channels;
      }
    }
  }
  picked.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return picked;
}

/// The convolution that makes one phase; `output` is its tensor, or kAbsent: a new one.
ir::Op phase_of(ir::Graph& graph, const ir::Op& op, const Axis& rows, const Axis& columns,
                ir::TensorId output) {
  if (output == ir::kAbsent) {
    ir::Tensor tensor = graph.tensor(op.output());
    tensor.name += "/phase";
    tensor.shape[1] = rows.out, tensor.shape[2] = columns.out;
    output = graph.add(std::move(tensor));
  }
  ir::Conv2d conv;
  conv.pad_top = static_cast<int>(rows.before), conv.pad_bottom = static_cast<int>(rows.after);
  conv.pad_left = static_cast<int>(columns.before);
  conv.pad_right = static_cast<int>(columns.after);
  conv.act = op.as<ir::TransposeConv2d>().act;
  ir::Op phase{ir::OpKind::kConv2d, op.name, op.inputs, {output}, conv, op.source_ops};
  phase.inputs[1] = graph.add(pick(graph.tensor(op.input(1)), rows, columns));
  return phase;
}

std::vector<ir::Op> split(ir::Graph& graph, const ir::Op& op) {
  const auto& a = op.as<ir::TransposeConv2d>();
  const std::vector<int64_t> x = graph.tensor(op.input(0)).shape;
  const std::vector<int64_t> w = graph.tensor(op.input(1)).shape;
  const std::vector<int64_t> y = graph.tensor(op.output()).shape;
  // A phase that y has no row of is none.
  const auto phases_h = std::min<int64_t>(a.stride_h, y[1]);
  const auto phases_w = std::min<int64_t>(a.stride_w, y[2]);
  const bool whole = phases_h * phases_w == 1;
  std::vector<ir::Op> ops;
  ir::Op interleave{ir::OpKind::kInterleave, op.name, {}, op.outputs, {}, op.source_ops};
  for (int64_t i = 0; i < phases_h; ++i) {
    const Axis rows = axis_of(i, x[1], y[1], w[1], a.stride_h, a.pad_top);
    for (int64_t j = 0; j < phases_w; ++j) {
      const Axis columns = axis_of(j, x[2], y[2], w[2], a.stride_w, a.pad_left);
      ops.push_back(phase_of(graph, op, rows, columns, whole ? op.output() : ir::kAbsent));
      interleave.inputs.push_back(ops.back().output());
    }
  }
  if (whole) return ops;
  interleave.attributes = ir::Interleave{static_cast<int>(phases_h), static_cast<int>(phases_w)};
  ops.push_back(std::move(interleave));
  return ops;
}

}  // namespace

int split_transpose_conv(ir::Graph& graph) {
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const ir::Op op = graph.ops[i];
    if (op.kind != ir::OpKind::kTransposeConv2d) continue;
    if (graph.tensor(op.output()).dtype == ir::DType::kFloat32) continue;
    const auto& a = op.as<ir::TransposeConv2d>();
    if (int64_t{a.stride_h} * a.stride_w > kMostPhases) continue;
    // Rounded otherwise than a convolution.
    if (common::product_rule(graph, op) == common::ProductRule::kDoubleUp) continue;
    const std::vector<ir::Op> ops = split(graph, op);
    graph.ops.erase(graph.ops.begin() + static_cast<ptrdiff_t>(i));
    graph.ops.insert(graph.ops.begin() + static_cast<ptrdiff_t>(i), ops.begin(), ops.end());
    ++done;
  }
  return done;
}

}  // namespace presil::passes
