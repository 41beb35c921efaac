// Class-wise greedy non-maximum suppression over the rows of all inputs, one after another.
// Candidates: every (row, class) whose score > the score limit, in descending order of score, ties
// by ascending row * classes + class. A candidate is kept unless a box kept before, of its class,
// has IoU > the IoU limit with it; the first `max` kept are the detections. Labelled rows hold one
// score and, after it, its class; those whose class is no whole number 0..65535 are no candidates.
// IoU in float32, in this order: w = min(x1) - max(x0), h likewise, 0 unless both are above 0;
//   inter = w * h; area = (x1 - x0) * (y1 - y0); IoU = inter / ((area_kept + area) - inter), 0
// unless the divisor is above 0.
#include <algorithm>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {
namespace {

struct Candidate {
  const float* box;
  float score;
  int64_t index;  ///< row * classes + class
  int64_t label;
};

float iou(const float* a, const float* b) {
  const float w = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  const float h = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  if (!(w > 0.0f) || !(h > 0.0f)) return 0.0f;
  const float inter = w * h;
  const float area_a = (a[2] - a[0]) * (a[3] - a[1]);
  const float area_b = (b[2] - b[0]) * (b[3] - b[1]);
  const float together = (area_a + area_b) - inter;
  return together > 0.0f ? inter / together : 0.0f;
}

/// -1: none
int64_t label_of(float number) {
  if (!(number >= 0.0f && number <= 65535.0f)) return -1;
  const auto label = static_cast<int64_t>(number);
  return static_cast<float>(label) == number ? label : -1;
}

}  // namespace

void nms(const Case& c) {
  const auto& a = c.attributes<ir::Nms>();
  const int64_t width = c.in().shape[1], classes = a.labelled ? 1 : width - 4;
  std::vector<Candidate> candidates;
  int64_t index = 0;
  for (size_t head = 0; head < c.op.inputs.size(); ++head) {
    const float* row = c.read<float>(head);
    for (int64_t i = 0; i < c.in(head).shape[0]; ++i, row += width) {
      for (int64_t k = 0; k < classes; ++k, ++index) {
        const int64_t label = a.labelled ? label_of(row[5]) : k;
        if (row[4 + k] > a.score && label >= 0) {
          candidates.push_back({row, row[4 + k], index, label});
        }
      }
    }
  }
  // They stand in ascending index: a stable sort keeps ties so.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& p, const Candidate& q) { return p.score > q.score; });
  std::vector<const Candidate*> kept;
  for (const Candidate& candidate : candidates) {
    if (kept.size() == static_cast<size_t>(a.max)) break;
    const bool suppressed = std::any_of(kept.begin(), kept.end(), [&](const Candidate* k) {
      return k->label == candidate.label && iou(k->box, candidate.box) > a.iou;
    });
    if (!suppressed) kept.push_back(&candidate);
  }
  float* detection = c.write<float>(0);
  for (const Candidate* k : kept) {
    detection = std::copy(k->box, k->box + 4, detection);
    *detection++ = k->score;
    *detection++ = static_cast<float>(k->label);
  }
  *c.write<int32_t>(1) = static_cast<int32_t>(kept.size());
}

}  // namespace presil::reference::operators
