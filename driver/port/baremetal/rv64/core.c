/* RV64, machine mode, CLINT; the tile's line is the external interrupt of the hart. */
#include "driver/port/baremetal/core.h"

#define COMPARE (*(volatile uint64_t*)(uintptr_t)0x02004000u)
#define TIME (*(volatile uint64_t*)(uintptr_t)0x0200bff8u)
#define TIMER (1u << 7)
#define EXTERNAL (1u << 11)

static uint64_t cycles(void) {
  uint64_t now;
  __asm volatile("csrr %0, cycle" : "=r"(now));
  return now;
}

void presil_core_start(presil_baremetal* b) {
  b->counted = cycles();
}

uint64_t presil_core_passed(presil_baremetal* b) {
  const uint64_t now = cycles(), passed = now - b->counted;
  b->counted = now;
  return passed;
}

void presil_core_watch(const presil_baremetal* b) {
  (void)b;
  __asm volatile("csrci mstatus, 8" ::: "memory");
  __asm volatile("csrw mie, %0" ::"r"(TIMER | EXTERNAL) : "memory");
}

bool presil_core_line_is_up(const presil_baremetal* b) {
  uint64_t pending;
  (void)b;
  __asm volatile("csrr %0, mip" : "=r"(pending)::"memory");
  return (pending & EXTERNAL) != 0;
}

/* mtime counts cycles of the core. */
void presil_core_wait(const presil_baremetal* b, uint64_t us) {
  const uint64_t most = UINT32_MAX;
  COMPARE = TIME + (us < most ? us : most) * b->cycles_per_us;
  __asm volatile("wfi" ::: "memory");
  COMPARE = UINT64_MAX;
}

void presil_core_complete(void) {
  __asm volatile("fence iorw, iorw" ::: "memory");
}
