#include <algorithm>

#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/params.h"
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

struct Candidate {
  float score;
  float box[4];
  int64_t label;
};

/// What greedy suppression cannot do without: boxes that come up, best first, and of each the pairs
/// until one suppresses it.
struct Work {
  uint64_t looked_at = 0, pairs = 0, taken = 0;
};

float iou(const float* a, const float* b) {
  const float width = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  const float height = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  const float inter = std::max(width, 0.0f) * std::max(height, 0.0f);
  return inter / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter);
}

Work work_of(std::vector<Candidate> candidates, float limit, size_t most) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  Work work;
  std::vector<const Candidate*> taken;
  for (const Candidate& c : candidates) {
    if (taken.size() == most) break;
    ++work.looked_at;
    bool alone = true;
    for (size_t i = 0; i < taken.size() && alone; ++i) {
      if (taken[i]->label != c.label) continue;
      ++work.pairs;
      alone = !(iou(taken[i]->box, c.box) > limit);
    }
    if (alone) taken.push_back(&c);
  }
  work.taken = taken.size();
  return work;
}

/// Boxes far from one another, or all alike.
Measured nms(int64_t rows, int64_t classes, int64_t candidates, bool apart) {
  std::vector<float> v(static_cast<size_t>(rows * (4 + classes)), 0.0f);
  std::vector<Candidate> all;
  for (int64_t i = 0; i < candidates; ++i) {
    const int64_t row = i * rows / candidates;
    float* to = v.data() + row * (4 + classes);
    const float at = apart ? static_cast<float>(20 * i) : static_cast<float>(i % 3);
    const float score =
        0.3f + 0.5f * static_cast<float>(row * 7919 % rows) / static_cast<float>(rows);
    to[0] = at, to[1] = 0, to[2] = at + 12, to[3] = 12;
    to[4 + row % classes] = score;
    all.push_back({score, {at, 0, at + 12, 12}, row % classes});
  }
  Rig rig;
  const TensorValue table = tensor_of(ir::DType::kFloat32, {rows, 4 + classes}, v);
  const int64_t max = apart ? 500 : 300;
  const Operand y{{ir::DType::kFloat32, {max, 6}, {}}, {}}, n{{ir::DType::kInt32, {1}, {}}, {}};
  const presil_dsp_nms p{0.25f, 0.5f, static_cast<uint32_t>(max), static_cast<uint32_t>(classes),
                         0};
  const uint64_t cycles = cycles_of(rig.run("nms", {{table, {}}}, {y, n}, p));
  const auto r = static_cast<uint64_t>(rows), c = static_cast<uint64_t>(classes),
             k = static_cast<uint64_t>(candidates);
  const Work work = work_of(all, p.iou, p.max);
  const double floats = static_cast<double>(r * (c < 16 ? 4 + c : c));
  const double bound = 0.125 * floats + 61.0 * static_cast<double>(k) +
                       1.25 * static_cast<double>(work.pairs) +
                       60.0 * static_cast<double>(work.taken) + 0.75 * static_cast<double>(max);
  const std::string shape = std::to_string(rows) + " x " + std::to_string(classes) + ", " +
                            std::to_string(candidates) + " candidates" +
                            (apart ? ", all taken" : "");
  const uint64_t count = apart ? work.pairs : r * c;
  return {"nms",
          shape,
          apart ? "pair" : "score",
          count,
          cycles,
          bound / static_cast<double>(count),
          presil_dsp_cycles_nms(r, c, k, work.taken)};
}

Measured detection(int64_t candidates) {
  Rig rig;
  Random random(1);
  const int64_t n = 1917;
  TensorValue scores = random_bytes(random, {1, n, 91});
  for (auto& q : scores.data) q = static_cast<uint8_t>(-128);
  std::vector<Candidate> all;
  std::vector<int64_t> of;  // their rows
  for (int64_t i = 0; i < candidates; ++i) {
    const int64_t row = i * n / candidates;
    const auto q = static_cast<uint8_t>(random() % 100);
    scores.data[static_cast<size_t>(row * 91 + 1 + i % 90)] = q;
    all.push_back({static_cast<float>(q), {}, 0});
    of.push_back(row);
  }
  const TensorValue boxes = random_bytes(random, {1, n, 4}),
                    anchors = random_floats(random, {n, 4}, 0.1f, 0.9f);
  TensorValue tables{ir::DType::kInt64, {4, 256}, ir::Bytes(8192)};
  const auto entry = [](uint8_t q) { return 0.01 * static_cast<double>(q); };
  for (size_t i = 0; i < 1024; ++i) {
    const double value = entry(static_cast<uint8_t>(i));
    std::memcpy(&tables.data[8 * i], &value, 8);
  }
  presil_dsp_detection p{10, 90, 1, 100, 0, 0.3f, 0.6f, 0.00390625f, -128};
  const auto floats = [](std::vector<int64_t> shape) {
    return Operand{{ir::DType::kFloat32, std::move(shape), {}}, {}};
  };
  const Ran ran =
      rig.run("detection_post_process", {{boxes, {}}, {scores, {}}, {anchors, {}}, {tables, {}}},
              {floats({1, 10, 4}), floats({1, 10}), floats({1, 10}), floats({1})}, p);
  for (size_t i = 0; i < all.size(); ++i) {
    const auto at = static_cast<size_t>(of[i]);
    float anchor[4];
    std::memcpy(anchor, &anchors.data[16 * at], sizeof anchor);
    for (size_t axis = 0; axis < 2; ++axis) {
      const uint8_t* q = &boxes.data[4 * at] + axis;
      const auto side = static_cast<double>(anchor[axis + 2]);
      const double centre = entry(q[0]) * side + static_cast<double>(anchor[axis]);
      all[i].box[axis] = static_cast<float>(centre - entry(q[2]) * side);
      all[i].box[axis + 2] = static_cast<float>(centre + entry(q[2]) * side);
    }
  }
  const Work work = work_of(all, p.iou, p.max);
  const auto k = static_cast<uint64_t>(candidates);
  const double bound = 12.0 * 1917 + 0.5 * static_cast<double>(k) +
                       380.0 * static_cast<double>(work.looked_at) +
                       1.75 * static_cast<double>(work.pairs);
  return {"detection_post_process",
          "1917 x 91, " + std::to_string(candidates) + " candidates",
          "score",
          1917 * 91,
          cycles_of(ran),
          bound / (1917 * 91),
          presil_dsp_cycles_detection_post_process(1917, 90, k, work.looked_at)};
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
