// Convolutions of integers whose results are the sums themselves.
#pragma once

#include "compiler_bridge/import/onnx/importer.h"

namespace presil::import::onnx {

/// Of a node over an image N, C, H, W with weights M, C / group, h, w; zero points are not set.
/// Refuses groups other than one, or one for each channel.
ir::ConvSums conv_sums(const Importer& importer, const Shape& image, const Shape& weights);

/// Weights in the file's order: in the graph's.
/// @param channels  of the image
ir::Tensor conv_sums_weights(ir::Tensor weights, bool depthwise, int64_t channels);

}  // namespace presil::import::onnx
