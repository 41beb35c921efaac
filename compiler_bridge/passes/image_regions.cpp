#include "compiler_bridge/passes/image_regions.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "compiler_bridge/ir/by_image.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

/// Ops that a region may become: a loadable has commands for each.
constexpr int64_t kMostOps = 30000;

/// It reads several pixels of an image: as rows of one image it would read those of the next. (A
/// resize does too, but the DSP's takes a batch.)
bool has_window(const ir::Graph& graph, const ir::Op& op) {
  switch (op.kind) {
    case K::kConv2d: {
      const auto& conv = op.as<ir::Conv2d>();
      const std::vector<int64_t>& w = graph.tensor(op.input(1)).shape;
      const bool one_pixel = w[1] == 1 && w[2] == 1 && conv.stride_h == 1 && conv.stride_w == 1;
      return !one_pixel || conv.pad_top + conv.pad_left + conv.pad_bottom + conv.pad_right != 0;
    }
    case K::kDepthwiseConv2d:
    case K::kTransposeConv2d:
    case K::kAveragePool2d:
    case K::kMaxPool2d:
      return true;
    case K::kMean:
    case K::kSum:
    case K::kReduceMax:
    case K::kReduceMin: {
      // Over rows and columns: a pool.
      const std::vector<int64_t>& axes = op.as<ir::Reduce>().axes;
      return graph.tensor(op.input(0)).shape.size() == 4 && axes == std::vector<int64_t>{1, 2};
    }
    default:
      return false;
  }
}

class Finder {
 public:
  explicit Finder(const ir::Graph& graph)
      : m_graph(graph), m_root(graph.ops.size()), m_found(graph.ops.size()) {
    std::iota(m_root.begin(), m_root.end(), 0);
    for (size_t i = 0; i < graph.ops.size(); ++i) {
      m_found[i] = ir::by_image(graph, graph.ops[i]);
      if (m_found[i] && m_found[i]->images < 2) m_found[i].reset();
    }
  }

  std::vector<ImageRegion> run() {
    connect();
    std::map<int, ImageRegion> by_root;
    std::map<int, bool> windows;
    for (size_t i = 0; i < m_found.size(); ++i) {
      if (!m_found[i]) continue;
      ImageRegion& region = by_root[root(int(i))];
      region.images = m_found[i]->images;
      region.ops.push_back(int(i));
      windows[root(int(i))] |= has_window(m_graph, m_graph.ops[i]);
    }
    std::vector<ImageRegion> regions;
    for (auto& [root_op, region] : by_root) {
      if (!windows.at(root_op)) continue;
      leave_rows(region);
      if (region.images * static_cast<int64_t>(region.ops.size()) <= kMostOps) {
        regions.push_back(std::move(region));
      }
    }
    return regions;
  }

 private:
  int root(int op) {
    while (m_root[size_t(op)] != op) op = m_root[size_t(op)] = m_root[size_t(m_root[size_t(op)])];
    return op;
  }

  /// Calls `with(maker, reader)` for images that one op hands to another.
  template <class With>
  void for_each_pair(const With& with) {
    const std::vector<int> producer = ir::uses(m_graph).producer;
    for (size_t i = 0; i < m_found.size(); ++i) {
      if (!m_found[i]) continue;
      const ir::Op& op = m_graph.ops[i];
      for (size_t k = 0; k < op.inputs.size(); ++k) {
        const int maker =
            m_found[i]->of_image[k] ? producer[static_cast<size_t>(op.inputs[k])] : -1;
        if (maker >= 0 && m_found[size_t(maker)]) with(size_t(maker), i);
      }
    }
  }

  void connect() {
    for_each_pair(
        [&](size_t maker, size_t reader) { m_root[size_t(root(int(reader)))] = root(int(maker)); });
  }

  /// Every image of it is one row.
  bool makes_rows(size_t i) const {
    const ir::Op& op = m_graph.ops[i];
    const auto is_row = [&](ir::TensorId id) { return m_graph.tensor(id).shape.size() <= 2; };
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      if (m_found[i]->of_image[k] && !is_row(op.inputs[k])) return false;
    }
    return std::all_of(op.outputs.begin(), op.outputs.end(), is_row);
  }

  void leave_rows(ImageRegion& region) {
    std::vector<bool> rows(m_found.size(), false), after(m_found.size(), false), before = after;
    for (const int op : region.ops) rows[size_t(op)] = makes_rows(size_t(op));
    std::vector<std::pair<size_t, size_t>> pairs;
    for_each_pair([&](size_t maker, size_t reader) { pairs.push_back({maker, reader}); });
    // Ops stand in their order, so one walk either way sees all.
    for (const auto& [maker, reader] : pairs) {
      after[reader] = after[reader] || after[maker] || !rows[maker];
    }
    for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) {
      before[pair->first] = before[pair->first] || before[pair->second] || !rows[pair->second];
    }
    const auto stays = [&](int op) {
      const auto i = size_t(op);
      return rows[i] && !(after[i] && before[i]);
    };
    region.ops.erase(std::remove_if(region.ops.begin(), region.ops.end(), stays), region.ops.end());
  }

  const ir::Graph& m_graph;
  std::vector<int> m_root;                          ///< by op
  std::vector<std::optional<ir::ByImage>> m_found;  ///< by op, of several images
};

}  // namespace

std::vector<ImageRegion> image_regions(const ir::Graph& graph) {
  return Finder(graph).run();
}

}  // namespace presil::passes
