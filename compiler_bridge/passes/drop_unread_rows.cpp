// A slice that only leaves out last rows and columns, which a window after it does not reach, goes.
//
//   before   y = conv2d(strided_slice(x) [1,31,31,c])       after   y = conv2d(x [1,32,32,c])
//
// Why: TOSA's windows must fit exactly, so converters cut an image to what a stride leaves; here a
// window that does not fit is not computed. Where the window pads after the image, it would see
// rows instead of padding: the slice stays.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

/// Does a window over rows (columns) of `extent` have as many results over `more` of them?
bool as_many(int64_t extent, int64_t more, int64_t kernel, int stride, int dilation, int before,
             int after) {
  if (extent == more) return true;
  const int64_t reach = (kernel - 1) * dilation + 1;
  return after == 0 && (extent + before - reach) / stride == (more + before - reach) / stride;
}

template <class Window>
bool fits(const Window& w, int64_t kernel_h, int64_t kernel_w, int dilation_h, int dilation_w,
          const std::vector<int64_t>& cut, const std::vector<int64_t>& whole) {
  return as_many(cut[1], whole[1], kernel_h, w.stride_h, dilation_h, w.pad_top, w.pad_bottom) &&
         as_many(cut[2], whole[2], kernel_w, w.stride_w, dilation_w, w.pad_left, w.pad_right);
}

bool reads_as_much(const ir::Graph& graph, const ir::Op& op, const std::vector<int64_t>& cut,
                   const std::vector<int64_t>& whole) {
  switch (op.kind) {
    case K::kConv2d: {
      const auto& c = op.as<ir::Conv2d>();
      const auto& w = graph.tensor(op.input(1)).shape;
      return fits(c, w[1], w[2], c.dilation_h, c.dilation_w, cut, whole);
    }
    case K::kDepthwiseConv2d: {
      const auto& c = op.as<ir::DepthwiseConv2d>();
      const auto& w = graph.tensor(op.input(1)).shape;
      return fits(c, w[1], w[2], c.dilation_h, c.dilation_w, cut, whole);
    }
    case K::kMaxPool2d: {
      const auto& p = op.as<ir::Pool2d>();
      return fits(p, p.kernel_h, p.kernel_w, 1, 1, cut, whole);
    }
    case K::kMeanPool: {
      const auto& p = op.as<ir::MeanPool>();
      return fits(p, p.kernel_h, p.kernel_w, 1, 1, cut, whole);
    }
    default:
      return false;
  }
}

/// Whether it leaves out rows and columns at the end, and nothing else.
bool cuts_the_end(const ir::StridedSlice& s, const std::vector<int64_t>& x) {
  if (x.size() != 4 || s.size[0] != x[0] || s.size[3] != x[3]) return false;
  for (size_t axis = 0; axis < 4; ++axis) {
    if (s.begin[axis] != 0 || s.step[axis] != 1) return false;
  }
  return true;
}

}  // namespace

int drop_unread_rows(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  int done = 0;
  for (ir::Op& op : graph.ops) {
    if (op.inputs.empty() || op.inputs[0] == ir::kAbsent) continue;
    const int maker = producer(uses, op.inputs[0]);
    if (maker < 0 || graph.ops[static_cast<size_t>(maker)].kind != K::kStridedSlice) continue;
    const ir::Op& slice = graph.ops[static_cast<size_t>(maker)];
    const auto& x = graph.tensor(slice.input(0)).shape;
    const auto& y = graph.tensor(slice.output()).shape;
    if (y.size() != 4 || !cuts_the_end(slice.as<ir::StridedSlice>(), x)) continue;
    if (!reads_as_much(graph, op, y, x)) continue;
    op.inputs[0] = slice.input(0);
    absorb_source_ops(op, slice);
    ++done;
  }
  return done;  // slices without readers go with remove_dead
}

}  // namespace presil::passes
