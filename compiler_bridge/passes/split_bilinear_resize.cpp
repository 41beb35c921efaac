// Values between pixels of an image 2 or 4 times as large become a depthwise convolution for each
// phase.
//
//   before   y = resize_bilinear(x){half_pixel_centers}   [1,h,w,c] to [1,2h,2w,c]
//   after    r = mirror_pad(x)                            [1,h+2,w+2,c]: pixels at the edges twice
//            p0 .. p3 = depthwise_conv2d(r, w0 .. w3, b)  3 x 3, [1,h,w,c] each
//            t = interleave(p0 .. p3)   y = lut(t, identity)
//
// Why: pixels of y that are as many apart lie alike between those of x. The DLA takes a cycle for
// 16 values of a phase and writes it where it belongs, the DSP about one for each value.
//
// One axis, r times as long: pixel i of phase p lies t = (2 p + 1 - r) / 2r (else p / r) after
// pixel i of x, between it and a neighbour. Both axes: weights sum to `kTotals`, of which a sum of
// values is rounded once, for weights are even: ties away from zero (tflite), or up (xnnpack), by
// one more than a sum that is a tie. Both are of values as they are stored: zero points are 0, the
// bias brings x's back, and the table at the end y's. It costs nothing: lift_lut puts it after the
// convolutions.
#include <cstring>
#include <numeric>
#include <optional>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

constexpr int64_t kTotals[] = {64, 128};  // of the weights of a phase
constexpr int64_t kMostWeight = 127;
/// Of a row: of fewer, the padding takes longer than the resize.
constexpr int64_t kFewestBytes = 64;

/// What all phases of an axis have in common, and their weights in 1 / unit.
struct Axis {
  int64_t unit = 1, before = 0, after = 0;
  std::vector<Shape> phases = {{1}};
};

std::optional<Axis> axis_of(int64_t in, int64_t out, bool half) {
  const int64_t ratio = in > 0 && out % in == 0 ? out / in : 0;
  if (ratio == 1) return Axis();
  if (ratio != 2 && ratio != 4) return std::nullopt;
  Axis axis{half ? 2 * ratio : ratio, half ? 1 : 0, 1, {}};
  for (int64_t p = 0; p < ratio; ++p) {
    const int64_t after = half ? 2 * p + 1 - ratio : p;
    Shape taps = {axis.unit - std::abs(after), std::max<int64_t>(after, 0)};
    if (half) taps.insert(taps.begin(), std::max<int64_t>(-after, 0));
    axis.phases.push_back(std::move(taps));
  }
  return axis;
}

/// What all phases share.
struct Phases {
  Axis rows, columns;
  int64_t total = 0;  ///< of the weights
};

std::optional<Phases> phases_of(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != K::kResizeBilinear || graph.numerics == ir::Numerics::kOnnx) return std::nullopt;
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const auto& a = op.as<ir::Resize>();
  if (x.dtype != ir::DType::kInt8 || x.is_constant() || a.align_corners) return std::nullopt;
  if (x.shape[2] * x.shape[3] < kFewestBytes || x.shape == y.shape) return std::nullopt;
  const auto rows = axis_of(x.shape[1], y.shape[1], a.half_pixel_centers);
  const auto columns = axis_of(x.shape[2], y.shape[2], a.half_pixel_centers);
  if (!rows || !columns) return std::nullopt;
  const auto most = [](const Axis& axis) {
    int64_t weight = 0;
    for (const Shape& taps : axis.phases) {
      for (const int64_t tap : taps) weight = std::max(weight, tap);
    }
    return weight;
  };
  const int64_t unit = rows->unit * columns->unit, weight = most(*rows) * most(*columns);
  for (const int64_t total : kTotals) {
    const int64_t by = total / unit;
    if (by >= 2 && by * weight <= kMostWeight) return Phases{*rows, *columns, total};
  }
  return std::nullopt;
}

class Splitter {
 public:
  Splitter(ir::Graph& graph, const ir::Op& op, Phases phases)
      : m_graph(graph), m_op(op), m_phases(std::move(phases)) {}

