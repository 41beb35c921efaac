// The largest of each row, in order, and where they stand; all of a row: its sort.
//
// Tensors: {x i8|i16|f32, rows} {y as x, indices i32, rows of k}.
// Arithmetic: compiler_bridge/reference/operators/top_k.cpp in words: largest first, the first of
// equal ones first, what is no number last.
// Elements become candidates (sort.h). Few of a roomful, below a third: the best is taken out k
// times; else they are put in order, a roomful at a time. Bound: 0.9 cycles per element for its key
// (7 instructions on a lane / 8), 0.5 and 52 for each that is taken out; or 40 to be put in order.
// 1 for each to fetch it.
#include "driver/kernels/dsp/integers.h"
#include "driver/kernels/dsp/moves.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/sort.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr uint32_t kNone = 0xfffffffe;

/// What is no number after all others; of numbers as `keys_of` of sort.h, integers alike.
[[gnu::noinline]] vuint32m4_t keys_at(const DLTensor& t, const char* x, size_t vl) {
  if (is_float(t)) {
    const vfloat32m4_t v = __riscv_vle32_v_f32m4(reinterpret_cast<const float*>(x), vl);
    return __riscv_vmerge_vxm_u32m4(keys_of(v, vl), kNone, __riscv_vmfne_vv_f32m4_b8(v, v, vl), vl);
  }
  const vint32m4_t v =
      t.dtype.bits == 8
          ? __riscv_vsext_vf4_i32m4(__riscv_vle8_v_i8m1(reinterpret_cast<const int8_t*>(x), vl), vl)
          : __riscv_vsext_vf2_i32m4(__riscv_vle16_v_i16m2(reinterpret_cast<const int16_t*>(x), vl),
                                    vl);
  return __riscv_vreinterpret_v_i32m4_u32m4(__riscv_vrsub_vx_i32m4(v, INT32_MAX, vl));
}

/// Where the k largest of a row stand, in order.
void largest(const DLTensor& t, const char* x, size_t n, size_t k, int32_t* index) {
  auto& found = workspace<Candidates>();
  const auto each = [&](const auto& use) {
    for (size_t i = 0, vl; i < n; i += vl) {
      vl = __riscv_vsetvl_e32m4(n - i);
      use(keys_at(t, x + i * (t.dtype.bits / 8), vl),
          __riscv_vadd_vx_u32m4(__riscv_vid_v_u32m4(vl), static_cast<uint32_t>(i), vl), vl);
    }
  };
  if (k < n / 3 && n <= Candidates::kMost) {
    found.clear_groups();
    each([&](vuint32m4_t key, vuint32m4_t what, size_t vl) { found.put_group(key, what, vl); });
    for (; k > 0; --k) *index++ = static_cast<int32_t>(found.pop());
    return;
  }
  Turn turn(found);
  for (turn.begin();; turn.next(found.at[found.n - 1])) {
    each([&](vuint32m4_t key, vuint32m4_t what, size_t vl) { turn.take(key, what, vl); });
    const size_t some = k < found.n ? k : found.n;
    found.order();
    found.sorted(some);
    for (size_t i = 0; i < some; ++i) *index++ = static_cast<int32_t>(found.at[i]);
    if ((k -= some) == 0) return;
  }
}

/// y[i] = x[index[i]]
void gather(size_t size, const char* x, const int32_t* index, char* y, size_t n) {
  for (size_t i = 0, vl; i < n; i += vl, y += vl * size) {
    vl = __riscv_vsetvl_e32m4(n - i);
    const vuint32m4_t from = __riscv_vmul_vx_u32m4(
        __riscv_vle32_v_u32m4(reinterpret_cast<const uint32_t*>(index + i), vl),
        static_cast<uint32_t>(size), vl);
    if (size == 4) {
      const auto v = __riscv_vluxei32_v_u32m4(reinterpret_cast<const uint32_t*>(x), from, vl);
      __riscv_vse32_v_u32m4(reinterpret_cast<uint32_t*>(y), v, vl);
    } else if (size == 2) {
      const auto v = __riscv_vluxei32_v_u16m2(reinterpret_cast<const uint16_t*>(x), from, vl);
      __riscv_vse16_v_u16m2(reinterpret_cast<uint16_t*>(y), v, vl);
    } else {
      const auto v = __riscv_vluxei32_v_u8m1(reinterpret_cast<const uint8_t*>(x), from, vl);
      __riscv_vse8_v_u8m1(reinterpret_cast<uint8_t*>(y), v, vl);
    }
  }
}

int32_t top_k(const DLTensor* in, DLTensor* out, const presil_dsp_top_k*) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 2) return PRESIL_DSP_REFUSED_COUNT;
  const bool integer = in->dtype.code == 0 && in->dtype.bits <= 16;
  if ((!integer && !is_float(*in)) || !same_type(*in, out[0]) || !is(out[1], 0, 32)) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  if (in->ndim == 0 || out->ndim != in->ndim || !same_shape(out[0], out[1]) ||
      !rows_are_dense(*in) || !rows_are_dense(out[0]) || !rows_are_dense(out[1])) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const Heads x(*in), y(out[0]), indices(out[1]);
  const auto n = static_cast<size_t>(in->shape[in->ndim - 1]),
             k = static_cast<size_t>(out->shape[out->ndim - 1]);
  if (k > n || !same_shape(x.tensor, y.tensor)) return PRESIL_DSP_REFUSED_SHAPE;
  const size_t size = in->dtype.bits / 8;
  for (Walk<3> walk({&x.tensor, &y.tensor, &indices.tensor}, x.tensor); walk; walk.next()) {
    for (size_t row = 0; row < walk.run(); ++row) {
      const auto at = static_cast<int64_t>(row);
      const char* from = walk.at<char>(0) + at * walk.step(0) * static_cast<int64_t>(size);
      char* to = walk.at<char>(1) + at * walk.step(1) * static_cast<int64_t>(size);
      int32_t* index = walk.at<int32_t>(2) + at * walk.step(2);
      largest(*in, from, n, k, index);
      gather(size, from, index, to, k);
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(top_k)

}  // namespace presil::dsp
