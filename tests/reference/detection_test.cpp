// Box decoding and non-maximum suppression by hand.
#include <gtest/gtest.h>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

using Row = std::vector<float>;

/// One table of rows [n, 4 + classes] through nms.
std::vector<Row> nms(const std::vector<Row>& rows, const std::string& attributes, int max) {
  const std::string type =
      "float32[" + std::to_string(rows.size()) + "," + std::to_string(rows[0].size()) + "]";
  const ir::Graph graph = ir::parse(
      "graph \"t\" tflite { input %r : " + type + " %d, %n = nms(%r) {max=" + std::to_string(max) +
      ", " + attributes + "} : float32[" + std::to_string(max) + ",6], int32[1] output %d, %n }");
  Row flat;
  for (const Row& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  const auto out = run(graph, {value(graph.tensor(0), flat)});
  const Row d = elements<float>(out[0]);
  const int count = elements<int32_t>(out[1])[0];
  std::vector<Row> result;
  for (int i = 0; i < max; ++i) {
    const Row row(d.begin() + 6 * i, d.begin() + 6 * i + 6);
    if (i < count) {
      result.push_back(row);
    } else {
      EXPECT_EQ(row, Row(6, 0.0f)) << "an unused row is 0";
    }
  }
  return result;
}

TEST(Nms, best_first_and_overlaps_of_the_same_class_go) {
  // a and b: inter 8 * 10, union 100 + 100 - 80 = 120: IoU 2/3. c is of another class.
  const auto kept =
      nms({{0, 0, 10, 10, 0.5f, 0.0f}, {2, 0, 12, 10, 0.9f, 0.0f}, {2, 0, 12, 10, 0.0f, 0.8f}},
          "score=0.3, iou=0.5", 5);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0], (Row{2, 0, 12, 10, 0.9f, 0}));
  EXPECT_EQ(kept[1], (Row{2, 0, 12, 10, 0.8f, 1}));
}

TEST(Nms, both_limits_are_strict) {
  // IoU of halves: inter 50, union 100: exactly 0.5
  const std::vector<Row> rows = {{0, 0, 10, 10, 0.5f}, {0, 0, 10, 5, 0.25f}};
  EXPECT_EQ(nms(rows, "score=0.125, iou=0.5", 4).size(), 2u);  // 0.5 > 0.5 is false: kept
  EXPECT_EQ(nms(rows, "score=0.125, iou=0.49", 4).size(), 1u);
  EXPECT_EQ(nms(rows, "score=0.25, iou=0.5", 4).size(), 1u);  // 0.25 > 0.25 is false: no candidate
}

TEST(Nms, ties_go_to_the_lower_row_then_class_and_max_ends_it) {
  const auto kept =
      nms({{0, 0, 1, 1, 0.5f, 0.5f}, {5, 5, 6, 6, 0.5f, 0.5f}}, "score=0.1, iou=0.5", 3);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[0], (Row{0, 0, 1, 1, 0.5f, 0}));
  EXPECT_EQ(kept[1], (Row{0, 0, 1, 1, 0.5f, 1}));
  EXPECT_EQ(kept[2], (Row{5, 5, 6, 6, 0.5f, 0}));
}

TEST(Nms, a_box_without_area_suppresses_nothing) {
  EXPECT_EQ(nms({{3, 3, 3, 3, 0.5f}, {3, 3, 3, 3, 0.4f}}, "score=0.1, iou=0.1", 4).size(), 2u);
}

TEST(Nms, rows_of_later_heads_come_after_those_of_earlier_ones) {
  const ir::Graph graph = ir::parse(
      "graph \"t\" tflite { input %a : float32[1,5] input %b : float32[1,5] %d, %n = nms(%a, %b) "
      "{max=2, score=0.1} : float32[2,6], int32[1] output %d, %n }");
  const auto out = run(graph, {value<float>(graph.tensor(0), {0, 0, 1, 1, 0.5f}),
                               value<float>(graph.tensor(1), {9, 9, 10, 10, 0.5f})});
  EXPECT_EQ(elements<float>(out[0])[0], 0.0f);
  EXPECT_EQ(elements<float>(out[0])[6], 9.0f);
}

TEST(Nms, labelled_rows_hold_a_score_and_its_class) {
  // Two boxes of class 7 that overlap, one of class 3 above them; what has no class is no
  // candidate.
  const auto kept = nms({{0, 0, 10, 10, 0.5f, 7},
                         {2, 0, 12, 10, 0.9f, 7},
                         {2, 0, 12, 10, 0.8f, 3},
                         {50, 0, 60, 10, 0.9f, 1.5f},
                         {50, 0, 60, 10, 0.9f, -1},
                         {50, 0, 60, 10, 0.9f, 65536},
                         {70, 0, 80, 10, 0.9f, 65535}},
                        "score=0.3, iou=0.5, labelled=true", 9);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[0], (Row{2, 0, 12, 10, 0.9f, 7}));
  EXPECT_EQ(kept[1], (Row{70, 0, 80, 10, 0.9f, 65535}));
  EXPECT_EQ(kept[2], (Row{2, 0, 12, 10, 0.8f, 3}));
}

