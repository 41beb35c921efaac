// Operators that move a window over an image.
#include <algorithm>
#include <cmath>

#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/import/onnx/weights.h"
#include "compiler_bridge/import/onnx/window.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

int small(const Importer& r, const std::string& what, int64_t value, int64_t least) {
  r.require(value >= least && value < 65536, [&] {
    return what + " is " + std::to_string(value) + ", must be " + std::to_string(least) + "..65535";
  });
  return static_cast<int>(value);
}

std::vector<int64_t> pair_of(const Importer& r, const std::string& name) {
  std::vector<int64_t> values = r.integers(name, {1, 1});
  r.require(values.size() == 2, [&] {
    return name + " has " + std::to_string(values.size()) + " numbers, must have 2: images alone";
  });
  return values;
}

// Padding that the result has as many pixels as the image, divided by the stride.
void same(int64_t in, int kernel, int stride, int dilation, bool upper, int& before, int& after) {
  const int64_t out = (in + stride - 1) / stride;
  const int64_t reach = int64_t{kernel - 1} * dilation + 1;
  const int64_t missing = std::max<int64_t>(0, (out - 1) * stride + reach - in);
  const auto smaller = static_cast<int>(missing / 2), larger = static_cast<int>(missing) - smaller;
  before = upper ? smaller : larger;
  after = upper ? larger : smaller;
}

}  // namespace

Window window_of(const Importer& r, const Shape& x, int64_t kernel_h, int64_t kernel_w) {
  Window w;
  w.kernel_h = small(r, "kernel height", kernel_h, 1);
  w.kernel_w = small(r, "kernel width", kernel_w, 1);
  const auto strides = pair_of(r, "strides"), dilations = pair_of(r, "dilations");
  w.stride_h = small(r, "stride", strides[0], 1), w.stride_w = small(r, "stride", strides[1], 1);
  w.dilation_h = small(r, "dilation", dilations[0], 1);
  w.dilation_w = small(r, "dilation", dilations[1], 1);
  const std::string mode = r.text("auto_pad", "NOTSET");
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    const bool upper = mode == "SAME_UPPER";
    same(x[2], w.kernel_h, w.stride_h, w.dilation_h, upper, w.top, w.bottom);
    same(x[3], w.kernel_w, w.stride_w, w.dilation_w, upper, w.left, w.right);
    return w;
  }
  r.require(mode == "NOTSET" || mode == "VALID", [&] {
    return "auto_pad is \"" + mode + "\", must be NOTSET, VALID, SAME_UPPER or SAME_LOWER";
  });
  const auto pads = r.integers("pads", {0, 0, 0, 0});
  r.require(pads.size() == 4, [&] {
    return "pads has " + std::to_string(pads.size()) + " numbers, must have 4: images alone";
  });
  w.top = small(r, "padding", pads[0], 0), w.left = small(r, "padding", pads[1], 0);
  w.bottom = small(r, "padding", pads[2], 0), w.right = small(r, "padding", pads[3], 0);
  return w;
}

namespace {

template <class Attributes>
void set(Attributes& a, const Window& w) {
  a.stride_h = w.stride_h, a.stride_w = w.stride_w;
  a.pad_top = w.top, a.pad_left = w.left, a.pad_bottom = w.bottom, a.pad_right = w.right;
}

Shape file_order(const Shape& nhwc) {
  return {nhwc[0], nhwc[3], nhwc[1], nhwc[2]};
}

}  // namespace

Value image_value(const Importer& r, ir::TensorId id, bool quantized) {
  Value value{id, {}, true, quantized};
  value.shape = file_order(r.tensor(value).shape);
  return value;
}

