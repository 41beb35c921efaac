// The end of a single-shot detector: boxes against anchors, then non-maximum suppression. The
// definition is that of TFLite's custom operator TFLite_Detection_PostProcess
// (tensorflow/lite/kernels/detection_postprocess.cc), in words; float32 where nothing else is said.
//   An int8 value means (x - z) * s. A box, with its anchor (ya, xa, ha, wa), / and * and + in
//   double, rounded once to float32:
//     yc = y / y_scale * ha + ya              xc = x / x_scale * wa + xa
//     hh = 0.5 * e(h / h_scale) * ha          hw = 0.5 * e(w / w_scale) * wa
//     box = yc - hh, xc - hw, yc + hh, xc + hw
//   e is the exponential. So that it is the same everywhere it is not libm's but, in double, v
//   within -700..700 (what is no number: -700):
//     n = v * 1.4426950408889634, rounded, ties to even
//     r = (v - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10
//     t = 1; for k from 13 down to 1: t = 1 + t * r / k
//     e = t * 2^n
//   IoU = inter / (area_a + area_b - inter), 0 where an area is 0 or less; area = height * width,
//   inter = the overlap's height, at least 0, times its width, at least 0.
//   suppress(values, most): boxes with a value of `score` or more, in descending order, ties to the
//   lower box; the first is taken, later ones whose IoU with it is above `iou` go, and so on until
//   `most` are taken.
//   Not regular: suppress(value = the best score of a box's classes, max). A box that is taken
//   gives its k = min(classes_per_box, classes) best classes, best first, ties to the lower class,
//   at box * classes_per_box; count is the number of boxes. Regular: suppress(scores of a class,
//   boxes_per_class) for each class; all that are taken, best first, ties to the lower class, then
//   the lower box: the first `max`; count is their number. TFLite leaves open what ties do among
//   several classes of a box and in the last ordering, and what stands in results that are not
//   used: 0 here.
#include <algorithm>
#include <cstring>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {
namespace {

using Values = std::vector<float>;

struct Box {
  float y0, x0, y1, x1;
};

Values real_values(const Case& c, size_t input) {
  const ir::Tensor& tensor = c.in(input);
  Values values(static_cast<size_t>(tensor.elements()));
  if (tensor.dtype == ir::DType::kFloat32) {
    std::copy_n(c.read<float>(input), values.size(), values.begin());
    return values;
  }
  const float scale = tensor.quantization.scale();
  std::transform(c.read<int8_t>(input), c.read<int8_t>(input) + values.size(), values.begin(),
                 [&, zero = tensor.quantization.zero_point()](int8_t q) {
                   return static_cast<float>(q - zero) * scale;
                 });
  return values;
}

double exponential(double v) {
  const double x = v > -700.0 ? std::min(v, 700.0) : -700.0;
  constexpr double kToEven = 6755399441055744.0;  // 1.5 * 2^52: no fractions fit above it
  const double n = (x * 1.4426950408889634 + kToEven) - kToEven;
  const double r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10;
  double t = 1.0;
  for (int k = 13; k >= 1; --k) t = 1.0 + t * r / k;
  const uint64_t bits = static_cast<uint64_t>(static_cast<int64_t>(n) + 1023) << 52;
  double power;
  std::memcpy(&power, &bits, sizeof power);
  return t * power;
}

std::vector<Box> decode(const Case& c) {
  const auto& a = c.attributes<ir::DetectionPostProcess>();
  const Values encoded = real_values(c, 0), anchors = real_values(c, 2);
  const size_t step = static_cast<size_t>(c.in(0).shape[2]);
  const auto centre = [](double v, double scale, double side, double at) {
    return static_cast<float>(v / scale * side + at);
  };
  const auto half = [](double v, double scale, double side) {
    return static_cast<float>(0.5 * exponential(v / scale) * side);
  };
  std::vector<Box> boxes;
  for (size_t i = 0; i * 4 < anchors.size(); ++i) {
    const float *v = &encoded[i * step], *anchor = &anchors[i * 4];
    const float yc = centre(v[0], a.y_scale, anchor[2], anchor[0]);
    const float xc = centre(v[1], a.x_scale, anchor[3], anchor[1]);
    const float hh = half(v[2], a.h_scale, anchor[2]), hw = half(v[3], a.w_scale, anchor[3]);
    boxes.push_back({yc - hh, xc - hw, yc + hh, xc + hw});
  }
  return boxes;
}

float area(const Box& box) {
  return (box.y1 - box.y0) * (box.x1 - box.x0);
}

float iou(const Box& a, const Box& b) {
  const float area_a = area(a), area_b = area(b);
  if (area_a <= 0.0f || area_b <= 0.0f) return 0.0f;
  const auto overlap = [](float low_a, float low_b, float high_a, float high_b) {
    const float low = low_a < low_b ? low_b : low_a, high = high_b < high_a ? high_b : high_a;
    const float length = high - low;
    return length < 0.0f ? 0.0f : length;
  };
  const float inter = overlap(a.y0, b.y0, a.y1, b.y1) * overlap(a.x0, b.x0, a.x1, b.x1);
  return inter / (area_a + area_b - inter);
}

struct Taken {
  size_t box;
  float value;
  int label = 0;
};

void sort_best_first(std::vector<Taken>& list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const Taken& p, const Taken& q) { return p.value > q.value; });
}