/// Two boxes of 3 classes, stored by channels; as rows of boxes where `last`.
Row box_decode(bool last, bool objectness) {
  // centre 10 20, size 4 6 and centre 5 8, size 8 2; classes 3 7 7 and -128 2 1
  std::vector<std::vector<int8_t>> channels = {{10, 5}, {20, 8}, {4, 8}, {6, 2}};
  if (objectness) channels.push_back({2, 4});
  for (const std::vector<int8_t>& c : {std::vector<int8_t>{3, -128}, {7, 2}, {7, 1}}) {
    channels.push_back(c);
  }
  std::vector<int8_t> x;
  for (size_t box = 0; last && box < 2; ++box) {
    for (const auto& channel : channels) x.push_back(channel[box]);
  }
  for (const auto& channel : channels) {
    if (!last) x.insert(x.end(), channel.begin(), channel.end());
  }
  const std::string n = std::to_string(channels.size());
  const ir::Graph graph =
      ir::parse("graph \"t\" tflite { input %x : int8[1," + (last ? "2," + n : n + ",2") +
                "] q(0.5, -2) %r = box_decode(%x) {classes=3, width=2, height=4" +
                (last ? ", channels_last=true" : "") + (objectness ? ", objectness=true" : "") +
                "} : float32[2,6] output %r }");
  return elements<float>(run(graph, {value(graph.tensor(0), x)})[0]);
}

TEST(BoxDecode, boxes_in_pixels_and_the_first_of_the_best_classes) {
  // (10 + 2) / 2 = 6 times 2 is 12, (4 + 2) / 2 = 3 times 2 is 6: half of it 3
  const Row expected = {9, 36, 15, 52, 4.5f, 1, 2, 16, 12, 24, 2, 1};
  EXPECT_EQ(box_decode(false, false), expected);
  EXPECT_EQ(box_decode(true, false), expected);
}

TEST(BoxDecode, objectness_multiplies_the_score) {
  const Row expected = {9, 36, 15, 52, 9, 1, 2, 16, 12, 24, 6, 1};
  EXPECT_EQ(box_decode(false, true), expected);
  EXPECT_EQ(box_decode(true, true), expected);
}

TEST(YoloDecode, rows_in_order_y_x_anchor_with_boxes_in_pixels) {
  // 1x2 cells, 2 anchors, 1 class. Tables: sigmoid[0] = 0.5, exp[0] = 1, at 1: 0.25 and 2.
  const ir::Graph graph = ir::parse(
      "graph \"t\" tflite { input %h : int8[1,1,2,12] q(1, 0)\n"
      "input %dummy : int8[1] q(1, 0)\n"
      "const %s : float32[256] = splat 0.5 const %e : float32[256] = splat 1\n"
      "%r = yolo_decode(%h, %s, %e) {stride=8, classes=1, anchors=[4,6,10,20]} : float32[4,5]\n"
      "output %r }");
  ir::Graph g = graph;
  std::vector<float> sigmoid(256, 0.5f), exponential(256, 1.0f);
  sigmoid[1] = 0.25f, exponential[255] = 2.0f;  // index 255 is value -1
  const auto table = [](const std::vector<float>& t) {
    ir::Bytes bytes(sizeof(float) * t.size());
    std::memcpy(bytes.data(), t.data(), bytes.size());
    return std::make_shared<const ir::Bytes>(bytes);
  };
  for (ir::Tensor& t : g.tensors) {
    if (t.name == "s") t.data = table(sigmoid);
    if (t.name == "e") t.data = table(exponential);
  }
  std::vector<int8_t> head(24, 0);
  head[0] = 1;            // cell 0, anchor 0: tx
  head[12 + 6 + 2] = -1;  // cell 1, anchor 1: tw
  head[12 + 6 + 5] = 1;   // its class
  const auto rows = elements<float>(
      run(g, {value(g.tensor(g.inputs[0]), head), value<int8_t>(g.tensor(g.inputs[1]), {0})})[0]);
  // cell 0, anchor 0: cx = 0.25 * 8 = 2, cy = 4, w = 4, h = 6
  EXPECT_EQ(Row(rows.begin(), rows.begin() + 5), (Row{0, 1, 4, 7, 0.25f}));
  // cell 0, anchor 1: cx = 4, cy = 4, w = 10, h = 20
  EXPECT_EQ(Row(rows.begin() + 5, rows.begin() + 10), (Row{-1, -6, 9, 14, 0.25f}));
  // cell 1, anchor 1: cx = 1.5 * 8 = 12, w = 2 * 10, score 0.5 * 0.25
  EXPECT_EQ(Row(rows.begin() + 15, rows.begin() + 20), (Row{2, -6, 22, 14, 0.125f}));

  // Centres have a function of their own in a second row: 3 at 1, elsewhere -1.
  std::vector<float> both = sigmoid;
  both.resize(512, -1.0f);
  both[256 + 1] = 3.0f;
  for (ir::Tensor& t : g.tensors) {
    if (t.name == "s") t.shape = {2, 256}, t.data = table(both);
  }
  const auto moved = elements<float>(
      run(g, {value(g.tensor(g.inputs[0]), head), value<int8_t>(g.tensor(g.inputs[1]), {0})})[0]);
  // cell 0, anchor 0: cx = 3 * 8 = 24, cy = -8; cell 1, anchor 1: cx = 0, cy = -8
  EXPECT_EQ(Row(moved.begin(), moved.begin() + 5), (Row{22, -11, 26, -5, 0.25f}));
  EXPECT_EQ(Row(moved.begin() + 15, moved.begin() + 20), (Row{-10, -18, 10, 2, 0.125f}));
}

}  // namespace
}  // namespace presil::reference
