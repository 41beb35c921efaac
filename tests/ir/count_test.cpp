#include "compiler_bridge/ir/count.h"

#include <gtest/gtest.h>

#include "compiler_bridge/ir/text.h"

namespace presil::ir {
namespace {

TEST(Count, macs_and_parameters_add_up_by_hand) {
  const Graph graph = parse(R"(graph "g" tflite {
    input %x : int8[1,8,8,3] q(1, 0)
    const %w : int8[16,3,3,3] q(1, 0) = splat 1
    const %b : int32[16] = splat 0
    const %d : int8[1,3,3,16] q(1, 0) = splat 1
    const %f : int8[10,1024] q(1, 0) = splat 1
    %c = conv2d(%x, %w, %b) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : int8[1,8,8,16] q(1, 0)
    %e = depthwise_conv2d(%c, %d) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : int8[1,8,8,16] q(1, 0)
    %r = reshape(%e) : int8[1,1024] q(1, 0)
    %y = fully_connected(%r, %f) : int8[1,10] q(1, 0)
    output %y
  })");
  verify(graph);
  // 8*8 pixels * 16 channels * 27 taps; 8*8*16 * 9; 10 * 1024
  EXPECT_EQ(macs(graph, graph.ops[0]), 27648);
  EXPECT_EQ(macs(graph, graph.ops[1]), 9216);
  EXPECT_EQ(macs(graph, graph.ops[2]), 0);
  EXPECT_EQ(macs(graph), 27648 + 9216 + 10240);
  EXPECT_EQ(parameters(graph), 16 * 27 + 16 + 9 * 16 + 10240);
}

}  // namespace
}  // namespace presil::ir
