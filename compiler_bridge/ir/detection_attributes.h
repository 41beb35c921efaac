// Attributes of what makes boxes of a network's numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace presil::ir {

/// head int8 [1, H, W, A * (5 + classes)], per anchor tx, ty, tw, th, objectness, classes;
/// tables float32 [256], by the int8 value taken as uint8 (sigmoid_table [2, 256]: tx, ty by the
/// second row). A = anchors.size() / 2, anchors w, h pairs in input pixels. rows float32
/// [H * W * A, 4 + classes] in order y, x, a: x0, y0, x1, y1 in input pixels, then class scores.
struct YoloDecode {
  int stride = 1;
  int classes = 1;
  std::vector<float> anchors;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("stride", s.stride), f("classes", s.classes), f("anchors", s.anchors);
  }
};

/// x int8 [1, channels, n], or, channels last, [1, n, channels]: of each box its centre and size,
/// as parts of `width` and `height` pixels, where there is one its objectness, then the score of
/// each class. rows float32 [n, 6], one a box: x0, y0, x1, y1 in pixels, its best score, times its
/// objectness, the class of that, the first of equal ones.
struct BoxDecode {
  int classes = 1;
  bool objectness = false;
  bool channels_last = false;
  float width = 1.0f, height = 1.0f;
  int64_t channels() const { return int64_t{4} + (objectness ? 1 : 0) + classes; }
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("classes", s.classes), f("objectness", s.objectness), f("channels_last", s.channels_last);
    f("width", s.width), f("height", s.height);
  }
};

/// Class-wise greedy suppression over all rows, which are a box and the scores of all classes, or,
/// labelled, [n, 6]: a box, a score, its class, 0..65535 (other rows are no candidates). detections
/// float32 [max, 6]: x0, y0, x1, y1, score, class, best first, unused rows 0; count int32 [1].
struct Nms {
  float score = 0.0f;
  float iou = 0.5f;
  int max = 1;
  bool labelled = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("score", s.score), f("iou", s.iou), f("max", s.max), f("labelled", s.labelled);
  }
};

/// The end of a single-shot detector. boxes [1, n, 4 or more]: y, x, h, w of each anchor's box,
/// relative to anchors [n, 4]: y, x, h, w, constants; scores [1, n, classes], or one more, in
/// front, of the background. With m = max * classes_per_box, float32, unused ones 0: y [1, m, 4]:
/// y0, x0, y1, x1; y_classes [1, m], counted after the background; y_scores [1, m]; count [1].
/// `regular`: suppression class by class, at most boxes_per_class of each, one class a result; else
/// over all boxes by their best class, and a box shows its classes_per_box best. The arithmetic is
/// in reference/operators/detection_post_process.cpp.
struct DetectionPostProcess {
  int max = 1;
  int classes = 1;
  int classes_per_box = 1;
  int boxes_per_class = 100;
  bool regular = false;
  float score = 0.0f;  ///< from here on a box counts
  float iou = 0.5f;    ///< boxes that overlap by more suppress each other
  float y_scale = 1.0f, x_scale = 1.0f, h_scale = 1.0f, w_scale = 1.0f;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("max", s.max), f("classes", s.classes);
    f("classes_per_box", s.classes_per_box), f("boxes_per_class", s.boxes_per_class);
    f("regular", s.regular), f("score", s.score), f("iou", s.iou);
    f("y_scale", s.y_scale), f("x_scale", s.x_scale);
    f("h_scale", s.h_scale), f("w_scale", s.w_scale);
  }
};

}  // namespace presil::ir
