// Rows of boxes and scores out of a YOLO head of int8, its functions by tables.
//
// Tensors: {head i8 [1, h, w, A (5 + C)], sigmoid f32 [256] or [2, 256], exp f32 [256]} {rows f32
// [h w A, 4 + C]} Arithmetic: compiler_bridge/reference/operators/yolo_decode.cpp in words, in its
// order.
//
// A lane is a cell. Tables are copied to DTCM.
//   vl values: vlse8, vwmulu, vluxei16, vfmul; four of them one vssseg4e32.
//   Bound: the load unit's two cycles per value (an element a cycle each).
#include <riscv_vector.h>

#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/walk.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

using Float = vfloat32m2_t;

struct Memory {
  float sigmoid[2 * 256], exponential[256];
  const float* centre;  // one of the rows before
};

void copy(float* to, const DLTensor& from, size_t values) {
  __builtin_memcpy(to, presil_dsp_data(&from), values * sizeof(float));
}

/// table[t], a byte per cell
Float look_up(const float* table, const uint8_t* t, ptrdiff_t step, size_t vl) {
  const vuint8mf2_t index = __riscv_vlse8_v_u8mf2(t, step, vl);
  return __riscv_vluxei16_v_f32m2(table, __riscv_vwmulu_vx_u16m1(index, 4, vl), vl);
}

/// Four values of each row, `step` bytes apart.
void store(float* to, ptrdiff_t step, Float a, Float b, Float c, Float d, size_t vl) {
  const vfloat32m2x4_t four = __riscv_vcreate_v_f32m2x4(a, b, c, d);
  __riscv_vssseg4e32_v_f32m2x4(to, step, four, vl);
}

struct Cells {
  const uint8_t* t;
  ptrdiff_t t_step;  // bytes
  float* row;
  ptrdiff_t row_step;  // bytes
};

void decode(const Memory& tables, const presil_dsp_yolo_decode& p, uint32_t anchor,
            const Cells& cells, Float column, Float line, size_t vl) {
  const auto stride = static_cast<float>(p.stride);
  const auto s = [&](uint32_t i) { return look_up(tables.sigmoid, cells.t + i, cells.t_step, vl); };
  const auto half = [&](uint32_t i, float side) {
    const Float e = look_up(tables.exponential, cells.t + i, cells.t_step, vl);
    return __riscv_vfmul_vf_f32m2(__riscv_vfmul_vf_f32m2(e, side, vl), 0.5f, vl);
  };
  const auto centre = [&](uint32_t i, Float cell) {
    const Float c = look_up(tables.centre, cells.t + i, cells.t_step, vl);
    return __riscv_vfmul_vf_f32m2(__riscv_vfadd_vv_f32m2(c, cell, vl), stride, vl);
  };
  const Float cx = centre(0, column), cy = centre(1, line);
  const Float w = half(2, p.anchor_size[anchor][0]), h = half(3, p.anchor_size[anchor][1]);
  store(cells.row, cells.row_step, __riscv_vfsub_vv_f32m2(cx, w, vl),
        __riscv_vfsub_vv_f32m2(cy, h, vl), __riscv_vfadd_vv_f32m2(cx, w, vl),
        __riscv_vfadd_vv_f32m2(cy, h, vl), vl);
  const Float object = s(4);
  const auto score = [&](uint32_t k) { return __riscv_vfmul_vv_f32m2(object, s(5 + k), vl); };
  uint32_t k = 0;
  for (; k + 4 <= p.classes; k += 4) {
    const Float a = score(k), b = score(k + 1), c = score(k + 2), d = score(k + 3);
    store(cells.row + 4 + k, cells.row_step, a, b, c, d, vl);
  }
  for (; k < p.classes; ++k) {
    __riscv_vsse32_v_f32m2(cells.row + 4 + k, cells.row_step, score(k), vl);
  }
}

int32_t yolo_decode(const DLTensor* in, DLTensor* out, const presil_dsp_yolo_decode* p) {
  if (presil_dsp_inputs() != 3 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_int8(in[0]) || !is_float(in[1]) || !is_float(in[2]) || !is_float(*out)) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  const DLTensor& head = in[0];
  if (p->anchors == 0 || p->anchors > PRESIL_DSP_MAX_ANCHORS) return PRESIL_DSP_REFUSED_PARAMS;
  if (head.ndim != 4 || head.shape[0] != 1 || out->ndim != 2 || !rows_are_dense(head) ||
      !rows_are_dense(*out) || head.shape[3] != int64_t{p->anchors} * (5 + int64_t{p->classes}) ||
      out->shape[0] != head.shape[1] * head.shape[2] * p->anchors ||
      out->shape[1] != 4 + int64_t{p->classes} ||
      presil_dsp_elements(&in[1]) != (in[1].ndim == 2 ? 512 : 256) ||
      presil_dsp_elements(&in[2]) != 256) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  auto& tables = workspace<Memory>();
  const size_t functions = in[1].ndim == 2 ? 2 : 1;
  copy(tables.sigmoid, in[1], 256 * functions);
  copy(tables.exponential, in[2], 256);
  tables.centre = tables.sigmoid + 256 * (functions - 1);
  const auto* t = static_cast<const uint8_t*>(presil_dsp_data(&head));
  auto* rows = static_cast<float*>(presil_dsp_data(out));
  const int64_t lines = head.shape[1], row = out->strides[0];
  const auto columns = static_cast<size_t>(head.shape[2]);
  // Cells of a line, or, where lines lie one after the other, of all: line = cell / columns is
  // the quotient in float of cell + 1/2, which is no nearer to a whole number than 1 / 2 columns.
  const bool one = head.strides[1] == head.strides[2] * head.shape[2] && lines * columns < 1 << 20;
  const size_t cells = one ? static_cast<size_t>(lines) * columns : columns;
  const float inverse = 1.0f / static_cast<float>(columns);
  for (int64_t y = 0; y < (one ? 1 : lines); ++y) {
    for (size_t first = 0, vl; first < cells; first += vl) {
      vl = __riscv_vsetvl_e32m2(cells - first);
      const vuint32m2_t cell = __riscv_vadd_vx_u32m2(__riscv_vid_v_u32m2(vl), first, vl);
      const Float middle = __riscv_vfadd_vf_f32m2(__riscv_vfcvt_f_xu_v_f32m2(cell, vl), 0.5f, vl);
      const vuint32m2_t line =
          __riscv_vfcvt_rtz_xu_f_v_u32m2(__riscv_vfmul_vf_f32m2(middle, inverse, vl), vl);
      const vuint32m2_t column = __riscv_vnmsac_vx_u32m2(cell, columns, line, vl);
      const vuint32m2_t height = __riscv_vadd_vx_u32m2(line, static_cast<uint32_t>(y), vl);
      for (uint32_t anchor = 0; anchor < p->anchors; ++anchor) {
        const Cells some = {
            t + y * head.strides[1] + first * head.strides[2] + anchor * (5 + p->classes),
            head.strides[2], rows + ((y * columns + first) * p->anchors + anchor) * row,
            static_cast<ptrdiff_t>(p->anchors * row * sizeof(float))};
        decode(tables, *p, anchor, some, __riscv_vfcvt_f_xu_v_f32m2(column, vl),
               __riscv_vfcvt_f_xu_v_f32m2(height, vl), vl);
      }
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(yolo_decode)

}  // namespace presil::dsp
