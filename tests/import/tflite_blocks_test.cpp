// Operators of the file that move blocks of pixels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ir::Graph import(const TfliteFile& f) {
  return import_tflite(f.bytes(), "test");
}

std::string refusal(const TfliteFile& f) {
  try {
    import(f);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

template <class Options>
TfliteFile blocked(file::Builtin code, std::vector<int32_t> x, std::vector<int32_t> y) {
  TfliteFile f;
  const int in = f.add_tensor("x", std::move(x)), out = f.add_tensor("y", std::move(y));
  Options options;
  options.block_size = 2;
  f.add_op(code, {in}, {out}).options.Set(options);
  f.graph().inputs = {in}, f.graph().outputs = {out};
  return f;
}

TEST(TfliteBlocks, size_of_a_block_is_an_option) {
  auto f = blocked<file::SpaceToDepthT>(file::Builtin_SPACE_TO_DEPTH, {1, 4, 6, 3}, {1, 2, 3, 12});
  EXPECT_EQ(import(f).ops.at(0).as<ir::Blocks>().block, 2);
  f.tensor(0).type = f.tensor(1).type = file::TensorType_Float32;
  f.tensor(0).quantization.reset(), f.tensor(1).quantization.reset();
  EXPECT_EQ(refusal(f), "taken");
  f.op().options.AsSpaceToDepth()->block_size = 4;
  EXPECT_THAT(refusal(f), HasSubstr("x is [1,4,6,3], must have rows and columns in blocks of 4"));
  f = blocked<file::DepthToSpaceT>(file::Builtin_DEPTH_TO_SPACE, {1, 2, 3, 12}, {1, 4, 6, 3});
  EXPECT_EQ(import(f).ops.at(0).kind, ir::OpKind::kDepthToSpace);
}

/// x -> SPACE_TO_BATCH_ND or back -> y.
TfliteFile batched(file::Builtin code, std::vector<int32_t> x, std::vector<int32_t> y,
                   const std::vector<int32_t>& block, const std::vector<int32_t>& pairs) {
  TfliteFile f;
  const int in = f.add_tensor("x", std::move(x)), out = f.add_tensor("y", std::move(y));
  const int size = f.add_integers("block", block), more = f.add_integers("pairs", pairs);
  f.add_op(code, {in, size, more}, {out});
  f.graph().inputs = {in}, f.graph().outputs = {out};
  return f;
}

TEST(TfliteBlocks, blocks_and_pairs_in_tensors_become_attributes) {
  const auto f =
      batched(file::Builtin_SPACE_TO_BATCH_ND, {1, 3, 4, 2}, {6, 2, 2, 2}, {2, 3}, {1, 0, 0, 2});
  const ir::Graph graph = import(f);
  const auto& a = graph.ops.at(0).as<ir::BatchBlocks>();
  EXPECT_THAT(a.block, ElementsAre(2, 3));
  EXPECT_THAT(a.before, ElementsAre(1, 0));
  EXPECT_THAT(a.after, ElementsAre(0, 2));
  EXPECT_EQ(graph.ops[0].inputs.size(), 1u);
  const auto back = batched(file::Builtin_BATCH_TO_SPACE_ND, {6, 2, 2}, {2, 4, 2}, {3}, {1, 1});
  EXPECT_EQ(import(back).ops.at(0).kind, ir::OpKind::kBatchToSpace);
}

TEST(TfliteBlocks, pairs_are_two_for_each_axis_blocked) {
  EXPECT_THAT(
      refusal(batched(file::Builtin_SPACE_TO_BATCH_ND, {1, 4, 4, 2}, {4, 2, 2, 2}, {2, 2}, {0, 0})),
      HasSubstr("SPACE_TO_BATCH_ND \"y\": paddings hold 2 numbers, expected two for each of "
                "the 2 axes blocked"));
}

}  // namespace
}  // namespace presil::import
