// Operators that only move values: what lies where it is read, and which engine moves the rest.
#include <gmock/gmock.h>

#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/in_place_layer.h"
#include "tests/compiler/partition_check.h"

namespace presil::partition {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const layer::InPlaceLayer& stack_of(const Partitioned& p, size_t layer) {
  return *p.partition.layers.at(layer).work.as<layer::InPlaceLayer>();
}

TEST(PartitionStack, parts_that_layers_make_are_written_one_after_another) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    input %z : int8[1,2,4,4] q(0.25, 5)
    const %w : int8[3,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,3] q(0.8, 4)
    %b = conv2d(%z, %w) : int8[1,2,4,3] q(0.8, 4)
    %c = concat(%a, %b) {axis=1} : int8[1,6,4,3] q(0.8, 4)
    %r = reshape(%c) : int8[1,24,3] q(0.8, 4)
    output %r
  })");
  EXPECT_THAT(p.layers(), ElementsAre("a: conv2d", "b: conv2d", "c: concat", "r: reshape"));
  EXPECT_THAT(stack_of(p, 2).inputs, ElementsAre(p.graph.ops[0].output(), p.graph.ops[1].output()));
  EXPECT_EQ(p.partition.placements[2].engine, "dla");
  EXPECT_THAT(p.partition.placements[2].reason(), HasSubstr("one after another"));
}

// a: as it is; b, of another scale, through the table of its layer; the caller's x, a a second
// time: copied
TEST(PartitionStack, other_parts_are_copied_or_requantised) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    const %w : int8[4,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.5, -3)
    %b = conv2d(%x, %w) : int8[1,4,4,4] q(0.9, 7)
    %c = concat(%a, %x, %b, %a) {axis=1} : int8[1,16,4,4] q(0.5, -3)
    output %c
  })");
  EXPECT_THAT(p.layers(), ElementsAre("a: conv2d", "b: conv2d+quantize", "c: copy", "c#2: copy",
                                      "c#3: concat"));
  EXPECT_EQ(stack_of(p, 4).inputs[0], p.graph.ops[0].output());
}

// 3 * 4 * 5 = 60 bytes come before the second part: no multiple of 16, where a host task would find
// its tensors.
TEST(PartitionStack, what_the_host_makes_is_copied_where_its_place_is_not_aligned) {
  for (const int rows : {3, 4}) {
    const std::string h = std::to_string(rows), all = std::to_string(rows + 2);
    const Partitioned p = expect_exact(R"(graph "g" tflite {
      input %x : int8[1,)" + h + R"(,4,5] q(0.00390625, -128)
      input %z : int8[1,2,4,5] q(0.25, 5)
      const %w : int8[5,1,1,5] q(0.02, 0) = random 7
      %a = conv2d(%x, %w) : int8[1,)" + h +
                                       R"(,4,5] q(0.00390625, -128)
      %b = softmax(%z) : int8[1,2,4,5] q(0.00390625, -128)
      %c = concat(%a, %b) {axis=1} : int8[1,)" +
                                       all + R"(,4,5] q(0.00390625, -128)
      output %c
    })");
    EXPECT_EQ(p.partition.layers.size(), rows == 3 ? 4u : 3u) << rows;
  }
}

TEST(PartitionStack, a_part_of_two_stacks_lies_in_the_first_and_is_copied_into_the_second) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    const %w : int8[4,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.5, -3)
    %b = conv2d(%a, %w) : int8[1,4,4,4] q(0.5, -3)
    %r = reshape(%a) : int8[1,16,1,4] q(0.5, -3)
    %s = reshape(%b) : int8[1,16,1,4] q(0.5, -3)
    %c = concat(%r, %s) {axis=1} : int8[1,32,1,4] q(0.5, -3)
    %d = concat(%b, %a) {axis=1} : int8[1,8,4,4] q(0.5, -3)
    output %c, %d
  })");
  EXPECT_THAT(p.layers(), ElementsAre("a: conv2d", "b: conv2d", "r: reshape", "s: reshape",
                                      "c: concat", "d: copy", "d#2: copy", "d#3: concat"));
}

