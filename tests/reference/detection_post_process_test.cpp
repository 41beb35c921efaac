// The end of a single-shot detector by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

using testing::ElementsAre;
using Floats = std::vector<float>;

struct Detections {
  Floats boxes, classes, scores;
  float count;
};

/// One box for each anchor, encoded as 0 everywhere: the anchors themselves are the boxes.
struct Detector {
  int classes = 1;      ///< with the background, if there is one
  Floats anchors;       ///< centre y, x, height, width each
  Floats scores;        ///< a row for each anchor
  Floats encoded = {};  ///< instead of 0
  int results = 0;      ///< max * classes_per_box

  Detections run(const std::string& attributes) const {
    const size_t n = anchors.size() / 4;
    const std::string m = std::to_string(results);
    const ir::Graph graph =
        ir::parse("graph \"t\" tflite { input %b : float32[1," + std::to_string(n) + ",4]" +
                  " input %s : float32[1," + std::to_string(n) + "," + std::to_string(classes) +
                  "]" + " const %a : float32[" + std::to_string(n) + ",4] = [" + listed(anchors) +
                  "]" + " %y, %c, %v, %n = detection_post_process(%b, %s, %a) {" + attributes +
                  "}" + " : float32[1," + m + ",4], float32[1," + m + "], float32[1," + m +
                  "], float32[1]" + " output %y, %c, %v, %n }");
    const Floats boxes = encoded.empty() ? Floats(anchors.size(), 0.0f) : encoded;
    const auto out =
        reference::run(graph, {value(graph.tensor(0), boxes), value(graph.tensor(1), scores)});
    return {elements<float>(out[0]), elements<float>(out[1]), elements<float>(out[2]),
            elements<float>(out[3])[0]};
  }

  static std::string listed(const Floats& values) {
    std::string text;
    for (float v : values) text += (text.empty() ? "" : ", ") + std::to_string(v);
    return text;
  }
};

// Three boxes: 0 and 1 overlap by 3/4 of a union of 5/4 (0.6), 2 stands apart.
const Floats kThree = {0.5f, 0.5f, 1, 1, 0.75f, 0.5f, 1, 1, 8, 8, 2, 2};

TEST(DetectionPostProcess, boxes_are_decoded_against_their_anchors) {
  // yc = 10 / 10 * 2 + 4 = 6, xc = -5 / 10 * 4 + 3 = 1; heights of e(0) = 1 and e(ln 2) = 2.
  const auto d = Detector{1, {4, 3, 2, 4}, {1}, {10, -5, 0, 5 * 0.69314718f}, 1}.run(
      "y_scale=10, x_scale=10, h_scale=5, w_scale=5");
  EXPECT_THAT(d.boxes, ElementsAre(5, -3, 7, 5));
  EXPECT_EQ(d.count, 1);
}

TEST(DetectionPostProcess, the_exponential_is_the_exponential) {
  for (int i = -400; i <= 400; ++i) {
    const float v = static_cast<float>(i) * 0.053f;
    const auto d = Detector{1, {0, 0, 2, 2}, {1}, {0, 0, v, -v}, 1}.run("");
    EXPECT_EQ(d.boxes[2], static_cast<float>(std::exp(static_cast<double>(v)))) << v;
    EXPECT_EQ(d.boxes[3], static_cast<float>(std::exp(-static_cast<double>(v)))) << v;
  }
}

TEST(DetectionPostProcess, the_best_box_suppresses_what_overlaps_it_by_more_than_iou) {
  const Detector detector{1, kThree, {0.5f, 0.75f, 0.25f}, {}, 3};
  auto d = detector.run("max=3, iou=0.59");
  EXPECT_EQ(d.count, 2);
  EXPECT_THAT(d.scores, ElementsAre(0.75f, 0.25f, 0));
  EXPECT_THAT(d.boxes, ElementsAre(0.25f, 0, 1.25f, 1, 7, 7, 9, 9, 0, 0, 0, 0));
  d = detector.run("max=3, iou=0.61");
  EXPECT_THAT(d.scores, ElementsAre(0.75f, 0.5f, 0.25f));
}

TEST(DetectionPostProcess, a_score_equal_to_the_limit_counts_and_ties_go_to_the_lower_box) {
  const auto d = Detector{1, kThree, {0.5f, 0.25f, 0.5f}, {}, 3}.run("max=3, score=0.5");
  EXPECT_EQ(d.count, 2);
  EXPECT_EQ(d.boxes[0], 0);
  EXPECT_EQ(d.boxes[4], 7);
}

