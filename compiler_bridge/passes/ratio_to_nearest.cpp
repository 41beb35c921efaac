// A resize by ratios that takes the pixels which a nearest-neighbour resize takes becomes one.
//
//   before   y = resize_by_ratio(x) {scale=[4, 2, 4, 2], offset=[-1, -1], border=[1, 1], nearest}
//   after    y = resize_nearest(x)
//
// Why: upsampling by 2 costs the DLA nothing, and resize_nearest has a kernel of the DSP; ratios
// are the host's. Which pixels both take is compared, row by row and column by column.
#include "compiler_bridge/common/nearest.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

/// As resize_by_ratio says: the closer one, of two as close the later, within the image.
int64_t by_ratio(const ir::ResizeByRatio& a, size_t axis, int64_t at, int64_t in) {
  const int64_t numerator = a.scale[2 * axis], denominator = a.scale[2 * axis + 1];
  const int64_t position = at * denominator + a.offset[axis];
  const int64_t twice = 2 * position + numerator;  // floor(position / numerator + 1/2)
  const int64_t row = (twice - (twice < 0 ? 2 * numerator - 1 : 0)) / (2 * numerator);
  return std::clamp<int64_t>(row, 0, in - 1);
}

bool same_pixels(const ir::ResizeByRatio& a, const ir::Resize& r, const ir::Tensor& x,
                 const ir::Tensor& y) {
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t in = x.shape[axis + 1], out = y.shape[axis + 1];
    for (int64_t at = 0; at < out; ++at) {
      if (by_ratio(a, axis, at, in) != common::nearest(r, at, in, out)) return false;
    }
  }
  return true;
}

}  // namespace

int ratio_to_nearest(ir::Graph& graph) {
  int done = 0;
  for (ir::Op& op : graph.ops) {
    if (op.kind != ir::OpKind::kResizeByRatio || !op.as<ir::ResizeByRatio>().nearest) continue;
    const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
    if (x.dtype != y.dtype || x.quantization != y.quantization) continue;
    for (const ir::Resize r : {ir::Resize{}, ir::Resize{false, true}, ir::Resize{true, false}}) {
      if (!same_pixels(op.as<ir::ResizeByRatio>(), r, x, y)) continue;
      op.kind = ir::OpKind::kResizeNearest;
      op.attributes = r;
      ++done;
      break;
    }
  }
  return done;
}

}  // namespace presil::passes