std::vector<Taken> suppress(const std::vector<Box>& boxes, const Values& values,
                            const ir::DetectionPostProcess& a, int most) {
  std::vector<Taken> left, taken;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= a.score) left.push_back({i, values[i]});
  }
  sort_best_first(left);
  while (!left.empty() && taken.size() < static_cast<size_t>(most)) {
    const Taken best = left.front();
    taken.push_back(best);
    left.erase(left.begin());
    left.erase(
        std::remove_if(left.begin(), left.end(),
                       [&](const Taken& t) { return iou(boxes[best.box], boxes[t.box]) > a.iou; }),
        left.end());
  }
  return taken;
}

/// The `count` best of scores[0..classes), best first.
std::vector<int> best_classes(const float* scores, int classes, int count) {
  std::vector<int> open(static_cast<size_t>(classes)), best;
  for (int k = 0; k < classes; ++k) open[static_cast<size_t>(k)] = k;
  while (best.size() < static_cast<size_t>(count)) {
    // The first of the largest; what is no number is smaller than nothing and larger than nothing.
    const auto at = std::max_element(open.begin(), open.end(),
                                     [&](int p, int q) { return scores[p] < scores[q]; });
    best.push_back(*at);
    open.erase(at);
  }
  return best;
}

struct Writer {
  float *box, *label, *score;

  void put(size_t at, const Box& from, int of_class, float value) const {
    const float corners[4] = {from.y0, from.x0, from.y1, from.x1};
    std::copy_n(corners, 4, box + 4 * at);
    label[at] = static_cast<float>(of_class);
    score[at] = value;
  }
};

}  // namespace

void detection_post_process(const Case& c) {
  const auto& a = c.attributes<ir::DetectionPostProcess>();
  const std::vector<Box> boxes = decode(c);
  const Values scores = real_values(c, 1);
  const size_t row = static_cast<size_t>(c.in(1).shape[2]);
  const size_t first = row - static_cast<size_t>(a.classes);  // after the background
  const auto of_box = [&](size_t box) { return scores.data() + box * row + first; };
  const Writer writer{c.write<float>(0), c.write<float>(1), c.write<float>(2)};
  Values values(boxes.size());
  std::vector<Taken> taken;
  if (a.regular) {
    for (int k = 0; k < a.classes; ++k) {
      for (size_t i = 0; i < boxes.size(); ++i) values[i] = of_box(i)[k];
      for (Taken t : suppress(boxes, values, a, a.boxes_per_class)) {
        t.label = k;
        taken.push_back(t);
      }
    }
    sort_best_first(taken);
    taken.resize(std::min(taken.size(), static_cast<size_t>(a.max)), Taken{0, 0});
    for (size_t i = 0; i < taken.size(); ++i) {
      writer.put(i, boxes[taken[i].box], taken[i].label, taken[i].value);
    }
  } else {
    for (size_t i = 0; i < boxes.size(); ++i) {
      values[i] = of_box(i)[best_classes(of_box(i), a.classes, 1)[0]];
    }
    taken = suppress(boxes, values, a, a.max);
    for (size_t i = 0; i < taken.size(); ++i) {
      const size_t box = taken[i].box;
      size_t at = i * static_cast<size_t>(a.classes_per_box);
      for (int k : best_classes(of_box(box), a.classes, std::min(a.classes_per_box, a.classes))) {
        writer.put(at++, boxes[box], k, of_box(box)[k]);
      }
    }
  }
  *c.write<float>(3) = static_cast<float>(taken.size());
}

}  // namespace presil::reference::operators
