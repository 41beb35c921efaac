/* Vector table and reset of an Armv7-M or Armv8-M core without the Security Extension. Faults end
 * the program with status 128 + the exception's number. */
#include <stdint.h>

#include "driver/port/baremetal/core.h"
#include "driver/port/baremetal/semihosting.h"

int main(void);

/* Of the linker script. */
extern uint32_t presil_stack_top[], presil_data_load[], presil_data[], presil_data_end[],
    presil_bss[], presil_bss_end[];

#define CPACR (*(volatile uint32_t*)0xe000ed88u)

void presil_reset(void);
void presil_reset(void) {
  for (uint32_t *to = presil_data, *from = presil_data_load; to < presil_data_end;) *to++ = *from++;
  for (uint32_t* to = presil_bss; to < presil_bss_end;) *to++ = 0;
  CPACR |= 0xf00000; /* the float unit, if there is one */
  __asm volatile("dsb\n isb" ::: "memory");
  presil_semihosting_exit(main());
}

#define FAULT_STATUS (*(volatile uint32_t*)0xe000ed28u)
#define FAULT_ADDRESS (*(volatile uint32_t*)0xe000ed38u)

/* "fault: PC LR CFSR BFAR": of the instruction, as the core has stacked it. */
void presil_fault(const uint32_t* frame);
void presil_fault(const uint32_t* frame) {
  uint32_t number;
  __asm volatile("mrs %0, ipsr" : "=r"(number));
  const uintptr_t words[4] = {frame[6], frame[5], FAULT_STATUS, FAULT_ADDRESS};
  presil_core_fault(words, number);
}

__attribute__((naked)) static void fault(void) {
  __asm volatile("mrs r0, msp\n b presil_fault");
}

/* Interrupts stay masked: the port waits for them by WFI, which ends with masks too. */
__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))presil_stack_top,
    presil_reset,
    fault,
    fault,
    fault,
    fault,
    fault,
    0,
    0,
    0,
    0,
    fault,
    fault,
    0,
    fault,
    fault};
