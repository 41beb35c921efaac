/* Entry, reset and trap handler of an RV64 hart in machine mode. Traps end the program: interrupts
 * stay masked, the port waits for them by WFI. */
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

/* "fault: mepc ra mcause mtval", on a stack of its own: the program's may be what failed. */
__attribute__((used)) static uint64_t fault_stack[64];

void presil_fault(uint64_t pc, uint64_t from, uint64_t cause, uint64_t value);
void presil_fault(uint64_t pc, uint64_t from, uint64_t cause, uint64_t value) {
  const uintptr_t words[4] = {pc, from, cause, value};
  presil_core_fault(words, (unsigned)cause & 63);
}

/* sp in mscratch: of a stack that has overflowed it is the witness. */
__attribute__((naked, aligned(4), used)) static void fault(void) {
  __asm volatile(
      "csrw mscratch, sp\n la sp, fault_stack\n addi sp, sp, 512\n"
      "csrr a0, mepc\n mv a1, ra\n csrr a2, mcause\n csrr a3, mtval\n j presil_fault");
}

__attribute__((naked, section(".entry"), used)) void presil_entry(void);
void presil_entry(void) {
  __asm volatile(
      "la t0, fault\n csrw mtvec, t0\n li t0, 0x6000\n csrs mstatus, t0\n fscsr zero\n"
      "la sp, presil_stack_top\n j presil_reset");
}
