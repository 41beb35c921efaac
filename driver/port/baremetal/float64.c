/* float64 of IEEE 754 from integers: to nearest, ties to even, denormals too. What is no number
 * becomes the quiet NaN without payload. */
#include "driver/port/baremetal/float64.h"

#include <stdbool.h>

#define SIGN ((uint64_t)1 << 63)
#define INFINITE ((uint64_t)0x7ff << 52)
#define NOT_A_NUMBER ((uint64_t)0x7ff8 << 48)
#define HIDDEN ((uint64_t)1 << 52)
#define TOP 62 /* bit of the first one of a normal number's mantissa */

typedef struct parts {
  uint64_t sign, m; /* m 0: zero */
  int exponent;     /* biased, of a first one at TOP */
} parts;

static bool is_nan(uint64_t x) {
  return (x & ~SIGN) > INFINITE;
}
static bool is_infinite(uint64_t x) {
  return (x & ~SIGN) == INFINITE;
}

/* To the right; a bit that is lost stays in the last one. */
static uint64_t shifted(uint64_t m, int by) {
  if (by <= 0) return m;
  return by > 63 ? m != 0 : m >> by | (m << (64 - by) != 0);
}

static parts normal(uint64_t sign, int exponent, uint64_t m) {
  if (m >> 63) {
    m = shifted(m, 1);
    ++exponent;
  } else if (m) {
    const int up = __builtin_clzll(m) - 1;
    m <<= up;
    exponent -= up;
  }
  const parts p = {sign, m, exponent};
  return p;
}

static parts parts_of(uint64_t x) {
  const int exponent = (int)(x >> 52 & 0x7ff);
  const uint64_t fraction = x & (HIDDEN - 1);
  return normal(x & SIGN, exponent ? exponent : 1,
                (exponent ? fraction | HIDDEN : fraction) << (TOP - 52));
}

/* `m` with `below` bits to round away, and what is under the least exponent. */
static uint64_t rounded(uint64_t m, int below) {
  const uint64_t half = (uint64_t)1 << (below - 1), rest = m & (2 * half - 1), kept = m >> below;
  return kept + (rest > half || (rest == half && (kept & 1)));
}

static uint64_t packed(parts p) {
  if (p.m == 0) return p.sign;
  if (p.exponent > 2046) return p.sign | INFINITE;
  if (p.exponent < 1) return p.sign | rounded(shifted(p.m, 1 - p.exponent), TOP - 52);
  /* the first one, and a carry of rounding, add themselves to the exponent */
  return p.sign | ((((uint64_t)p.exponent - 1) << 52) + rounded(p.m, TOP - 52));
}

uint64_t __aeabi_dadd(uint64_t a, uint64_t b) {
  if (is_nan(a) || is_nan(b)) return NOT_A_NUMBER;
  if (is_infinite(a)) return is_infinite(b) && a != b ? NOT_A_NUMBER : a;
  if (is_infinite(b)) return b;
  if ((a & ~SIGN) < (b & ~SIGN)) {
    const uint64_t swapped = a;
    a = b;
    b = swapped;
  }
  const parts x = parts_of(a), y = parts_of(b);
  if (y.m == 0) return x.m == 0 ? (a & b & SIGN) : a;
  const uint64_t small = shifted(y.m, x.exponent - y.exponent);
  if (x.sign != y.sign && x.m == small) return 0;
  return packed(normal(x.sign, x.exponent, x.sign == y.sign ? x.m + small : x.m - small));
}

uint64_t __aeabi_dsub(uint64_t a, uint64_t b) {
  return __aeabi_dadd(a, b ^ SIGN);
}

/* Upper half of the product; what is below leaves its mark in the last bit. */
static uint64_t upper_product(uint64_t a, uint64_t b) {
  const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  const uint64_t low = al * bl, one = ah * bl + (low >> 32), two = al * bh + (uint32_t)one;
  return (ah * bh + (one >> 32) + (two >> 32)) | ((uint32_t)two != 0 || (uint32_t)low != 0);
}

uint64_t __aeabi_dmul(uint64_t a, uint64_t b) {
  const uint64_t sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b)) return NOT_A_NUMBER;
  const parts x = parts_of(a), y = parts_of(b);
  if (is_infinite(a) || is_infinite(b)) return x.m && y.m ? sign | INFINITE : NOT_A_NUMBER;
  if (x.m == 0 || y.m == 0) return sign;
  /* 2^TOP * 2^(TOP + 1) / 2^64 = 2^(TOP - 1) */
  return packed(normal(sign, x.exponent + y.exponent - 1022, upper_product(x.m, y.m << 1)));
}