TEST(PartitionConcat, after_a_batch_the_dma_does_it_and_with_a_clamp_the_host) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[2,4,4,4] q(0.5, -3)
    input %z : int8[2,2,4,4] q(0.5, -3)
    %c = concat(%x, %z) {axis=1} : int8[2,6,4,4] q(0.5, -3)
    %d = concat(%c, %c) {axis=3, act=relu} : int8[2,6,4,8] q(0.5, -3)
    output %d
  })");
  EXPECT_EQ(p.partition.placements[0].engine, "dma");
  EXPECT_THAT(
      p.partition.placements[0].reason(),
      HasSubstr("axis of concat is 1 of int8[2,6,4,4] q(0.5, -3), must be the last, or have "
                "only axes of 1 before it"));
  EXPECT_EQ(p.partition.placements[1].engine, "host");
  EXPECT_THAT(p.partition.placements[1].reason(), HasSubstr("activation of concat is relu"));
}

TEST(PartitionTranspose, matrices_whose_rows_become_columns_are_the_dlas) {
  struct {
    const char *x, *perm, *y;
    bool dla;
  } const cases[] = {
      {"1,3,4,5", "0,3,1,2", "1,5,3,4", true},   // 12 x 5
      {"1,3,4,5", "0,2,3,1", "1,4,5,3", true},   // 3 x 20
      {"1,3,4,5", "0,1,3,2", "1,3,5,4", true},   // three times 4 x 5
      {"7,6", "1,0", "6,7", true},               // 7 x 6
      {"2,3,1,4", "0,3,2,1", "2,4,1,3", true},   // twice 3 x 4
      {"1,3,4,5", "0,2,1,3", "1,4,3,5", false},  // rows of 5 move
      {"1,3,4,5", "0,3,2,1", "1,5,4,3", false},  // three groups of axes
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.perm);
    const Partitioned p =
        expect_exact("graph \"g\" tflite {\n  input %x : int8[" + std::string(c.x) +
                     "] q(0.5, -3)\n  %y = transpose(%x) {perm=[" + c.perm + "]} : int8[" + c.y +
                     "] q(0.5, -3)\n  output %y\n}");
    EXPECT_EQ(p.partition.placements[0].engine == "dla", c.dla);
    if (c.dla) continue;
    EXPECT_THAT(p.partition.placements[0].reason(),
                HasSubstr("must be a swap of two neighbouring groups"));
  }
}

// The table goes before the reshape, where it joins the convolution; what is left of both is a
// view.
TEST(PartitionStack, what_is_folded_into_a_view_runs_nowhere) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    const %w : int8[4,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.5, -3)
    %r = reshape(%a) : int8[1,16,1,4] q(0.5, -3)
    %q = quantize(%r) : int8[1,16,1,4] q(0.4, 9)
    %b = conv2d(%q, %w) : int8[1,16,1,4] q(0.5, -3)
    output %b
  })");
  for (const placement::Placement& placement : p.partition.placements) {
    EXPECT_NE(placement.engine, "host") << placement.name << ": " << placement.reason();
  }
}

// The transpose is read only by a reshape that says it as pixels and channels: the layer makes
// that.
TEST(PartitionTranspose, a_reshape_after_it_joins_it) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,3,4,5] q(0.5, -3)
    %t = transpose(%x) {perm=[0,3,1,2]} : int8[1,5,3,4] q(0.5, -3)
    %r = reshape(%t) : int8[1,5,12] q(0.5, -3)
    output %r
  })");
  EXPECT_THAT(p.layers(), ElementsAre("t: transpose", "t#2: transpose"));
  EXPECT_NE(p.partition.layers[0].work.in_place(), nullptr);
  EXPECT_EQ(p.dla(1).out_w, 5);
  EXPECT_EQ(p.dla(1).out_c, 12);
}

