/* A core of the M profile: DWT, SysTick, NVIC. */
#include "driver/port/baremetal/core.h"

#define REGISTER(address) (*(volatile uint32_t*)(uintptr_t)(address))
#define DEMCR REGISTER(0xe000edfcu)
#define DWT_CONTROL REGISTER(0xe0001000u)
#define DWT_CYCLES REGISTER(0xe0001004u)
#define TIMER_CONTROL REGISTER(0xe000e010u)
#define TIMER_RELOAD REGISTER(0xe000e014u)
#define TIMER_VALUE REGISTER(0xe000e018u)
#define INTERRUPT_ENABLE(line) REGISTER(0xe000e100u + (line) / 32 * 4)
#define INTERRUPT_PENDING(line) REGISTER(0xe000e200u + (line) / 32 * 4)
#define INTERRUPT_CLEAR(line) REGISTER(0xe000e280u + (line) / 32 * 4)
#define CONTROL_STATE REGISTER(0xe000ed04u)
#define CLEAR_TIMER (1u << 25)
#define MOST_TICKS 0xffffffu

static uint32_t bit_of(const presil_baremetal* b) {
  return 1u << b->interrupt % 32;
}

void presil_core_start(presil_baremetal* b) {
  DEMCR |= 1u << 24;
  DWT_CONTROL |= 1;
  b->counted = DWT_CYCLES;
}

/* The counter has 32 bits. */
uint64_t presil_core_passed(presil_baremetal* b) {
  const uint32_t now = DWT_CYCLES, passed = now - (uint32_t)b->counted;
  b->counted = now;
  return passed;
}

void presil_core_watch(const presil_baremetal* b) {
  __asm volatile("cpsid i" ::: "memory");
  INTERRUPT_ENABLE(b->interrupt) = bit_of(b);
}

bool presil_core_line_is_up(const presil_baremetal* b) {
  INTERRUPT_CLEAR(b->interrupt) = bit_of(b); /* stays pending while it is high */
  return (INTERRUPT_PENDING(b->interrupt) & bit_of(b)) != 0;
}

void presil_core_wait(const presil_baremetal* b, uint64_t us) {
  const uint64_t most = MOST_TICKS / b->cycles_per_us;
  TIMER_RELOAD = (uint32_t)(us < most ? us : most) * b->cycles_per_us;
  TIMER_VALUE = 0;
  TIMER_CONTROL = 7;
  __asm volatile("dsb\n wfi" ::: "memory");
  TIMER_CONTROL = 0;
  CONTROL_STATE = CLEAR_TIMER;
}

void presil_core_complete(void) {
  __asm volatile("dsb" ::: "memory");
}
