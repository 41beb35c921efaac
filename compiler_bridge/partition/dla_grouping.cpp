#include "compiler_bridge/partition/dla_grouping.h"

#include "compiler_bridge/partition/byte_product.h"
#include "compiler_bridge/partition/dla_layer.h"
#include "compiler_bridge/partition/product.h"

namespace presil::partition {

using K = ir::OpKind;
using rules::Engine;

void DlaGrouping::start_accumulating(int i) {
  if (!m_groups.runs_on(i, Engine::kDla)) return;
  const ir::Op& op = m_groups.op(i);
  if (rules::is_byte_product(m_graph, op)) return start_byte_product(i);
  switch (op.kind) {
    case K::kConv2d:
      m_groups.start(i, convolution(m_graph, op));
      break;
    case K::kDepthwiseConv2d:
      m_groups.start(i, depthwise(m_graph, op));
      break;
    case K::kFullyConnected:
      if (m_graph.tensor(op.input(1)).is_constant()) {
        start_dense(i);
      } else {
        m_groups.start(i, product(m_graph, op, op.input(0), op.input(1)));
      }
      break;
    case K::kBatchMatmul:
      start_product(i);
      break;
    case K::kAveragePool2d:
      m_groups.start(i, average_pool(m_graph, op));
      break;
    case K::kMeanPool:
      m_groups.start(i, mean_pool(m_graph, op));
      break;
    case K::kPad:
      m_groups.start(i, pad(m_graph, op));
      break;
    case K::kMean:
    case K::kSum:
      m_groups.start(i, mean(m_graph, op));
      break;
    case K::kReduceMax:
      m_groups.start(i, largest(m_graph, op));
      break;
    case K::kMaxPool2d:
      m_groups.start(i, max_pool(m_graph, op));
      break;
    case K::kTranspose:
      m_movement.start_transpose(i);
      break;
    default:
      break;
  }
}

// A reshape before it is what the layer does by itself: reading the image as it lies saves
// bringing it into one row. A reshape without other readers joins the layer.
void DlaGrouping::start_dense(int i) {
  ir::TensorId x = m_groups.op(i).input(0);
  std::vector<int> joined;
  for (;;) {
    const int producer = m_groups.producer(x);
    if (producer < 0 || m_groups.op(producer).kind != K::kReshape) break;
    const ir::TensorId source = m_groups.op(producer).input(0);
    if (m_graph.tensor(source).is_constant()) break;
    if (!rules::dense_view(m_graph, m_groups.op(i), m_graph.tensor(source))) break;
    if (m_groups.only_reader(x) >= 0) joined.push_back(producer);
    x = source;
  }
  const auto view = rules::dense_view(m_graph, m_groups.op(i), m_graph.tensor(x));
  const int group = m_groups.start(i, dense(m_graph, m_groups.op(i), x, *view));
  for (const int reshape : joined) m_groups.join(reshape, group);
}

// The DLA multiplies rows of a with rows of b's transpose.
void DlaGrouping::start_product(int i) {
  const auto& product_of = m_groups.op(i).as<ir::BatchMatmul>();
  const ir::TensorId a = product_of.transpose_a ? m_movement.transposed(m_groups.op(i).input(0), i)
                                                : m_groups.op(i).input(0);
  const ir::TensorId b = product_of.transpose_b ? m_groups.op(i).input(1)
                                                : m_movement.transposed(m_groups.op(i).input(1), i);
  m_groups.start(i, product(m_graph, m_groups.op(i), a, b));
}

void DlaGrouping::start_byte_product(int i) {
  ByteProduct product = byte_product(m_graph, m_groups.op(i));
  for (ByteProduct::Part& part : product.parts) {
    m_groups.add(i, std::move(part.work), part.does);
  }
  m_groups.start(i, std::move(product.sums));
}

int DlaGrouping::open_group(ir::TensorId id, int i) const {
  const int producer = m_groups.producer(id);
  if (producer < 0 || m_groups.only_reader(id) != i) return -1;
  const int group = m_groups.group_of(producer);
  if (group < 0) return -1;
  const layer::DlaLayer* layer = m_groups.work_of(group).as<layer::DlaLayer>();
  return layer != nullptr && layer->output == id && !layer->upsample2 ? group : -1;
}
layer::DlaLayer& DlaGrouping::layer_of(int group) {
  return *m_groups.work_of(group).edit<layer::DlaLayer>();
}

bool DlaGrouping::has_elementwise(int group) {
  return layer_of(group).ew.op != dla::EwOp::kNone;
}

void DlaGrouping::place_table(int i) {
  if (m_groups.op(i).kind != K::kLut || !m_groups.runs_on(i, Engine::kDla)) return;
  const int group = open_group(m_groups.op(i).input(0), i);
  if (group >= 0 && layer_of(group).lut.empty() && !has_elementwise(group)) {
    append_table(layer_of(group), m_graph, m_groups.op(i));
    m_groups.join(i, group);
    return;
  }
  layer::DlaLayer layer = pass(m_graph, m_groups.op(i).input(0), m_groups.op(i).output());
  append_table(layer, m_graph, m_groups.op(i));
  m_groups.start(i, std::move(layer));
}

// Both operands may come from an open layer: the one with more work takes the op, for it hides
// the second operand's read and the slower post-processing best; of equals the later.
void DlaGrouping::place_elementwise(int i) {
  const bool elementwise = m_groups.op(i).kind == K::kAdd || m_groups.op(i).kind == K::kSub ||
                           m_groups.op(i).kind == K::kMul;
  if (!elementwise || !m_groups.runs_on(i, Engine::kDla)) return;
  int best = -1;
  size_t operand = 0;
  for (const size_t index : {size_t{0}, size_t{1}}) {
    const int group = m_not_fused.count(i) != 0 ? -1 : open_group(m_groups.op(i).input(index), i);
    if (group < 0 || has_elementwise(group) || m_groups.op(i).input(0) == m_groups.op(i).input(1) ||
        !rules::may_stream(m_graph, m_groups.op(i), index)) {
      continue;
    }
    const auto weight = [&](int g) { return std::make_pair(m_groups.of(g).macs, g); };
    if (best < 0 || weight(group) > weight(best)) best = group, operand = index;
  }
  if (best >= 0) {
    append_elementwise(layer_of(best), m_graph, m_groups.op(i), operand);
    m_groups.join(i, best);
    return;
  }
  const size_t streamed = rules::may_stream(m_graph, m_groups.op(i), 0) ? 0 : 1;
  layer::DlaLayer layer = pass(m_graph, m_groups.op(i).input(streamed), m_groups.op(i).output());
  append_elementwise(layer, m_graph, m_groups.op(i), streamed);
  m_groups.start(i, std::move(layer));
}

void DlaGrouping::place_upsampling(int i) {
  if (m_groups.op(i).kind != K::kResizeNearest || !m_groups.runs_on(i, Engine::kDla)) return;
  const int group = open_group(m_groups.op(i).input(0), i);
  if (group >= 0) {
    append_upsampling(layer_of(group), m_groups.op(i));
    m_groups.join(i, group);
    return;
  }
  layer::DlaLayer layer = pass(m_graph, m_groups.op(i).input(0), m_groups.op(i).output());
  append_upsampling(layer, m_groups.op(i));
  m_groups.start(i, std::move(layer));
}

}  // namespace presil::partition
