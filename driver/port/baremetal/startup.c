/* Vector table and reset of an Armv7-M or Armv8-M core without the Security Extension. Faults end
 * the program with status 128 + the exception's number. */
#include <stdint.h>

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

static char* hexadecimal(char* at, uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) *at++ = "0123456789abcdef"[value >> shift & 15];
  *at++ = ' ';
  return at;
}

/* "fault: PC LR CFSR BFAR": of the instruction, as the core has stacked it. */
void presil_fault(const uint32_t* frame);
void presil_fault(const uint32_t* frame) {
  uint32_t number;
  char text[48] = "fault: ", *at = text + 7;
  __asm volatile("mrs %0, ipsr" : "=r"(number));
  at = hexadecimal(at, frame[6]);
  at = hexadecimal(at, frame[5]);
  at = hexadecimal(at, FAULT_STATUS);
  at = hexadecimal(at, FAULT_ADDRESS);
  at[-1] = 0;
  presil_semihosting_write(text);
  presil_semihosting_exit((int)(128 + number));
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
