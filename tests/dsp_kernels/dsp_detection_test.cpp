// Box decoding and non-maximum suppression against the reference interpreter, every bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

std::string text(int64_t n) {
  return std::to_string(n);
}

TEST(DspYoloDecode, equals_the_interpreter_at_every_vlen) {
  sweep(16, [](Rig& rig, Random& random) {
    const int64_t h = 1 + static_cast<int64_t>(random() % 9),
                  w = 1 + static_cast<int64_t>(random() % 40),
                  anchors = 1 + static_cast<int64_t>(random() % 3),
                  classes = 1 + static_cast<int64_t>(random() % 9);
    const Shape head = {1, h, w, anchors * (5 + classes)}, rows = {h * w * anchors, 4 + classes};
    presil_dsp_yolo_decode p{
        16, static_cast<uint32_t>(classes), static_cast<uint32_t>(anchors), {}};
    std::string sizes;
    for (int64_t a = 0; a < 2 * anchors; ++a) {
      p.anchor_size[a / 2][a % 2] = static_cast<float>(10 + a);
      sizes += (a == 0 ? "" : ",") + text(10 + a);
    }
    const Shape functions = random() % 2 != 0 ? Shape{2, 256} : Shape{256};
    const TensorValue x = random_bytes(random, head), s = random_floats(random, functions, 0, 1),
                      e = random_floats(random, {256}, 0, 9);
    const Example example("graph \"t\" tflite { input %h : " + type_of("int8", head) +
                              " q(1, 0) const %s : " + type_of("float32", functions) +
                              " = splat 0 const %e : float32[256] = splat 0 "
                              "%r = yolo_decode(%h, %s, %e) {stride=16, classes=" +
                              text(classes) + ", anchors=[" + sizes +
                              "]} : " + type_of("float32", rows) + " output %r }",
                          {x}, {{"s", s}, {"e", e}});
    Operand in{x, {}}, out{example.out[0], {}};
    if (random() % 2 != 0) in.strides = loose(random, head), out.strides = loose(random, rows);
    return difference(rig.run("yolo_decode", {in, {s, {}}, {e, {}}}, {out}, p), example.out);
  });
}

TEST(DspBoxDecode, equals_the_interpreter_at_every_vlen) {
  sweep(32, [](Rig& rig, Random& random) {
    const int64_t n = 1 + static_cast<int64_t>(random() % 700);
    static const int64_t choices[] = {1, 2, 3, 20, 80, 150, 256};
    const int64_t classes = choices[random() % 7];
    const bool objectness = random() % 2 != 0, last = random() % 2 != 0;
    const int64_t channels = 4 + (objectness ? 1 : 0) + classes;
    const Shape boxes = last ? Shape{1, n, channels} : Shape{1, channels, n};
    TensorValue x = random_bytes(random, boxes);
    if (random() % 2 != 0) {  // few values: the first of equal ones counts
      for (auto& q : x.data) q = static_cast<uint8_t>(q % 3);
    }
    const Example example(
        "graph \"t\" tflite { input %x : " + type_of("int8", boxes) +
            " q(0.0078125, -114) %r = box_decode(%x) {classes=" + text(classes) + ", objectness=" +
            (objectness ? "true" : "false") + ", channels_last=" + (last ? "true" : "false") +
            ", width=320, height=224.5} : " + type_of("float32", {n, 6}) + " output %r }",
        {x});
    const presil_dsp_box_decode p{
        static_cast<uint32_t>(classes), objectness, last, 320.0f, 224.5f, 0.0078125f, -114};
    Operand in{x, {}};
    if (random() % 2 != 0) in.strides = loose(random, boxes);
    return difference(rig.run("box_decode", {in}, example.results(), p), example.out);
  });
}

