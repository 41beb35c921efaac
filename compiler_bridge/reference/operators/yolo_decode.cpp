// One row per anchor, in order y, x, anchor, all in float32 and in this order of operations:
//   cx = (centre(tx) + column) * stride, cy likewise; half_w = exp(tw) * anchor_w * 0.5, half_h
//   likewise; x0 = cx - half_w, y0 = cy - half_h, x1 = cx + half_w, y1 = cy + half_h;
//   score of a class = sigmoid(objectness) * sigmoid(class).
// sigmoid and exp are the graph's tables, indexed by the stored value as uint8; centre is sigmoid,
// or the second row of its table where it has two.
#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void yolo_decode(const Case& c) {
  const auto& a = c.attributes<ir::YoloDecode>();
  const auto& head = c.in().shape;
  const float* sigmoid = c.read<float>(1);
  const float* centre = c.in(1).shape.size() == 2 ? sigmoid + 256 : sigmoid;
  const float* exponential = c.read<float>(2);
  const uint8_t* t = c.read<uint8_t>(0);
  float* row = c.write<float>();
  for (int64_t y = 0; y < head[1]; ++y) {
    for (int64_t x = 0; x < head[2]; ++x) {
      for (size_t anchor = 0; anchor < a.anchors.size() / 2; ++anchor, t += 5 + a.classes) {
        const auto stride = static_cast<float>(a.stride);
        const float cx = (centre[t[0]] + static_cast<float>(x)) * stride;
        const float cy = (centre[t[1]] + static_cast<float>(y)) * stride;
        const float half_w = exponential[t[2]] * a.anchors[2 * anchor] * 0.5f;
        const float half_h = exponential[t[3]] * a.anchors[2 * anchor + 1] * 0.5f;
        *row++ = cx - half_w;
        *row++ = cy - half_h;
        *row++ = cx + half_w;
        *row++ = cy + half_h;
        for (int k = 0; k < a.classes; ++k) *row++ = sigmoid[t[4]] * sigmoid[t[5 + k]];
      }
    }
  }
}

}  // namespace presil::reference::operators