uint64_t __aeabi_ddiv(uint64_t a, uint64_t b) {
  const uint64_t sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b))) return NOT_A_NUMBER;
  if (is_infinite(a)) return sign | INFINITE;
  if (is_infinite(b)) return sign;
  const parts x = parts_of(a), y = parts_of(b);
  if (y.m == 0) return x.m ? sign | INFINITE : NOT_A_NUMBER;
  if (x.m == 0) return sign;
  uint64_t rest = x.m, quotient = 0; /* bit TOP of the quotient is that of x.m / y.m */
  for (int bit = TOP; bit >= 0; --bit) {
    const bool one = rest >= y.m;
    if (one) rest -= y.m;
    quotient |= (uint64_t)one << bit;
    rest <<= 1;
  }
  return packed(normal(sign, x.exponent - y.exponent + 1023, quotient | (rest != 0)));
}

/* Integers in the order of the numbers; both zeros are one. */
static int64_t ordered(uint64_t x) {
  return x & SIGN ? -(int64_t)(x & ~SIGN) : (int64_t)x;
}
int __aeabi_dcmpun(uint64_t a, uint64_t b) {
  return is_nan(a) || is_nan(b);
}
int __aeabi_dcmpeq(uint64_t a, uint64_t b) {
  return !__aeabi_dcmpun(a, b) && ordered(a) == ordered(b);
}
int __aeabi_dcmplt(uint64_t a, uint64_t b) {
  return !__aeabi_dcmpun(a, b) && ordered(a) < ordered(b);
}
int __aeabi_dcmple(uint64_t a, uint64_t b) {
  return !__aeabi_dcmpun(a, b) && ordered(a) <= ordered(b);
}
int __aeabi_dcmpgt(uint64_t a, uint64_t b) {
  return __aeabi_dcmplt(b, a);
}
int __aeabi_dcmpge(uint64_t a, uint64_t b) {
  return __aeabi_dcmple(b, a);
}

uint64_t __aeabi_f2d(uint32_t x) {
  const uint64_t sign = (uint64_t)(x >> 31) << 63, fraction = x & 0x7fffff;
  const int exponent = (int)(x >> 23 & 255);
  if (exponent == 255) return fraction ? NOT_A_NUMBER : sign | INFINITE;
  const uint64_t m = exponent ? fraction | 0x800000 : fraction;
  return packed(normal(sign, (exponent ? exponent : 1) - 127 + 1023, m << (TOP - 23)));
}

uint32_t __aeabi_d2f(uint64_t x) {
  const uint32_t sign = (uint32_t)(x >> 63) << 31;
  if (is_nan(x)) return 0x7fc00000;
  const parts p = parts_of(x);
  const int exponent = p.exponent - 1023 + 127;
  if (p.m == 0) return sign;
  if (exponent > 254) return sign | 0x7f800000;
  if (exponent < 1) return sign | (uint32_t)rounded(shifted(p.m, 1 - exponent), TOP - 23);
  return sign | ((((uint32_t)exponent - 1) << 23) + (uint32_t)rounded(p.m, TOP - 23));
}

uint64_t __aeabi_ul2d(uint64_t n) {
  return packed(normal(0, 1023 + TOP, n));
}
uint64_t __aeabi_l2d(int64_t n) {
  return n < 0 ? SIGN | __aeabi_ul2d(-(uint64_t)n) : __aeabi_ul2d((uint64_t)n);
}
uint64_t __aeabi_ui2d(uint32_t n) {
  return __aeabi_ul2d(n);
}
uint64_t __aeabi_i2d(int32_t n) {
  return __aeabi_l2d(n);
}

/* Towards zero; what does not fit becomes the nearest number that does, NaN 0. */
int64_t __aeabi_d2lz(uint64_t x) {
  const parts p = parts_of(x);
  const int integer_bits = p.exponent - 1023;
  if (is_nan(x) || p.m == 0 || integer_bits < 0) return 0;
  if (integer_bits > 62) return p.sign ? INT64_MIN : INT64_MAX;
  const int64_t n = (int64_t)(p.m >> (TOP - integer_bits));
  return p.sign ? -n : n;
}
int32_t __aeabi_d2iz(uint64_t x) {
  const int64_t n = __aeabi_d2lz(x);
  return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : (int32_t)n;
}

uint32_t __aeabi_ul2f(uint64_t n) {
  if (n == 0) return 0;
  const parts p = normal(0, 127 + TOP, n);
  return (((uint32_t)p.exponent - 1) << 23) + (uint32_t)rounded(p.m, TOP - 23);
}
uint32_t __aeabi_l2f(int64_t n) {
  return n < 0 ? 0x80000000u | __aeabi_ul2f(-(uint64_t)n) : __aeabi_ul2f((uint64_t)n);
}
int64_t __aeabi_f2lz(uint32_t x) {
  return __aeabi_d2lz(__aeabi_f2d(x));
}
