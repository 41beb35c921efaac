#include "compiler_bridge/import/onnx/conv_sums.h"

#include <string>
#include <utility>

#include "compiler_bridge/import/onnx/weights.h"
#include "compiler_bridge/import/onnx/window.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {

ir::ConvSums conv_sums(const Importer& r, const Shape& image, const Shape& weights) {
  const int64_t groups = r.integer("group", 1), channels = image[1];
  const bool depthwise = groups == channels && groups > 1;
  r.require(
      (groups == 1 || depthwise) && channels == weights[1] * groups && weights[0] % groups == 0,
      [&] {
        return "x has " + std::to_string(channels) + " channels, w is " + ir::to_string(weights) +
               " in " + std::to_string(groups) +
               " groups; groups must be 1, or one for each channel";
      });
  const Window window = window_of(r, image, weights[2], weights[3]);
  ir::ConvSums a;
  a.stride = {window.stride_h, window.stride_w};
  a.dilation = {window.dilation_h, window.dilation_w};
  a.before = {window.top, window.left}, a.after = {window.bottom, window.right};
  a.depthwise = depthwise;
  return a;
}

// Depthwise, [channels * multiplier, 1, h, w] is [h, w, channels, multiplier].
ir::Tensor conv_sums_weights(ir::Tensor weights, bool depthwise, int64_t channels) {
  const Shape file = weights.shape;
  const WeightForm form = depthwise ? WeightForm::kDepthwise : WeightForm::kConvolution;
  ir::Tensor ordered = in_order(std::move(weights), form);
  if (depthwise) ordered.shape = {file[2], file[3], channels, file[0] / channels};
  return ordered;
}

}  // namespace presil::import::onnx
