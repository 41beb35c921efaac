#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Floats = std::vector<float>;

TEST(KernelYoloDecode, boxes_follow_the_stated_operations) {
  std::vector<int8_t> head(2 * 7);
  Floats sigmoid(256, 0.0f), exponential(256, 0.0f), rows(2 * 6);
  // cell x = 1: tx = -1, ty = 2, tw = 3, th = 4, object = 5, classes 6 and 7
  const int8_t values[] = {-1, 2, 3, 4, 5, 6, 7};
  std::copy(values, values + 7, head.begin() + 7);
  sigmoid[255] = 0.5f, sigmoid[2] = 0.25f, sigmoid[5] = 0.5f, sigmoid[6] = 0.75f, sigmoid[7] = 1.0f;
  exponential[3] = 2.0f, exponential[4] = 0.5f;
  presil_yolo_decode_attributes p{};
  p.stride = 8, p.classes = 2, p.anchors = 1;
  p.anchor_size[0][0] = 10.0f, p.anchor_size[0][1] = 16.0f;
  ASSERT_TRUE(run(
      PRESIL_KERNEL_YOLO_DECODE,
      {tensor(head, {1, 1, 2, 7}), tensor(sigmoid), tensor(exponential), tensor(rows, {2, 6})}, p));
  // cx = (0.5 + 1) * 8 = 12, cy = 2, w = 20, h = 8
  EXPECT_EQ(Floats(rows.begin() + 6, rows.end()), (Floats{2, -2, 22, 6, 0.375f, 0.5f}));
  // A second row is the centres': cx = (-0.5 + 1) * 8 = 4, cy = 3 * 8
  sigmoid.resize(512, 0.0f);
  sigmoid[256 + 255] = -0.5f, sigmoid[256 + 2] = 3.0f;
  ASSERT_TRUE(run(PRESIL_KERNEL_YOLO_DECODE,
                  {tensor(head, {1, 1, 2, 7}), tensor(sigmoid, {2, 256}), tensor(exponential),
                   tensor(rows, {2, 6})},
                  p));
  EXPECT_EQ(Floats(rows.begin() + 6, rows.end()), (Floats{-6, 20, 14, 28, 0.375f, 0.5f}));
  EXPECT_FALSE(run(PRESIL_KERNEL_YOLO_DECODE,
                   {tensor(head, {1, 1, 2, 7}), tensor(sigmoid, {1, 512}), tensor(exponential),
                    tensor(rows, {2, 6})},
                   p));
}

struct Nms {
  Floats detections;
  std::vector<int32_t> count{-1};

  Nms(std::vector<Floats> tables, float score, float iou, uint32_t max, uint32_t classes)
      : detections(max * 6, -1.0f) {
    std::vector<presil_kernel_tensor> tensors;
    uint32_t rows = 0;
    for (Floats& t : tables) {
      const auto n = static_cast<uint32_t>(t.size()) / (4 + classes);
      tensors.push_back(tensor(t, {n, 4 + classes}));
      rows += n;
    }
    std::vector<int32_t> scratch(rows * classes);
    tensors.push_back(tensor(scratch));
    tensors.push_back(tensor(detections, {max, 6}));
    tensors.push_back(tensor(count));
    EXPECT_TRUE(
        run(PRESIL_KERNEL_NMS, tensors, presil_nms_attributes{score, iou, max, classes, 0}));
  }
};

TEST(KernelNms, keeps_the_best_of_boxes_that_overlap) {
  // areas 100; the second overlaps by 10 x 8: 80 / 120 = 0.667; the third by 10 x 2: 20 / 180
  const Nms r({{0, 0, 10, 10, 0.6f, 0, 2, 10, 12, 0.9f, 0, 8, 10, 18, 0.5f}}, 0.1f, 0.5f, 4, 1);
  ASSERT_EQ(r.count[0], 2);
  // best is the second; 0.6 is suppressed; third overlaps it by 10 x 4: 40 / 160
  EXPECT_EQ(r.detections, (Floats{0, 2, 10, 12, 0.9f, 0, 0, 8, 10, 18, 0.5f, 0,
                                  0, 0, 0,  0,  0,    0, 0, 0, 0,  0,  0,    0}));
}

