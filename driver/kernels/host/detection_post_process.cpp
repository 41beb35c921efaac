// Boxes of a single-shot detector against anchors, and their suppression; the definition is in
// kernels.h. Candidates are box numbers in the scratch tensor `order`, put in order by heap sort on
// (value, number), which is total. Those taken move to its front, so nothing else is stored.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

enum : uint32_t {
  kBoxes,
  kScores,
  kAnchors,
  kDecoded,
  kBest,
  kOrder,
  kY,
  kYClasses,
  kYScores,
  kCount,
  kTensors
};

using Attributes = presil_detection_attributes;

float load(const Tensor& t, uint64_t i, float scale, int32_t zero) {
  if (t.dtype == PRESIL_FLOAT32) return static_cast<const float*>(t.data)[i];
  return static_cast<float>(static_cast<const int8_t*>(t.data)[i] - zero) * scale;
}

/// To the nearest whole number, halves to the even one. @pre |v| < 2^31
int32_t nearest(double v) {
  const int32_t below =
      static_cast<int32_t>(v) - (v < static_cast<double>(static_cast<int32_t>(v)));
  const double rest = v - static_cast<double>(below);
  const bool up = rest > 0.5 || (rest == 0.5 && (below & 1) != 0);
  return below + (up ? 1 : 0);
}

double power_of_2(int32_t n) {
  const uint64_t exponent = static_cast<uint64_t>(n + 1023) << 52;
  double value;
  std::memcpy(&value, &exponent, sizeof value);
  return value;
}

double e(double v) {
  if (!(v >= -700.0)) v = -700.0;
  if (v > 700.0) v = 700.0;
  const int32_t n = nearest(v * 1.4426950408889634);
  const double whole = static_cast<double>(n);
  const double r = (v - whole * 0.693147180369123816490) - whole * 1.90821492927058770002e-10;
  double t = 1.0;
  for (double k = 13.0; k > 0.5; k -= 1.0) t = 1.0 + t * r / k;
  return t * power_of_2(n);
}

/// low, high of one direction.
void span(float v, float extent, float at, float side, float v_scale, float extent_scale,
          float* box) {
  const double wide = static_cast<double>(side);
  const double centre = static_cast<double>(v) / static_cast<double>(v_scale) * wide;
  const float c = static_cast<float>(centre + static_cast<double>(at));
  const double exponent = static_cast<double>(extent) / static_cast<double>(extent_scale);
  const float half = static_cast<float>(0.5 * e(exponent) * wide);
  box[0] = c - half;
  box[2] = c + half;
}

void decode(const Task& task, const Attributes& a) {
  const uint32_t n = task[kBoxes].shape[1], step = task[kBoxes].shape[2];
  float* box = task.data<float>(kDecoded);
  for (uint32_t i = 0; i < n; ++i, box += 4) {
    const auto value = [&](uint32_t k) {
      return load(task[kBoxes], uint64_t{i} * step + k, a.box_scale, a.box_zero);
    };
    const auto anchor = [&](uint32_t k) {
      return load(task[kAnchors], uint64_t{i} * 4 + k, a.anchor_scale, a.anchor_zero);
    };
    span(value(0), value(2), anchor(0), anchor(2), a.y_scale, a.h_scale, box);
    span(value(1), value(3), anchor(1), anchor(3), a.x_scale, a.w_scale, box + 1);
  }
}

/// Length of what two spans share, 0 if they do not meet.
float shared(const float* a, const float* b) {
  const float low = b[0] > a[0] ? b[0] : a[0];
  const float high = a[2] > b[2] ? b[2] : a[2];
  return high - low < 0.0f ? 0.0f : high - low;
}

float iou(const float* a, const float* b) {
  const float size_a = (a[2] - a[0]) * (a[3] - a[1]);
  const float size_b = (b[2] - b[0]) * (b[3] - b[1]);
  if (size_a <= 0.0f || size_b <= 0.0f) return 0.0f;
  const float inter = shared(a, b) * shared(a + 1, b + 1);
  return inter / (size_a + size_b - inter);
}

struct Suppression {
  const float* boxes;
  const float* value;
  uint32_t* order;

