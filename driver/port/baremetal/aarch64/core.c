/* An A-profile core at EL1, without MMU: the memory-mapped frame of the generic timer, and the
 * distributor of a GICv2, whose first shared interrupts are the tile's. */
#include "driver/port/baremetal/core.h"

#define REGISTER(address) (*(volatile uint32_t*)(uintptr_t)(address))
#define DISTRIBUTOR 0x08000000u
#define SET_ENABLE(id) REGISTER(DISTRIBUTOR + 0x100u + (id) / 32 * 4)
#define SET_PENDING(id) REGISTER(DISTRIBUTOR + 0x200u + (id) / 32 * 4)
#define FIRST_SHARED 32u
#define TIMER 0x08010000u
#define COUNT_LOW REGISTER(TIMER + 0x00u)
#define COUNT_HIGH REGISTER(TIMER + 0x04u)
#define COMPARE_LOW REGISTER(TIMER + 0x20u)
#define COMPARE_HIGH REGISTER(TIMER + 0x24u)
#define CONTROL REGISTER(TIMER + 0x2cu)

static uint64_t count(void) {
  for (;;) {
    const uint32_t high = COUNT_HIGH, low = COUNT_LOW;
    if (high == COUNT_HIGH) return (uint64_t)high << 32 | low;
  }
}

void presil_core_start(presil_baremetal* b) {
  b->counted = count();
}

/* The counter runs with the core's clock. */
uint64_t presil_core_passed(presil_baremetal* b) {
  const uint64_t now = count(), passed = now - b->counted;
  b->counted = now;
  return passed;
}

void presil_core_watch(const presil_baremetal* b) {
  const uint32_t id = FIRST_SHARED + b->interrupt;
  __asm volatile("msr daifset, #15" ::: "memory");
  SET_ENABLE(id) = 1u << id % 32;
}

bool presil_core_line_is_up(const presil_baremetal* b) {
  const uint32_t id = FIRST_SHARED + b->interrupt;
  return (SET_PENDING(id) >> id % 32 & 1) != 0;
}

void presil_core_wait(const presil_baremetal* b, uint64_t us) {
  const uint64_t most = UINT32_MAX, until = count() + (us < most ? us : most) * b->cycles_per_us;
  COMPARE_LOW = (uint32_t)until;
  COMPARE_HIGH = (uint32_t)(until >> 32);
  CONTROL = 1;
  __asm volatile("dsb sy\n wfi" ::: "memory");
  CONTROL = 0;
}

void presil_core_complete(void) {
  __asm volatile("dsb sy" ::: "memory");
}
