#include "compiler_bridge/ir/with_batch.h"

#include <algorithm>

#include "compiler_bridge/ir/by_image.h"
#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::ir {
namespace {

[[noreturn]] void refuse_batch(const std::string& what) {
  throw Refusal("import", "batch: " + what +
                              "; run the images one after another with --samples 0:N, or export "
                              "the network for the batch");
}

class Widener {
 public:
  Widener(const Graph& graph, int64_t images)
      : m_graph(graph), m_images(images), m_wide(graph.tensors.size(), false) {}

  Graph run() {
    for (const TensorId id : m_graph.inputs) {
      const Tensor& x = m_graph.tensor(id);
      if (x.shape.empty() || x.shape[0] != 1) {
        refuse_batch("input '" + x.name + "' is " + type_of(x) + ", must have a first axis of 1");
      }
      widen(id);
    }
    std::vector<Op> ops = std::move(m_graph.ops);
    m_graph.ops.clear();
    for (Op& op : ops) m_graph.ops.push_back(widened(std::move(op)));
    for (const TensorId id : m_graph.outputs) {
      if (!m_wide[size_t(id)]) {
        refuse_batch("output '" + m_graph.tensor(id).name +
                     "' must follow from an input, it is constant");
      }
    }
    verify(m_graph);
    return std::move(m_graph);
  }

 private:
  void widen(TensorId id) {
    m_graph.tensor(id).shape[0] = m_images;
    m_wide[size_t(id)] = true;
  }

  bool is_wide(TensorId id) const { return id != kAbsent && m_wide[size_t(id)]; }

  /// A constant once for each image.
  TensorId repeated(TensorId id) {
    Tensor many = m_graph.tensor(id);
    Bytes bytes;
    for (int64_t i = 0; i < m_images; ++i) {
      bytes.insert(bytes.end(), many.data->begin(), many.data->end());
    }
    many.shape[0] = m_images;
    many.data = std::make_shared<const Bytes>(std::move(bytes));
    m_wide.push_back(true);
    return m_graph.add(std::move(many));
  }

  // The shapes of what it reads are those of the batch already, so it is judged as it was.
  Op widened(Op op) {
    if (std::none_of(op.inputs.begin(), op.inputs.end(), [&](TensorId x) { return is_wide(x); })) {
      return op;
    }
    const std::optional<ByImage> found = by_image(m_one, op);
    if (!found || found->images != 1) {
      refuse_batch(describe(m_graph, op) + " must compute each image of a batch by itself");
    }
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      const TensorId x = op.inputs[i];
      if (found->of_image[i] && !is_wide(x)) {
        if (!m_graph.tensor(x).is_constant()) {
          refuse_batch(describe(m_graph, op) + " reads '" + m_graph.tensor(x).name +
                       "', which must follow from an input");
        }
        op.inputs[i] = repeated(x);
      } else if (!found->of_image[i] && is_wide(x)) {
        refuse_batch(describe(m_graph, op) + " reads '" + m_graph.tensor(x).name +
                     "' as a whole, it must be a constant");
      }
    }
    for (const TensorId y : op.outputs) widen(y);
    return of_images(std::move(op), m_images);
  }

  Graph m_graph;
  const Graph m_one = m_graph;  ///< as it was
  int64_t m_images;
  std::vector<bool> m_wide;  ///< by tensor: it has the batch
};

}  // namespace

Graph with_batch(const Graph& graph, int64_t images) {
  if (images < 1) {
    throw Refusal("import", "batch: got " + std::to_string(images) + ", must be at least 1");
  }
  return images == 1 ? graph : Widener(graph, images).run();
}

}  // namespace presil::ir
