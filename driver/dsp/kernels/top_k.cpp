// The largest of each row, in order, and where they stand; all of a row: its sort.
//
// Tensors: {x i8|i16|f32, rows} {y as x, indices i32, rows of k}.
// Arithmetic: compiler_bridge/reference/operators/top_k.cpp in words: largest first, the first of
// equal ones first, what is no number last.
// Elements become keys that ascend where they descend. k up to kFew: the smallest key and where it
// is, k times; of 128 keys vle32 vminu, then vle32 vmseq: bound 0.25 cycles per element for each of
// the k, 80 for its folds, 0.5 for the keys. Else sort.h: 25 to 100 per element, a roomful at a
// time.
#include "driver/dsp/integers.h"
#include "driver/dsp/moves.h"
#include "driver/dsp/params.h"
#include "driver/dsp/sort.h"
#include "driver/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kMost = 4096, kFew = 32, kLong = 24576, kPart = 256;
constexpr uint32_t kNone = 0xfffffffe, kTaken = 0xffffffff;

union Memory {
  uint32_t keys[kLong];
  struct {
    Candidates<kMost> found;
    uint32_t part[kPart];
  } many;
};
Memory& memory() {
  return workspace<Memory>();
}

/// Of all but what is no number as `key_of` of sort.h, integers alike.
void make_keys(const DLTensor& t, const char* x, size_t n, uint32_t* to) {
  for (size_t vl; n > 0; n -= vl, to += vl, x += vl * (t.dtype.bits / 8)) {
    vl = __riscv_vsetvl_e32m4(n);
    if (!is_float(t)) {
      const Int32 v = __riscv_vrsub_vx_i32m4(load_integers(t, x, 1, vl), INT32_MAX, vl);
      __riscv_vse32_v_u32m4(to, __riscv_vreinterpret_v_i32m4_u32m4(v), vl);
      continue;
    }
    const vfloat32m4_t v = __riscv_vfadd_vf_f32m4(
        __riscv_vle32_v_f32m4(reinterpret_cast<const float*>(x), vl), 0.0f, vl);
    const vuint32m4_t bits = __riscv_vreinterpret_v_f32m4_u32m4(v);
    const vbool8_t negative =
        __riscv_vmslt_vx_i32m4_b8(__riscv_vreinterpret_v_f32m4_i32m4(v), 0, vl);
    const vbool8_t none = __riscv_vmfne_vv_f32m4_b8(v, v, vl);
    vuint32m4_t key = __riscv_vxor_vx_u32m4(bits, 0x7fffffff, vl);
    key = __riscv_vmerge_vvm_u32m4(key, bits, negative, vl);
    __riscv_vse32_v_u32m4(to, __riscv_vmerge_vxm_u32m4(key, kNone, none, vl), vl);
  }
}

/// Where the first of the smallest keys stands.
size_t first_of(const uint32_t* keys, size_t n) {
  const size_t lanes = __riscv_vsetvlmax_e32m8();
  vuint32m8_t best = __riscv_vmv_v_x_u32m8(kTaken, lanes);
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e32m8(n - i);
    best = __riscv_vminu_vv_u32m8_tu(best, best, __riscv_vle32_v_u32m8(keys + i, vl), vl);
  }
  const vuint32m1_t high = __riscv_vmv_s_x_u32m1(kTaken, 1);
  const uint32_t least =
      __riscv_vmv_x_s_u32m1_u32(__riscv_vredminu_vs_u32m8_u32m1(best, high, lanes));
  for (size_t i = 0, vl;; i += vl) {
    vl = __riscv_vsetvl_e32m8(n - i);
    const vuint32m8_t v = __riscv_vle32_v_u32m8(keys + i, vl);
    const long at = __riscv_vfirst_m_b4(__riscv_vmseq_vx_u32m8_b4(v, least, vl), vl);
    if (at >= 0) return i + static_cast<size_t>(at);
  }
}

/// put(index) for the k largest of a row, in order.
template <class Put>
void largest(const DLTensor& t, const char* x, size_t n, size_t k, const Put& put) {
  if (k <= kFew && n <= kLong) {
    uint32_t* keys = memory().keys;
    make_keys(t, x, n, keys);
    for (; k > 0; --k) {
      const size_t at = first_of(keys, n);
      keys[at] = kTaken;
      put(at);
    }
    return;
  }
  Candidates<kMost>& found = memory().many.found;
  Turn<kMost> turn(found);
  for (turn.begin();; turn.next()) {
    for (size_t i = 0, part; i < n; i += part) {
      part = n - i < kPart ? n - i : kPart;
      make_keys(t, x + i * (t.dtype.bits / 8), part, memory().many.part);
      for (size_t j = 0; j < part; ++j) {
        turn.take(memory().many.part[j], static_cast<uint32_t>(i + j));
      }
    }
    found.sort();
    for (size_t i = 0; i < found.n && k > 0; ++i, --k) put(found.what[i]);
    if (k == 0) return;
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
      largest(*in, from, n, k, [&](size_t i) {
        *index++ = static_cast<int32_t>(i);
        const char* element = from + i * size;
        for (size_t b = 0; b < size; ++b) *to++ = element[b];
      });
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(top_k)

}  // namespace presil::dsp
