// Class-wise greedy non-maximum suppression; the definition is in kernels.h.
// Candidates are indices row * classes + class in the scratch tensor, put in order by heap sort;
// the order is total (score, then index), so the sort need not be stable.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

uint32_t width_of(const presil_nms_attributes& a) {
  return a.labelled != 0 ? 6 : 4 + a.classes;
}

/// Rows of all tables, one after another.
struct Rows {
  const Task& task;
  uint32_t tables;
  uint32_t classes;
  uint32_t width;
  bool labelled;

  const float* row(uint32_t index) const {
    for (uint32_t t = 0;; ++t) {
      if (index < task[t].shape[0]) {
        return task.data<const float>(t) + static_cast<uint64_t>(index) * width;
      }
      index -= task[t].shape[0];
    }
  }
  float score(uint32_t candidate) const {
    return row(candidate / classes)[4 + candidate % classes];
  }
  /// False: the candidate is none.
  bool has_class(uint32_t candidate) const {
    if (!labelled) return true;
    const float number = row(candidate)[5];
    return number >= 0.0f && number <= 65535.0f &&
           static_cast<float>(static_cast<uint32_t>(number)) == number;
  }
  float class_of(uint32_t candidate) const {
    return labelled ? row(candidate)[5] + 0.0f : static_cast<float>(candidate % classes);
  }
  /// True if `a` comes before `b`.
  bool before(uint32_t a, uint32_t b) const {
    const float sa = score(a), sb = score(b);
    return sa > sb || (sa == sb && a < b);
  }
};

void sift_down(const Rows& rows, uint32_t* heap, uint32_t root, uint32_t n) {
  // The root of the heap is the candidate that comes last.
  while (2 * uint64_t{root} + 1 < n) {
    uint32_t child = 2 * root + 1;
    if (child + 1 < n && rows.before(heap[child], heap[child + 1])) ++child;
    if (!rows.before(heap[root], heap[child])) return;
    const uint32_t swap = heap[root];
    heap[root] = heap[child];
    heap[child] = swap;
    root = child;
  }
}

void sort(const Rows& rows, uint32_t* v, uint32_t n) {
  for (uint32_t i = n / 2; i-- > 0;) sift_down(rows, v, i, n);
  for (uint32_t end = n; end > 1;) {
    --end;
    const uint32_t last = v[0];
    v[0] = v[end];
    v[end] = last;
    sift_down(rows, v, 0, end);
  }
}

float smaller(float a, float b) {
  return a < b ? a : b;
}
float larger(float a, float b) {
  return a > b ? a : b;
}

float area(const float* box) {
  return (box[2] - box[0]) * (box[3] - box[1]);
}

float iou(const float* a, const float* b) {
  const float width = larger(0.0f, smaller(a[2], b[2]) - larger(a[0], b[0]));
  const float height = larger(0.0f, smaller(a[3], b[3]) - larger(a[1], b[1]));
  const float inter = width * height;
  return inter / ((area(a) + area(b)) - inter);
}

uint64_t candidates(const Task& task) {
  const auto a = task.as<presil_nms_attributes>();
  uint64_t rows = 0;
  for (uint32_t t = 0; t + 3 < task.count; ++t) rows += task[t].shape[0];
  return rows * a.classes;
}

void check(const Task& task, Check& c) {
  const auto a = task.as<presil_nms_attributes>();
  c.range("classes", a.classes, 1, 65535);
  c.range("max", a.max, 1, 65535);
  if (!(a.iou >= 0.0f)) c.refuse("iou is 0 or more", -1, -1, 0);
  c.range("labelled", a.labelled, 0, 1);
  if (a.labelled != 0) c.range("classes of labelled rows", a.classes, 1, 1);
  const uint32_t tables = task.count - 3;
  for (uint32_t t = 0; t < tables && c.ok(); ++t) {
    c.dtype(t, PRESIL_FLOAT32);
    c.rank(t, 2);
    c.dim(t, 1, width_of(a));
  }
  if (!c.ok()) return;
  c.at_most("candidates", static_cast<int64_t>(candidates(task)), INT32_MAX);
  c.dtype(tables, PRESIL_INT32);
  c.elements(tables, candidates(task));
  c.dtype(tables + 1, PRESIL_FLOAT32);
  c.rank(tables + 1, 2);
  c.dim(tables + 1, 0, a.max);
  c.dim(tables + 1, 1, 6);
  c.dtype(tables + 2, PRESIL_INT32);
  c.elements(tables + 2, 1);
}

void run(const Task& task) {
  const auto a = task.as<presil_nms_attributes>();
  const uint32_t tables = task.count - 3;
  const Rows rows{task, tables, a.classes, width_of(a), a.labelled != 0};
  uint32_t* order = task.data<uint32_t>(tables);
  float* detections = task.data<float>(tables + 1);
  int32_t* count = task.data<int32_t>(tables + 2);

  const uint32_t all = static_cast<uint32_t>(candidates(task));
  uint32_t n = 0;
  for (uint32_t i = 0; i < all; ++i) {
    if (rows.score(i) > a.score && rows.has_class(i)) order[n++] = i;
  }
  sort(rows, order, n);

  std::memset(detections, 0, presil_tensor_bytes(&task[tables + 1]));
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n && kept < a.max; ++i) {
    const float* box = rows.row(order[i] / a.classes);
    const float label = rows.class_of(order[i]);
    bool suppressed = false;
    for (uint32_t k = 0; k < kept && !suppressed; ++k) {
      const float* other = detections + 6 * static_cast<uint64_t>(k);
      suppressed = other[5] == label && iou(box, other) > a.iou;
    }
    if (suppressed) continue;
    float* detection = detections + 6 * static_cast<uint64_t>(kept++);
    std::memcpy(detection, box, 4 * sizeof(float));
    detection[4] = rows.score(order[i]);
    detection[5] = label;
  }
  *count = static_cast<int32_t>(kept);
}

}  // namespace

// {rows0 .. rowsk-1 f32 [ni, 4+C], or [ni, 6] labelled, scratch i32 [n*C] (n = sum of ni),
// detections f32 [max,6], count i32 [1]}: presil_nms_attributes.
const Kernel kNms{"nms", sizeof(presil_nms_attributes), 3, check, run, candidates};

}  // namespace presil::kernels
