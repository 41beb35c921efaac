// Neighbouring operators that compute a batch image by image become those of each image.
//
//   before   c = conv2d(x, w)    x [2,8,8,3]      after   x0 = strided_slice(x)   [1,8,8,3]
//            y = max_pool2d(c)                            c0 = conv2d(x0, w)
//                                                         y0 = max_pool2d(c0)
//                                                         x1 = strided_slice(x), c1, y1 likewise
//                                                         y = concat(y0, y1) along the batch
//
// Why: engines know rows, columns and channels. Slices and concatenation cost nothing, each image
// stays in the SRAM as it does alone, and weights are constants that all share. Image after image,
// so that what lies between two layers is that of one image.
//
// Only where a window lies over pixels of an image: what computes pixels or rows by themselves runs
// as rows of one image, whatever the batch. So do rows of two axes at either end, as the fully
// connected layers of a classifier: their weights are read once for the batch.
#include <algorithm>
#include <map>

#include "compiler_bridge/ir/by_image.h"
#include "compiler_bridge/passes/image_regions.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

class Splitter {
 public:
  Splitter(ir::Graph& graph, const ImageRegion& region)
      : m_graph(graph),
        m_region(region),
        m_uses(ir::uses(graph)),
        m_inside(graph.ops.size(), false),
        m_level(graph.ops.size(), 0) {
    for (const int op : region.ops) m_inside[size_t(op)] = true;
    number_levels();
  }

  void run() {
    int last = 0;
    for (const int level : m_level) last = std::max(last, level);
    std::vector<std::vector<int>> inside(size_t(last) + 1), outside(size_t(last) + 1);
    for (size_t i = 0; i < m_level.size(); ++i) {
      (m_inside[i] ? inside : outside)[size_t(m_level[i])].push_back(int(i));
    }
    for (size_t level = 0; level < inside.size(); ++level) {
      for (const int op : outside[level]) m_ops.push_back(m_graph.ops[size_t(op)]);
      for (int64_t image = 0; image < m_region.images; ++image) {
        for (const int op : inside[level]) add_image(m_graph.ops[size_t(op)], image);
      }
      for (const int op : inside[level]) join(m_graph.ops[size_t(op)]);
    }
    m_graph.ops = std::move(m_ops);
  }

 private:
  /// How often a way from the inputs to the op leaves the region: what the images need from outside
  /// that needs them itself is made between them.
  void number_levels() {
    for (size_t i = 0; i < m_graph.ops.size(); ++i) {
      for (const ir::TensorId x : m_graph.ops[i].inputs) {
        const int maker = x == ir::kAbsent ? -1 : producer(m_uses, x);
        if (maker < 0) continue;
        const bool leaves = m_inside[size_t(maker)] && !m_inside[i];
        m_level[i] = std::max(m_level[i], m_level[size_t(maker)] + (leaves ? 1 : 0));
      }
    }
  }

  ir::TensorId add_part(ir::TensorId of, int64_t image) {
    ir::Tensor part = m_graph.tensor(of);
    part.name += "/image" + std::to_string(image);
    part.shape[0] = 1;
    const int64_t first = image * part.elements();
    if (part.is_constant()) {
      const auto begin = part.data->begin() + image * static_cast<int64_t>(part.bytes());
      part.data = std::make_shared<const ir::Bytes>(
          begin, begin + static_cast<std::ptrdiff_t>(part.bytes()));
    }
    const ir::TensorId id = m_graph.add(std::move(part));
    m_graph.parts[id] = {of, first};
    m_parts[{of, image}] = id;
    return id;
  }

  /// The image of what an op reads, cut out where it is made as a whole.
  ir::TensorId read_part(ir::TensorId of, int64_t image) {
    const auto found = m_parts.find({of, image});
    if (found != m_parts.end()) return found->second;
    const ir::TensorId part = add_part(of, image);
    if (m_graph.tensor(of).is_constant()) return part;
    const std::vector<int64_t> size = m_graph.tensor(part).shape;
    ir::StridedSlice slice{std::vector<int64_t>(size.size(), 0), size,
                           std::vector<int64_t>(size.size(), 1)};
    slice.begin[0] = image;
    m_ops.push_back(
        {ir::OpKind::kStridedSlice, m_graph.tensor(part).name, {of}, {part}, slice, {}});
    return part;
  }

  void add_image(ir::Op op, int64_t image) {
    const std::vector<bool> of_image = ir::by_image(m_graph, op)->of_image;
    op = ir::of_images(std::move(op), 1);
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      if (of_image[i]) op.inputs[i] = read_part(op.inputs[i], image);
    }
    for (ir::TensorId& y : op.outputs) y = add_part(y, image);
    m_ops.push_back(std::move(op));
  }

  /// A result that is read outside, as a whole.
  void join(const ir::Op& op) {
    for (const ir::TensorId y : op.outputs) {
      const std::vector<int>& readers = m_uses.consumers[size_t(y)];
      const bool outside = std::any_of(readers.begin(), readers.end(),
                                       [&](int reader) { return !m_inside[size_t(reader)]; });
      if (!outside && !m_graph.is_output(y)) continue;
      ir::Op whole{ir::OpKind::kConcat, op.name, {}, {y}, ir::Concat{}, op.source_ops};
      for (int64_t image = 0; image < m_region.images; ++image) {
        whole.inputs.push_back(m_parts.at({y, image}));
      }
      m_ops.push_back(std::move(whole));
    }
  }

  ir::Graph& m_graph;
  const ImageRegion& m_region;
  const ir::Uses m_uses;
  std::vector<bool> m_inside;  ///< by op
  std::vector<int> m_level;    ///< by op
  std::map<std::pair<ir::TensorId, int64_t>, ir::TensorId> m_parts;
  std::vector<ir::Op> m_ops;
};

}  // namespace

int split_images(ir::Graph& graph) {
  int done = 0;
  // The ops that are left of a region have one image, so it is not found again.
  for (;;) {
    const std::vector<ImageRegion> regions = image_regions(graph);
    if (regions.empty()) return done;
    Splitter(graph, regions.front()).run();
    ++done;
  }
}

}  // namespace presil::passes
