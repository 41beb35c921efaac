// Images of int8 to another size: between four pixels.
//
// Tensors: {x i8 [.., h, w, c]} {y i8 [.., oh, ow, c]}; axes in front alike, channels dense: blocks
// of 16 channels (n, block, h, w, 16) too. Arithmetic:
// compiler_bridge/reference/operators/resize_bilinear.cpp in words. Positions are computed once per
// row and column, in DTCM, values between columns once per row of x (resize_lines.h). 64 values:
// vmul 8, vmacc 8, vsra vsadd 16 (xnnpack none), 2 vnclip 12. Bound: 44 / 64 = 0.69 cycles per
// value (xnnpack 0.44); and of each row of x 64 by 2 vsext 4, vwmul vwmacc 16, vse32 8: 0.31 for y
// twice as high. Where weights are multiples of a power of 2, as of images 2, 4 or 8 times as
// large, 16 bits hold all: vmul 4, vmacc 4, vsra vsadd 8, vnclip 4: 0.31; and of rows of x vwmul
// vwmacc 8, vse16 4: 0.19. Of images so much wider lines are made by phases (resize_phases.h): 0.13
// and, to move them, a cycle for 32 bytes in and one out: 0.25.
#include <riscv_vector.h>

#include "driver/kernels/dsp/fixed.h"
#include "driver/kernels/dsp/resize_lines.h"

namespace presil::dsp {
namespace {

using Position = Between<int32_t>;

/// Positions along an axis. TFLite: in 1/1024, not beyond the last pixel, where rounded steps would
/// lead. XNNPACK: in float, weights in 1/2048.
class Positions {
 public:
  Positions(const presil_dsp_resize& p, int64_t in, int64_t out)
      : m_tflite(p.numerics == 0), m_half(p.half_pixel_centers != 0), m_last(in - 1) {
    if (p.align_corners != 0 && out > 1) --in, --out;
    m_step = (unit() * in + (m_tflite ? out / 2 : 0)) / out;
    m_float_step = static_cast<float>(in) / static_cast<float>(out);
    // Of XNNPACK's some are rounded one by one.
    const bool exact = m_tflite || (m_step * out == unit() * in && (!m_half || m_step % 2 == 0));
    const int64_t first = m_half ? m_step / 2 - unit() / 2 : 0;
    const int64_t bits = exact ? m_step | first | unit() : 1;
    m_shift = m_last == 0 ? __builtin_ctzll(unit()) : __builtin_ctzll(bits);
  }

  int32_t unit() const { return m_tflite ? 1024 : 2048; }
  /// All weights are multiples of 2^shift: of images twice as large, of a quarter.
  int shift() const { return m_shift; }
  /// In units of 2^shift from here on.
  void reduce() { m_reduced = m_shift; }

  [[gnu::noinline]] Position at(int64_t o) const {
    Position found = m_tflite ? in_integers(o) : in_float(o);
    found.weight = found.low == found.high ? 0 : found.weight >> m_reduced;
    return found;
  }

 private:
  Position in_integers(int64_t o) const {
    int64_t at = o * m_step + (m_half ? m_step / 2 - 512 : 0);
    at = at < 1024 * m_last ? at : 1024 * m_last;
    const int64_t low = at > 0 ? at >> 10 : 0, up = (at + 1023) >> 10;
    return {static_cast<int32_t>(low), static_cast<int32_t>(up < m_last ? up : m_last),
            static_cast<int32_t>(at - 1024 * low)};
  }
  Position in_float(int64_t o) const {
    float at = static_cast<float>(o) * m_float_step;
    if (m_half) {
      const float half = 0.5f * m_float_step;
      at += half - 0.5f;
    }
    at = at > 0.0f ? at : 0.0f;
    const auto last = static_cast<float>(m_last);
    at = at < last ? at : last;
    const auto low = static_cast<int32_t>(at);
    const float rest = (at - static_cast<float>(low)) * 2048.0f;
    const int32_t high = low + 1 < m_last ? low + 1 : static_cast<int32_t>(m_last);
    return {low, high, static_cast<int32_t>(__builtin_rintf(rest))};
  }