TEST(KernelNms, an_overlap_equal_to_the_threshold_stays) {
  // 10 x 10 and 10 x 5 inside it: 50 / 100 = 0.5
  const Floats rows{0, 0, 10, 10, 0.9f, 0, 0, 10, 5, 0.8f};
  EXPECT_EQ(Nms({rows}, 0.1f, 0.5f, 4, 1).count[0], 2);
  EXPECT_EQ(Nms({rows}, 0.1f, 0.49f, 4, 1).count[0], 1);
}

TEST(KernelNms, classes_do_not_suppress_each_other) {
  const Nms r({{0, 0, 10, 10, 0.9f, 0.8f}}, 0.1f, 0.5f, 4, 2);
  ASSERT_EQ(r.count[0], 2);
  EXPECT_EQ(r.detections[5], 0.0f);
  EXPECT_EQ(r.detections[11], 1.0f);
}

TEST(KernelNms, ties_go_to_the_lower_index_across_tables) {
  const Nms r({{0, 0, 1, 1, 0.5f}, {5, 5, 6, 6, 0.5f, 8, 8, 9, 9, 0.7f}}, 0.1f, 0.5f, 3, 1);
  ASSERT_EQ(r.count[0], 3);
  EXPECT_EQ(r.detections[0], 8.0f);
  EXPECT_EQ(r.detections[6], 0.0f);
  EXPECT_EQ(r.detections[12], 5.0f);
}

TEST(KernelNms, a_score_equal_to_the_threshold_is_no_candidate) {
  EXPECT_EQ(Nms({{0, 0, 1, 1, 0.5f}}, 0.5f, 0.5f, 2, 1).count[0], 0);
}

TEST(KernelNms, stops_at_max) {
  const Nms r({{0, 0, 1, 1, 0.2f, 5, 5, 6, 6, 0.5f, 8, 8, 9, 9, 0.7f}}, 0.1f, 0.5f, 2, 1);
  EXPECT_EQ(r.count[0], 2);
  EXPECT_EQ(r.detections[4], 0.7f);
  EXPECT_EQ(r.detections[10], 0.5f);
}

TEST(KernelNms, labelled_rows_hold_a_score_and_its_class) {
  Floats rows{0, 0, 10, 10, 0.5f, 7,    2, 0, 12, 10, 0.9f, 7,  2, 0, 12, 10, 0.8f, 3,
              5, 0, 60, 10, 0.9f, 1.5f, 5, 0, 60, 10, 0.9f, -1, 7, 0, 80, 10, 0.9f, 65536};
  Floats detections(4 * 6);
  std::vector<int32_t> scratch(6), count(1);
  presil_nms_attributes p{0.3f, 0.5f, 4, 1, 1};
  const auto go = [&] {
    return run(PRESIL_KERNEL_NMS,
               {tensor(rows, {6, 6}), tensor(scratch), tensor(detections, {4, 6}), tensor(count)},
               p);
  };
  ASSERT_TRUE(go());
  EXPECT_EQ(count[0], 2);
  EXPECT_EQ(Floats(detections.begin(), detections.begin() + 12),
            (Floats{2, 0, 12, 10, 0.9f, 7, 2, 0, 12, 10, 0.8f, 3}));
  p.classes = 2;
  EXPECT_FALSE(go());
  p.classes = 1, p.labelled = 2;
  EXPECT_FALSE(go());
}

