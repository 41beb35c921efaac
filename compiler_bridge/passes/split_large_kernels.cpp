// A convolution with a kernel of more than 16 rows or columns reads several shifted images with a
// smaller one.
//
//   before   y = conv2d(x, w)  w [k,20,8,c]     after   x0 = strided_slice(x){rows 0..}
//                                                       x1 = strided_slice(x){rows 10..}
//                                                       y = conv2d(concat(x0, x1), w')  [k,10,8,2c]
//
// Why: engines have kernels of up to 16 x 16. Rows t and t + 10 of the kernel meet the same rows of
// x and of x moved up by 10: as channels of one image they are multiplied and added in the one sum
// that is requantised, so no byte changes. Padding is written out before; where the kernel does not
// split evenly, taps of zero stand at its end.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"
#include "rtl/dla/dla_command.h"

namespace presil::passes {
namespace {

constexpr int64_t kMostTaps = 16;  // kernel rows, columns of a convolution command
constexpr int64_t kMostChannels = int64_t{dla::Command::kInBlocksMax} * 16;  // of its input

/// One axis of the kernel in parts of as many taps.
struct Axis {
  int64_t parts = 1, taps = 1;
  int64_t before = 0, after = 0;  ///< padding of x
  int64_t extent = 0;             ///< of the part of x that is read with each part of the kernel
  int64_t step = 0;               ///< between those

  Axis(int64_t kernel, int64_t dilation, int64_t in, int64_t pad_before, int64_t pad_after) {
    parts = (kernel + kMostTaps - 1) / kMostTaps;
    taps = (kernel + parts - 1) / parts;
    before = pad_before;
    after = pad_after + (parts * taps - kernel) * dilation;
    step = taps * dilation;
    extent = before + in + after - (parts - 1) * step;
  }
};

/// [k][rows.taps][columns.taps][part of rows][part of columns][c], zero points after the kernel.
ir::Tensor by_part(const ir::Tensor& weights, const Axis& rows, const Axis& columns) {
  const auto& shape = weights.shape;
  const auto channels = static_cast<size_t>(shape[3]);
  ir::Tensor split = weights;
  split.shape = {shape[0], rows.taps, columns.taps, rows.parts * columns.parts * shape[3]};
  ir::Bytes bytes(split.bytes(), static_cast<uint8_t>(weights.quantization.zero_points[0]));
  uint8_t* to = bytes.data();
  for (int64_t k = 0; k < shape[0]; ++k) {
    for (int64_t y = 0; y < rows.taps; ++y) {
      for (int64_t x = 0; x < columns.taps; ++x) {
        for (int64_t part = 0; part < rows.parts * columns.parts; ++part, to += channels) {
          const int64_t ky = part / columns.parts * rows.taps + y;
          const int64_t kx = part % columns.parts * columns.taps + x;
          if (ky >= shape[1] || kx >= shape[2]) continue;
          const int64_t from = ((k * shape[1] + ky) * shape[2] + kx) * shape[3];
          std::copy_n(weights.data->data() + from, channels, to);
        }
      }
    }
  }
  split.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return split;
}

class Splitter {
 public:
  Splitter(ir::Graph& graph, const ir::Op& conv, const Axis& rows, const Axis& columns)
      : m_graph(graph), m_conv(conv), m_rows(rows), m_columns(columns) {}

  std::vector<ir::Op> run() {
    ir::TensorId x = padded(m_conv.input(0));
    std::vector<ir::TensorId> parts;
    for (int64_t i = 0; i < m_rows.parts; ++i) {
      for (int64_t j = 0; j < m_columns.parts; ++j) parts.push_back(part(x, i, j));
    }
    std::vector<int64_t> shape = m_graph.tensor(parts[0]).shape;
    shape[3] *= static_cast<int64_t>(parts.size());
    ir::Concat join;
    join.axis = 3;
    ir::Op conv = m_conv;
    conv.inputs[0] = add(ir::OpKind::kConcat, parts, join, shape, "/parts");
    conv.inputs[1] = m_graph.add(by_part(m_graph.tensor(conv.input(1)), m_rows, m_columns));
    auto& a = conv.as<ir::Conv2d>();
    a.pad_top = a.pad_bottom = a.pad_left = a.pad_right = 0;
    m_ops.push_back(std::move(conv));
    return std::move(m_ops);
  }

 private:
  ir::TensorId add(ir::OpKind kind, const std::vector<ir::TensorId>& inputs,
                   ir::Attributes attributes, std::vector<int64_t> shape, const char* suffix) {
    ir::Tensor tensor = m_graph.tensor(m_conv.input(0));
    tensor.name += suffix;
    tensor.shape = std::move(shape);
    const ir::TensorId y = m_graph.add(std::move(tensor));
    m_ops.push_back({kind, m_conv.name, inputs, {y}, std::move(attributes), m_conv.source_ops});
    return y;
  }

  ir::TensorId padded(ir::TensorId x) {
    const ir::Pad pad{{0, m_rows.before, m_columns.before, 0},
                      {0, m_rows.after, m_columns.after, 0},
                      m_graph.tensor(x).quantization.zero_point()};
    if (m_rows.before + m_rows.after + m_columns.before + m_columns.after == 0) return x;
    std::vector<int64_t> shape = m_graph.tensor(x).shape;
    shape[1] += m_rows.before + m_rows.after;
    shape[2] += m_columns.before + m_columns.after;
    return add(ir::OpKind::kPad, {x}, pad, shape, "/padded");
  }

  ir::TensorId part(ir::TensorId x, int64_t i, int64_t j) {
    std::vector<int64_t> shape = m_graph.tensor(x).shape;
    shape[1] = m_rows.extent, shape[2] = m_columns.extent;
    const ir::StridedSlice slice{{0, i * m_rows.step, j * m_columns.step, 0}, shape, {1, 1, 1, 1}};
    return add(ir::OpKind::kStridedSlice, {x}, slice, shape, "/part");
  }

  ir::Graph& m_graph;
  const ir::Op m_conv;
  const Axis m_rows, m_columns;
  std::vector<ir::Op> m_ops;
};

bool splits(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != ir::OpKind::kConv2d || op.as<ir::Conv2d>().groups != 1) return false;
  const ir::Tensor &x = graph.tensor(op.input(0)), &w = graph.tensor(op.input(1));
  if (x.dtype != ir::DType::kInt8 || x.is_constant() || !w.is_constant()) return false;
  return x.shape.at(0) == 1 && (w.shape.at(1) > kMostTaps || w.shape.at(2) > kMostTaps);
}

}  // namespace

int split_large_kernels(ir::Graph& graph) {
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (!splits(graph, graph.ops[i])) continue;
    const auto& a = graph.ops[i].as<ir::Conv2d>();
    const std::vector<int64_t>& x = graph.tensor(graph.ops[i].input(0)).shape;
    const std::vector<int64_t>& w = graph.tensor(graph.ops[i].input(1)).shape;
    const Axis rows(w[1], a.dilation_h, x[1], a.pad_top, a.pad_bottom);
    const Axis columns(w[2], a.dilation_w, x[2], a.pad_left, a.pad_right);
    if (rows.parts * columns.parts * x[3] > kMostChannels) continue;
    const std::vector<ir::Op> ops = Splitter(graph, graph.ops[i], rows, columns).run();
    const auto at = graph.ops.erase(graph.ops.begin() + static_cast<ptrdiff_t>(i));
    graph.ops.insert(at, ops.begin(), ops.end());
    i += ops.size() - 1;
    ++done;
  }
  return done;
}

}  // namespace presil::passes
