// What the DLA knows of its layers where they have been put.
#include <algorithm>

#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/placement/byte_products.h"
#include "compiler_bridge/placement/engine_judge.h"

namespace presil::placement {
namespace {

class DlaJudge : public EngineJudge {
 public:
  DlaJudge() : EngineJudge(Engine::kDla) {}

  /// Products in bytes that the host is faster at.
  std::vector<Learnt> of_layout(const Round& round) const override {
    return small_byte_products(round);
  }

  /// At least: its products, or the weights that its loader reads, a word a cycle.
  Cycle cycles_in(const Round& round, int step) const override {
    constexpr Cycle kStart = 30;
    constexpr uint64_t kWordBytes = 16;
    const layer::Layer& layer = round.placed.layout.layer_at(step);
    const DlaConfig& dla = round.config.dla;
    return kStart + static_cast<Cycle>(std::max(layer.macs / (uint64_t{dla.macs_k} * dla.macs_c),
                                                layer.work.weight_bytes() / kWordBytes));
  }

  /// A convolution with something element-wise after it cannot make its sums in parts: the DLA has
  /// one port for both.
  int leaves(const layer::Layer& layer, const ir::Graph& graph) const override {
    const auto& dla = *layer.work.as<layer::DlaLayer>();
    if (dla.op != dla::Op::kConv || dla.ew.op == dla::EwOp::kNone) return -1;
    for (const int op : layer.graph_ops) {
      const ir::OpKind kind = graph.ops[static_cast<size_t>(op)].kind;
      const bool element_wise =
          kind == ir::OpKind::kAdd || kind == ir::OpKind::kSub || kind == ir::OpKind::kMul;
      if (element_wise) return op;
    }
    return -1;
  }
};

}  // namespace

std::unique_ptr<const EngineJudge> dla_judge() {
  return std::make_unique<DlaJudge>();
}

}  // namespace presil::placement
