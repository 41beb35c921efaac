// Shape rules of what follows a detector's network.
#include <cmath>

#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {

Shapes yolo_decode(const Case& c) {
  const auto& a = c.op.as<YoloDecode>();
  c.require_rank(0, 4);
  const Shape& head = c.in(0);
  const int64_t anchors = static_cast<int64_t>(a.anchors.size() / 2);
  c.require(a.stride >= 1 && a.classes >= 1 && a.classes < (1 << 20),
            "stride and classes must be at least 1");
  c.require(anchors >= 1 && a.anchors.size() % 2 == 0, [&] {
    return "anchors hold " + std::to_string(a.anchors.size()) +
           " numbers, expected width and height of "
           "each";
  });
  c.require(head[0] == 1 && head[3] == anchors * (5 + a.classes), [&] {
    return "head is " + to_string(head) + ", must be [1,h,w," + text(anchors * (5 + a.classes)) +
           "]: " + text(anchors) + " anchors of 5 + " + text(a.classes) + " classes";
  });
  c.require((c.in(1) == Shape{256} || c.in(1) == Shape{2, 256}) && c.in(2) == Shape{256},
            "tables must be [256], sigmoid_table may be [2,256]");
  return Shape{head[1] * head[2] * anchors, 4 + a.classes};
}

Shapes nms(const Case& c) {
  const auto& a = c.op.as<Nms>();
  c.require(a.max >= 1 && a.max < (1 << 24),
            [&] { return "max is " + text(a.max) + ", must be at least 1"; });
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    const Shape& rows = c.in(i);
    c.require(rows.size() == 2 && rows[1] > 4 && rows[1] == c.in(0)[1], [&] {
      return "rows are " + to_string(rows) + ", must be [n, 4 + classes], equal for all heads";
    });
    c.require(!a.labelled || rows[1] == 6,
              [&] { return "labelled rows are " + to_string(rows) + ", must be [n, 6]"; });
  }
  return std::vector<Shape>{{a.max, 6}, {1}};
}

Shapes detection_post_process(const Case& c) {
  const auto& a = c.op.as<DetectionPostProcess>();
  constexpr int kMost = 1 << 20;
  for (const auto& [value, subject] : {std::pair{a.max, "max"},
                                       {a.classes, "classes"},
                                       {a.classes_per_box, "classes_per_box"},
                                       {a.boxes_per_class, "boxes_per_class"}}) {
    c.require(value >= 1 && value <= kMost, [v = value, w = subject] {
      return w + (" is " + text(v)) + ", must be 1.." + text(kMost);
    });
  }
  const int64_t results = int64_t{a.max} * a.classes_per_box;
  c.require(results <= kMost, [&] {
    return "max times classes_per_box is " + text(results) + ", must be at most " + text(kMost);
  });
  for (const auto& [value, subject] : {std::pair{a.y_scale, "y_scale"},
                                       {a.x_scale, "x_scale"},
                                       {a.h_scale, "h_scale"},
                                       {a.w_scale, "w_scale"}}) {
    c.require(value > 0 && std::isfinite(value), [v = value, w = subject] {
      return w + (" is " + std::to_string(v)) + ", must be a number above 0";
    });
  }
  c.require(a.iou > 0 && a.iou <= 1,
            [&] { return "iou is " + std::to_string(a.iou) + ", must be above 0, at most 1"; });
  c.require(std::isfinite(a.score),
            [&] { return "score is " + std::to_string(a.score) + ", must be a number"; });
  c.require_rank(0, 3);
  c.require_rank(1, 3);
  c.require_rank(2, 2);
  const Shape &boxes = c.in(0), &scores = c.in(1), &anchors = c.in(2);
  c.require(boxes[0] == 1 && boxes[2] >= 4,
            [&] { return "boxes are " + to_string(boxes) + ", must be [1, n, 4 or more]"; });
  const int64_t n = boxes[1];
  c.require(anchors == Shape{n, 4}, [&] {
    return "anchors are " + to_string(anchors) + ", must be [" + text(n) + ",4]: one for each box";
  });
  c.require(scores[0] == 1 && scores[1] == n &&
                (scores[2] == a.classes || scores[2] == int64_t{a.classes} + 1),
            [&] {
              return "scores are " + to_string(scores) + ", must be [1," + text(n) + "," +
                     text(a.classes) + "], or one more for the background";
            });
  return std::vector<Shape>{{1, results, 4}, {1, results}, {1, results}, {1}};
}

Shapes box_decode(const Case& c) {
  const auto& a = c.op.as<BoxDecode>();
  c.require(a.classes >= 1 && a.classes <= 65535,
            [&] { return "classes are " + text(a.classes) + ", must be 1..65535"; });
  for (const auto& [value, subject] : {std::pair{a.width, "width"}, {a.height, "height"}}) {
    c.require(value > 0 && std::isfinite(value), [v = value, w = subject] {
      return w + (" is " + std::to_string(v)) + ", must be a number above 0";
    });
  }
  c.require_rank(0, 3);
  const Shape& x = c.in(0);
  const int64_t channels = a.channels();
  c.require(x[0] == 1 && x[a.channels_last ? 2 : 1] == channels, [&] {
    return "x is " + to_string(x) + ", must be " +
           (a.channels_last ? "[1,n," + text(channels) + "]" : "[1," + text(channels) + ",n]") +
           ": a box, " + (a.objectness ? "objectness, " : "") + text(a.classes) + " classes";
  });
  return Shape{x[a.channels_last ? 1 : 2], 6};
}

}  // namespace presil::ir::shapes
