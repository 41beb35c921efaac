// Operators that move blocks of pixels between space, channels and batch.
#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

void space_to_depth(const OpReader& r) {
  r.op.attributes = ir::Blocks{r.options<file::SpaceToDepth>().block_size()};
}
void depth_to_space(const OpReader& r) {
  r.op.attributes = ir::Blocks{r.options<file::DepthToSpace>().block_size()};
}

/// One block extent an axis, and a pair of paddings or crops.
void blocks(const OpReader& r) {
  ir::BatchBlocks a;
  a.block = r.integers(1, "block_shape");
  const bool apart = r.code == file::Builtin_SPACE_TO_BATCH_ND;
  const auto pairs = r.integers(2, apart ? "paddings" : "crops");
  r.require(pairs.size() == 2 * a.block.size(), [&] {
    return std::string(apart ? "paddings" : "crops") + " hold " + std::to_string(pairs.size()) +
           " numbers, expected two for each of the " + std::to_string(a.block.size()) +
           " axes blocked";
  });
  for (size_t i = 0; i < pairs.size(); i += 2) {
    a.before.push_back(pairs[i]);
    a.after.push_back(pairs[i + 1]);
  }
  r.op.attributes = a;
  r.keep_inputs(1);
}

}  // namespace

std::vector<Conversion> block_conversions() {
  return {
      {file::Builtin_DEPTH_TO_SPACE, ir::OpKind::kDepthToSpace, 1, 1, types::kAny, depth_to_space},
      {file::Builtin_SPACE_TO_DEPTH, ir::OpKind::kSpaceToDepth, 1, 1, types::kAny, space_to_depth},
      {file::Builtin_BATCH_TO_SPACE_ND, ir::OpKind::kBatchToSpace, 3, 3, types::kAny, blocks},
      {file::Builtin_SPACE_TO_BATCH_ND, ir::OpKind::kSpaceToBatch, 3, 3, types::kAny, blocks},
  };
}

}  // namespace presil::import
