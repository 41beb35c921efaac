// What a layer takes by itself is its engine's answer; engines without one have none to give.
#include <gtest/gtest.h>

#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/layer/in_place_layer.h"
#include "compiler_bridge/layer/work.h"
#include "compiler_bridge/placement/judge.h"
#include "driver/kernels/host/kernels.h"

namespace presil::placement {
namespace {

/// Two tensors of 64 bytes.
ir::Graph two_tensors() {
  ir::Graph graph;
  for (int i = 0; i < 2; ++i) {
    ir::Tensor tensor;
    tensor.shape = {1, 1, 1, 64};
    graph.add(tensor);
  }
  return graph;
}

TEST(PlacementJudge, a_layer_of_the_host_takes_its_kernel_the_call_and_the_interrupt) {
  layer::HostLayer layer;
  layer.inputs = {0}, layer.outputs = {1};
  layer.kernel = PRESIL_KERNEL_SOFTMAX_I8;
  // 64 results at 20, 128 bytes at 8 a cycle, their 2 cache lines at 4, 100 of the call, 200 of the
  // interrupt.
  EXPECT_EQ(cycles_of(layer, "softmax", two_tensors(), SocConfig{}), 1280 + 16 + 8 + 100 + 200);
  // A kernel that the SoC does not name: 4 for each result.
  layer.kernel = PRESIL_KERNEL_TRANSPOSE;
  EXPECT_EQ(cycles_of(layer, "transpose", two_tensors(), SocConfig{}), 256 + 16 + 8 + 100 + 200);
  layer.kernel = 0;
  EXPECT_THROW(cycles_of(layer, "none", two_tensors(), SocConfig{}), std::logic_error);
}

TEST(PlacementJudge, a_layer_of_the_dma_takes_twice_as_long_for_the_same_move_twice) {
  layer::DmaLayer copy;
  copy.output = 1, copy.kernel = "copy";
  copy.moves = {{0, common::whole(64)}};
  const Cycle one = cycles_of(copy, "copy", two_tensors(), SocConfig{});
  EXPECT_GT(one, 0);
  copy.moves.push_back(copy.moves.front());
  EXPECT_EQ(cycles_of(copy, "copy", two_tensors(), SocConfig{}), 2 * one);
}

TEST(PlacementJudge, without_a_plan_nothing_is_known_of_the_dla_and_of_what_no_engine_does) {
  EXPECT_EQ(cycles_of(layer::DlaLayer{}, "conv2d", two_tensors(), SocConfig{}), 0);
  EXPECT_EQ(cycles_of(layer::view(0, 1), "reshape", two_tensors(), SocConfig{}), 0);
}

TEST(PlacementJudge, every_engine_has_one_judge) {
  for (const Engine engine : kEngines) {
    int judges = 0;
    for (const auto& judge : engine_judges()) judges += judge->judges(engine) ? 1 : 0;
    EXPECT_EQ(judges, engine == Engine::kNone ? 0 : 1) << to_string(engine);
  }
  int outside = 0;
  for (const auto& judge : engine_judges()) outside += judge->judges(engine_named("new")) ? 1 : 0;
  EXPECT_EQ(outside, 1);
}

}  // namespace
}  // namespace presil::placement
