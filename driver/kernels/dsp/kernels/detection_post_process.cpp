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
// 1. Scan. Scores of int8 keep their order. A lane is a box, classes come by eights, a cycle of the
//    load unit for a box each time. Regular: where one of eight counts, the eight one by one.
// 2. Candidates are packed (2 vcompress of bytes, 64 boxes in 4 cycles), the best of each register
//    group is known (sort.h), and the best of all is taken out, time after time, until `max` boxes
//    are taken: then most have never been put in order. Regular: they do not come in order of their
//    classes, and are sorted.
// 3. Each is decoded and compared with those that are taken (suppress.h).
// Bound: ceil(classes / 8) cycles per box; 0.5 per candidate (vlseg2e32 of 64 in 16 cycles,
// vredminu in 20); per box that comes up 380: 52 to find it (2 vredminu, 2 vmseq, vmerge of a
// group), 280 of the core to decode it (4 values and 4 floats unpacked 44, 4 products 80, 2 sums
// 64, 4 roundings to float 72, 20 for addresses and edges), 34 for its best class (vredmax, vmseq
// of int16), 14 for the results; 1.75 per pair of boxes compared.
#include "driver/kernels/dsp/columns.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/soft_double.h"
#include "driver/kernels/dsp/sort.h"
#include "driver/kernels/dsp/suppress.h"
#include "driver/kernels/dsp/walk.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr int16_t kShown = -129;  // below all scores

struct Memory {
  Candidates found;
  Taken<PRESIL_DSP_NMS_MAX> taken;
  uint16_t of_class[PRESIL_DSP_DETECTION_CLASSES];  // taken
  int16_t scores[PRESIL_DSP_DETECTION_CLASSES];     // of a box
};

struct Detector {
  const presil_dsp_detection& p;
  const int8_t *boxes, *scores;  // scores after the background
  int64_t box_step, score_step, anchor_step;
  const float* anchors;
  const uint64_t* tables;
  uint32_t count, shift = 0;  // of boxes; a candidate is class << shift | box

