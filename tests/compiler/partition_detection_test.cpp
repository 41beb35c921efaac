// The end of a detector as a task of the ARM: every tensor as the interpreter has it.
#include <gmock/gmock.h>

#include "driver/kernels/host/kernels.h"
#include "tests/compiler/partition_check.h"

namespace presil::partition {
namespace {

// Convolutions make boxes and scores, so both move over their whole range; scores of some tens of
// boxes in steps of 1/256 have ties.
Partitioned detector(const std::string& attributes, int classes, int results, bool floats) {
  const std::string predictions = std::to_string(2 * (classes + 1)), n = "[1,32,";
  const std::string m = std::to_string(results);
  const std::string scores = n + std::to_string(classes + 1) + "]";
  std::string text = R"(graph "g" tflite {
    input %x : int8[1,4,4,8] q(0.5, -3)
    const %wb : int8[8,1,1,8] q(0.02, 0) = random 7
    const %ws : int8[)" +
                     predictions + R"(,1,1,8] q(0.02, 0) = random 9
    %hb = conv2d(%x, %wb) : int8[1,4,4,8] q(0.1, 4)
    %hs = conv2d(%x, %ws) : int8[1,4,4,)" +
                     predictions + R"(] q(0.8, 4)
    %b = reshape(%hb) : int8[1,32,4] q(0.1, 4)
    %l = reshape(%hs) : int8)" +
                     scores + R"( q(0.8, 4)
    %s = logistic(%l) : int8)" +
                     scores + R"( q(0.00390625, -128)
  )";
  if (floats) {
    text += "const %a : float32[32,4] = splat 0.5\n%fb = dequantize(%b) : float32[1,32,4]\n" +
            ("%fs = dequantize(%s) : float32" + scores);
  } else {
    text += "const %a : int8[32,4] q(0.01, -128) = random 4";
  }
  text += std::string("\n%y, %c, %v, %n = detection_post_process(") +
          (floats ? "%fb, %fs, %a" : "%b, %s, %a") + ") {classes=" + std::to_string(classes) +
          ", " + attributes + "} : float32[1," + m + ",4], float32[1," + m + "], float32[1," + m +
          "], float32[1] output %y, %c, %v, %n }";
  return expect_exact(text);
}

TEST(PartitionDetection, its_tensors_are_the_interpreter_s_in_both_types_and_both_ways) {
  for (const bool floats : {false, true}) {
    detector("max=10, score=0.3, iou=0.5, y_scale=10, x_scale=10, h_scale=5, w_scale=5", 5, 10,
             floats);
    detector("max=40, score=0, iou=0.1, classes_per_box=3, h_scale=5, w_scale=5", 5, 120, floats);
    detector("max=4, score=0, iou=0.9, classes_per_box=4", 2, 16, floats);
    detector("max=10, score=0.3, iou=0.5, regular=true, h_scale=5, w_scale=5", 5, 10, floats);
    detector("max=7, score=0, iou=0.2, regular=true, boxes_per_class=3, classes_per_box=2", 4, 14,
             floats);
  }
}

TEST(PartitionDetection, its_scratch_comes_before_its_results) {
  const Partitioned p = detector("max=10, score=0.3", 5, 10, false);
  const layer::HostLayer& layer = *p.partition.layers.back().work.as<layer::HostLayer>();
  EXPECT_EQ(layer.kernel, uint32_t{PRESIL_KERNEL_DETECTION_POST_PROCESS});
  ASSERT_EQ(layer.outputs.size(), 7u);
  EXPECT_EQ(p.graph.tensor(layer.outputs[0]).shape, (std::vector<int64_t>{32, 4}));
  EXPECT_EQ(p.partition.placements.back().reason(), "dla: does not compute detection_post_process");
}

TEST(PartitionConcat, unsigned_bytes_are_requantised_by_their_own_rule) {
  for (const std::string axis : {"axis=3", "axis=1"}) {
    const std::string y = axis == "axis=3" ? "[1,4,4,12]" : "[1,12,4,4]";
    expect_exact(R"(graph "g" tflite {
      input %x : int8[1,4,4,4] q(0.5, -3)
      const %w : int8[4,1,1,4] q(0.01, 0) = random 7
      %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.3, 4)
      %b = conv2d(%x, %w) : int8[1,4,4,4] q(0.8, -100)
      %c = concat(%a, %x, %b) {)" +
                 axis + R"(, in_float=true} : int8)" + y + R"( q(0.4, 11)
      output %c
    })");
  }
}

}  // namespace
}  // namespace presil::partition
