// One operation of two floats, broadcast as in numpy, and a clamp.
//
// Tensors: {a f32, b f32} {y f32}; a and b have y's axes, less some in front, or extent 1.
// Arithmetic: compiler_bridge/reference/operators/pairs_float.cpp in words; the power is defined in
// double: powers.h.
// A row of at most 256 elements that is the same for all rows is written again and again, so that
// rows are longer. 128 elements: 2 vle32 32, one or two operations 16 each, vse32 16. Bound: SRAM's
// port, 48 / 128 = 0.38 cycles per element; division 2, prelu 0.38. The power, 32 elements: 167
// operations and copies of 4, 20.9; to one small whole exponent 17, 2.1, and the core waits for
// what is open in each vector.
#include <riscv_vector.h>

#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/powers.h"
#include "driver/kernels/dsp/short_row.h"

namespace presil::dsp {
namespace {

// What is one operation takes register groups of eight: fewer, longer instructions.
using Long = vfloat32m8_t;

Long load(const float* x, int64_t step, size_t vl) {
  return step == 1 ? __riscv_vle32_v_f32m8(x, vl) : __riscv_vlse32_v_f32m8(x, 4 * step, vl);
}

template <class F>
int32_t each(const DLTensor* in, DLTensor* out, const presil_dsp_pair_f32& p, const F& f) {
  const bool lower = p.low > -__builtin_inff(), upper = p.high < __builtin_inff();
  for (Walk<3> walk({&in[0], &in[1], out}, *out); walk; walk.next()) {
    const float *a = walk.at<float>(0), *b = walk.at<float>(1);
    float* y = walk.at<float>(2);
    const int64_t a_step = walk.step(0), b_step = walk.step(1), y_step = walk.step(2);
    size_t n = walk.run();
    for (size_t vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e32m8(n);
      Long v = f(load(a, a_step, vl), load(b, b_step, vl), vl);
      if (lower) v = __riscv_vfmax_vf_f32m8(v, p.low, vl);
      if (upper) v = __riscv_vfmin_vf_f32m8(v, p.high, vl);
      y_step == 1 ? __riscv_vse32_v_f32m8(y, v, vl) : __riscv_vsse32_v_f32m8(y, 4 * y_step, v, vl);
      a += static_cast<int64_t>(vl) * a_step, b += static_cast<int64_t>(vl) * b_step;
      y += static_cast<int64_t>(vl) * y_step;
    }
  }
  return PRESIL_DSP_DONE;
}

int32_t compute(const DLTensor* in, DLTensor* out, const presil_dsp_pair_f32* p) {
  switch (p->function) {
    case PRESIL_DSP_ADD:
      return each(in, out, *p,
                  [](Long a, Long b, size_t vl) { return __riscv_vfadd_vv_f32m8(a, b, vl); });
    case PRESIL_DSP_SUB:
      return each(in, out, *p,
                  [](Long a, Long b, size_t vl) { return __riscv_vfsub_vv_f32m8(a, b, vl); });
    case PRESIL_DSP_MUL:
      return each(in, out, *p,
                  [](Long a, Long b, size_t vl) { return __riscv_vfmul_vv_f32m8(a, b, vl); });
    case PRESIL_DSP_DIV:
      return each(in, out, *p,
                  [](Long a, Long b, size_t vl) { return __riscv_vfdiv_vv_f32m8(a, b, vl); });
    case PRESIL_DSP_MAXIMUM:
      return each(in, out, *p,
                  [](Long a, Long b, size_t vl) { return __riscv_vfmax_vv_f32m8(a, b, vl); });
    case PRESIL_DSP_MINIMUM:
      return each(in, out, *p,
                  [](Long a, Long b, size_t vl) { return __riscv_vfmin_vv_f32m8(a, b, vl); });
    case PRESIL_DSP_SQUARED_DIFFERENCE:
      return each(in, out, *p, [](Long a, Long b, size_t vl) {
        const Long d = __riscv_vfsub_vv_f32m8(a, b, vl);
        return __riscv_vfmul_vv_f32m8(d, d, vl);
      });
    case PRESIL_DSP_PRELU:
      return each(in, out, *p, [](Long a, Long b, size_t vl) {
        const vbool4_t kept = __riscv_vmfge_vf_f32m8_b4(a, 0.0f, vl);
        return __riscv_vmerge_vvm_f32m8(__riscv_vfmul_vv_f32m8(a, b, vl), a, kept, vl);
      });
    case PRESIL_DSP_POW:
      return logs_or_powers(in[0], in[1], *out);
    default:
      return PRESIL_DSP_REFUSED_PARAMS;
  }
}

int32_t pair_f32(const DLTensor* in, DLTensor* out, const presil_dsp_pair_f32* p) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_float(in[0]) || !is_float(in[1]) || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (!broadcasts(in[0], *out) || !broadcasts(in[1], *out)) return PRESIL_DSP_REFUSED_SHAPE;
  if (p->function != PRESIL_DSP_POW) {
    if (is_short_row(in[1], in[0], *out)) return by_copies<float>(in, out, p, 1, compute);
    if (is_short_row(in[0], in[1], *out)) return by_copies<float>(in, out, p, 0, compute);
  }
  return compute(in, out, p);
}

}  // namespace

PRESIL_KERNEL(pair_f32)

}  // namespace presil::dsp