/// Rows with clusters of boxes; scores on a coarse grid, so that many are equal.
TensorValue rows_of(Random& random, int64_t n, int64_t classes, bool strange) {
  std::vector<float> v;
  const auto number = [&](float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random);
  };
  for (int64_t i = 0; i < n; ++i) {
    const float x = static_cast<float>(random() % 4) * 20 + number(-3, 3), y = number(-3, 3);
    const float w = number(6, 12), h = number(6, 12);
    float box[4] = {x, y, x + w, y + h};
    if (strange && random() % 8 == 0) {
      const float odd[] = {std::numeric_limits<float>::quiet_NaN(),
                           std::numeric_limits<float>::infinity(), -1e30f, 1e30f, 0.0f};
      box[random() % 4] = odd[random() % 5];
    }
    v.insert(v.end(), box, box + 4);
    for (int64_t k = 0; k < classes; ++k) {
      float score = static_cast<float>(static_cast<int>(random() % 64)) / 64.0f - 0.25f;
      if (random() % 4 != 0) score = -1.0f;
      if (strange && random() % 16 == 0) score = std::numeric_limits<float>::quiet_NaN();
      if (random() % 16 == 0) score = random() % 2 != 0 ? 0.0f : -0.0f;
      v.push_back(score);
    }
  }
  return tensor_of(ir::DType::kFloat32, {n, 4 + classes}, v);
}

struct Nms {
  Example example;
  presil_dsp_nms params;
};

Nms nms_of(std::vector<TensorValue> tables, int64_t classes, float score, float iou, int64_t max,
           bool labelled = false) {
  char digits[32];  // enough to tell a float from the next one
  std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(iou));
  std::string inputs, names;
  for (size_t i = 0; i < tables.size(); ++i) {
    inputs += " input %t" + std::to_string(i) + " : " + type_of("float32", tables[i].shape);
    names += (i == 0 ? "%t" : ", %t") + std::to_string(i);
  }
  return {Example("graph \"t\" tflite {" + inputs + " %d, %n = nms(" + names +
                      ") {max=" + text(max) + ", score=" + std::to_string(score) +
                      ", iou=" + digits + (labelled ? ", labelled=true" : "") +
                      "} : " + type_of("float32", {max, 6}) + ", int32[1] output %d, %n }",
                  std::move(tables)),
          {score, iou, static_cast<uint32_t>(max), static_cast<uint32_t>(classes), labelled}};
}

std::string compare(Rig& rig, const Nms& n) {
  return difference(rig.run("nms", n.example.operands(), n.example.results(), n.params),
                    n.example.out);
}

TEST(DspNms, equals_the_interpreter_at_every_vlen) {
  sweep(32, [](Rig& rig, Random& random) {
    static const int64_t choices[] = {1, 2, 3, 15, 16, 21, 80, 150};
    const int64_t classes = choices[random() % 8];
    std::vector<TensorValue> tables;
    for (size_t t = 0, n = 1 + random() % 3; t < n; ++t) {
      tables.push_back(
          rows_of(random, 1 + static_cast<int64_t>(random() % 90), classes, random() % 2 != 0));
    }
    static const float limits[] = {0.125f, -0.5f, 0.5f, 0.0f};
    static const float ious[] = {0.5f, 0.25f, 0.75f, 0.0078125f};
    return compare(rig, nms_of(tables, classes, limits[random() % 4], ious[random() % 4],
                               1 + static_cast<int64_t>(random() % 50)));
  });
}

TEST(DspNms, labelled_rows_equal_the_interpreter_at_every_vlen) {
  sweep(16, [](Rig& rig, Random& random) {
    std::vector<TensorValue> tables;
    for (size_t t = 0, n = 1 + random() % 2; t < n; ++t) {
      TensorValue rows =
          rows_of(random, 1 + static_cast<int64_t>(random() % 200), 2, random() % 2 != 0);
      auto* v = reinterpret_cast<float*>(rows.data.data());
      for (int64_t i = 0; i < rows.shape[0]; ++i) {
        static const float odd[] = {-1.0f, 65535.0f, 65536.0f,
                                    2.5f,  -0.0f,    std::numeric_limits<float>::quiet_NaN()};
        v[6 * i + 5] = random() % 8 == 0 ? odd[random() % 6] : static_cast<float>(random() % 20);
      }
      tables.push_back(rows);
    }
    return compare(rig,
                   nms_of(tables, 1, 0.125f, 0.25f, 1 + static_cast<int64_t>(random() % 50), true));
  });
}

