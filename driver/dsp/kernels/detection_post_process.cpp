// The end of a single-shot detector: boxes against anchors, non-maximum suppression, the best.
//
// Tensors: {boxes i8 [1, n, 4 or more], scores i8 [1, n, classes or one more in front], anchors f32
// [n, 4], tables f64 [4, 256]} {y f32 [1, m, 4], classes f32 [1, m], scores f32 [1, m], count f32
// [1]}; m = max x classes_per_box.
// Arithmetic: compiler_bridge/reference/operators/detection_post_process.cpp in words. It decodes
// in double: what depends on the stored value alone comes in tables (params.h), the rest of it is a
// product and a sum, made of integers (soft_double.h). A box is decoded when it comes up, not
// before: most never do.
//
// 1. Scan. Scores of int8 keep their order. Not regular: a lane is a box, classes come by eights;
//    64 scores: vmax. Bound: the load unit's 0.125 cycles per score. Regular: a class at a time, an
//    element a cycle.
// 2. Sort (sort.h): scores of int8 have one digit, 40 cycles per candidate.
// 3. Candidates in order, 500 cycles each to decode, until `max` are taken; suppress.h.
#include "driver/dsp/columns.h"
#include "driver/dsp/params.h"
#include "driver/dsp/soft_double.h"
#include "driver/dsp/sort.h"
#include "driver/dsp/suppress.h"
#include "driver/dsp/walk.h"
#include "driver/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kMost = 4096;

struct Memory {
  Candidates<kMost> found;
  Taken<PRESIL_DSP_NMS_MAX> taken;
  uint16_t of_class[PRESIL_DSP_DETECTION_CLASSES];  // taken
  bool shown[PRESIL_DSP_DETECTION_CLASSES];         // of a box
};

struct Detector {
  const presil_dsp_detection& p;
  const int8_t *boxes, *scores;  // scores behind the background
  int64_t box_step, score_step, anchor_step;
  const float* anchors;
  const uint64_t* tables;
  uint32_t count, shift = 0;  // of boxes; a candidate is class << shift | box

  float score(int8_t q) const { return static_cast<float>(q - p.score_zero) * p.score_scale; }
  Box box(uint32_t i) const {
    const int8_t* q = boxes + i * box_step;
    const float* anchor = anchors + i * anchor_step;
    const Real height = Real::of_float(anchor[2]), width = Real::of_float(anchor[3]);
    const auto entry = [&](int table, int8_t value) {
      return Real::of_double_bits(tables[256 * table + static_cast<uint8_t>(value)]);
    };
    const float yc = (entry(0, q[0]) * height + Real::of_float(anchor[0])).to_float();
    const float xc = (entry(1, q[1]) * width + Real::of_float(anchor[1])).to_float();
    const float hh = (entry(2, q[2]) * height).to_float();
    const float hw = (entry(3, q[3]) * width).to_float();
    return {yc - hh, xc - hw, yc + hh, xc + hw};
  }
};

bool above(const Box& a, const Box& b, float limit) {
  const float area_a = a.area(), area_b = b.area();
  if (area_a <= 0.0f || area_b <= 0.0f) return false;
  const auto overlap = [](float low_a, float low_b, float high_a, float high_b) {
    const float low = low_a < low_b ? low_b : low_a, high = high_b < high_a ? high_b : high_a;
    const float length = high - low;
    return length < 0.0f ? 0.0f : length;
  };
  const float inter = overlap(a.a0, b.a0, a.a1, b.a1) * overlap(a.b0, b.b0, a.b1, b.b1);
  return inter / (area_a + area_b - inter) > limit;
}

/// Scores that are large enough, of `vl` boxes from `first` on.
void take(Turn<kMost>& turn, vint8m1_t values, int32_t least, uint32_t what, size_t vl) {
  int8_t stored[128];
  vbool8_t hits = __riscv_vmsge_vx_i8m1_b8(values, static_cast<int8_t>(least), vl);
  if (__riscv_vfirst_m_b8(hits, vl) < 0) return;
  __riscv_vse8_v_i8m1(stored, values, vl);
  for (long k; (k = __riscv_vfirst_m_b8(hits, vl)) >= 0;) {
    turn.take(static_cast<uint32_t>(127 - stored[k]), what + static_cast<uint32_t>(k));
    hits = __riscv_vmandn_mm_b8(hits, __riscv_vmsif_m_b8(hits, vl), vl);
  }
}

void scan(Turn<kMost>& turn, const Detector& d, int32_t least) {
  for (uint32_t k = 0; k < (d.p.regular != 0 ? d.p.classes : 1); ++k) {
    for (size_t i = 0, vl; i < d.count; i += vl) {
      vl = __riscv_vsetvl_e8m1(d.count - i);
      const int8_t* rows = d.scores + static_cast<int64_t>(i) * d.score_step;
      vint8m1_t values;
      if (d.p.regular != 0) {
        values = __riscv_vlse8_v_i8m1(rows + k, d.score_step, vl);
      } else {
        values = __riscv_vmv_v_x_i8m1(-128, vl);
        each_column<false>(reinterpret_cast<const uint8_t*>(rows), d.score_step, d.p.classes, vl,
                           [&](vuint8m1_t v, size_t, int) {
                             values = __riscv_vmax_vv_i8m1(values,
                                                           __riscv_vreinterpret_v_u8m1_i8m1(v), vl);
                           });
      }
      take(turn, values, least, k << d.shift | static_cast<uint32_t>(i), vl);
    }
  }
}

struct Results {
  float *box, *label, *score;

