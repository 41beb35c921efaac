// Rows of boxes, each with its best class, of a network that says centres, sizes and scores itself
// (YOLOv8's form; with objectness YOLOv5's).
//
// Tensors: {x i8 [1, channels, n], or, channels_last, [1, n, channels]} {rows f32 [n, 6]}
// Arithmetic: compiler_bridge/reference/operators/box_decode.cpp in words, in its order.
//
// 1. Best class. Channels first, a lane is a box: vle8, vmslt, vmax, vmerge, 128 bytes in 12 cycles
//    of arithmetic. Channels last the same, 8 classes by one vlsseg8e8, a cycle a box.
// 2. A lane is a box: 6 x (vle8, vsext, vfcvt), 13 more of float, one vsseg6e32.
//    Bound: 12 / 128 = 0.094 cycles per score, channels last 1 / 8; 32 x 4 / 32 + 1 = 5 per box.
#include <riscv_vector.h>

#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/walk.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kBlock = 512, kRow = 6;

/// Of the boxes of a block.
struct Memory {
  int8_t score[kBlock];
  uint8_t label[kBlock];
};

struct Boxes {
  const int8_t* x;
  ptrdiff_t box, channel;  // bytes from one to the next
  ptrdiff_t first;         // channel of the first class
};

void best_by_lanes(const Boxes& boxes, uint32_t classes, size_t n, Memory& best) {
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m4(n - i);
    const int8_t* at = boxes.x + i + boxes.first * boxes.channel;
    vint8m4_t score = __riscv_vle8_v_i8m4(at, vl);
    vuint8m4_t label = __riscv_vmv_v_x_u8m4(0, vl);
    for (uint32_t k = 1; k < classes; ++k) {
      at += boxes.channel;
      const vint8m4_t q = __riscv_vle8_v_i8m4(at, vl);
      const vbool2_t more = __riscv_vmslt_vv_i8m4_b2(score, q, vl);
      score = __riscv_vmax_vv_i8m4(score, q, vl);
      label = __riscv_vmerge_vxm_u8m4(label, static_cast<uint8_t>(k), more, vl);
    }
    __riscv_vse8_v_i8m4(best.score + i, score, vl);
    __riscv_vse8_v_u8m4(best.label + i, label, vl);
  }
}

/// If class k, at q, is better than the best so far, it is the best; an equal one stays second.
inline void better(vint8m1_t& score, vuint8m1_t& label, uint32_t k, vint8m1_t q, size_t vl) {
  const vbool8_t more = __riscv_vmslt_vv_i8m1_b8(score, q, vl);
  score = __riscv_vmax_vv_i8m1(score, q, vl);
  label = __riscv_vmerge_vxm_u8m1(label, static_cast<uint8_t>(k), more, vl);
}

inline void better_of_8(vint8m1_t& score, vuint8m1_t& label, uint32_t k, vint8m1x8_t q, size_t vl) {
  better(score, label, k, __riscv_vget_v_i8m1x8_i8m1(q, 0), vl);
  better(score, label, k + 1, __riscv_vget_v_i8m1x8_i8m1(q, 1), vl);
  better(score, label, k + 2, __riscv_vget_v_i8m1x8_i8m1(q, 2), vl);
  better(score, label, k + 3, __riscv_vget_v_i8m1x8_i8m1(q, 3), vl);
  better(score, label, k + 4, __riscv_vget_v_i8m1x8_i8m1(q, 4), vl);
  better(score, label, k + 5, __riscv_vget_v_i8m1x8_i8m1(q, 5), vl);
  better(score, label, k + 6, __riscv_vget_v_i8m1x8_i8m1(q, 6), vl);
  better(score, label, k + 7, __riscv_vget_v_i8m1x8_i8m1(q, 7), vl);
}

void best_by_segments(const Boxes& boxes, uint32_t classes, size_t n, Memory& best) {
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m1(n - i);
    const int8_t* at = boxes.x + static_cast<ptrdiff_t>(i) * boxes.box + boxes.first;
    const auto segments = [&](uint32_t k) {
      return __riscv_vlsseg8e8_v_i8m1x8(at + k, boxes.box, vl);
    };
    vint8m1_t score = __riscv_vmv_v_x_i8m1(-128, vl);
    vuint8m1_t label = __riscv_vmv_v_x_u8m1(0, vl);
    uint32_t k = 0;
    if (classes >= 16) {  // the next ones come while these are looked at
      vint8m1x8_t even = segments(0);
      for (; k + 24 <= classes; k += 16) {
        const vint8m1x8_t odd = segments(k + 8);
        better_of_8(score, label, k, even, vl);
        in_order(score);
        even = segments(k + 16);
        better_of_8(score, label, k + 8, odd, vl);
        in_order(score);
      }
      better_of_8(score, label, k, even, vl);
      k += 8;
    }
    for (; k + 8 <= classes; k += 8) better_of_8(score, label, k, segments(k), vl);
    for (; k < classes; ++k) {
      better(score, label, k, __riscv_vlse8_v_i8m1(at + k, boxes.box, vl), vl);
    }
    __riscv_vse8_v_i8m1(best.score + i, score, vl);
    __riscv_vse8_v_u8m1(best.label + i, label, vl);
  }
}

using Float = vfloat32m2_t;

