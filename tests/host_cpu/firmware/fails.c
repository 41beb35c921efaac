/* A program that comes to an end that is none, in the way that `mode` says: a test replaces it. */
#include <stdint.h>

#include "driver/port/baremetal/semihosting.h"

static volatile const struct { uint32_t mark, mode; } choice = {0x600dc0de, 0};
static uint32_t data[4] = {0x600dc0de, 1, 2, 3};

#if defined(__thumb__)
#define THUMB 1u
#define EXCLUSIVE(value, at) __asm volatile("ldrex %0, [%1]" : "=r"(value) : "r"(at) : "memory")
#define UNDEFINED __asm volatile("udf #1")
#elif defined(__riscv)
#define THUMB 0u
/* lr.w a1, (a0): the core's compiler does not know it */
#define EXCLUSIVE(value, at)                                             \
  do {                                                                   \
    register uintptr_t a0 __asm("a0") = (at);                            \
    register uint32_t a1 __asm("a1");                                    \
    __asm volatile(".4byte 0x100525af" : "=r"(a1) : "r"(a0) : "memory"); \
    (value) = a1;                                                        \
  } while (0)
#define UNDEFINED __asm volatile(".4byte 0xffffffff")
#else
#define THUMB 0u
#define EXCLUSIVE(value, at) __asm volatile("ldxr %w0, [%1]" : "=r"(value) : "r"(at) : "memory")
#define UNDEFINED __asm volatile("udf #0")
#endif

__attribute__((noinline)) static uint32_t deeper(uint32_t n) {
  volatile uint32_t room[64];
  room[n % 64] = n;
  if (n == choice.mark) return n;
  return deeper(n + 1) + room[n % 63];
}

static void call(uintptr_t address) {
  ((void (*)(void))address)();
}

int main(void) {
  const uint32_t mode = choice.mode;
  uint32_t value = 0;
  if (mode == 1) return (int)deeper(0);
  if (mode == 2) call((uintptr_t)data | THUMB);
  if (mode == 3) EXCLUSIVE(value, (uintptr_t)data + 1);
  if (mode == 4) value = *(volatile uint32_t*)0xa0000000u;
  if (mode == 5) call(0x00080000);
  if (mode == 6) UNDEFINED;
  if (mode == 7)
    for (;;) {
    }
  presil_semihosting_write("it ends\n");
  return mode == 8 ? 5 : (int)(value & 0);
}
