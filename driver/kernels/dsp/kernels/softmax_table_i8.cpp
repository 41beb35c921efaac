// Softmax of int8 along rows in float32, LiteRT's.
//
// Tensors: {x i8, table f32 [256]: exponential of 0, 1, .. steps below a row's largest} {y i8}, y
// in steps of 1/256 from -128.
// Arithmetic: compiler_bridge/reference/operators/softmax.cpp in words, `xnnpack`. e =
// table[largest
// - x]; sum of the row's e from the left, each rounded; inverse = 1 / (sum / 256); y = e * inverse,
// rounded, halves up, - 128. Halves are kept by twice the inverse, cut to whole numbers.
//
// Rows side by side (softmax_rows.h): each lane adds its own row in order, 8 beats of 64, the share
// is vfmul vfncvt vnclipu vxor, 22. Bound 1.13 cycles per element by gathers, 1.5 by indexed loads,
// and 128 for the quotients of 64 rows.
// A row alone: one adder, 4 cycles for each e in its order. Its 256 results are computed and looked
// up. Bound 4.2 cycles per element; for the row 32 x (vle32 vfmul vfncvt vnclipu vxor vse8) = 120.
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/softmax_rows.h"
#include "driver/kernels/dsp/walk.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kFew = 6;

struct Memory {
  float e[256];
  uint8_t results[256];
  Words words;
  bool gathers;  // planes have been made
  Roomful room;
};
static_assert(sizeof(Memory) <= kWorkspaceBytes);
Memory& memory() {
  return workspace<Memory>();
}

using Float = vfloat32m4_t;

vuint16m2_t index_of(vuint8m1_t distance, size_t vl) {
  return __riscv_vwmulu_vx_u16m2(distance, 4, vl);
}
Float find(vuint16m2_t index, size_t vl) {
  return __riscv_vluxei16_v_f32m4(memory().e, index, vl);
}
/// Of twice the share.
vuint8m1_t rounded(Float twice, size_t vl) {
  return signed_byte(__riscv_vfncvt_rtz_xu_f_w_u16m2(twice, vl), 1, vl);
}

[[gnu::noinline]] void together(const uint8_t* x, ptrdiff_t x_step, uint8_t* y, ptrdiff_t y_step,
                                size_t depth, size_t vl) {
  Roomful& room = memory().room;
  const vuint8m1_t largest =
      __riscv_vreinterpret_v_i8m1_u8m1(columns_in(x, x_step, depth, vl, room.x));
  Float sum = __riscv_vfmv_v_f_f32m4(0.0f, vl);
  auto* const all = reinterpret_cast<float*>(room.e);
  if (memory().gathers) {
    Words& words = memory().words;
    each_by_row(room.x, depth, vl, largest, words.of_rows,
                [](vuint8m4_t v, vuint8m4_t of_row, size_t n) {
                  return __riscv_vsub_vv_u8m4(of_row, v, n);
                });
    look_up_words(words.planes, room.x, all, depth * vl, words.parts);
    each_word(
        all, depth, vl, [&](const float* e) { return __riscv_vle32_v_f32m4(e, vl); },
        [&](Float e) { sum = __riscv_vfadd_vv_f32m4(sum, e, vl); });
  } else {
    float* to = all;
    each_found(
        room.x, depth, vl,
        [&](vuint8m1_t v) { return index_of(__riscv_vsub_vv_u8m1(largest, v, vl), vl); },
        [&](vuint16m2_t index) { return find(index, vl); },
        [&](Float e) {
          __riscv_vse32_v_f32m4(to, e, vl);
          to += vl;
          sum = __riscv_vfadd_vv_f32m4(sum, e, vl);
        });
  }
  const Float inverse = __riscv_vfrdiv_vf_f32m4(__riscv_vfmul_vf_f32m4(sum, 0x1p-8f, vl), 1.0f, vl);
  const Float twice = __riscv_vfadd_vv_f32m4(inverse, inverse, vl);
  columns_out(
      static_cast<const float*>(all), y, y_step, depth, vl, room.x,
      [&](const float* e) { return __riscv_vle32_v_f32m4(e, vl); },
      [&](Float& x, Float& z, const auto& next, vuint8m1_t& a, vuint8m1_t& b) {
        x = __riscv_vfmul_vv_f32m4(x, twice, vl), z = __riscv_vfmul_vv_f32m4(z, twice, vl);
        in_turn(x, z);
        vuint16m2_t share_x = __riscv_vfncvt_rtz_xu_f_w_u16m2(x, vl),
                    share_z = __riscv_vfncvt_rtz_xu_f_w_u16m2(z, vl);
        in_turn(share_x, share_z);
        next();
        signed_bytes(share_x, share_z, 1, vl, a, b);
      });
}