  float score(int8_t q) const { return static_cast<float>(q - p.score_zero) * p.score_scale; }
  struct Edges {
    float low, high;
  };
  /// Along an axis: of the tables' values for centre and half the side, by the anchor's.
  [[gnu::noinline]] static Edges edges(uint64_t centre, uint64_t half, float anchor, float side) {
    const Real length = Real::of_float(side);
    const float c = (Real::of_double_bits(centre) * length + Real::of_float(anchor)).to_float();
    const float h = (Real::of_double_bits(half) * length).to_float();
    return {c - h, c + h};
  }
  Box box(uint32_t i) const {
    const int8_t* q = boxes + i * box_step;
    const float* anchor = anchors + i * anchor_step;
    const auto entry = [&](int table) {
      return tables[256 * table + static_cast<uint8_t>(q[table])];
    };
    const Edges y = edges(entry(0), entry(2), anchor[0], anchor[2]);
    const Edges x = edges(entry(1), entry(3), anchor[1], anchor[3]);
    return {y.low, x.low, y.high, x.high};
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

/// Scores that are large enough, of `vl` boxes from `what` on.
void take(Turn& turn, vint8m1_t values, int32_t least, uint32_t what, size_t vl) {
  const vbool8_t hits = __riscv_vmsge_vx_i8m1_b8(values, static_cast<int8_t>(least), vl);
  const size_t count = __riscv_vcpop_m_b8(hits, vl);
  if (count == 0) return;
  uint8_t keys[128], lanes[128];
  const vuint8m1_t key = __riscv_vreinterpret_v_i8m1_u8m1(__riscv_vrsub_vx_i8m1(values, 127, vl));
  __riscv_vse8_v_u8m1(keys, __riscv_vcompress_vm_u8m1(key, hits, vl), count);
  __riscv_vse8_v_u8m1(lanes, __riscv_vcompress_vm_u8m1(__riscv_vid_v_u8m1(vl), hits, vl), count);
  for (size_t i = 0; i < count; i += vl) {
    vl = __riscv_vsetvl_e32m4(count - i);
    const vuint32m4_t lane = __riscv_vzext_vf4_u32m4(__riscv_vle8_v_u8m1(lanes + i, vl), vl);
    turn.take(__riscv_vzext_vf4_u32m4(__riscv_vle8_v_u8m1(keys + i, vl), vl),
              __riscv_vadd_vx_u32m4(lane, what, vl), vl);
  }
}

/// A lane is a box: the largest of its classes.
[[gnu::noinline]] void scan(Turn& turn, const Detector& d, int32_t least) {
  for (size_t i = 0, vl; i < d.count; i += vl) {
    vl = __riscv_vsetvl_e8m1(d.count - i);
    const int8_t* rows = d.scores + static_cast<int64_t>(i) * d.score_step;
    vint8m1_t values = __riscv_vmv_v_x_i8m1(-128, vl);
    each_column<false>(reinterpret_cast<const uint8_t*>(rows), d.score_step, d.p.classes, vl,
                       [&](vuint8m1_t v, size_t, int) {
                         values =
                             __riscv_vmax_vv_i8m1(values, __riscv_vreinterpret_v_u8m1_i8m1(v), vl);
                       });
    take(turn, values, least, static_cast<uint32_t>(i), vl);
  }
}

/// Each class of a box; of eight the largest is compared first, mostly none of them counts.
[[gnu::noinline]] void scan_regular(Turn& turn, const Detector& d, int32_t least) {
  const uint32_t classes = d.p.classes;
  for (size_t i = 0, vl; i < d.count; i += vl) {
    vl = __riscv_vsetvl_e8m1(d.count - i);
    const int8_t* rows = d.scores + static_cast<int64_t>(i) * d.score_step;
    for (uint32_t k = 0; k < classes;) {
      uint32_t some = classes - k;
      if (some >= 8) {
        some = 8;
        const vint8m1x8_t v = __riscv_vlsseg8e8_v_i8m1x8(rows + k, d.score_step, vl);
        vint8m1_t a = __riscv_vget_v_i8m1x8_i8m1(v, 0), b = __riscv_vget_v_i8m1x8_i8m1(v, 1);
        a = __riscv_vmax_vv_i8m1(a, __riscv_vget_v_i8m1x8_i8m1(v, 2), vl);
        b = __riscv_vmax_vv_i8m1(b, __riscv_vget_v_i8m1x8_i8m1(v, 3), vl);
        a = __riscv_vmax_vv_i8m1(a, __riscv_vget_v_i8m1x8_i8m1(v, 4), vl);
        b = __riscv_vmax_vv_i8m1(b, __riscv_vget_v_i8m1x8_i8m1(v, 5), vl);
        a = __riscv_vmax_vv_i8m1(a, __riscv_vget_v_i8m1x8_i8m1(v, 6), vl);
        b = __riscv_vmax_vv_i8m1(b, __riscv_vget_v_i8m1x8_i8m1(v, 7), vl);
        const vbool8_t hits = __riscv_vmsge_vx_i8m1_b8(__riscv_vmax_vv_i8m1(a, b, vl),
                                                       static_cast<int8_t>(least), vl);
        if (__riscv_vfirst_m_b8(hits, vl) < 0) some = 0, k += 8;
      }
      for (; some > 0; --some, ++k) {
        take(turn, __riscv_vlse8_v_i8m1(rows + k, d.score_step, vl), least,
             k << d.shift | static_cast<uint32_t>(i), vl);
      }
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
[[gnu::noinline]] void show_best(const Detector& d, const Results& results, int16_t* scores,
                                 size_t at, const Box& box, uint32_t number) {
  const int8_t* row = d.scores + number * d.score_step;
  const size_t classes = d.p.classes;
  for (size_t k = 0, vl; k < classes; k += vl) {
    vl = __riscv_vsetvl_e16m8(classes - k);
    __riscv_vse16_v_i16m8(scores + k, __riscv_vsext_vf2_i16m8(__riscv_vle8_v_i8m4(row + k, vl), vl),
                          vl);
  }
  const size_t count = d.p.classes_per_box < classes ? d.p.classes_per_box : classes;
  for (size_t i = 0; i < count; ++i) {
    vint16m1_t most = __riscv_vmv_s_x_i16m1(kShown, 1);
    for (size_t k = 0, vl; k < classes; k += vl) {
      vl = __riscv_vsetvl_e16m8(classes - k);
      most = __riscv_vredmax_vs_i16m8_i16m1(__riscv_vle16_v_i16m8(scores + k, vl), most, vl);
    }
    const int16_t best = __riscv_vmv_x_s_i16m1_i16(most);
    size_t label = 0;
    for (size_t vl;; label += vl) {
      vl = __riscv_vsetvl_e16m8(classes - label);
      const vint16m8_t some = __riscv_vle16_v_i16m8(scores + label, vl);
      const long first = __riscv_vfirst_m_b2(__riscv_vmseq_vx_i16m8_b2(some, best, vl), vl);
      if (first >= 0) {
        label += static_cast<size_t>(first);
        break;
      }
    }
    scores[label] = kShown;
    results.put(at + i, box, static_cast<uint32_t>(label), d.score(static_cast<int8_t>(best)));
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
  // The lowest stored score that counts; scores ascend with what is stored.
  int32_t least = -128;
  for (int32_t step = 128; step > 0; step /= 2) {
    if (!(d.score(static_cast<int8_t>(least + step - 1)) >= p->score)) least += step;
  }
  if (least == 127 && !(d.score(127) >= p->score)) least = 128;

  auto& memory = workspace<Memory>();
  auto& taken = memory.taken;
  taken.clear();
  __builtin_memset(memory.of_class, 0, sizeof memory.of_class);
  const auto is_above = [limit = p->iou](const Box& a, const Box& b) { return above(a, b, limit); };
  Turn turn(memory.found);
  turn.begin();
  for (uint64_t candidate = 0; least <= 127; turn.next(candidate)) {
    const bool regular = p->regular != 0;
    regular ? scan_regular(turn, d, least) : scan(turn, d, least);
    auto& found = memory.found;
    regular ? found.order() : found.groups();
    for (size_t i = 0; i < memory.found.n && taken.count() < p->max; ++i) {
      if (regular) found.sorted(i + 1);
      candidate = regular ? found.at[i] : found.pop();
      const auto what = static_cast<uint32_t>(candidate), label = what >> d.shift;
      const uint32_t number = what & ((1u << d.shift) - 1);
      if (p->regular != 0 && memory.of_class[label] >= p->boxes_per_class) continue;
      const Box box = d.box(number);
      if (taken.suppresses(box, label, p->iou, is_above)) continue;
      if (p->regular != 0) {
        ++memory.of_class[label];
        results.put(taken.count(), box, label,
                    d.score(static_cast<int8_t>(127 - static_cast<int>(candidate >> 32))));
      } else {
        show_best(d, results, memory.scores, taken.count() * p->classes_per_box, box, number);
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