  std::vector<ir::Op> run() {
    const Axis &rows = m_phases.rows, &columns = m_phases.columns;
    const ir::TensorId padded = pad(), bias = add_bias();
    std::vector<ir::TensorId> parts;
    for (const Shape& down : rows.phases) {
      for (const Shape& across : columns.phases) parts.push_back(part(padded, bias, down, across));
    }
    const ir::Interleave how{static_cast<int>(rows.phases.size()),
                             static_cast<int>(columns.phases.size())};
    const ir::TensorId y = m_op.output();
    const ir::TensorId whole = add("/between", m_graph.tensor(y).shape);
    m_ops.push_back({K::kInterleave, m_op.name, parts, {whole}, how, m_op.source_ops});
    Int8Table identity;
    std::iota(identity.begin(), identity.begin() + 128, int8_t{0});  // by the value as uint8
    std::iota(identity.begin() + 128, identity.end(), int8_t{-128});
    const ir::TensorId table = add_table(m_graph, y, identity);
    m_ops.push_back({K::kLut, m_op.name, {whole, table}, {y}, ir::None{}, m_op.source_ops});
    return std::move(m_ops);
  }

 private:
  const ir::Tensor& x() const { return m_graph.tensor(m_op.input(0)); }

  /// In steps of x from 0 on.
  ir::TensorId add(const char* suffix, Shape shape) {
    ir::Tensor made = m_graph.tensor(m_op.output());
    made.name += suffix;
    made.shape = std::move(shape);
    made.quantization.zero_points = {0};
    return m_graph.add(std::move(made));
  }

  ir::TensorId pad() {
    const Axis &rows = m_phases.rows, &columns = m_phases.columns;
    ir::Tensor padded = x();
    padded.name += "/edges";
    padded.shape[1] += rows.before + rows.after;
    padded.shape[2] += columns.before + columns.after;
    const ir::TensorId id = m_graph.add(std::move(padded));
    ir::MirrorPad how;
    how.before = {0, rows.before, columns.before, 0};
    how.after = {0, rows.after, columns.after, 0};
    how.symmetric = true;
    m_ops.push_back({K::kMirrorPad, m_op.name, {m_op.input(0)}, {id}, how, m_op.source_ops});
    return id;
  }

  float step() const { return 1.0f / static_cast<float>(m_phases.total); }

  ir::TensorId add_bias() {
    const auto channels = static_cast<size_t>(x().shape[3]);
    const int64_t more = ir::by_fixed_point(m_graph.numerics) ? 0 : 1;
    const auto value = static_cast<int32_t>(x().quantization.zero_point() * m_phases.total + more);
    ir::Bytes bytes(channels * sizeof value);
    for (size_t i = 0; i < channels; ++i) {
      std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
    ir::Tensor bias;
    bias.name = m_op.name + "/bias";
    bias.dtype = ir::DType::kInt32;
    bias.shape = {x().shape[3]};
    bias.quantization.scales = {x().quantization.scale() * step()};
    bias.quantization.zero_points = {0};
    bias.data = std::make_shared<const ir::Bytes>(std::move(bytes));
    return m_graph.add(std::move(bias));
  }

  ir::TensorId part(ir::TensorId padded, ir::TensorId bias, const Shape& down,
                    const Shape& across) {
    const auto channels = static_cast<size_t>(x().shape[3]);
    const int64_t by = m_phases.total / (m_phases.rows.unit * m_phases.columns.unit);
    ir::Bytes bytes;
    for (const int64_t row : down) {
      for (const int64_t column : across) {
        bytes.insert(bytes.end(), channels, static_cast<uint8_t>(by * row * column));
      }
    }
    ir::Tensor weights;
    weights.name = m_op.name + "/weights";
    weights.dtype = ir::DType::kInt8;
    weights.shape = {1, static_cast<int64_t>(down.size()), static_cast<int64_t>(across.size()),
                     x().shape[3]};
    weights.quantization.scales = {step()};
    weights.quantization.zero_points = {0};
    weights.data = std::make_shared<const ir::Bytes>(std::move(bytes));
    const ir::TensorId w = m_graph.add(std::move(weights)), y = add("/phase", x().shape);
    m_ops.push_back({K::kDepthwiseConv2d,
                     m_op.name,
                     {padded, w, bias},
                     {y},
                     ir::DepthwiseConv2d{},
                     m_op.source_ops});
    return y;
  }

  ir::Graph& m_graph;
  const ir::Op m_op;
  const Phases m_phases;
  std::vector<ir::Op> m_ops;
};

}  // namespace

int split_bilinear_resize(ir::Graph& graph) {
  int done = 0;
  std::vector<ir::Op> ops;
  const std::vector<ir::Op> before = graph.ops;
  for (const ir::Op& op : before) {
    const auto phases = phases_of(graph, op);
    if (!phases) {
      ops.push_back(op);
      continue;
    }
    for (ir::Op& made : Splitter(graph, op, *phases).run()) ops.push_back(std::move(made));
    ++done;
  }
  if (done != 0) graph.ops = std::move(ops);
  return done;
}

}  // namespace presil::passes