  bool m_tflite, m_half;
  int64_t m_last, m_step;
  float m_float_step;
  int m_shift, m_reduced = 0;
};

struct Integers {
  using X = int8_t;
  using Line = int32_t;
  using Weight = int32_t;

  bool tflite;

  static size_t most(size_t n) { return __riscv_vsetvl_e32m4(n); }
  int32_t unit() const { return tflite ? 1024 : 2048; }
  static vint8m1_t load(const int8_t* x, size_t vl) { return __riscv_vle8_v_i8m1(x, vl); }
  static void store(int32_t* to, Int32 v, size_t vl) { __riscv_vse32_v_i32m4(to, v, vl); }
  /// a * (unit - weight) + b * weight
  Int32 between(vint8m1_t a, vint8m1_t b, int32_t weight, size_t vl) const {
    const Int32 first = __riscv_vwmul_vx_i32m4(__riscv_vsext_vf2_i16m2(a, vl),
                                               static_cast<int16_t>(unit() - weight), vl);
    return __riscv_vwmacc_vx_i32m4(first, static_cast<int16_t>(weight),
                                   __riscv_vsext_vf2_i16m2(b, vl), vl);
  }
  [[gnu::noinline]] void down(const int32_t* top, const int32_t* bottom, int32_t weight, int8_t* y,
                              size_t n) const {
    const size_t shift = tflite ? 20 : 22;
    for (size_t vl; n > 0; n -= vl, top += vl, bottom += vl, y += vl) {
      vl = __riscv_vsetvl_e32m8(n);
      vint32m8_t sum = __riscv_vmul_vx_i32m8(__riscv_vle32_v_i32m8(top, vl), unit() - weight, vl);
      sum = __riscv_vmacc_vx_i32m8(sum, weight, __riscv_vle32_v_i32m8(bottom, vl), vl);
      // Halves go away from zero: one less below zero, then up.
      if (tflite) sum = __riscv_vsadd_vv_i32m8(sum, __riscv_vsra_vx_i32m8(sum, 31, vl), vl);
      const vint16m4_t half = __riscv_vnclip_wx_i16m4(sum, shift, __RISCV_VXRM_RNU, vl);
      __riscv_vse8_v_i8m2(y, __riscv_vnclip_wx_i8m2(half, 0, __RISCV_VXRM_RDN, vl), vl);
    }
  }
};

/// Weights of few bits: 16 bits for a value of a line and 16 for a sum, exact.
struct ShortIntegers {
  using X = int8_t;
  using Line = int16_t;
  using Weight = int32_t;

  bool tflite;
  int32_t across, along;  ///< units: 1 of an axis

  /// The sums of weights of both axes are at most 2^8, each weight has 8 bits.
  static bool fits(int32_t across, int32_t along) {
    return across < 256 && along < 256 && across * along <= 256;
  }

