// Sums of products: convolutions and matrices. Of integers they stay sums; of floats they are the
// graph's operators with weights.
#include "compiler_bridge/import/tosa/importer.h"

namespace presil::import::tosa {
namespace {

using K = ir::OpKind;
using D = ir::DType;

/// A bias of one value for all channels, as one for each.
ir::TensorId bias_of(Importer& i, int64_t channels) {
  const ir::Tensor bias = i.tensor(i.in(2));
  if (bias.elements() == channels || bias.elements() != 1) return i.in(2);
  const ir::Tensor all = bias;
  return i.make(K::kTile, ir::Tile{{channels}}, {i.in(2)}, all.dtype);
}

ir::TensorId float_convolution(Importer& i, const ir::ConvSums& a) {
  i.require(a.stride.size() == 2, [] { return "it is of FP32, must be of integers"; });
  const auto set = [&](auto& c) {
    c.stride_h = static_cast<int>(a.stride[0]), c.stride_w = static_cast<int>(a.stride[1]);
    c.pad_top = static_cast<int>(a.before[0]), c.pad_left = static_cast<int>(a.before[1]);
    c.pad_bottom = static_cast<int>(a.after[0]), c.pad_right = static_cast<int>(a.after[1]);
  };
  const Shape w = i.tensor(i.in(1)).shape;
  i.require(w.size() == 4, [] { return "weights must have 4 axes"; });
  if (a.transposed) {
    ir::TransposeConv2d c;
    set(c);
    return i.make(K::kTransposeConv2d, c, {i.in(0), i.in(1), bias_of(i, w[0])}, D::kFloat32,
                  Shape{i.tensor(i.in(0)).shape.at(0), 1, 1, w[0]});
  }
  if (a.depthwise) {
    ir::DepthwiseConv2d c;
    set(c);
    c.dilation_h = static_cast<int>(a.dilation[0]), c.dilation_w = static_cast<int>(a.dilation[1]);
    c.multiplier = static_cast<int>(w[3]);
    const ir::TensorId weights =
        i.make(K::kReshape, ir::None{}, {i.in(1)}, D::kFloat32, Shape{1, w[0], w[1], w[2] * w[3]});
    return i.make(K::kDepthwiseConv2d, c, {i.in(0), weights, bias_of(i, w[2] * w[3])}, D::kFloat32);
  }
  ir::Conv2d c;
  set(c);
  c.dilation_h = static_cast<int>(a.dilation[0]), c.dilation_w = static_cast<int>(a.dilation[1]);
  return i.make(K::kConv2d, c, {i.in(0), i.in(1), bias_of(i, w[0])}, D::kFloat32);
}

void give_sums(Importer& i, ir::ConvSums a) {
  if (i.type(0) == D::kFloat32) return i.give(float_convolution(i, a));
  const D type = i.type(0);
  i.require(type == D::kInt8 || type == D::kInt16, [&] {
    return "its input is " + std::string(ir::to_string(type)) + ", must be INT8, INT16 or FP32";
  });
  a.in_zero = i.zero_point(3, "input_zp"), a.weight_zero = i.zero_point(4, "weight_zp");
  i.zero_points().state(i.in(0), a.in_zero);
  i.give(i.make(K::kConvSums, a, {i.in(0), i.in(1), i.in(2)},
                type == D::kInt8 ? D::kInt32 : D::kInt64));
}

template <size_t Axes, bool Depthwise>
void convolution(Importer& i) {
  const auto& o = i.options<file::Conv>();
  ir::ConvSums a;
  a.stride = i.list(o.stride(), "stride", Axes);
  a.dilation = i.list(o.dilation(), "dilation", Axes);
  const std::vector<int64_t> pad = i.list(o.pad(), "pad", 2 * Axes);
  for (size_t k = 0; k < Axes; ++k) {
    a.before.push_back(pad[2 * k]), a.after.push_back(pad[2 * k + 1]);
    i.require(pad[2 * k] >= 0 && pad[2 * k + 1] >= 0, [] { return "pad is negative"; });
  }
  a.depthwise = Depthwise;
  give_sums(i, std::move(a));
}

void transpose_convolution(Importer& i) {
  const auto& o = i.options<file::TransposeConv>();
  ir::ConvSums a;
  a.transposed = true;
  a.stride = i.list(o.stride(), "stride", 2);
  a.dilation = {1, 1};
  const std::vector<int64_t> out = i.list(o.out_pad(), "out_pad", 4);
  i.require(a.stride[0] > 0 && a.stride[1] > 0, [] { return "stride must be at least 1"; });
  for (size_t k = 0; k < 2; ++k) {
    a.before.push_back(-out[2 * k]), a.after.push_back(-out[2 * k + 1]);
  }
  give_sums(i, std::move(a));
}

void matmul(Importer& i) {
  if (i.type(0) == D::kFloat32) {
    return i.give(i.make(K::kBatchMatmul, ir::BatchMatmul{}, {i.in(0), i.in(1)}, D::kFloat32));
  }
  ir::MatmulSums a;
  a.a_zero = i.zero_point(2, "A_zp"), a.b_zero = i.zero_point(3, "B_zp");
  i.zero_points().state(i.in(0), a.a_zero), i.zero_points().state(i.in(1), a.b_zero);
  i.give(
      i.make(K::kMatmulSums, a, {i.in(0), i.in(1)}, i.type(0) == D::kInt8 ? D::kInt32 : D::kInt64));
}

}  // namespace

const std::vector<Conversion>& of_products() {
  static const std::vector<Conversion> table = {
      {file::Op_CONV2D, 5, 5, convolution<2, false>},
      {file::Op_CONV3D, 5, 5, convolution<3, false>},
      {file::Op_DEPTHWISE_CONV2D, 5, 5, convolution<2, true>},
      {file::Op_TRANSPOSE_CONV2D, 5, 5, transpose_convolution},
      {file::Op_MATMUL, 4, 4, matmul},
  };
  return table;
}

}  // namespace presil::import::tosa
