/* Firmware that breaks the rules of sim/host_cpu/exchange.h: which, the test writes over MODE. */
#include "sim/host_cpu/exchange.h"

#define CONTROL(offset) (*(volatile uint32_t*)(PRESIL_CPU_CONTROL + (offset)))

__attribute__((used)) static const volatile uint32_t mode[2] = {0x600dc0de, 0};
static presil_cpu_exchange exchange;

int main(void) {
  CONTROL(PRESIL_CPU_EXCHANGE) = mode[1] == 1 ? 4 : (uint32_t)(uintptr_t)&exchange;
  (void)CONTROL(PRESIL_CPU_REQUEST);
  if (mode[1] == 2) (void)CONTROL(PRESIL_CPU_REQUEST);
  if (mode[1] == 3) __asm volatile("cpsid i\n wfi");
  if (mode[1] == 4) CONTROL(PRESIL_CPU_REMAP) = 1;
  return 7;
}
