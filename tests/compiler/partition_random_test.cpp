// Whatever network comes: passes keep every value, layers are exact, order respects data.
#include <set>

#include "compiler_bridge/layer/in_place_layer.h"
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
  for (const layer::Layer& layer : p.partition.layers) {
    const layer::Operands operands = layer.work.operands();
    const layer::InPlaceLayer* in_place = layer.work.in_place();
    const auto is = [&](layer::Relation r) {
      return in_place != nullptr && in_place->relation == r;
    };
    const bool parts = is(layer::Relation::kConcat) || is(layer::Relation::kInterleave);
    const bool stack = is(layer::Relation::kStack);
    for (const ir::TensorId id : layer::read(operands)) {
      if (parts) {
        EXPECT_EQ(by_dla.count(id), 1u);
        EXPECT_TRUE(joined.insert(id).second);
      } else if (stack) {
        EXPECT_EQ(made.count(id), 1u);
        EXPECT_TRUE(stacked.insert(id).second);
      } else {
        read(id);
      }
      if (is(layer::Relation::kView)) {
        EXPECT_FALSE(p.graph.tensor(id).is_constant());
      }
    }
    for (const ir::TensorId id : layer::written(operands)) {
      make(id);
      if (parts || layer.engine() == std::string("dla")) by_dla.insert(id);
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
    for (const layer::Layer& layer : p.partition.layers) {
      dla += layer.work.as<layer::DlaLayer>() != nullptr ? 1 : 0;
    }
  }
  std::printf("%u networks: %zu ops in %zu layers, %zu on the dla; %d tensors compared\n",
              kNetworks, ops, layers, dla, compared);
  EXPECT_LT(layers, ops);
}

}  // namespace
}  // namespace presil::partition
