#include "compiler_bridge/passes/pass.h"

#include "compiler_bridge/passes/passes.h"

namespace presil::passes {

const std::vector<Pass>& standard_passes() {
  static const std::vector<Pass> passes = {
      {"remove_identity", remove_identity},
      {"gather_to_slice", gather_to_slice},
      {"fold_constants", fold_constants},
      {"fuse_softmax", fuse_softmax},
      {"fuse_softmax_float", fuse_softmax_float},
      {"fuse_rescale", fuse_rescale},
      {"fuse_rescaled_pairs", fuse_rescaled_pairs},
      {"fuse_rescaled_sums", fuse_rescaled_sums},
      {"rescale_to_quantize", rescale_to_quantize},
      {"ratio_to_nearest", ratio_to_nearest},
      {"lower_clamps", lower_clamps},
      {"drop_unread_rows", drop_unread_rows},
      {"fuse_layer_norm", fuse_layer_norm},
      {"sink_transposes", sink_transposes},
      {"compose_transposes", compose_transposes},
      {"fold_dilation", fold_dilation},
      {"fold_pad", fold_pad},
      {"fold_relu", fold_relu},
      {"pairs_in_float", pairs_in_float},
      {"fold_transpose", fold_transpose},
      {"permute_channels", permute_channels},
      {"transpose_weights", transpose_weights},
      {"split_images", split_images},
      {"flatten_batch", flatten_batch},
      {"flatten_dense", flatten_dense},
      {"merge_unrolled_groups", merge_unrolled_groups},
      {"gather_patches", gather_patches},
      {"split_large_kernels", split_large_kernels},
      {"split_padded_pool", split_padded_pool},
      {"join_slices", join_slices},
      {"split_sliced_channels", split_sliced_channels},
      {"slice_channels", slice_channels},
      {"fold_selection", fold_selection},
      {"split_transpose_conv", split_transpose_conv},
      {"split_bilinear_resize", split_bilinear_resize, ir::OpKind::kResizeBilinear},
      {"lower_blocks", lower_blocks},
      {"lift_quantize", lift_quantize},
      {"lower_activation_to_lut", lower_activation_to_lut},
      {"requantise_before_concat", requantise_before_concat},
      {"fuse_tables", fuse_tables},
      {"fold_functions", fold_functions},
      {"lift_lut", lift_lut},
      {"widen_tables", widen_tables},
      {"broadcast_channels", broadcast_channels},
      {"split_transposes", split_transposes},
      {"split_wide_concat", split_wide_concat},
      {"remove_dead", remove_dead},
  };
  return passes;
}

std::vector<Applied> run_passes(ir::Graph& graph, const Verify& verify,
                                const std::vector<Pass>& passes) {
  std::vector<Applied> applied;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Pass& pass : passes) {
      const ir::Graph before = verify ? graph : ir::Graph();
      const int rewrites = pass.run(graph);
      if (rewrites == 0) continue;
      changed = true;
      applied.push_back({pass.name, rewrites});
      if (verify && !verify(pass, before, graph)) return applied;
    }
  }
  return applied;
}

ir::Graph prepare(ir::Graph imported, const std::set<std::string>& without) {
  std::vector<Pass> passes;
  for (const Pass& pass : standard_passes()) {
    if (without.count(pass.name) == 0) passes.push_back(pass);
  }
  run_passes(imported, {}, passes);
  return imported;
}

}  // namespace presil::passes
