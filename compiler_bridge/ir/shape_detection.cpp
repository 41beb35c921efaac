// Shape rules of what follows a detector's network.
#include <cmath>

#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {

Shape yolo_decode(const Case& c) {
  const auto& a = c.op.as<YoloDecode>();
  c.want_rank(0, 4);
  const Shape& head = c.in(0);
  const int64_t anchors = static_cast<int64_t>(a.anchors.size() / 2);
  c.want(a.stride >= 1 && a.classes >= 1 && a.classes < (1 << 20),
         "stride and classes want at least 1");
  c.want(anchors >= 1 && a.anchors.size() % 2 == 0, [&] {
    return "anchors hold " + std::to_string(a.anchors.size()) +
           " numbers, want width and height of "
           "each";
  });
  c.want(head[0] == 1 && head[3] == anchors * (5 + a.classes), [&] {
    return "head is " + to_string(head) + ", wants [1,h,w," + text(anchors * (5 + a.classes)) +
           "]: " + text(anchors) + " anchors of 5 + " + text(a.classes) + " classes";
  });
  c.want((c.in(1) == Shape{256} || c.in(1) == Shape{2, 256}) && c.in(2) == Shape{256},
         "tables want [256], sigmoid_table may be [2,256]");
  return {head[1] * head[2] * anchors, 4 + a.classes};
}

std::vector<Shape> nms(const Case& c) {
  const auto& a = c.op.as<Nms>();
  c.want(a.max >= 1 && a.max < (1 << 24),
         [&] { return "max is " + text(a.max) + ", wants at least 1"; });
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    const Shape& rows = c.in(i);
    c.want(rows.size() == 2 && rows[1] > 4 && rows[1] == c.in(0)[1], [&] {
      return "rows are " + to_string(rows) + ", want [n, 4 + classes], equal for all heads";
    });
    c.want(!a.labelled || rows[1] == 6,
           [&] { return "labelled rows are " + to_string(rows) + ", want [n, 6]"; });
  }
  return {{a.max, 6}, {1}};
}

std::vector<Shape> detection_post_process(const Case& c) {
  const auto& a = c.op.as<DetectionPostProcess>();
  constexpr int kMost = 1 << 20;
  for (const auto& [value, who] : {std::pair{a.max, "max"},
                                   {a.classes, "classes"},
                                   {a.classes_per_box, "classes_per_box"},
                                   {a.boxes_per_class, "boxes_per_class"}}) {
    c.want(value >= 1 && value <= kMost,
           [v = value, w = who] { return w + (" is " + text(v)) + ", wants 1.." + text(kMost); });
  }
  const int64_t results = int64_t{a.max} * a.classes_per_box;
  c.want(results <= kMost, [&] {
    return "max times classes_per_box is " + text(results) + ", wants at most " + text(kMost);
  });
  for (const auto& [value, who] : {std::pair{a.y_scale, "y_scale"},
                                   {a.x_scale, "x_scale"},
                                   {a.h_scale, "h_scale"},
                                   {a.w_scale, "w_scale"}}) {
    c.want(value > 0 && std::isfinite(value), [v = value, w = who] {
      return w + (" is " + std::to_string(v)) + ", wants a number above 0";
    });
  }
  c.want(a.iou > 0 && a.iou <= 1,
         [&] { return "iou is " + std::to_string(a.iou) + ", wants above 0, at most 1"; });
  c.want(std::isfinite(a.score),
         [&] { return "score is " + std::to_string(a.score) + ", wants a number"; });
  c.want_rank(0, 3);
  c.want_rank(1, 3);
  c.want_rank(2, 2);
  const Shape &boxes = c.in(0), &scores = c.in(1), &anchors = c.in(2);
  c.want(boxes[0] == 1 && boxes[2] >= 4,
         [&] { return "boxes are " + to_string(boxes) + ", want [1, n, 4 or more]"; });
  const int64_t n = boxes[1];
  c.want(anchors == Shape{n, 4}, [&] {
    return "anchors are " + to_string(anchors) + ", want [" + text(n) + ",4]: one for each box";
  });
  c.want(scores[0] == 1 && scores[1] == n &&
             (scores[2] == a.classes || scores[2] == int64_t{a.classes} + 1),
         [&] {
           return "scores are " + to_string(scores) + ", want [1," + text(n) + "," +
                  text(a.classes) + "], or one more for the background";
         });
  return {{1, results, 4}, {1, results}, {1, results}, {1}};
}

Shape box_decode(const Case& c) {
  const auto& a = c.op.as<BoxDecode>();
  c.want(a.classes >= 1 && a.classes <= 65535,
         [&] { return "classes are " + text(a.classes) + ", want 1..65535"; });
  for (const auto& [value, who] : {std::pair{a.width, "width"}, {a.height, "height"}}) {
    c.want(value > 0 && std::isfinite(value), [v = value, w = who] {
      return w + (" is " + std::to_string(v)) + ", wants a number above 0";
    });
  }
  c.want_rank(0, 3);
  const Shape& x = c.in(0);
  const int64_t channels = a.channels();
  c.want(x[0] == 1 && x[a.channels_last ? 2 : 1] == channels, [&] {
    return "x is " + to_string(x) + ", wants " +
           (a.channels_last ? "[1,n," + text(channels) + "]" : "[1," + text(channels) + ",n]") +
           ": a box, " + (a.objectness ? "objectness, " : "") + text(a.classes) + " classes";
  });
  return {x[a.channels_last ? 1 : 2], 6};
}

}  // namespace presil::ir::shapes