  bool before(uint32_t a, uint32_t b) const {
    return value[a] > value[b] || (value[a] == value[b] && a < b);
  }
  void sift(uint32_t root, uint32_t n) const {
    for (uint64_t child; (child = 2 * uint64_t{root} + 1) < n;) {
      if (child + 1 < n && before(order[child], order[child + 1])) ++child;
      if (!before(order[root], order[child])) return;
      swap(root, static_cast<uint32_t>(child));
      root = static_cast<uint32_t>(child);
    }
  }
  void swap(uint32_t i, uint32_t j) const {
    const uint32_t was = order[i];
    order[i] = order[j];
    order[j] = was;
  }
  /// Takes at most `most` of n boxes: how many; they stand first in `order`, best first.
  uint32_t run(uint32_t n, const Attributes& a, uint32_t most) const {
    uint32_t candidates = 0;
    for (uint32_t i = 0; i < n; ++i) {
      if (value[i] >= a.score) order[candidates++] = i;
    }
    for (uint32_t i = candidates / 2; i-- > 0;) sift(i, candidates);
    for (uint32_t end = candidates; end > 1; sift(0, --end)) swap(0, end - 1);
    uint32_t taken = 0;
    for (uint32_t i = 0; i < candidates && taken < most; ++i) {
      const float* box = boxes + uint64_t{4} * order[i];
      bool open = true;
      for (uint32_t k = 0; k < taken && open; ++k) {
        open = !(iou(boxes + uint64_t{4} * order[k], box) > a.iou);
      }
      if (open) order[taken++] = order[i];
    }
    return taken;
  }
};

/// Scores of a box without the background.
struct Scores {
  const Task& task;
  const Attributes& a;
  uint32_t row, first;

  float at(uint32_t box, uint32_t label) const {
    return load(task[kScores], uint64_t{box} * row + first + label, a.score_scale, a.score_zero);
  }
  /// The best class that is none of `count` shown ones; of equals the first.
  uint32_t best(uint32_t box, const float* shown, uint32_t count) const {
    uint32_t found = a.classes;
    float highest = 0.0f;
    for (uint32_t k = 0; k < a.classes; ++k) {
      bool open = true;
      for (uint32_t i = 0; i < count && open; ++i) open = shown[i] != static_cast<float>(k);
      if (!open) continue;
      const float value = at(box, k);
      if (found == a.classes || value > highest) found = k, highest = value;
    }
    return found;
  }
};

void put(const Task& task, uint64_t at, uint32_t box, uint32_t label, float score) {
  std::memcpy(task.data<float>(kY) + 4 * at, task.data<float>(kDecoded) + uint64_t{4} * box,
              4 * sizeof(float));
  task.data<float>(kYClasses)[at] = static_cast<float>(label);
  task.data<float>(kYScores)[at] = score;
}

uint32_t by_box(const Task& task, const Attributes& a, const Scores& scores,
                const Suppression& suppression) {
  const uint32_t n = task[kBoxes].shape[1];
  float* best = task.data<float>(kBest);
  for (uint32_t i = 0; i < n; ++i) best[i] = scores.at(i, scores.best(i, nullptr, 0));
  const uint32_t taken = suppression.run(n, a, a.max);
  const uint32_t shown = a.classes_per_box < a.classes ? a.classes_per_box : a.classes;
  for (uint32_t i = 0; i < taken; ++i) {
    const uint32_t box = suppression.order[i];
    const uint64_t first = uint64_t{i} * a.classes_per_box;
    for (uint32_t k = 0; k < shown; ++k) {
      const uint32_t label = scores.best(box, task.data<float>(kYClasses) + first, k);
      put(task, first + k, box, label, scores.at(box, label));
    }
  }
  return taken;
}