TEST(DspNms, more_candidates_than_room_are_taken_in_turns) {
  // 18,000 candidates where 8,960 have room, boxes that suppress nearly all: every turn is needed.
  Random random(3);
  TensorValue rows = rows_of(random, 6000, 3, false);
  auto* v = reinterpret_cast<float*>(rows.data.data());
  for (size_t i = 0; i < 6000 * 7; ++i) {
    if (i % 7 >= 4) v[i] = static_cast<float>(random() % 4096) / 4096.0f + 0.001f;
    if (i % 7 == 0) v[i + 2] += 4, v[i + 3] += 4;
  }
  Rig rig;
  EXPECT_EQ(compare(rig, nms_of({rows}, 3, 0.0f, 0.25f, 300)), "");
  // All scores alike: rows in their order.
  for (size_t i = 0; i < 6000 * 7; ++i) {
    if (i % 7 >= 4) v[i] = 0.5f;
  }
  EXPECT_EQ(compare(rig, nms_of({rows}, 3, 0.0f, 0.25f, 300)), "");
}

TEST(DspNms, decides_as_the_quotient_does_on_the_limit_and_far_from_any_usual_size) {
  sweep(64, [](Rig& rig, Random& random) {
    // Whole sides, so that many quotients are the limit itself, or next to it; or sides of which no
    // product is a usual float, and boxes without an inside.
    static const int64_t choices[] = {1, 2, 3, 20, 300};
    const int64_t classes = choices[random() % 5], n = 1 + static_cast<int64_t>(random() % 150);
    static const float sizes[] = {1.0f, 1.0f, 0x1p-30f, 0x1p40f, 0x1p-60f, 0x1p62f, 0x1p-75f};
    const float size = sizes[random() % 7];
    std::vector<float> v;
    for (int64_t i = 0; i < n; ++i) {
      const auto small = [&] { return static_cast<float>(random() % 4); };
      const float x = small() * size, y = small() * size;
      const float w = (small() + (random() % 16 != 0 ? 1.0f : -1.0f)) * size, h = small() * size;
      const float next = random() % 4 != 0 ? 1.0f : 1.0f + 0x1p-23f;
      v.insert(v.end(), {x, y, (x + w) * next, y + h + size});
      for (int64_t k = 0; k < classes; ++k) {
        v.push_back(random() % (classes < 16 ? 1 : 8) != 0
                        ? 0.0f
                        : 0.25f + static_cast<float>(random() % 32) / 64.0f);
      }
    }
    const TensorValue table = tensor_of(ir::DType::kFloat32, {n, 4 + classes}, v);
    static const float limits[] = {0x1p-30f, 0.25f, 0.5f, 0.33333334f, 0.75f, 1.0f};
    const float limit = limits[random() % 6];
    return compare(
        rig, nms_of({table}, classes, 0.125f, limit, 1 + static_cast<int64_t>(random() % 100)));
  });
}

TEST(DspNms, its_time_follows_the_candidates) {
  uint64_t last = 0;
  for (const int64_t n : {10, 100, 1000}) {
    Random random(5);
    TensorValue rows = rows_of(random, 1000, 1, false);
    auto* v = reinterpret_cast<float*>(rows.data.data());
    for (int64_t i = 0; i < 1000; ++i)
      v[i * 5 + 4] = i < n ? 0.5f + 0.0001f * static_cast<float>(i) : 0.0f;
    Rig rig;
    const Nms nms = nms_of({rows}, 1, 0.25f, 0.5f, 100);
    const Ran ran = rig.run("nms", nms.example.operands(), nms.example.results(), nms.params);
    EXPECT_EQ(difference(ran, nms.example.out), "");
    EXPECT_GT(ran.cycles, 2 * last);
    last = ran.cycles;
  }
}

/// The exponential of the operator's definition.
double exponential(double v) {
  const double x = v > -700.0 ? std::min(v, 700.0) : -700.0;
  const double n = std::nearbyint(x * 1.4426950408889634);
  const double r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10;
  double t = 1.0;
  for (int k = 13; k >= 1; --k) t = 1.0 + t * r / k;
  return std::ldexp(t, static_cast<int>(n));
}

