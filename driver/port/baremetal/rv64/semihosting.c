#include "driver/port/baremetal/semihosting.h"

#include <stdint.h>

#define SYS_WRITE0 0x04
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT 0x20026u

static void request(uint64_t operation, const void* parameter) {
  register uint64_t a0 __asm("a0") = operation;
  register const void* a1 __asm("a1") = parameter;
  __asm volatile(
      ".option push\n .option norvc\n .balign 16\n"
      "slli zero, zero, 31\n ebreak\n srai zero, zero, 7\n .option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
}

void presil_semihosting_write(const char* text) {
  request(SYS_WRITE0, text);
}

void presil_semihosting_exit(int status) {
  const uint64_t block[2] = {APPLICATION_EXIT, (uint64_t)(uint32_t)status};
  for (;;) request(SYS_EXIT_EXTENDED, block);
}
