// The passes; each one's page (before, after, why) is its own file.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

/// Row stride times column stride up to which transposed convolutions are split.
inline constexpr int kMostPhases = 64;
/// Inputs of a concatenation that one task of the host can take, beside a table and a result.
inline constexpr size_t kMostJoined = 30;
/// Axes of a block between space and batch that a transpose of six axes can hold.
inline constexpr int kMostBlockAxes = 2;

int broadcast_channels(ir::Graph& graph);
int compose_transposes(ir::Graph& graph);
int drop_unread_rows(ir::Graph& graph);
int flatten_batch(ir::Graph& graph);
int flatten_dense(ir::Graph& graph);
int fold_constants(ir::Graph& graph);
int fold_dilation(ir::Graph& graph);
int fold_functions(ir::Graph& graph);
int gather_patches(ir::Graph& graph);
int gather_to_slice(ir::Graph& graph);
int fold_pad(ir::Graph& graph);
int fold_relu(ir::Graph& graph);
int fold_selection(ir::Graph& graph);
int fold_transpose(ir::Graph& graph);
int fuse_layer_norm(ir::Graph& graph);
int fuse_rescale(ir::Graph& graph);
int fuse_rescaled_pairs(ir::Graph& graph);
int fuse_rescaled_sums(ir::Graph& graph);
int fuse_softmax(ir::Graph& graph);
int fuse_softmax_float(ir::Graph& graph);
int fuse_tables(ir::Graph& graph);
int join_slices(ir::Graph& graph);
int lift_lut(ir::Graph& graph);
int lift_quantize(ir::Graph& graph);
int lower_activation_to_lut(ir::Graph& graph);
int lower_blocks(ir::Graph& graph);
int lower_clamps(ir::Graph& graph);
int merge_unrolled_groups(ir::Graph& graph);
int permute_channels(ir::Graph& graph);
int remove_identity(ir::Graph& graph);
int remove_dead(ir::Graph& graph);
int rescale_to_quantize(ir::Graph& graph);
int requantise_before_concat(ir::Graph& graph);
int sink_transposes(ir::Graph& graph);
int slice_channels(ir::Graph& graph);
int split_bilinear_resize(ir::Graph& graph);
int split_images(ir::Graph& graph);
int split_large_kernels(ir::Graph& graph);
int split_padded_pool(ir::Graph& graph);
int split_sliced_channels(ir::Graph& graph);
int split_wide_concat(ir::Graph& graph);
int split_transpose_conv(ir::Graph& graph);
int split_transposes(ir::Graph& graph);
int pairs_in_float(ir::Graph& graph);
int ratio_to_nearest(ir::Graph& graph);
int transpose_weights(ir::Graph& graph);
int widen_tables(ir::Graph& graph);

/// A product of floats, of many rows by what the graph computes: the weights of neighbouring
/// results had better lie side by side.
bool needs_transposed_weights(const ir::Graph& graph, const ir::Op& op);

}  // namespace presil::passes
