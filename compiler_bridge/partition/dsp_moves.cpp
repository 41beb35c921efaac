// What only moves values. Axes in front that both sides have in common are rows.
#include <algorithm>
#include <cstddef>
#include <numeric>

#include "compiler_bridge/common/nearest.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/dsp/params.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

int64_t product(const Shape& shape, size_t from, size_t to) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(from),
                         shape.begin() + static_cast<std::ptrdiff_t>(to), int64_t{1},
                         std::multiplies<>());
}
Shape after(const Shape& shape, size_t axis) {
  return {shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.end()};
}

/// x and y with `common` axes in front; the kernel sees those as one axis, the rows, where there
/// are any. The parameters count axes as it does.
struct Sides {
  size_t common = 0;
  Shape x, y;
  size_t axis(size_t of_tensor) const { return common == 0 ? of_tensor : of_tensor + 1 - common; }
};

layer::DspLayer moving(const ir::Graph& graph, const ir::Op& op, const Sides& sides,
                       const char* kernel) {
  layer::DspLayer layer;
  layer.kernel = layer.host_kernel = kernel;
  if (sides.common == 0) {
    layer.inputs = {whole_as(graph, op.input(0), sides.x)};
    layer.outputs = {whole_as(graph, op.output(), sides.y)};
  } else {
    layer.rows = product(sides.y, 0, sides.common);
    layer.inputs = {in_rows(graph, op.input(0), after(sides.x, sides.common))};
    layer.outputs = {in_rows(graph, op.output(), after(sides.y, sides.common))};
  }
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.output()).elements());
  return layer;
}

/// Of x, dense, the strides of its axes.
std::vector<int64_t> strides_of(const Shape& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * shape[i - 1];
  return strides;
}

int64_t size_of(const ir::Graph& graph, const ir::Op& op) {
  return static_cast<int64_t>(ir::size_of(graph.tensor(op.output()).dtype));
}

/// What "moved" costs (layer/dsp_cost_moves.cpp), where y's axis i is x's axis axes[i], every
/// steps[i]-th element of it from somewhere on.
std::vector<int64_t> walk_of(const Sides& sides, const std::vector<size_t>& axes,
                             const std::vector<int64_t>& steps, const Shape& walked, int64_t size) {
  const std::vector<int64_t> x = strides_of(sides.x), y = strides_of(sides.y);
  std::vector<int64_t> walk = {size, 0, 0};
  if (sides.common > 0) walk = {size, x[sides.common - 1], y[sides.common - 1]};
  for (size_t i = sides.common; i < walked.size(); ++i) {
    walk.insert(walk.end(), {walked[i], x[axes[i]] * steps[i], y[i]});
  }
  return walk;
}

std::vector<size_t> in_order(size_t n) {
  std::vector<size_t> axes(n);
  std::iota(axes.begin(), axes.end(), size_t{0});
  return axes;
}

// Axes of 1 go.
layer::DspLayer transpose(ir::Graph& graph, const ir::Op& op) {
  const Shape &x = graph.tensor(op.input(0)).shape, &y = graph.tensor(op.output()).shape;
  const auto& perm = op.as<ir::Transpose>().perm;
  std::vector<size_t> kept(x.size(), 0);  // number of the axis among those that stay
  Sides sides;
  for (size_t i = 0; i < x.size(); ++i) {
    kept[i] = sides.x.size();
    if (x[i] != 1) sides.x.push_back(x[i]);
  }
  std::vector<size_t> axes;
  for (size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 1) continue;
    sides.y.push_back(y[i]);
    axes.push_back(kept[static_cast<size_t>(perm[i])]);
  }
  while (sides.common < axes.size() && axes[sides.common] == sides.common) ++sides.common;
  presil_dsp_transpose params{};
  for (size_t i = sides.common; i < axes.size(); ++i) {
    params.perm[sides.axis(i)] = static_cast<uint32_t>(sides.axis(axes[i]));
  }
  layer::DspLayer layer = moving(graph, op, sides, "transpose");
  layer.params = bytes_of(params);
  const std::vector<int64_t> ones(axes.size(), 1);
  layer.cost = {"moved", walk_of(sides, axes, ones, sides.y, size_of(graph, op))};
  return layer;
}