TEST(PartitionTranspose, matrices_of_too_many_rows_are_not_the_dlas) {
  for (const int rows : {16368, 16369}) {
    const std::string n = std::to_string(rows);
    const Partitioned p =
        partitioned(parsed("graph \"g\" tflite {\n  input %x : int8[" + n +
                               ",2] q(0.5, -3)\n  %y = transpose(%x) {perm=[1,0]} "
                               ": int8[2," +
                               n + "] q(0.5, -3)\n  output %y\n}",
                           ir::Numerics::kTflite));
    EXPECT_EQ(p.partition.placements[0].engine == "dla", rows == 16368);
    if (rows == 16369) {
      EXPECT_THAT(p.partition.placements[0].reason(), HasSubstr("size of matrices is 16369 x 2"));
    }
  }
}

// Rows 2 and 3 of 4 are bytes 40 .. 79 of x, for layer w. The host's softmax would find its tensor
// at byte 40 too, no multiple of 16: that is copied; rows 0 and 1 are not.
TEST(PartitionSlice, neighbouring_bytes_stay_where_they_are) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,5] q(0.5, -3)
    const %w : int8[4,1,1,5] q(0.02, 0) = random 7
    %a = strided_slice(%x) {begin=[0,2,0,0], size=[1,2,4,5], step=[1,1,1,1]} : int8[1,2,4,5] q(0.5, -3)
    %b = conv2d(%a, %w) : int8[1,2,4,4] q(0.5, -3)
    %c = strided_slice(%x) {begin=[0,2,0,0], size=[1,2,4,5], step=[1,1,1,1]} : int8[1,2,4,5] q(0.5, -3)
    %d = softmax(%c) : int8[1,2,4,5] q(0.00390625, -128)
    %e = strided_slice(%x) {begin=[0,0,0,0], size=[1,2,4,5], step=[1,1,1,1]} : int8[1,2,4,5] q(0.5, -3)
    %f = softmax(%e) : int8[1,2,4,5] q(0.00390625, -128)
    output %b, %d, %f
  })");
  std::vector<std::string> engines;
  for (const placement::Placement& placement : p.partition.placements) {
    engines.push_back(placement.engine);
  }
  EXPECT_THAT(engines, ElementsAre("none", "dla", "dma", "host", "none", "host"));
  EXPECT_EQ(p.partition.layers[0].work.as<layer::InPlaceLayer>()->at, 40u);
  EXPECT_EQ(p.partition.placements[0].reason(),
            "a view: neighbouring bytes of what it is cut from");
}

TEST(PartitionSlice, other_bytes_and_outputs_are_moved_by_the_dma) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,5] q(0.5, -3)
    %a = strided_slice(%x) {begin=[0,0,2,0], size=[1,4,2,5], step=[1,1,1,1]} : int8[1,4,2,5] q(0.5, -3)
    %b = strided_slice(%x) {begin=[0,2,0,0], size=[1,2,4,5], step=[1,1,1,1]} : int8[1,2,4,5] q(0.5, -3)
    output %a, %b
  })");
  EXPECT_EQ(p.partition.placements[0].engine, "dma");
  EXPECT_EQ(p.partition.placements[1].engine, "dma");
  EXPECT_EQ(p.partition.layers[1].work.as<layer::DmaLayer>()->moves[0].bytes.row, 40);
}

// Anchors less distances: between two layers of the DLA nothing goes to the host for the constant's
// place in a difference.
TEST(PartitionSub, a_constant_of_ys_shape_is_streamed_where_it_comes_first) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,5] q(0.5, -3)
    const %w : int8[6,1,1,5] q(0.02, 0) = random 7
    const %k : int8[1,4,4,6] q(0.4, 9) = random 8
    const %r : int8[1,1,4,6] q(0.4, 9) = random 9
    %a = conv2d(%x, %w) : int8[1,4,4,6] q(0.5, -3)
    %d = sub(%k, %a) : int8[1,4,4,6] q(0.7, 2)
    %e = sub(%r, %d) : int8[1,4,4,6] q(0.9, 2)
    output %e
  })");
  EXPECT_EQ(p.partition.placements[1].engine, "dla");
  EXPECT_EQ(p.graph.tensor(p.dla(1).input).name, "k");
  EXPECT_EQ(p.partition.placements[2].engine, "host");  // it would be written out
}

}  // namespace
}  // namespace presil::partition