uint32_t by_class(const Task& task, const Attributes& a, const Scores& scores,
                  const Suppression& suppression) {
  const uint32_t n = task[kBoxes].shape[1];
  float* value = task.data<float>(kBest);
  const float* kept = task.data<float>(kYScores);
  uint32_t count = 0;
  for (uint32_t label = 0; label < a.classes; ++label) {
    for (uint32_t i = 0; i < n; ++i) value[i] = scores.at(i, label);
    const uint32_t taken = suppression.run(n, a, a.boxes_per_class);
    for (uint32_t i = 0; i < taken; ++i) {
      // Into its rank among the results, after its equals, which came first.
      const uint32_t box = suppression.order[i];
      uint32_t place = count;
      while (place > 0 && kept[place - 1] < value[box]) --place;
      if (place == a.max) break;  // the others of this class are no better
      if (count < a.max) ++count;
      for (uint32_t k = count - 1; k > place; --k) {
        std::memcpy(task.data<float>(kY) + uint64_t{4} * k,
                    task.data<float>(kY) + uint64_t{4} * (k - 1), 4 * sizeof(float));
        for (uint32_t t = kYClasses; t <= kYScores; ++t)
          task.data<float>(t)[k] = task.data<float>(t)[k - 1];
      }
      put(task, place, box, label, value[box]);
    }
  }
  return count;
}

void run(const Task& task) {
  const auto a = task.as<Attributes>();
  for (uint32_t t = kY; t <= kYScores; ++t) {
    std::memset(task[t].data, 0, presil_tensor_bytes(&task[t]));
  }
  decode(task, a);
  const uint32_t row = task[kScores].shape[2];
  const Scores scores{task, a, row, row - a.classes};
  const Suppression suppression{task.data<float>(kDecoded), task.data<float>(kBest),
                                task.data<uint32_t>(kOrder)};
  const uint32_t count =
      a.regular ? by_class(task, a, scores, suppression) : by_box(task, a, scores, suppression);
  *task.data<float>(kCount) = static_cast<float>(count);
}

void int8_or_float(const Task& task, Check& c, uint32_t tensor, int32_t zero, const char* what) {
  if (task[tensor].dtype == PRESIL_FLOAT32) return;
  c.dtype(tensor, PRESIL_INT8);
  c.range(what, zero, -128, 127);
}

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  const auto a = task.as<Attributes>();
  constexpr int64_t kMost = 1 << 20;
  c.range("max", a.max, 1, kMost);
  c.range("classes", a.classes, 1, kMost);
  c.range("classes_per_box", a.classes_per_box, 1, kMost);
  c.range("boxes_per_class", a.boxes_per_class, 1, kMost);
  c.range("regular", a.regular, 0, 1);
  if (!(a.iou >= 0.0f)) c.refuse("iou is 0 or more", -1, -1, 0);
  int8_or_float(task, c, kBoxes, a.box_zero, "box_zero");
  int8_or_float(task, c, kScores, a.score_zero, "score_zero");
  int8_or_float(task, c, kAnchors, a.anchor_zero, "anchor_zero");
  for (uint32_t t = kDecoded; t < kTensors; ++t)
    c.dtype(t, t == kOrder ? PRESIL_INT32 : PRESIL_FLOAT32);
  c.rank(kBoxes, 3);
  c.rank(kScores, 3);
  c.rank(kAnchors, 2);
  if (!c.ok()) return;
  const uint32_t n = task[kBoxes].shape[1];
  c.dim(kBoxes, 0, 1);
  c.at_least("values of a box", task[kBoxes].shape[2], 4);
  c.dim(kAnchors, 0, n);
  c.dim(kAnchors, 1, 4);
  c.dim(kScores, 0, 1);
  c.dim(kScores, 1, n);
  c.range("scores of a box", task[kScores].shape[2], a.classes, int64_t{a.classes} + 1);
  const uint64_t results = uint64_t{a.max} * a.classes_per_box;
  c.elements(kDecoded, uint64_t{4} * n);
  c.elements(kBest, n);
  c.elements(kOrder, n);
  c.elements(kY, 4 * results);
  c.elements(kYClasses, results);
  c.elements(kYScores, results);
  c.elements(kCount, 1);
}

uint64_t candidates(const Task& task) {
  return presil_tensor_elements(&task[kScores]);
}

}  // namespace

// {boxes [1,n,4 or more], scores [1,n,classes or one more in front], anchors [n,4], decoded f32
// [n,4], best f32 [n], order i32 [n], y f32 [1,m,4], classes f32 [1,m], scores f32 [1,m], count
// f32 [1]}; boxes, anchors: both i8 or both f32; scores: i8 or f32; m = max * classes_per_box;
// presil_detection_attributes.
const Kernel kDetectionPostProcess{
    "detection_post_process", sizeof(Attributes), kTensors - kDecoded, check, run, candidates};

}  // namespace presil::kernels