layer::DspLayer pad(ir::Graph& graph, const ir::Op& op) {
  const auto& p = op.as<ir::Pad>();
  Sides sides{0, graph.tensor(op.input(0)).shape, graph.tensor(op.output()).shape};
  const auto as_it_is = [&](size_t i) { return p.before[i] == 0 && p.after[i] == 0; };
  while (sides.common < sides.x.size() && as_it_is(sides.common)) ++sides.common;
  presil_dsp_pad params{};
  for (size_t i = sides.common; i < sides.x.size(); ++i) {
    params.before[sides.axis(i)] = static_cast<uint32_t>(p.before[i]);
  }
  params.value = p.value;
  layer::DspLayer layer = moving(graph, op, sides, "pad");
  layer.params = bytes_of(params);
  const std::vector<int64_t> ones(sides.x.size(), 1);
  const int64_t size = size_of(graph, op);
  layer.cost = {"padded", walk_of(sides, in_order(sides.x.size()), ones, sides.x, size)};
  const int64_t row_bytes = product(sides.y, sides.common, sides.y.size()) * size;
  layer.cost.arguments.insert(layer.cost.arguments.begin(), row_bytes);
  return layer;
}

// y may leave out axes of 1: the kernel sees them.
layer::DspLayer strided_slice(ir::Graph& graph, const ir::Op& op) {
  const auto& s = op.as<ir::StridedSlice>();
  Sides sides{0, graph.tensor(op.input(0)).shape, s.size};
  const auto as_it_is = [&](size_t i) {
    return s.begin[i] == 0 && s.size[i] == sides.x[i] && (s.step[i] == 1 || sides.x[i] == 1);
  };
  while (sides.common < sides.x.size() && as_it_is(sides.common)) ++sides.common;
  presil_dsp_strided_slice params{};
  std::fill(std::begin(params.step), std::end(params.step), 1);
  for (size_t i = sides.common; i < sides.x.size(); ++i) {
    params.begin[sides.axis(i)] = static_cast<int32_t>(s.begin[i]);
    params.step[sides.axis(i)] = static_cast<int32_t>(s.step[i]);
  }
  layer::DspLayer layer = moving(graph, op, sides, "strided_slice");
  layer.params = bytes_of(params);
  layer.cost = {"moved",
                walk_of(sides, in_order(sides.x.size()), s.step, sides.y, size_of(graph, op))};
  return layer;
}

// Rows are what lies before the axis, the axis and what is after it are one.
layer::DspLayer concat(ir::Graph& graph, const ir::Op& op) {
  const auto axis = static_cast<size_t>(op.as<ir::Concat>().axis);
  const Shape& y = graph.tensor(op.output()).shape;
  const auto row = [&](ir::TensorId id) {
    const Shape& shape = graph.tensor(id).shape;
    return in_rows(graph, id, {product(shape, axis, shape.size())});
  };
  layer::DspLayer layer;
  layer.kernel = layer.host_kernel = "concat";
  layer.rows = product(y, 0, axis);
  layer.cost.function = "concat";
  for (const ir::TensorId id : op.inputs) {
    layer.inputs.push_back(row(id));
    layer.cost.arguments.push_back(static_cast<int64_t>(graph.tensor(id).bytes()) / layer.rows);
  }
  layer.outputs = {row(op.output())};
  layer.params = bytes_of(presil_dsp_concat{1});
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.output()).elements());
  return layer;
}

