/* float64 by the names that compilers for RISC-V call. A float64 is passed as an integer by a core
 * that has float32 only; a float32 is not. */
#include <string.h>

#include "driver/port/baremetal/float64.h"

uint64_t __adddf3(uint64_t a, uint64_t b) {
  return __aeabi_dadd(a, b);
}
uint64_t __subdf3(uint64_t a, uint64_t b) {
  return __aeabi_dsub(a, b);
}
uint64_t __muldf3(uint64_t a, uint64_t b) {
  return __aeabi_dmul(a, b);
}
uint64_t __divdf3(uint64_t a, uint64_t b) {
  return __aeabi_ddiv(a, b);
}

/* 0: equal; below and above 0: less, greater; of what is no number, what makes the question false.
 */
static int compared(uint64_t a, uint64_t b, int unordered) {
  if (__aeabi_dcmpun(a, b)) return unordered;
  return __aeabi_dcmpeq(a, b) ? 0 : __aeabi_dcmplt(a, b) ? -1 : 1;
}
int __eqdf2(uint64_t a, uint64_t b) {
  return compared(a, b, 1);
}
int __nedf2(uint64_t a, uint64_t b) {
  return compared(a, b, 1);
}
int __ltdf2(uint64_t a, uint64_t b) {
  return compared(a, b, 1);
}
int __ledf2(uint64_t a, uint64_t b) {
  return compared(a, b, 1);
}
int __gtdf2(uint64_t a, uint64_t b) {
  return compared(a, b, -1);
}
int __gedf2(uint64_t a, uint64_t b) {
  return compared(a, b, -1);
}
int __unorddf2(uint64_t a, uint64_t b) {
  return __aeabi_dcmpun(a, b);
}

uint64_t __extendsfdf2(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return __aeabi_f2d(bits);
}
float __truncdfsf2(uint64_t x) {
  const uint32_t bits = __aeabi_d2f(x);
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}
uint64_t __floatsidf(int32_t n) {
  return __aeabi_i2d(n);
}
uint64_t __floatunsidf(uint32_t n) {
  return __aeabi_ui2d(n);
}
uint64_t __floatdidf(int64_t n) {
  return __aeabi_l2d(n);
}
uint64_t __floatundidf(uint64_t n) {
  return __aeabi_ul2d(n);
}
int32_t __fixdfsi(uint64_t x) {
  return __aeabi_d2iz(x);
}
int64_t __fixdfdi(uint64_t x) {
  return __aeabi_d2lz(x);
}
