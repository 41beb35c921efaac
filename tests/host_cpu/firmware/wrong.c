/* Firmware that breaks the rules of sim/host_cpu/exchange.h: which, the test writes over MODE. */
#include "sim/host_cpu/exchange.h"

#define CONTROL(offset) (*(volatile uint32_t*)(PRESIL_CPU_CONTROL + (offset)))
#if defined(__arm__)
#define SLEEP_MASKED "cpsid i\n wfi"
#elif defined(__riscv)
#define SLEEP_MASKED "csrw mie, zero\n wfi"
#else
#define SLEEP_MASKED "msr daifset, #15\n wfi"
#endif

__attribute__((used)) static const volatile uint32_t mode[2] = {0x600dc0de, 0};
static presil_cpu_exchange exchange;
static volatile uint32_t words[4] = {1, 2, 3, 4}; /* no instructions */

/* Too deep for any stack. */
__attribute__((noinline)) static uint32_t deeper(uint32_t n) {
  volatile uint32_t frame[64];
  frame[n % 64] = n;
  if (n == mode[0]) return n;
  return deeper(n + 1) + frame[n % 64];
}

int main(void) {
  CONTROL(PRESIL_CPU_EXCHANGE) = mode[1] == 1 ? 4 : (uint32_t)(uintptr_t)&exchange;
  (void)CONTROL(PRESIL_CPU_REQUEST);
  if (mode[1] == 2) (void)CONTROL(PRESIL_CPU_REQUEST);
  if (mode[1] == 3) __asm volatile(SLEEP_MASKED);
  if (mode[1] == 4) CONTROL(PRESIL_CPU_REMAP) = 1;
  if (mode[1] == 5) return (int)deeper(0);
  if (mode[1] == 6) ((void (*)(void))((uintptr_t)words | 1))();
  if (mode[1] == 7) return (int)*(volatile uint32_t*)(uintptr_t)0x30000000;
  return 7;
}