// x [batches, outer, extent, inner], indices [batches, picked], y [batches, outer, picked, inner].
// Rows are batches, else what is outer, else what is picked.
layer::DspLayer gather(ir::Graph& graph, const ir::Op& op) {
  const auto& g = op.as<ir::Gather>();
  const ir::TensorId from = op.input(0), indices = op.input(1), to = op.output();
  const Shape &x = graph.tensor(from).shape, &i = graph.tensor(indices).shape;
  const auto axis = static_cast<size_t>(g.axis), batch = static_cast<size_t>(g.batch_dims);
  const int64_t batches = product(x, 0, batch), outer = product(x, batch, axis), extent = x[axis],
                inner = product(x, axis + 1, x.size()), picked = product(i, batch, i.size());
  layer::DspLayer layer;
  layer.kernel = layer.host_kernel = "gather";
  presil_dsp_gather params{};
  if (batches > 1) {
    params = {2, 1};
    layer.rows = batches;
    layer.inputs = {in_rows(graph, from, {outer, extent, inner}),
                    in_rows(graph, indices, {picked})};
    layer.outputs = {in_rows(graph, to, {outer, picked, inner})};
  } else if (outer > 1) {
    params = {1, 0};
    layer.rows = outer;
    layer.inputs = {in_rows(graph, from, {extent, inner}), whole_as(graph, indices, {picked})};
    layer.outputs = {in_rows(graph, to, {picked, inner})};
  } else {
    layer.rows = picked;
    layer.inputs = {whole_as(graph, from, {extent, inner}), in_rows(graph, indices, {})};
    layer.outputs = {in_rows(graph, to, {inner})};
  }
  layer.params = bytes_of(params);
  const int64_t bytes = inner * size_of(graph, op);
  const int64_t per_row = static_cast<int64_t>(graph.tensor(to).bytes()) / bytes / layer.rows;
  layer.cost = {"gather", {per_row, bytes}};
  layer.host_elements = static_cast<uint64_t>(graph.tensor(to).elements());
  return layer;
}

/// Into how many equal parts, one below another, the images may be cut: each of y is what the
/// kernel makes of the same of x.
int64_t parts_of(const ir::Resize& r, int64_t in, int64_t out) {
  const int64_t parts = std::gcd(in, out);
  const int64_t part_in = in / parts, part_out = out / parts;
  for (int64_t row = 0; row < out; ++row) {
    const int64_t part = row / part_out;
    const int64_t alone = common::nearest(r, row % part_out, part_in, part_out);
    if (common::nearest(r, row, in, out) != part * part_in + alone) return 1;
  }
  return parts;
}

/// Rows of x that rows of y are made of. What is computed in float32 may be a row off.
layer::DspLayer::Window window_of(const ir::Resize& r, int64_t in, int64_t out, bool integers) {
  layer::DspLayer::Window w;
  w.extent = in;
  w.part_at = offsetof(presil_dsp_resize, part);
  if (r.align_corners && out > 1) --in, --out;
  if (integers) {  // positions in 1/1024, as the reference interpreter's
    w.per = 1024, w.size = 2;
    w.step = (1024 * in + out / 2) / out;
    if (r.half_pixel_centers) w.pad = 512 - w.step / 2;
  } else {
    w.per = 2 * out, w.size = 4;
    w.step = 2 * in;
    w.pad = w.per - (r.half_pixel_centers ? in - out : 0);
  }
  return w;
}

/// Parts of a pixel that all weights along an axis are multiples of; powers of 2, as the kernel
/// finds them.
int64_t parts_of_pixel(const ir::Resize& r, int64_t in, int64_t out, bool tflite) {
  const int64_t unit = tflite ? 1024 : 2048;
  if (in == 1) return 1;
  if (r.align_corners && out > 1) --in, --out;
  const int64_t step = (unit * in + (tflite ? out / 2 : 0)) / out;
  const bool half = r.half_pixel_centers;
  const bool exact = tflite || (step * out == unit * in && (!half || step % 2 == 0));
  if (!exact) return unit;
  const int64_t bits = step | (half ? step / 2 - unit / 2 : 0) | unit;
  return unit / (bits & -bits);
}

/// Do sums of both axes' weights have 16 bits?
bool has_short_weights(const ir::Resize& r, const Shape& x, const Shape& y, bool tflite) {
  constexpr int64_t kMost = 256;
  const int64_t along = parts_of_pixel(r, x[1], y[1], tflite);
  const int64_t across = parts_of_pixel(r, x[2], y[2], tflite);
  return along < kMost && across < kMost && along * across <= kMost;
}

