// Programs that the speed of the DSP's instruction-set simulator is measured with; dsp_programs.py
// compiles each of them by itself and prints its bytes.
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

#if defined(HEAP_SORT)
uint64_t program(uint32_t* a, size_t n) {
  for (size_t start = n / 2, end = n; end > 1;) {
    if (start > 0) {
      --start;
    } else {
      --end;
      const uint32_t last = a[end];
      a[end] = a[0];
      a[0] = last;
    }
    size_t root = start;
    for (size_t child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && a[child] < a[child + 1]) ++child;
      if (a[root] >= a[child]) break;
      const uint32_t t = a[root];
      a[root] = a[child];
      a[child] = t;
    }
  }
  return 0;
}
#elif defined(CRC)
uint64_t program(const uint8_t* a, size_t n) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < n; ++i) {
    crc ^= a[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (uint32_t)~crc;
}
#elif defined(DOT)
uint64_t program(const int8_t* a, size_t n, const int8_t* b) {
  int32_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return (uint64_t)(int64_t)sum;
}
#elif defined(REQUANTISE)
// One rounding: the product of 64 bits, shifted.
uint64_t program(const int32_t* a, size_t n, int8_t* out) {
  const int64_t multiplier = 1518500250;
  for (size_t i = 0; i < n; ++i) {
    int64_t x = (a[i] * multiplier + (INT64_C(1) << 37)) >> 38;
    x = x < -128 ? -128 : x > 127 ? 127 : x;
    out[i] = (int8_t)x;
  }
  return 0;
}
#elif defined(DOT_INTRINSICS)
uint64_t program(const int8_t* a, size_t n, const int8_t* b) {
  const size_t most = __riscv_vsetvlmax_e32m8();
  vint32m8_t sum = __riscv_vmv_v_x_i32m8(0, most);
  for (size_t vl; n > 0; n -= vl, a += vl, b += vl) {
    vl = __riscv_vsetvl_e8m2(n);
    const vint16m4_t products =
        __riscv_vwmul_vv_i16m4(__riscv_vle8_v_i8m2(a, vl), __riscv_vle8_v_i8m2(b, vl), vl);
    sum = __riscv_vwadd_wv_i32m8_tu(sum, sum, products, vl);
  }
  const vint32m1_t zero = __riscv_vmv_s_x_i32m1(0, 1);
  const vint32m1_t all = __riscv_vredsum_vs_i32m8_i32m1(sum, zero, most);
  return (uint64_t)(int64_t)__riscv_vmv_x_s_i32m1_i32(all);
}
#elif defined(REQUANTISE_INTRINSICS)
// Two roundings, as TFLite's kernels: the high half of the doubled product, then a shift.
uint64_t program(const int32_t* a, size_t n, int8_t* out) {
  for (size_t vl; n > 0; n -= vl, a += vl, out += vl) {
    vl = __riscv_vsetvl_e32m8(n);
    vint32m8_t x = __riscv_vle32_v_i32m8(a, vl);
    x = __riscv_vsmul_vx_i32m8(x, 1518500250, __RISCV_VXRM_RNU, vl);
    x = __riscv_vsadd_vv_i32m8(x, __riscv_vsra_vx_i32m8(x, 31, vl), vl);
    x = __riscv_vssra_vx_i32m8(x, 7, __RISCV_VXRM_RNU, vl);
    const vint16m4_t half = __riscv_vnclip_wx_i16m4(x, 0, __RISCV_VXRM_RNU, vl);
    __riscv_vse8_v_i8m2(out, __riscv_vnclip_wx_i8m2(half, 0, __RISCV_VXRM_RNU, vl), vl);
  }
  return 0;
}
#endif
