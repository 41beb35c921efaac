// Windows over images, as their operators' attributes say.
#pragma once

#include "compiler_bridge/import/onnx/importer.h"

namespace presil::import::onnx {

struct Window {
  int kernel_h = 1, kernel_w = 1, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  int top = 0, left = 0, bottom = 0, right = 0;
};

/// Of a node over x, N, C, H, W, with a kernel of that size; refuses what is no window of an image.
Window window_of(const Importer& importer, const Shape& x, int64_t kernel_h, int64_t kernel_w);

/// The value of a tensor N, H, W, C.
Value image_value(const Importer& importer, ir::TensorId id, bool quantized);

}  // namespace presil::import::onnx