struct Meaning {
  int32_t zero;
  float scale;
  Float operator()(vint8mf2_t q, size_t vl) const {
    const vint32m2_t lifted = __riscv_vsub_vx_i32m2(__riscv_vsext_vf4_i32m2(q, vl), zero, vl);
    return __riscv_vfmul_vf_f32m2(__riscv_vfcvt_f_x_v_f32m2(lifted, vl), scale, vl);
  }
};

void rows_of(const Boxes& boxes, const presil_dsp_box_decode& p, size_t n, const Memory& best,
             float* row) {
  const Meaning real{p.zero, p.scale};
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e32m2(n - i);
    const int8_t* at = boxes.x + static_cast<ptrdiff_t>(i) * boxes.box;
    vint8mf2_t x, y, w8, h8;
    if (boxes.box == 1) {
      x = __riscv_vle8_v_i8mf2(at, vl), y = __riscv_vle8_v_i8mf2(at + boxes.channel, vl);
      w8 = __riscv_vle8_v_i8mf2(at + 2 * boxes.channel, vl);
      h8 = __riscv_vle8_v_i8mf2(at + 3 * boxes.channel, vl);
    } else {
      const vint8mf2x4_t four = __riscv_vlsseg4e8_v_i8mf2x4(at, boxes.box, vl);
      x = __riscv_vget_v_i8mf2x4_i8mf2(four, 0), y = __riscv_vget_v_i8mf2x4_i8mf2(four, 1);
      w8 = __riscv_vget_v_i8mf2x4_i8mf2(four, 2), h8 = __riscv_vget_v_i8mf2x4_i8mf2(four, 3);
    }
    const auto pixels = [&](vint8mf2_t stored, float side) {
      return __riscv_vfmul_vf_f32m2(real(stored, vl), side, vl);
    };
    const Float cx = pixels(x, p.width), cy = pixels(y, p.height);
    const Float w = __riscv_vfmul_vf_f32m2(pixels(w8, p.width), 0.5f, vl);
    const Float h = __riscv_vfmul_vf_f32m2(pixels(h8, p.height), 0.5f, vl);
    Float score = real(__riscv_vle8_v_i8mf2(best.score + i, vl), vl);
    if (p.objectness != 0) {
      const vint8mf2_t object = __riscv_vlse8_v_i8mf2(at + 4 * boxes.channel, boxes.box, vl);
      score = __riscv_vfmul_vv_f32m2(real(object, vl), score, vl);
    }
    const Float label = __riscv_vfcvt_f_xu_v_f32m2(
        __riscv_vzext_vf4_u32m2(__riscv_vle8_v_u8mf2(best.label + i, vl), vl), vl);
    const Float x0 = __riscv_vfsub_vv_f32m2(cx, w, vl), y0 = __riscv_vfsub_vv_f32m2(cy, h, vl);
    const Float x1 = __riscv_vfadd_vv_f32m2(cx, w, vl), y1 = __riscv_vfadd_vv_f32m2(cy, h, vl);
    // Six fields of two registers are more than a store takes.
    const size_t most = __riscv_vsetvlmax_e32m1(), low = vl < most ? vl : most;
    const auto store = [&](auto half, float* to, size_t some) {
      __riscv_vsseg6e32_v_f32m1x6(to,
                                  __riscv_vcreate_v_f32m1x6(half(x0), half(y0), half(x1), half(y1),
                                                            half(score), half(label)),
                                  some);
    };
    const auto first = [](Float v) { return __riscv_vget_v_f32m2_f32m1(v, 0); };
    const auto second = [](Float v) { return __riscv_vget_v_f32m2_f32m1(v, 1); };
    store(first, row + kRow * i, low);
    if (vl > low) store(second, row + kRow * (i + low), vl - low);
  }
}

int32_t box_decode(const DLTensor* in, DLTensor* out, const presil_dsp_box_decode* p) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_int8(*in) || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (p->classes == 0 || p->classes > PRESIL_DSP_BOX_CLASSES || p->objectness > 1 ||
      p->channels_last > 1) {
    return PRESIL_DSP_REFUSED_PARAMS;
  }
  if (in->ndim != 3 || in->shape[0] != 1 || out->ndim != 2) return PRESIL_DSP_REFUSED_SHAPE;
  const int32_t box = p->channels_last != 0 ? 1 : 2, channel = 3 - box;
  const int64_t n = in->shape[box], first = 4 + int64_t{p->objectness};
  if (in->shape[channel] != first + int64_t{p->classes} || !rows_are_dense(*in) ||
      out->shape[0] != n || out->shape[1] != static_cast<int64_t>(kRow) || !rows_are_dense(*out) ||
      (n > 1 && out->strides[0] != static_cast<int64_t>(kRow))) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  Boxes boxes{static_cast<const int8_t*>(presil_dsp_data(in)), in->strides[box],
              in->strides[channel], first};
  (p->channels_last != 0 ? boxes.channel : boxes.box) = 1;
  auto& best = workspace<Memory>();
  auto* row = static_cast<float*>(presil_dsp_data(out));
  for (size_t left = static_cast<size_t>(n), some; left > 0; left -= some) {
    some = left < kBlock ? left : kBlock;
    p->channels_last != 0 ? best_by_segments(boxes, p->classes, some, best)
                          : best_by_lanes(boxes, p->classes, some, best);
    rows_of(boxes, *p, some, best, row);
    boxes.x += static_cast<ptrdiff_t>(some) * boxes.box;
    row += kRow * some;
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(box_decode)

}  // namespace presil::dsp
