// Whatever network comes: passes keep every value, layers are exact, order respects data.
#include <set>

#include "tests/compiler/partition_check.h"
#include "tests/compiler/partition_random_network.h"

namespace presil::partition {
namespace {

constexpr uint32_t kNetworks = 1500;

// Each tensor is made once, before it is read; inside one concatenation each part is written in
// place by one DLA layer.
void expect_order(const Partitioned& p) {
  std::set<ir::TensorId> made(p.graph.inputs.begin(), p.graph.inputs.end());
  std::set<ir::TensorId> by_dla, joined, stacked;
  const auto read = [&](ir::TensorId id) {
    EXPECT_TRUE(p.graph.tensor(id).is_constant() || made.count(id) != 0) << "tensor " << id;
  };
  const auto make = [&](ir::TensorId id) {
    EXPECT_TRUE(made.insert(id).second) << "tensor " << id;
  };
  for (const plan::Layer& layer : p.partition.layers) {
    if (const auto* dla = std::get_if<plan::DlaLayer>(&layer.work)) {
      read(dla->input);
      if (dla->ew.operand != plan::kNoTensor) read(dla->ew.operand);
      make(dla->output);
      by_dla.insert(dla->output);
    } else if (const auto* host = std::get_if<plan::HostLayer>(&layer.work)) {
      for (const ir::TensorId id : host->inputs) read(id);
      for (const ir::TensorId id : host->outputs) make(id);
    } else if (const auto* flip = std::get_if<plan::FlipLayer>(&layer.work)) {
      read(flip->input);
      make(flip->output);
    } else if (const auto* view = std::get_if<plan::ViewLayer>(&layer.work)) {
      read(view->input);
      EXPECT_FALSE(p.graph.tensor(view->input).is_constant());
      make(view->output);
    } else if (const auto* parts = std::get_if<plan::InterleaveLayer>(&layer.work)) {
      for (const ir::TensorId id : parts->inputs) {
        EXPECT_EQ(by_dla.count(id), 1u);
        EXPECT_TRUE(joined.insert(id).second);
      }
      make(parts->output);
      by_dla.insert(parts->output);
    } else if (const auto* stack = std::get_if<plan::StackLayer>(&layer.work)) {
      for (const ir::TensorId id : stack->inputs) {
        EXPECT_EQ(made.count(id), 1u);
        EXPECT_TRUE(stacked.insert(id).second);
      }
      make(stack->output);
    } else if (const auto* slice = std::get_if<plan::SliceLayer>(&layer.work)) {
      read(slice->input);
      make(slice->output);
    } else if (const auto* copy = std::get_if<plan::CopyLayer>(&layer.work)) {
      for (const plan::CopyLayer::Move& move : copy->moves) read(move.input);
      make(copy->output);
    } else {
      const auto& concat = std::get<plan::ConcatLayer>(layer.work);
      for (const ir::TensorId id : concat.inputs) {
        EXPECT_EQ(by_dla.count(id), 1u);
        EXPECT_TRUE(joined.insert(id).second);
      }
      make(concat.output);
    }
  }
}

TEST(PartitionRandom, networks_are_exact_at_every_tensor) {
  int compared = 0;
  size_t ops = 0, layers = 0, dla = 0;
  for (uint32_t seed = 0; seed < kNetworks; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Partitioned p = partitioned(RandomNetwork(seed).make());
    expect_order(p);
    compared += expect_exact(p, random_inputs(p.imported, seed));
    ASSERT_FALSE(HasFailure()) << ir::print(p.imported, {false});
    ops += p.imported.ops.size();
    layers += p.partition.layers.size();
    for (const plan::Layer& layer : p.partition.layers) {
      dla += std::holds_alternative<plan::DlaLayer>(layer.work) ? 1 : 0;
    }
  }
  std::printf("%u networks: %zu ops in %zu layers, %zu on the dla; %d tensors compared\n",
              kNetworks, ops, layers, dla, compared);
  EXPECT_LT(layers, ops);
}

}  // namespace
}  // namespace presil::partition
