// Sigmoid and tanh of 16 bits from a table of 256 points, in vectors: presil_lstm_attributes of the
// host's kernels has the formulas.
//
// A point and the rise to the next one stand together, so that an element takes one indexed load.
// Of int16 all else has 16 bits but the sum of two points, whose factors have: 16 instructions of
// 4 cycles for 64 elements, four of 8.
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/kernels/dsp/fixed.h"

namespace presil::dsp {

class Sigmoid16 {
 public:
  /// Sigmoid or tanh, of a lane: tanh(v) is 2 sigmoid(2 v) - 1. What a value is multiplied by, by
  /// what the sum of two points is shifted, what is taken off. Below 0 both are 2^15 less the sum.
  struct Which {
    uint16_t times, shift, less;
  };
  static constexpr Which kSigmoid = {3, 10, 0}, kTanh = {6, 9, 32768};

  void make(const int32_t* table) {
    for (size_t first = 0, vl; first < 255; first += vl) {
      vl = __riscv_vsetvl_e32m4(255 - first);
      const auto load = [&](size_t i) {
        const auto* from = reinterpret_cast<const uint32_t*>(table);
        return __riscv_vnsrl_wx_u16m2(__riscv_vle32_v_u32m4(from + first + i, vl), 0, vl);
      };
      const vuint16m2_t point = load(0), rise = __riscv_vsub_vv_u16m2(load(1), point, vl);
      __riscv_vsseg2e16_v_u16m2x2(&m_points[first].point, __riscv_vcreate_v_u16m2x2(point, rise),
                                  vl);
    }
    m_points[255] = {65535, 0};
  }

  /// In steps of 2^-15, of values in steps of 2^-12.
  vint16m4_t either(vint16m4_t v, const uint16_t* times, const uint16_t* shift,
                    const uint16_t* less, size_t vl) const {
    const vbool4_t below = __riscv_vmslt_vx_i16m4_b4(v, 0, vl);
    const vuint16m4_t size = __riscv_vreinterpret_v_i16m4_u16m4(
        __riscv_vmax_vv_i16m4(v, __riscv_vneg_v_i16m4(v, vl), vl));
    const vuint16m4_t by = __riscv_vle16_v_u16m4(times, vl);
    const vuint16m4_t at = __riscv_vmulhu_vv_u16m4(size, __riscv_vsll_vx_u16m4(by, 7, vl), vl);
    const vuint16m4x2_t found = __riscv_vluxseg2ei16_v_u16m4x2(
        &m_points->point, __riscv_vsll_vx_u16m4(__riscv_vminu_vx_u16m4(at, 255, vl), 2, vl), vl);
    const vuint16m4_t rest = __riscv_vand_vx_u16m4(__riscv_vmul_vv_u16m4(size, by, vl), 511, vl);
    vuint32m8_t sum = __riscv_vwmulu_vv_u32m8(rest, __riscv_vget_v_u16m4x2_u16m4(found, 1), vl);
    sum = __riscv_vwmaccu_vx_u32m8(sum, 512, __riscv_vget_v_u16m4x2_u16m4(found, 0), vl);
    const vuint16m4_t share =
        __riscv_vnclipu_wv_u16m4(sum, __riscv_vle16_v_u16m4(shift, vl), __RISCV_VXRM_RNU, vl);
    const vuint16m4_t above = __riscv_vminu_vx_u16m4(
        __riscv_vsub_vv_u16m4(share, __riscv_vle16_v_u16m4(less, vl), vl), 32767, vl);
    return __riscv_vreinterpret_v_u16m4_i16m4(
        __riscv_vrsub_vx_u16m4_mu(below, above, share, 32768, vl));
  }

  /// tanh in steps of 2^-15, of thrice a value in steps of 2^-12.
  vint16m2_t tanh(Int32 v, size_t vl) const {
    const vuint32m4_t size = __riscv_vreinterpret_v_i32m4_u32m4(
        __riscv_vmax_vv_i32m4(v, __riscv_vneg_v_i32m4(v, vl), vl));
    const vuint16m2_t at =
        __riscv_vminu_vx_u16m2(__riscv_vnclipu_wx_u16m2(size, 8, __RISCV_VXRM_RDN, vl), 255, vl);
    const vuint16m2x2_t found =
        __riscv_vluxseg2ei16_v_u16m2x2(&m_points->point, __riscv_vsll_vx_u16m2(at, 2, vl), vl);
    const vuint16m2_t rest = __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(size, 0, vl), 255, vl);
    vuint32m4_t sum = __riscv_vwmulu_vv_u32m4(rest, __riscv_vget_v_u16m2x2_u16m2(found, 1), vl);
    sum = __riscv_vwmaccu_vx_u32m4(sum, 256, __riscv_vget_v_u16m2x2_u16m2(found, 0), vl);
    const vuint16m2_t share = __riscv_vnclipu_wx_u16m2(sum, 8, __RISCV_VXRM_RNU, vl);
    const vbool8_t below = __riscv_vmslt_vx_i32m4_b8(v, 0, vl);
    const vuint16m2_t above = __riscv_vsub_vx_u16m2(share, 32768, vl);
    return __riscv_vreinterpret_v_u16m2_i16m2(
        __riscv_vrsub_vx_u16m2_mu(below, above, share, 32768, vl));
  }

 private:
  struct Point {
    uint16_t point, rise;
  };
  Point m_points[256];
};

}  // namespace presil::dsp