TEST(DetectionPostProcess, the_first_of_one_class_more_is_the_background) {
  // The background's 0.9 counts for nothing.
  const auto d = Detector{3, {0, 0, 1, 1}, {0.9f, 0.25f, 0.5f}, {}, 1}.run("classes=2");
  EXPECT_EQ(d.classes[0], 1);
  EXPECT_EQ(d.scores[0], 0.5f);
}

TEST(DetectionPostProcess, a_box_shows_its_best_classes_and_is_suppressed_by_its_best) {
  // Box 1 goes although its class is another: suppression does not look at classes.
  const auto d = Detector{3, kThree, {0.5f, 0.75f, 0.5f, 0.6f, 0, 0, 0.1f, 0.2f, 0.3f}, {}, 4}.run(
      "classes=3, max=2, classes_per_box=2, iou=0.5");
  EXPECT_EQ(d.count, 2);
  EXPECT_THAT(d.classes, ElementsAre(1, 0, 2, 1));
  EXPECT_THAT(d.scores, ElementsAre(0.75f, 0.5f, 0.3f, 0.2f));
}

TEST(DetectionPostProcess, results_beyond_the_classes_stay_0) {
  const auto d = Detector{2, kThree, {0.5f, 0.75f, 0, 0, 0, 0}, {}, 3}.run(
      "classes=2, classes_per_box=3, score=0.1");
  EXPECT_THAT(d.classes, ElementsAre(1, 0, 0));
  EXPECT_THAT(d.scores, ElementsAre(0.75f, 0.5f, 0));
  EXPECT_THAT(Floats(d.boxes.begin() + 8, d.boxes.end()), ElementsAre(0, 0, 0, 0));
}

TEST(DetectionPostProcess, regular_suppression_is_class_by_class) {
  // Box 1 survives in class 1, where nothing overlaps it; in class 0 box 0 suppresses it.
  const auto d = Detector{2, kThree, {0.75f, 0, 0.5f, 0.625f, 0.25f, 0}, {}, 4}.run(
      "classes=2, max=4, regular=true, iou=0.5, score=0.2");
  EXPECT_EQ(d.count, 3);
  EXPECT_THAT(d.classes, ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(d.scores, ElementsAre(0.75f, 0.625f, 0.25f, 0));
}

TEST(DetectionPostProcess, regular_keeps_so_many_of_a_class_and_so_many_at_all) {
  const Detector detector{2, kThree, {0.25f, 0.5f, 0, 0.125f, 0.5f, 0.5f}, {}, 2};
  const std::string common = "classes=2, max=2, regular=true, iou=0.5, score=0.2, ";
  auto d = detector.run(common + "boxes_per_class=1");
  EXPECT_THAT(d.classes, ElementsAre(0, 1));  // of equal scores the lower class first
  EXPECT_EQ(d.boxes[0], 7);
  EXPECT_EQ(d.boxes[4], 0);  // class 1: boxes 0 and 2 have 0.5, the lower one is taken
  d = detector.run(common + "boxes_per_class=2");
  EXPECT_THAT(d.classes, ElementsAre(0, 1));  // 0.5, 0.5 and 0.5 of box 2: the third is cut
}

TEST(DetectionPostProcess, boxes_without_a_size_suppress_nothing) {
  const auto d = Detector{1, {1, 1, 0, 0, 1, 1, 0, 0}, {0.5f, 0.25f}, {}, 2}.run("max=2, iou=0.1");
  EXPECT_EQ(d.count, 2);
}

TEST(DetectionPostProcess, int8_stands_for_its_scale) {
  const ir::Graph graph = ir::parse(R"(graph "t" xnnpack {
    input %b : int8[1,1,5] q(0.5, -128)
    input %s : int8[1,1,2] q(0.00390625, -128)
    const %a : int8[1,4] q(0.25, -128) = [-124, -120, -120, -112]
    %y, %c, %v, %n = detection_post_process(%b, %s, %a) {y_scale=2, x_scale=2} : float32[1,1,4], float32[1,1], float32[1,1], float32[1]
    output %y, %c, %v, %n
  })");
  // Anchor 1, 2, 2, 4. y = 2 / 2 * 2 + 1 = 3, x = 1 / 2 * 4 + 2 = 4; half sides 1 and 2.
  const auto out =
      run(graph, {value(graph.tensor(0), std::vector<int8_t>{-124, -126, -128, -128, 9}),
                  value(graph.tensor(1), std::vector<int8_t>{127, 0})});
  EXPECT_THAT(elements<float>(out[0]), ElementsAre(2, 2, 4, 6));
  EXPECT_THAT(elements<float>(out[2]), ElementsAre(0.5f));
}

}  // namespace
}  // namespace presil::reference