  void put(size_t at, const Box& b, uint32_t of, float value) const {
    float* to = box + 4 * at;
    to[0] = b.a0, to[1] = b.b0, to[2] = b.a1, to[3] = b.b1;
    label[at] = static_cast<float>(of);
    score[at] = value;
  }
};

/// The best classes of a box, best first, ties to the lower.
void show_best(const Detector& d, const Results& results, bool* shown, size_t at, const Box& box,
               uint32_t number) {
  const int8_t* row = d.scores + number * d.score_step;
  for (uint32_t k = 0; k < d.p.classes; ++k) shown[k] = false;
  const uint32_t count = d.p.classes_per_box < d.p.classes ? d.p.classes_per_box : d.p.classes;
  for (uint32_t i = 0; i < count; ++i) {
    int best = -129;
    uint32_t label = 0;
    for (uint32_t k = 0; k < d.p.classes; ++k) {
      if (!shown[k] && row[k] > best) best = row[k], label = k;
    }
    shown[label] = true;
    results.put(at + i, box, label, d.score(static_cast<int8_t>(best)));
  }
}

void zero(const DLTensor& t) {
  __builtin_memset(presil_dsp_data(&t), 0, 4 * static_cast<size_t>(presil_dsp_elements(&t)));
}

int32_t check(const DLTensor* in, const DLTensor* out, const presil_dsp_detection& p) {
  if (presil_dsp_inputs() != 4 || presil_dsp_outputs() != 4) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_int8(in[0]) || !is_int8(in[1]) || !is_float(in[2]) || in[3].dtype.bits != 64) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  for (int i = 0; i < 4; ++i) {
    if (!is_float(out[i])) return PRESIL_DSP_REFUSED_TYPE;
  }
  if (p.max == 0 || p.max > PRESIL_DSP_NMS_MAX || p.classes == 0 ||
      p.classes > PRESIL_DSP_DETECTION_CLASSES || p.classes_per_box == 0 || !(p.iou >= 0.0f) ||
      !(p.score_scale > 0.0f)) {
    return PRESIL_DSP_REFUSED_PARAMS;
  }
  const int64_t n = in[2].ndim == 2 ? in[2].shape[0] : -1, classes = p.classes;
  if (in[0].ndim != 3 || in[1].ndim != 3 || in[0].shape[1] != n || in[1].shape[1] != n ||
      in[0].shape[2] < 4 || in[2].shape[1] != 4 || presil_dsp_elements(&in[3]) != 1024 ||
      (in[1].shape[2] != classes && in[1].shape[2] != classes + 1) || n >= 1 << 20) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  if (!rows_are_dense(in[0]) || !rows_are_dense(in[1]) || !rows_are_dense(in[2])) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const int64_t results = int64_t{p.max} * p.classes_per_box;
  return presil_dsp_elements(&out[0]) == 4 * results && presil_dsp_elements(&out[1]) == results &&
                 presil_dsp_elements(&out[2]) == results && presil_dsp_elements(&out[3]) == 1
             ? PRESIL_DSP_DONE
             : PRESIL_DSP_REFUSED_SHAPE;
}

int32_t detection_post_process(const DLTensor* in, DLTensor* out, const presil_dsp_detection* p) {
  const int32_t refused = check(in, out, *p);
  if (refused != 0) return refused;
  Detector d{*p,
             static_cast<const int8_t*>(presil_dsp_data(&in[0])),
             static_cast<const int8_t*>(presil_dsp_data(&in[1])) + (in[1].shape[2] - p->classes),
             in[0].strides[1],
             in[1].strides[1],
             in[2].strides[0],
             static_cast<const float*>(presil_dsp_data(&in[2])),
             static_cast<const uint64_t*>(presil_dsp_data(&in[3])),
             static_cast<uint32_t>(in[2].shape[0])};
  while (d.count >> d.shift != 0) ++d.shift;
  for (int i = 0; i < 4; ++i) zero(out[i]);
  const Results results = {static_cast<float*>(presil_dsp_data(&out[0])),
                           static_cast<float*>(presil_dsp_data(&out[1])),
                           static_cast<float*>(presil_dsp_data(&out[2]))};
  int32_t least = -128;  // the lowest stored score that counts
  while (least <= 127 && !(d.score(static_cast<int8_t>(least)) >= p->score)) ++least;

  auto& memory = workspace<Memory>();
  auto& taken = memory.taken;
  taken.clear();
  __builtin_memset(memory.of_class, 0, sizeof memory.of_class);
  const auto is_above = [limit = p->iou](const Box& a, const Box& b) { return above(a, b, limit); };
  Turn<kMost> turn(memory.found);
  turn.begin();
  for (; least <= 127; turn.next()) {
    scan(turn, d, least);
    memory.found.sort();
    for (size_t i = 0; i < memory.found.n && taken.count() < p->max; ++i) {
      const uint32_t what = memory.found.what[i], label = what >> d.shift;
      const uint32_t number = what & ((1u << d.shift) - 1);
      if (p->regular != 0 && memory.of_class[label] >= p->boxes_per_class) continue;
      const Box box = d.box(number);
      if (taken.suppresses(box, label, p->iou, is_above)) continue;
      if (p->regular != 0) {
        ++memory.of_class[label];
        results.put(taken.count(), box, label,
                    d.score(static_cast<int8_t>(127 - memory.found.keys[i])));
      } else {
        show_best(d, results, memory.shown, taken.count() * p->classes_per_box, box, number);
      }
      taken.add(box, label);
    }
    if (turn.complete() || taken.count() == p->max) break;
  }
  *static_cast<float*>(presil_dsp_data(&out[3])) = static_cast<float>(taken.count());
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(detection_post_process)

}  // namespace presil::dsp