void alone(const uint8_t* x, uint8_t* y, size_t n) {
  const size_t most = __riscv_vsetvl_e8m8(n);
  vint8m8_t best = __riscv_vle8_v_i8m8(reinterpret_cast<const int8_t*>(x), most);
  for (size_t i = most, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m8(n - i);
    best = __riscv_vmax_vv_i8m8_tu(
        best, best, __riscv_vle8_v_i8m8(reinterpret_cast<const int8_t*>(x + i), vl), vl);
  }
  const vint8m1_t low = __riscv_vmv_s_x_i8m1(-128, 1);
  const auto largest =
      static_cast<uint8_t>(__riscv_vmv_x_s_i8m1_i8(__riscv_vredmax_vs_i8m8_i8m1(best, low, most)));
  vfloat32m1_t sum = __riscv_vfmv_s_f_f32m1(0.0f, 1);
  const auto add = [&](size_t columns, size_t vl) {
    each_found(
        memory().room.x, columns, vl,
        [&](vuint8m1_t v) { return index_of(__riscv_vrsub_vx_u8m1(v, largest, vl), vl); },
        [&](vuint16m2_t index) { return find(index, vl); },
        [&](Float e) { sum = __riscv_vfredosum_vs_f32m4_f32m1(e, sum, vl); });
  };
  const size_t whole = __riscv_vsetvlmax_e8m1();
  for (size_t i = 0, part; i < n; i += part) {
    part = n - i < whole ? n - i : n - i < kMostElements ? (n - i) / whole * whole : kMostElements;
    __builtin_memcpy(memory().room.x, x + i, part);
    part < whole ? add(1, part) : add(part / whole, whole);
  }
  const float twice = 2.0f * (1.0f / (__riscv_vfmv_f_s_f32m1_f32(sum) * 0x1p-8f));
  for (size_t first = 0, vl; first < 256; first += vl) {
    vl = __riscv_vsetvl_e32m4(256 - first);
    const Float e = __riscv_vle32_v_f32m4(memory().e + first, vl);
    __riscv_vse8_v_u8m1(memory().results + first, rounded(__riscv_vfmul_vf_f32m4(e, twice, vl), vl),
                        vl);
  }
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m8(n - i);
    __riscv_vse8_v_u8m8(y + i, __riscv_vrsub_vx_u8m8(__riscv_vle8_v_u8m8(x + i, vl), largest, vl),
                        vl);
  }
  look_up(memory().results, y, y, n);
}

int32_t softmax_table_i8(const DLTensor* in, DLTensor* out, const presil_dsp_softmax_table_i8*) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_int8(in[0]) || !is_float(in[1]) || !is_int8(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (!same_shape(in[0], *out) || !rows_are_dense(in[0]) || !rows_are_dense(*out) ||
      presil_dsp_elements(&in[1]) != 256) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const auto depth = static_cast<size_t>(in->shape[in->ndim - 1]);
  if (depth == 0) return PRESIL_DSP_DONE;
  __builtin_memcpy(memory().e, presil_dsp_data(&in[1]), sizeof memory().e);
  memory().gathers = depth > 2 && by_gathers(presil_dsp_elements(in));
  if (memory().gathers) planes_of(memory().e, memory().words.planes);
  const Heads x(in[0]), y(*out);
  for (Walk<2> walk({&x.tensor, &y.tensor}, x.tensor); walk; walk.next()) {
    const uint8_t* from = walk.at<uint8_t>(0);
    uint8_t* to = walk.at<uint8_t>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    if (depth == 2 && walk.run() >= kManyPairs) {
      pairs_of(memory().room, from, x_step, to, y_step, walk.run(), together);
      continue;
    }
    for (size_t rows = walk.run(), some = 1; rows > 0; rows -= some) {
      const bool many = rows >= kFew && depth <= kMostElements / kFew;
      some = many ? rows_at_once(rows, depth) : 1;
      many ? together(from, x_step, to, y_step, depth, some) : alone(from, to, depth);
      from += static_cast<int64_t>(some) * x_step, to += static_cast<int64_t>(some) * y_step;
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(softmax_table_i8)

}  // namespace presil::dsp