TEST(KernelBoxDecode, boxes_follow_the_stated_operations) {
  // A box by channels: centre 10 20, size 4 6, objectness 2, classes 3 7 7; zero -2, scale 0.5.
  std::vector<int8_t> x{10, 20, 4, 6, 2, 3, 7, 7};
  Floats rows(6);
  presil_box_decode_attributes p{3, 1, 0, 2.0f, 4.0f, 0.5f, -2};
  const auto go = [&](std::vector<uint32_t> shape) {
    return run(PRESIL_KERNEL_BOX_DECODE, {tensor(x, shape), tensor(rows, {1, 6})}, p);
  };
  ASSERT_TRUE(go({1, 8, 1}));
  EXPECT_EQ(rows, (Floats{9, 36, 15, 52, 9, 1}));
  p.objectness = 0, p.classes = 4;
  ASSERT_TRUE(go({1, 8, 1}));
  EXPECT_EQ(rows, (Floats{9, 36, 15, 52, 4.5f, 2}));
  EXPECT_FALSE(go({1, 1, 8}));
  p.channels_last = 1;
  ASSERT_TRUE(go({1, 1, 8}));
  EXPECT_EQ(rows, (Floats{9, 36, 15, 52, 4.5f, 2}));
  p.classes = 5;
  EXPECT_FALSE(go({1, 1, 8}));
}

// Two boxes of 2 x 2 and 2 x 1 in it: 2 / 4 of the union. Values of the second are the better.
TEST(KernelDetectionPostProcess, decodes_orders_and_suppresses) {
  Floats boxes(8, 0.0f), anchors{1, 1, 2, 2, 1, 1, 2, 1};
  Floats scores{0.9f, 0.25f, 0.125f, 0.9f, 0.5f, 0.375f};  // the first of each is the background
  Floats decoded(8), best(2), y(16), labels(4), values(4), count(1);
  std::vector<int32_t> order(2);
  presil_detection_attributes p{};
  p.max = 2, p.classes = 2, p.classes_per_box = 2, p.boxes_per_class = 1;
  p.score = 0.125f, p.iou = 0.49f;
  p.y_scale = p.x_scale = p.h_scale = p.w_scale = 1.0f;
  const auto go = [&] {
    return run(PRESIL_KERNEL_DETECTION_POST_PROCESS,
               {tensor(boxes, {1, 2, 4}), tensor(scores, {1, 2, 3}), tensor(anchors, {2, 4}),
                tensor(decoded, {2, 4}), tensor(best), tensor(order), tensor(y, {1, 4, 4}),
                tensor(labels, {1, 4}), tensor(values, {1, 4}), tensor(count)},
               p);
  };
  ASSERT_TRUE(go());
  EXPECT_EQ(decoded, (Floats{0, 0, 2, 2, 0, 0.5f, 2, 1.5f}));
  EXPECT_EQ(count[0], 1.0f);
  EXPECT_EQ(labels, (Floats{0, 1, 0, 0}));
  EXPECT_EQ(values, (Floats{0.5f, 0.375f, 0, 0}));
  EXPECT_EQ(y, (Floats{0, 0.5f, 2, 1.5f, 0, 0.5f, 2, 1.5f, 0, 0, 0, 0, 0, 0, 0, 0}));
  p.iou = 0.5f;  // as much is not more
  ASSERT_TRUE(go());
  EXPECT_EQ(values, (Floats{0.5f, 0.375f, 0.25f, 0.125f}));
  p.regular = 1;
  ASSERT_TRUE(go());  // the best box of each class
  EXPECT_EQ(count[0], 2.0f);
  EXPECT_EQ(labels, (Floats{0, 1, 0, 0}));
  EXPECT_EQ(values, (Floats{0.5f, 0.375f, 0, 0}));
  p.classes = 4;
  EXPECT_FALSE(go());
}

TEST(KernelNms, sorts_many) {
  Floats rows;
  for (int i = 0; i < 257; ++i) {
    const float at = static_cast<float>(i * 2);
    rows.insert(rows.end(), {at, 0, at + 1, 1, static_cast<float>((i * 101) % 257 + 1) / 300.0f});
  }
  const Nms r({rows}, 0.0f, 0.5f, 257, 1);
  ASSERT_EQ(r.count[0], 257);
  for (int i = 1; i < 257; ++i) EXPECT_GT(r.detections[6 * (i - 1) + 4], r.detections[6 * i + 4]);
}

}  // namespace
}  // namespace presil::kernels