namespace {

void conv(Importer& r) {
  const Value x = r.in(0), w = r.in(1);
  r.require(x.shape.size() == 4 && w.shape.size() == 4, [&] {
    return "x is " + ir::to_string(x.shape) + ", weights " + ir::to_string(w.shape) +
           ", both must have 4 axes: images alone";
  });
  r.require(r.is_constant(w),
            [] { return "computed weights are not supported, must be constants"; });
  const int64_t groups = r.integer("group", 1), channels = x.shape[1];
  r.require(groups >= 1 && groups <= channels && channels == w.shape[1] * groups &&
                w.shape[0] % groups == 0,
            [&] {
              return "x has " + std::to_string(channels) + " channels, weights " +
                     ir::to_string(w.shape) + " in " + std::to_string(groups) +
                     " groups do not fit";
            });
  const Window window = window_of(r, x.shape, w.shape[2], w.shape[3]);
  const bool depthwise = groups == channels && groups > 1;
  const WeightForm form = depthwise ? WeightForm::kDepthwise : WeightForm::kConvolution;
  const auto add = [&](const Weighted& operands, ir::Activation act, const ir::Quantization& q,
                       ir::DType dtype) {
    const std::vector<ir::TensorId> inputs = {operands.x.id, operands.weights, operands.bias};
    if (depthwise) {
      ir::DepthwiseConv2d a;
      set(a, window);
      a.dilation_h = window.dilation_h, a.dilation_w = window.dilation_w, a.act = act;
      a.multiplier = static_cast<int>(w.shape[0] / channels);
      return r.make(ir::OpKind::kDepthwiseConv2d, a, inputs, q, dtype);
    }
    ir::Conv2d a;
    set(a, window);
    a.dilation_h = window.dilation_h, a.dilation_w = window.dilation_w, a.act = act;
    a.groups = static_cast<int>(groups);
    return r.make(ir::OpKind::kConv2d, a, inputs, q, dtype);
  };
  const auto quantizer = r.quantizer(true);
  if (quantizer) {
    if (const auto integers = integer_operands(r, r.image(x), own_bias(r), form, *quantizer)) {
      const ir::TensorId y =
          add(*integers, quantizer->act, quantizer->quantization, quantizer->dtype);
      return r.give(image_value(r, y, false), *quantizer);
    }
  }
  const Weighted reals = real_operands(r, r.image(x), own_bias(r), form);
  r.give(image_value(r, add(reals, ir::Activation::kNone, {}, ir::DType::kFloat32), false));
}

void conv_transpose(Importer& r) {
  const Value x = r.in(0), w = r.in(1);
  r.require(x.shape.size() == 4 && w.shape.size() == 4 && x.shape[1] == w.shape[0], [&] {
    return "x is " + ir::to_string(x.shape) + ", weights " + ir::to_string(w.shape) +
           ", must be an image and its channels' weights";
  });
  r.require(r.is_constant(w),
            [] { return "computed weights are not supported, must be constants"; });
  r.require(r.integer("group", 1) == 1, [] { return "its groups must be 1"; });
  r.require(r.integers("output_shape", {}).empty() && r.text("auto_pad", "NOTSET") == "NOTSET",
            [] { return "output_shape and auto_pad are not supported; give pads"; });
  const Window window = window_of(r, x.shape, w.shape[2], w.shape[3]);
  r.require(window.dilation_h == 1 && window.dilation_w == 1,
            [] { return "it is dilated, must have dilations of 1"; });
  const auto more = r.integers("output_padding", {0, 0});
  r.require(more.size() == 2 && more[0] >= 0 && more[1] >= 0 && more[0] < window.stride_h &&
                more[1] < window.stride_w,
            [] { return "output_padding must be two numbers, each less than the stride"; });
  ir::TransposeConv2d a;
  set(a, window);
  a.pad_bottom -= static_cast<int>(more[0]), a.pad_right -= static_cast<int>(more[1]);
  const auto quantizer = r.quantizer(true);
  const WeightForm form = WeightForm::kTransposedConvolution;
  if (quantizer) {
    if (const auto o = integer_operands(r, r.image(x), own_bias(r), form, *quantizer)) {
      a.act = quantizer->act;
      const ir::TensorId y = r.make(ir::OpKind::kTransposeConv2d, a, {o->x.id, o->weights, o->bias},
                                    quantizer->quantization, quantizer->dtype);
      return r.give(image_value(r, y, false), *quantizer);
    }
  }
  const Weighted o = real_operands(r, r.image(x), own_bias(r), form);
  const ir::TensorId y =
      r.make(ir::OpKind::kTransposeConv2d, a, {o.x.id, o.weights, o.bias}, {}, ir::DType::kFloat32);
  r.give(image_value(r, y, false));
}

void pool(Importer& r, bool maximum) {
  const Value x = r.in(0);
  r.require(x.shape.size() == 4,
            [&] { return "x is " + ir::to_string(x.shape) + ", must have 4 axes: an image"; });
  const auto kernel = r.integers("kernel_shape", {});
  r.require(kernel.size() == 2, [] { return "kernel_shape must have 2 numbers: images alone"; });
  const Window w = window_of(r, x.shape, kernel[0], kernel[1]);
  r.require(w.dilation_h == 1 && w.dilation_w == 1,
            [] { return "its dilations must be 1: a pool has none"; });
  r.require(r.node().outputs.size() == 1,
            [] { return "it gives indices too, which is not supported"; });
  const auto fits = [](int64_t in, int before, int after, int kernel_size, int stride) {
    return (in + before + after - kernel_size) % stride == 0;
  };
  r.require(r.integer("ceil_mode", 0) == 0 ||
                (fits(x.shape[2], w.top, w.bottom, w.kernel_h, w.stride_h) &&
                 fits(x.shape[3], w.left, w.right, w.kernel_w, w.stride_w)),
            [] { return "ceil_mode is 1 where it adds pixels; pad the image at its end instead"; });
  const bool padded = w.top + w.left + w.bottom + w.right > 0;
  r.require(maximum || !padded || r.integer("count_include_pad", 0) == 0, [] {
    return "count_include_pad is 1 and there is padding, must be 0: an average over the pixels "
           "inside";
  });
  ir::Pool2d a;
  set(a, w);
  a.kernel_h = w.kernel_h, a.kernel_w = w.kernel_w;
  const Value from = r.image(maximum ? x : r.dequantized(x));
  const auto kind = maximum ? ir::OpKind::kMaxPool2d : ir::OpKind::kAveragePool2d;
  r.give(image_value(r, r.make_like(from, kind, a, {from.id}), from.quantized));
}

void max_pool(Importer& r) {
  pool(r, true);
}
void average_pool(Importer& r) {
  pool(r, false);
}

void global_average_pool(Importer& r) {
  const Value x = r.in(0);
  r.require(x.shape.size() == 4,
            [&] { return "x is " + ir::to_string(x.shape) + ", must have 4 axes: an image"; });
  const auto quantizer = x.quantized ? r.quantizer(false) : std::nullopt;
  const Value from = r.image(quantizer ? x : r.dequantized(x));
  const ir::Reduce a{{1, 2}, true};
  if (quantizer && quantizer->dtype == ir::DType::kInt8) {
    const ir::TensorId y =
        r.make(ir::OpKind::kMean, a, {from.id}, quantizer->quantization, quantizer->dtype);
    return r.give(image_value(r, y, false), *quantizer);
  }
  r.give(image_value(r, r.make_like(from, ir::OpKind::kMean, a, {from.id}), false));
}

void resize(Importer& r) {
  const Value x = r.in(0);
  r.require(x.shape.size() == 4,
            [&] { return "x is " + ir::to_string(x.shape) + ", must have 4 axes: an image"; });
  Shape size = x.shape;
  const bool old = r.node().op == "Upsample" || r.opset() < 11;
  const size_t scales_at = old ? 1 : 2;
  if (!old && r.has(3)) {
    size = r.numbers(3, "sizes");
  } else {
    const auto scales = r.reals(scales_at, "scales");
    r.require(scales.size() == 4, [] { return "scales must have 4 numbers: an image"; });
    for (size_t i = 0; i < 4; ++i) {
      const float exact = static_cast<float>(x.shape[i]) * scales[i];
      const bool whole = exact >= 0 && exact < 65536 && exact == std::floor(exact);
      size[i] = whole ? static_cast<int64_t>(exact) : 0;
      r.require(whole, [&] {
        return "its scale " + std::to_string(scales[i]) + " of " + std::to_string(x.shape[i]) +
               " pixels gives a part of one, or too many; give sizes instead";
      });
    }
  }
  r.require(size.size() == 4 && size[0] == x.shape[0] && size[1] == x.shape[1] && size[2] > 0 &&
                size[3] > 0 && size[2] < 65536 && size[3] < 65536,
            [&] { return "y is " + ir::to_string(size) + ", must have images and channels of x"; });
  const std::string mode = r.text("mode", "nearest");
  const std::string place =
      r.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  const std::string nearest = r.text("nearest_mode", old ? "floor" : "round_prefer_floor");
  const bool whole = size[2] % x.shape[2] == 0 && size[3] % x.shape[3] == 0;
  ir::Resize a;
  if (mode == "nearest") {
    // By a whole factor both say: pixel / factor, rounded down.
    const bool by_pixel = place == "half_pixel" && nearest.rfind("round", 0) == 0 && whole;
    const bool by_corner = place == "asymmetric" && nearest == "floor";
    r.require(by_corner || by_pixel, [&] {
      return "nearest by \"" + place + "\" and \"" + nearest +
             "\", must be asymmetric and floor, or half_pixel by a whole factor";
    });
    const Value from = r.image(x);
    return r.give(
        image_value(r, r.make_like(from, ir::OpKind::kResizeNearest, a, {from.id}, to_nhwc(size)),
                    from.quantized));
  }
  const bool known = place == "half_pixel" || place == "align_corners" || place == "asymmetric";
  r.require(mode == "linear" && known, [&] {
    return "mode is \"" + mode + "\" by \"" + place +
           "\", must be nearest, or linear by half_pixel, align_corners or asymmetric";
  });
  a.half_pixel_centers = place == "half_pixel", a.align_corners = place == "align_corners";
  const Value from = r.image(r.dequantized(x));
  r.give(image_value(r, r.make_like(from, ir::OpKind::kResizeBilinear, a, {from.id}, to_nhwc(size)),
                     false));
}

}  // namespace

const std::vector<Conversion>& of_windows() {
  static const std::vector<Conversion> table = {{"Conv", conv},
                                                {"ConvTranspose", conv_transpose},
                                                {"MaxPool", max_pool},
                                                {"AveragePool", average_pool},
                                                {"GlobalAveragePool", global_average_pool},
                                                {"Resize", resize},
                                                {"Upsample", resize}};
  return table;
}

}  // namespace presil::import::onnx
