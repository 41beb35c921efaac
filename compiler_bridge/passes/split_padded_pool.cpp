// An average pool with padding whose ties go up (of uint8 networks) becomes pools without padding
// of the parts of the image whose windows have as many rows and columns inside it.
//
//   before   y = average_pool2d(x) {3 x 3, one row and column of padding on every side}
//   after    corners 2 x 2, edges 2 x 3 and 3 x 2, the rest 3 x 3, of slices of x;
//            rows = concat of three along the columns, y = concat of three rows
//
// Why: the DLA rounds ties up by lifting values by 128 a tap, in one bias for all windows, so its
// windows must have the same number of taps. The host took 90 % of the cycles of such a network.
#include <algorithm>

#include "compiler_bridge/passes/passes.h"

namespace presil::passes {
namespace {

constexpr size_t kMostParts = 16;

/// Results along an axis whose windows have as many taps inside.
struct Run {
  int64_t begin, size;  ///< of x
  int64_t results;
  int kernel, stride;
};

std::vector<Run> runs_of(int64_t size, int64_t results, int kernel, int stride, int before) {
  std::vector<Run> runs;
  for (int64_t i = 0; i < results; ++i) {
    const int64_t first = i * stride - before;
    const int64_t begin = std::max<int64_t>(first, 0), end = std::min(first + kernel, size);
    const bool inside = first >= 0 && first + kernel <= size;
    if (inside && !runs.empty() && runs.back().kernel == kernel) {
      runs.back().size = end - runs.back().begin;
      ++runs.back().results;
    } else {
      const auto taps = static_cast<int>(end - begin);
      runs.push_back({begin, end - begin, 1, taps, inside ? stride : 1});
    }
  }
  return runs;
}

class Splitter {
 public:
  Splitter(ir::Graph& graph, const ir::Op& pool)
      : m_graph(graph), m_pool(pool), m_x(graph.tensor(pool.input(0)).shape) {
    const auto& a = pool.as<ir::Pool2d>();
    const std::vector<int64_t>& y = graph.tensor(pool.output()).shape;
    m_rows = runs_of(m_x[1], y[1], a.kernel_h, a.stride_h, a.pad_top);
    m_columns = runs_of(m_x[2], y[2], a.kernel_w, a.stride_w, a.pad_left);
  }

  /// One tap alone is its value, which only a pool of more can clamp.
  bool fits() const {
    const auto& a = m_pool.as<ir::Pool2d>();
    const auto least = [](const std::vector<Run>& runs) {
      int taps = runs.front().kernel;
      for (const Run& run : runs) taps = std::min(taps, run.kernel);
      return taps;
    };
    const bool one = least(m_rows) * least(m_columns) == 1;
    return m_rows.size() * m_columns.size() <= kMostParts &&
           (!one || a.act == ir::Activation::kNone);
  }

  std::vector<ir::Op> run() {
    std::vector<ir::TensorId> rows;
    for (const Run& row : m_rows) {
      std::vector<ir::TensorId> parts;
      for (const Run& column : m_columns) parts.push_back(part(row, column));
      rows.push_back(joined(parts, 2));
    }
    // Of one value each, and all of them: a copy, which other passes remove.
    if (joined(rows, 1) == m_pool.input(0)) {
      add(ir::OpKind::kReshape, {m_pool.input(0)}, ir::info(ir::OpKind::kReshape).defaults, m_x);
    }
    m_ops.back().outputs = m_pool.outputs;
    return std::move(m_ops);
  }

 private:
  ir::TensorId add(ir::OpKind kind, const std::vector<ir::TensorId>& inputs,
                   ir::Attributes attributes, std::vector<int64_t> shape) {
    ir::Tensor tensor = m_graph.tensor(m_pool.output());
    tensor.name += "/part";
    tensor.shape = std::move(shape);
    const ir::TensorId y = m_graph.add(std::move(tensor));
    m_ops.push_back({kind, m_pool.name, inputs, {y}, std::move(attributes), m_pool.source_ops});
    return y;
  }

  ir::TensorId part(const Run& row, const Run& column) {
    const std::vector<int64_t> results = {m_x[0], row.results, column.results, m_x[3]};
    const bool one = row.kernel * column.kernel == 1;  // the values themselves, so many apart
    const std::vector<int64_t> shape =
        one ? results : std::vector<int64_t>{m_x[0], row.size, column.size, m_x[3]};
    const auto step = [one](const Run& run) { return one && run.results > 1 ? run.stride : 1; };
    const ir::StridedSlice slice{
        {0, row.begin, column.begin, 0}, shape, {1, step(row), step(column), 1}};
    const ir::TensorId x = shape == m_x
                               ? m_pool.input(0)
                               : add(ir::OpKind::kStridedSlice, {m_pool.input(0)}, slice, shape);
    if (one) return x;
    ir::Pool2d pool = m_pool.as<ir::Pool2d>();
    pool.kernel_h = row.kernel, pool.kernel_w = column.kernel;
    pool.stride_h = row.stride, pool.stride_w = column.stride;
    pool.pad_top = pool.pad_left = pool.pad_bottom = pool.pad_right = 0;
    return add(ir::OpKind::kAveragePool2d, {x}, pool, results);
  }

  ir::TensorId joined(const std::vector<ir::TensorId>& parts, int axis) {
    if (parts.size() == 1) return parts.front();
    std::vector<int64_t> shape = m_graph.tensor(parts.front()).shape;
    for (size_t i = 1; i < parts.size(); ++i) {
      shape[static_cast<size_t>(axis)] += m_graph.tensor(parts[i]).shape[static_cast<size_t>(axis)];
    }
    ir::Concat join;
    join.axis = axis;
    return add(ir::OpKind::kConcat, parts, join, shape);
  }

  ir::Graph& m_graph;
  const ir::Op m_pool;
  const std::vector<int64_t> m_x;
  std::vector<Run> m_rows, m_columns;
  std::vector<ir::Op> m_ops;
};

bool is_padded(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != ir::OpKind::kAveragePool2d) return false;
  const auto& a = op.as<ir::Pool2d>();
  const ir::Tensor& x = graph.tensor(op.input(0));
  const bool padded = (a.pad_top | a.pad_left | a.pad_bottom | a.pad_right) != 0;
  return padded && a.ties_up && x.dtype == ir::DType::kInt8 && x.shape[0] == 1;
}

}  // namespace

int split_padded_pool(ir::Graph& graph) {
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (!is_padded(graph, graph.ops[i])) continue;
    Splitter splitter(graph, graph.ops[i]);
    if (!splitter.fits()) continue;
    const std::vector<ir::Op> parts = splitter.run();
    graph.ops[i] = parts.back();
    graph.ops.insert(graph.ops.begin() + static_cast<ptrdiff_t>(i), parts.begin(), parts.end() - 1);
    i += parts.size() - 1;
    ++done;
  }
  return done;
}

}  // namespace presil::passes
