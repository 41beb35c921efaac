/* The Run-time ABI's conversions between float32 and integers of 64 bits, by the float unit's
 * of 32.
 */
#include <stdint.h>
#include <string.h>

/* The upper 32 bits decide, with one bit for all that is below them; the rest is a power of two. */
static float of_unsigned(uint64_t n) {
  if (n >> 32 == 0) return (float)(uint32_t)n;
  const unsigned shift = 32 - (unsigned)__builtin_clzll(n);
  const uint32_t below = (n & (((uint64_t)1 << shift) - 1)) != 0;
  const uint32_t power = (127 + shift) << 23;
  float scale;
  memcpy(&scale, &power, sizeof scale);
  return (float)((uint32_t)(n >> shift) | below) * scale;
}

float __aeabi_ul2f(uint64_t n) {
  return of_unsigned(n);
}
float __aeabi_l2f(int64_t n) {
  return n < 0 ? -of_unsigned(-(uint64_t)n) : of_unsigned((uint64_t)n);
}

/* Towards zero; what does not fit becomes the nearest number that does, NaN 0. */
int64_t __aeabi_f2lz(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  const int exponent = (int)(bits >> 23 & 255) - 127;
  const uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
  if (x != x || exponent < 0) return 0;
  if (exponent > 62) return bits >> 31 ? INT64_MIN : INT64_MAX;
  const uint64_t n = exponent < 23 ? mantissa >> (23 - exponent) : mantissa << (exponent - 23);
  return bits >> 31 ? -(int64_t)n : (int64_t)n;
}
