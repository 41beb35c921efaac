/* Entry, reset and exception vectors of an A-profile core at EL1. Exceptions end the program:
 * interrupts stay masked, the port waits for them by WFI. */
#include <stdint.h>

#include "driver/port/baremetal/core.h"
#include "driver/port/baremetal/semihosting.h"

int main(void);

/* Of the linker script. */
extern uint32_t presil_data_load[], presil_data[], presil_data_end[], presil_bss[],
    presil_bss_end[];

_Noreturn void presil_reset(void);
void presil_reset(void) {
  for (uint32_t *to = presil_data, *from = presil_data_load; to < presil_data_end;) *to++ = *from++;
  for (uint32_t* to = presil_bss; to < presil_bss_end;) *to++ = 0;
  presil_semihosting_exit(main());
}

/* "fault: ELR LR ESR FAR", on a stack of its own: the program's may be what failed. */
__attribute__((used, aligned(16))) static uint64_t fault_stack[64];

void presil_fault(uint64_t pc, uint64_t from, uint64_t syndrome, uint64_t address);
void presil_fault(uint64_t pc, uint64_t from, uint64_t syndrome, uint64_t address) {
  const uintptr_t words[4] = {pc, from, syndrome, address};
  presil_core_fault(words, (unsigned)(syndrome >> 26) & 63);
}

__attribute__((naked, used)) static void fault(void) {
  __asm volatile(
      "adrp x4, fault_stack\n add x4, x4, :lo12:fault_stack\n add sp, x4, #512\n"
      "mrs x0, elr_el1\n mov x1, x30\n mrs x2, esr_el1\n mrs x3, far_el1\n b presil_fault");
}

/* Sixteen entries of 128 bytes. */
__attribute__((naked, used, section(".vectors"))) static void vectors(void) {
  __asm volatile(".rept 16\n .balign 128\n b %c0\n .endr" ::"S"(fault));
}

__attribute__((naked, used, section(".entry"))) void presil_entry(void);
void presil_entry(void) {
  __asm volatile(
      "adrp x0, vectors\n add x0, x0, :lo12:vectors\n msr vbar_el1, x0\n"
      "mov x0, #(3 << 20)\n msr cpacr_el1, x0\n isb\n"
      "ldr x0, =presil_stack_top\n mov sp, x0\n b presil_reset\n .ltorg");
}