  static size_t most(size_t n) { return __riscv_vsetvl_e16m2(n); }
  static vint8m1_t load(const int8_t* x, size_t vl) { return __riscv_vle8_v_i8m1(x, vl); }
  static void store(int16_t* to, vint16m2_t v, size_t vl) { __riscv_vse16_v_i16m2(to, v, vl); }
  vint16m2_t between(vint8m1_t a, vint8m1_t b, int32_t weight, size_t vl) const {
    const vint16m2_t first = __riscv_vwmulsu_vx_i16m2(a, static_cast<uint8_t>(across - weight), vl);
    return __riscv_vwmaccus_vx_i16m2(first, static_cast<uint8_t>(weight), b, vl);
  }
  /// between(a, b) for n neighbours.
  [[gnu::noinline]] void run(const int8_t* a, const int8_t* b, int32_t weight, size_t n,
                             int16_t* to) const {
    const auto first = static_cast<uint8_t>(across - weight), second = static_cast<uint8_t>(weight);
    size_t vl = __riscv_vsetvl_e8m4(n);
    for (vint8m4_t x = __riscv_vle8_v_i8m4(a, vl), y = __riscv_vle8_v_i8m4(b, vl);;) {
      const size_t now = vl;
      vint16m8_t sum = __riscv_vwmulsu_vx_i16m8(x, first, now);
      sum = __riscv_vwmaccus_vx_i16m8(sum, second, y, now);
      in_order(sum);  // the next ones come while this is stored
      n -= now, a += now, b += now;
      vl = __riscv_vsetvl_e8m4(n);
      x = __riscv_vle8_v_i8m4(a, vl), y = __riscv_vle8_v_i8m4(b, vl);
      __riscv_vse16_v_i16m8(to, sum, now);
      if (n == 0) return;
      to += now;
    }
  }
  [[gnu::noinline]] void down(const int16_t* top, const int16_t* bottom, int32_t weight, int8_t* y,
                              size_t n) const {
    const auto shift = static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(across * along)));
    const auto upper = static_cast<int16_t>(along - weight), lower = static_cast<int16_t>(weight);
    const auto load = [](const int16_t* from, size_t vl) {
      return __riscv_vle16_v_i16m8(from, vl);
    };
    size_t vl = __riscv_vsetvl_e16m8(n);
    for (vint16m8_t first = load(top, vl), second = load(bottom, vl);;) {
      const size_t now = vl;
      vint16m8_t sum = __riscv_vmul_vx_i16m8(first, upper, now);
      sum = __riscv_vmacc_vx_i16m8(sum, lower, second, now);
      in_order(sum);  // the next ones come while this is rounded
      n -= now, top += now, bottom += now;
      vl = __riscv_vsetvl_e16m8(n);
      first = load(top, vl), second = load(bottom, vl);
      if (tflite && shift != 0)
        sum = __riscv_vsadd_vv_i16m8(sum, __riscv_vsra_vx_i16m8(sum, 15, now), now);
      __riscv_vse8_v_i8m4(y, __riscv_vnclip_wx_i8m4(sum, shift, __RISCV_VXRM_RNU, now), now);
      if (n == 0) return;
      y += now;
    }
  }
};

int32_t resize_bilinear_i8(const DLTensor* in, DLTensor* out, const presil_dsp_resize* p) {
  Resized s;
  if (const int32_t refused = check_resize(in, out, s)) return refused;
  if (in->dtype.bits != 8) return PRESIL_DSP_REFUSED_TYPE;
  if (p->numerics > 1) return PRESIL_DSP_REFUSED_PARAMS;
  const Rows image(*p, s);
  Positions rows(*p, image.in, image.out), columns(*p, s.w, s.ow);
  const auto resize = [&](const auto& kind) {
    resize_by_lines(
        kind, *in, *out, s, [&](int64_t ox) { return columns.at(ox); },
        [&](int64_t oy) { return rows.at(oy + image.first_out); }, image.first_in);
  };
  const bool tflite = p->numerics == 0;
  const int across = columns.unit() >> columns.shift(), along = rows.unit() >> rows.shift();
  if (ShortIntegers::fits(across, along)) {
    rows.reduce(), columns.reduce();
    const ShortIntegers kind{tflite, across, along};
    const int64_t phases = phases_of(*in, s, p->align_corners != 0);
    if (phases == 0) {
      resize(kind);
    } else {
      resize_by_phases(
          kind, *in, *out, s, phases, [&](int64_t ox) { return columns.at(ox); },
          [&](int64_t oy) { return rows.at(oy + image.first_out); }, image.first_in);
    }
  } else {
    resize(Integers{tflite});
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(resize_bilinear_i8)

}  // namespace presil::dsp
