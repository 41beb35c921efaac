/* What compilers for Arm call by the Run-time ABI: divisions of 64 bits, memory by its names. */
#include <stdint.h>
#include <string.h>

/* By the core's division of 32 bits, 16 bits of the quotient at a time. */
static uint64_t divide_by_short(uint64_t n, uint32_t d, uint64_t* rest) {
  const uint32_t high = (uint32_t)(n >> 32), low = (uint32_t)n;
  const uint32_t middle = high % d << 16 | low >> 16;
  const uint32_t last = middle % d << 16 | (low & 0xffffu);
  *rest = last % d;
  return ((uint64_t)(high / d) << 32) + ((uint64_t)(middle / d) << 16) + last / d;
}

/* Bit by bit, from the first one of the dividend, where the divisor is longer than 16 bits. */
uint64_t presil_divide(uint64_t n, uint64_t d, uint64_t* rest) {
  uint64_t quotient = 0, r = 0;
  if (d != 0 && d >> 16 == 0) return divide_by_short(n, (uint32_t)d, rest);
  if (d != 0) {
    for (int bit = n ? 63 - __builtin_clzll(n) : -1; bit >= 0; --bit) {
      const uint64_t top = r >> 63;
      r = r << 1 | (n >> bit & 1);
      if (!top && r < d) continue;
      r -= d;
      quotient |= (uint64_t)1 << bit;
    }
  }
  *rest = r;
  return quotient;
}

int64_t presil_divide_signed(int64_t n, int64_t d, int64_t* rest) {
  uint64_t r;
  const uint64_t magnitude = n < 0 ? -(uint64_t)n : (uint64_t)n;
  const uint64_t q = presil_divide(magnitude, d < 0 ? -(uint64_t)d : (uint64_t)d, &r);
  *rest = (int64_t)(n < 0 ? -r : r);
  return (int64_t)((n < 0) != (d < 0) ? -q : q);
}

/* Quotient in r0, r1, rest in r2, r3. */
#define DIVISION(name, function)                                                                 \
  __attribute__((naked)) void name(void) {                                                       \
    __asm volatile(                                                                              \
        "push {r4, lr}\n sub sp, #16\n add r4, sp, #8\n"                                         \
        "str r4, [sp]\n bl " #function "\n ldrd r2, r3, [sp, #8]\n add sp, #16\n pop {r4, pc}"); \
  }
DIVISION(__aeabi_uldivmod, presil_divide)
DIVISION(__aeabi_ldivmod, presil_divide_signed)

#define MEMORY(suffix)                                                 \
  void __aeabi_memcpy##suffix(void* to, const void* from, size_t n) {  \
    memcpy(to, from, n);                                               \
  }                                                                    \
  void __aeabi_memmove##suffix(void* to, const void* from, size_t n) { \
    memmove(to, from, n);                                              \
  }                                                                    \
  void __aeabi_memset##suffix(void* to, size_t n, int value) {         \
    memset(to, value, n);                                              \
  }                                                                    \
  void __aeabi_memclr##suffix(void* to, size_t n) {                    \
    memset(to, 0, n);                                                  \
  }
MEMORY()
MEMORY(4)
MEMORY(8)