/// Are lines made by phases (driver/kernels/dsp/resize_phases.h)?
bool is_by_phases(const ir::Resize& r, const Shape& x, const Shape& y) {
  constexpr int64_t kFewestColumns = 3, kFewest = 4, kBlock = 16, kLine = 8192;
  const int64_t phases = y[2] / x[2];
  return !r.align_corners && x[2] >= kFewestColumns && x[3] >= kFewest && x[3] % 2 == 0 &&
         y[2] == phases * x[2] && (phases == 2 || phases == 4 || phases == 8) &&
         y[2] * std::min(x[3], kBlock) <= kLine;
}

layer::DspLayer resize(ir::Graph& graph, const ir::Op& op) {
  const auto& r = op.as<ir::Resize>();
  const Shape &x = graph.tensor(op.input(0)).shape, &y = graph.tensor(op.output()).shape;
  const bool near = op.kind == K::kResizeNearest, one = x[0] == 1;
  const bool floats = graph.tensor(op.output()).dtype == ir::DType::kFloat32;
  const int64_t parts = near && !one ? parts_of(r, x[1], y[1]) : 1;
  const int64_t in_h = x[1] / parts, out_h = y[1] / parts;
  presil_dsp_resize params{r.align_corners, r.half_pixel_centers, numerics_of(graph), {}};
  layer::DspLayer layer;
  layer.kernel = near ? "resize_nearest" : floats ? "resize_bilinear_f32" : "resize_bilinear_i8";
  const bool in_floats =
      layer.kernel == "resize_bilinear_i8" && graph.numerics == ir::Numerics::kXnnpack;
  layer.host_kernel = layer.kernel + (in_floats ? "_float" : "");
  if (one) {  // some rows of it at a time
    layer.rows = out_h;
    layer.inputs = {in_rows(graph, op.input(0), {x[2], x[3]})};
    layer.outputs = {in_rows(graph, op.output(), {y[2], y[3]})};
    layer.inputs.front().image = layer.outputs.front().image = true;
    layer.inputs.front().cut = layer::DspOperand::Cut::kWindow;
    const bool integers = !near && !floats && ir::by_fixed_point(graph.numerics);
    layer.window = window_of(r, in_h, out_h, integers);
    params.part.y_rows = static_cast<int32_t>(out_h);
    params.part.x_rows = static_cast<int32_t>(in_h);
  } else {
    layer.rows = x[0] * parts;
    layer.inputs = {in_rows(graph, op.input(0), {in_h, x[2], x[3]})};
    layer.outputs = {in_rows(graph, op.output(), {out_h, y[2], y[3]})};
  }
  layer.params = bytes_of(params);
  const int64_t rows_of_image = one ? out_h : 1;
  const auto bytes = static_cast<int64_t>(size_of(graph, op));
  if (near) {
    const int64_t alike = std::max<int64_t>(1, out_h / in_h);
    layer.cost = {layer.kernel, {out_h * y[2], y[2], y[3] * bytes, alike, rows_of_image}};
  } else {
    const bool tflite = ir::by_fixed_point(graph.numerics);
    std::string rule = floats ? "" : tflite ? "_tflite" : "_xnnpack";
    if (!floats && has_short_weights(r, x, y, tflite)) {
      rule += is_by_phases(r, x, y) ? "_phases" : "_short";
    }
    const int64_t lines = std::min(in_h, 2 * out_h);
    layer.cost = {layer.kernel + rule, {out_h * y[2], y[2], y[3], lines * y[2], rows_of_image}};
  }
  takes_blocks(graph, layer, layer::DspOperand::Blocks::kLanes, 1);
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.output()).elements());
  return layer;
}

}  // namespace

std::vector<DspLowering> dsp_move_lowerings() {
  return {
      {K::kTranspose, transpose},   {K::kPad, pad},       {K::kStridedSlice, strided_slice},
      {K::kConcat, concat},         {K::kGather, gather}, {K::kResizeNearest, resize},
      {K::kResizeBilinear, resize},
  };
}

}  // namespace presil::partition