TEST(DspDetection, equals_the_interpreter_at_every_vlen_without_a_double) {
  sweep(48, [](Rig& rig, Random& random) {
    const auto pick = [&](int64_t most) { return 1 + static_cast<int64_t>(random() % most); };
    const int64_t n = pick(200), classes = pick(20),
                  background = static_cast<int64_t>(random() % 2);
    presil_dsp_detection p{};
    p.max = static_cast<uint32_t>(pick(30));
    p.classes = static_cast<uint32_t>(classes);
    p.regular = random() % 2;
    p.classes_per_box = p.regular != 0 ? 1 : static_cast<uint32_t>(pick(3));
    p.boxes_per_class = static_cast<uint32_t>(pick(5));
    p.score = static_cast<float>(random() % 100) / 100.0f;
    p.iou = 0.1f + 0.2f * static_cast<float>(random() % 5);
    p.score_scale = 0.00390625f;
    p.score_zero = -128;
    const float scale = 0.0625f * static_cast<float>(pick(3));
    const int32_t zero = static_cast<int32_t>(random() % 21) - 10;
    const float scales[4] = {10.0f, 7.0f, 5.0f, 3.0f};
    const int64_t m = int64_t{p.max} * p.classes_per_box;

    const TensorValue boxes = random_bytes(random, {1, n, 4}),
                      scores = random_bytes(random, {1, n, classes + background});
    TensorValue stored = random_bytes(random, {1, n, 4});  // anchors
    const int32_t anchor_zero = random() % 2 != 0 ? -128 : 3;
    const float anchor_scale = 0.0078125f;
    TensorValue anchors{ir::DType::kFloat32, {n, 4}, ir::Bytes(static_cast<size_t>(16 * n))};
    for (int64_t i = 0; i < 4 * n; ++i) {
      auto& byte = stored.data[static_cast<size_t>(i)];
      if (i % 4 > 1 && static_cast<int8_t>(byte) < anchor_zero) byte = 3;  // a side
      const auto q = static_cast<int8_t>(byte);
      const float real = static_cast<float>(q - anchor_zero) * anchor_scale;
      std::memcpy(&anchors.data[static_cast<size_t>(4 * i)], &real, 4);
    }
    ir::Bytes tables(4 * 256 * sizeof(double));
    for (int q = -128; q < 128; ++q) {
      const double v = static_cast<double>(static_cast<float>(q - zero) * scale);
      const double entries[4] = {v / static_cast<double>(scales[0]),
                                 v / static_cast<double>(scales[1]),
                                 0.5 * exponential(v / static_cast<double>(scales[2])),
                                 0.5 * exponential(v / static_cast<double>(scales[3]))};
      for (size_t t = 0; t < 4; ++t) {
        std::memcpy(&tables[(256 * t + static_cast<uint8_t>(q)) * sizeof(double)], &entries[t],
                    sizeof(double));
      }
    }
    const auto number = [](float x) { return std::to_string(x); };
    const Example e(
        "graph \"t\" tflite { input %b : " + type_of("int8", boxes.shape) + " q(" + number(scale) +
            ", " + text(zero) + ") input %s : " + type_of("int8", scores.shape) +
            " q(0.00390625, -128) const %a : " + type_of("int8", {n, 4}) + " q(0.0078125, " +
            text(anchor_zero) +
            ") = splat 0 %y, %c, %v, %n = detection_post_process(%b, %s, %a) {max=" + text(p.max) +
            ", classes=" + text(classes) + ", classes_per_box=" + text(p.classes_per_box) +
            ", boxes_per_class=" + text(p.boxes_per_class) +
            ", regular=" + (p.regular != 0 ? "true" : "false") + ", score=" + number(p.score) +
            ", iou=" + number(p.iou) + ", y_scale=10, x_scale=7, h_scale=5, w_scale=3} : " +
            type_of("float32", {1, m, 4}) + ", " + type_of("float32", {1, m}) + ", " +
            type_of("float32", {1, m}) + ", float32[1] output %y, %c, %v, %n }",
        {boxes, scores}, {{"a", stored}});
    const auto& attributes = e.graph.ops.back().as<ir::DetectionPostProcess>();
    p.score = attributes.score, p.iou = attributes.iou;
    // The table as doubles: DLPack's float of 64 bits.
    const Operand table{{ir::DType::kInt64, {4, 256}, tables}, {}};
    return difference(rig.run("detection_post_process",
                              {{boxes, {}}, {scores, {}}, {anchors, {}}, table}, e.results(), p),
                      e.out);
  });
}

}  // namespace
}  // namespace presil::dsp
