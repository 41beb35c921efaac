// Pools and resize.
#include "compiler_bridge/import/tosa/importer.h"

namespace presil::import::tosa {
namespace {

using K = ir::OpKind;
using D = ir::DType;

template <class Options, class Pool>
void set_window(const Importer& i, const Options& o, Pool& a) {
  const auto kernel = i.list(o.kernel(), "kernel", 2), stride = i.list(o.stride(), "stride", 2);
  const auto pad = i.list(o.pad(), "pad", 4);
  for (const int64_t each : pad) i.require(each >= 0, [] { return "pad is negative"; });
  a.kernel_h = static_cast<int>(kernel[0]), a.kernel_w = static_cast<int>(kernel[1]);
  a.stride_h = static_cast<int>(stride[0]), a.stride_w = static_cast<int>(stride[1]);
  a.pad_top = static_cast<int>(pad[0]), a.pad_bottom = static_cast<int>(pad[1]);
  a.pad_left = static_cast<int>(pad[2]), a.pad_right = static_cast<int>(pad[3]);
}

void max_pool(Importer& i) {
  const auto& o = i.options<file::MaxPool>();
  i.require(i.type(0) != D::kFloat32 || o.nan_mode() != file::NanMode_IGNORE,
            [] { return "nan_mode is IGNORE, must be PROPAGATE"; });
  ir::Pool2d a;
  set_window(i, o, a);
  const ir::TensorId made = i.make(K::kMaxPool2d, a, {i.in(0)}, i.type(0));
  i.zero_points().alike(i.in(0), made);
  i.give(made);
}

void average_pool(Importer& i) {
  const auto& o = i.options<file::AvgPool>();
  if (i.type(0) == D::kFloat32) {
    ir::Pool2d a;
    set_window(i, o, a);
    return i.give(i.make(K::kAveragePool2d, a, {i.in(0)}, D::kFloat32));
  }
  ir::MeanPool a;
  set_window(i, o, a);
  a.in_zero = i.zero_point(1, "input_zp"), a.out_zero = i.zero_point(2, "output_zp");
  const ir::TensorId made = i.make(K::kMeanPool, a, {i.in(0)}, i.type(0));
  if (a.in_zero == a.out_zero) {  // of a mean it makes no difference, and converters leave it at 0
    i.zero_points().alike(i.in(0), made);
  } else {
    i.zero_points().state(i.in(0), a.in_zero), i.zero_points().state(made, a.out_zero);
  }
  i.give(made);
}

void resize(Importer& i) {
  i.require(i.type(0) != D::kFloat32, [] { return "it is of FP32, must be of integers"; });
  ir::ResizeByRatio a;
  a.scale = i.numbers(1, "scale"), a.offset = i.numbers(2, "offset");
  a.border = i.numbers(3, "border");
  const auto mode = i.options<file::Resize>().mode();
  i.require(mode == file::ResizeMode_NEAREST || mode == file::ResizeMode_BILINEAR,
            [&] { return "mode is " + std::to_string(mode) + ", must be NEAREST or BILINEAR"; });
  a.nearest = mode == file::ResizeMode_NEAREST;
  const D wide = i.type(0) == D::kInt8 ? D::kInt32 : D::kInt64;
  const ir::TensorId made = i.make(K::kResizeByRatio, a, {i.in(0)}, a.nearest ? i.type(0) : wide);
  if (a.nearest) i.zero_points().alike(i.in(0), made);
  i.give(made);
}

}  // namespace

const std::vector<Conversion>& of_windows() {
  static const std::vector<Conversion> table = {
      {file::Op_AVG_POOL2D, 3, 3, average_pool},
      {file::Op_MAX_POOL2D, 1, 1, max_pool},
      {file::Op_RESIZE, 4, 4, resize},
  };
  return table;
}

}  // namespace presil::import::tosa
