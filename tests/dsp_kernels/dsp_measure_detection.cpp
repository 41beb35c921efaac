#include <algorithm>

#include "driver/dsp/cost.h"
#include "driver/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

Measured yolo_decode(int64_t side, int64_t classes) {
  const int64_t anchors = 3;
  Rig rig;
  Random random(1);
  const TensorValue head = random_bytes(random, {1, side, side, anchors * (5 + classes)}),
                    table = random_floats(random, {256}, 0, 1),
                    rows = random_floats(random, {side * side * anchors, 4 + classes}, 0, 1);
  presil_dsp_yolo_decode p{16, static_cast<uint32_t>(classes), 3, {}};
  const Ran ran = rig.run("yolo_decode", {{head, {}}, {table, {}}, {table, {}}}, {{rows, {}}}, p);
  const auto n = static_cast<uint64_t>(side * side * anchors);
  const auto c = static_cast<uint64_t>(classes);
  return {"yolo_decode",
          std::to_string(side) + " x " + std::to_string(side) + " x 3, " + std::to_string(classes) +
              " classes",
          "value",
          n * (5 + c),
          cycles_of(ran),
          2,
          presil_dsp_cycles_yolo_decode(n, c),
          classes > 3};
}

Measured box_decode(int64_t boxes, int64_t classes, bool last) {
  Rig rig;
  Random random(1);
  const int64_t channels = 4 + classes;
  const TensorValue x = random_bytes(random, last ? std::vector<int64_t>{1, boxes, channels}
                                                  : std::vector<int64_t>{1, channels, boxes});
  const Operand rows{{ir::DType::kFloat32, {boxes, 6}, {}}, {}};
  const presil_dsp_box_decode p{
      static_cast<uint32_t>(classes), 0, last, 640.0f, 640.0f, 0.00390625f, -128};
  const auto n = static_cast<uint64_t>(boxes), c = static_cast<uint64_t>(classes);
  return {"box_decode",
          std::to_string(boxes) + " x " + std::to_string(classes) + (last ? ", channels last" : ""),
          "score",
          n * c,
          cycles_of(rig.run("box_decode", {{x, {}}}, {rows}, p)),
          (last ? 0.125 : 0.094) + 5.0 / static_cast<double>(classes),
          presil_dsp_cycles_box_decode(n, c, last)};
}

/// Boxes far from one another, or all alike.
Measured nms(int64_t rows, int64_t classes, int64_t candidates, bool apart) {
  std::vector<float> v(static_cast<size_t>(rows * (4 + classes)), 0.0f);
  for (int64_t i = 0; i < candidates; ++i) {
    const int64_t row = i * rows / candidates;
    float* to = v.data() + row * (4 + classes);
    const float at = apart ? static_cast<float>(20 * i) : static_cast<float>(i % 3);
    to[0] = at, to[1] = 0, to[2] = at + 12, to[3] = 12;
    to[4 + row % classes] =
        0.3f + 0.5f * static_cast<float>(row * 7919 % rows) / static_cast<float>(rows);
  }
  Rig rig;
  const TensorValue table = tensor_of(ir::DType::kFloat32, {rows, 4 + classes}, v);
  const int64_t max = apart ? 500 : 300;
  const Operand y{{ir::DType::kFloat32, {max, 6}, {}}, {}}, n{{ir::DType::kInt32, {1}, {}}, {}};
  const presil_dsp_nms p{0.25f, 0.5f, static_cast<uint32_t>(max), static_cast<uint32_t>(classes),
                         0};
  const Ran ran = rig.run("nms", {{table, {}}}, {y, n}, p);
  int32_t taken = 0;
  const uint64_t cycles = cycles_of(ran);
  std::memcpy(&taken, ran.out[1].data.data(), 4);
  const auto r = static_cast<uint64_t>(rows), c = static_cast<uint64_t>(classes),
             k = static_cast<uint64_t>(candidates), t = static_cast<uint64_t>(taken);
  const uint64_t estimate = presil_dsp_cycles_nms(r, c, k, t);
  const std::string shape = std::to_string(rows) + " x " + std::to_string(classes) + ", " +
                            std::to_string(candidates) + " candidates";
  if (!apart) return {"nms", shape, "score", r * c, cycles, 0.125, estimate, false};
  return {"nms", shape + ", all taken", "pair", k * (k - 1) / 2, cycles, 1.75, estimate, false};
}

Measured detection(int64_t candidates) {
  Rig rig;
  Random random(1);
  const int64_t n = 1917;
  TensorValue scores = random_bytes(random, {1, n, 91});
  for (auto& q : scores.data) q = static_cast<uint8_t>(-128);
  for (int64_t i = 0; i < candidates; ++i) {
    scores.data[static_cast<size_t>(i * n / candidates * 91 + 1 + i % 90)] =
        static_cast<uint8_t>(random() % 100);
  }
  const TensorValue boxes = random_bytes(random, {1, n, 4}),
                    anchors = random_floats(random, {n, 4}, 0.1f, 0.9f);
  TensorValue tables{ir::DType::kInt64, {4, 256}, ir::Bytes(8192)};
  for (size_t i = 0; i < 1024; ++i) {
    const double entry = 0.01 * static_cast<double>(i % 256);
    std::memcpy(&tables.data[8 * i], &entry, 8);
  }
  presil_dsp_detection p{10, 90, 1, 100, 0, 0.3f, 0.6f, 0.00390625f, -128};
  const auto floats = [](std::vector<int64_t> shape) {
    return Operand{{ir::DType::kFloat32, std::move(shape), {}}, {}};
  };
  const Ran ran =
      rig.run("detection_post_process", {{boxes, {}}, {scores, {}}, {anchors, {}}, {tables, {}}},
              {floats({1, 10, 4}), floats({1, 10}), floats({1, 10}), floats({1})}, p);
  const auto k = static_cast<uint64_t>(candidates);
  return {"detection_post_process",
          "1917 x 91, " + std::to_string(candidates) + " candidates",
          "score",
          1917 * 91,
          cycles_of(ran),
          0.125,
          presil_dsp_cycles_detection_post_process(1917, 90, k, 10),
          false};
}

}  // namespace

std::vector<Measured> measure_detection() {
  std::vector<Measured> list;
  list.push_back(yolo_decode(13, 3));
  list.push_back(yolo_decode(20, 80));
  list.push_back(box_decode(8400, 80, false));
  list.push_back(box_decode(1029, 80, false));
  list.push_back(box_decode(1029, 80, true));
  for (const int64_t candidates : {10, 100, 1000, 8400}) {
    list.push_back(nms(8400, 80, candidates, false));
  }
  list.push_back(nms(3000, 3, 100, false));
  list.push_back(nms(500, 1, 500, true));
  for (const int64_t candidates : {10, 100, 1900}) list.push_back(detection(candidates));
  return list;
}

}  // namespace presil::dsp
