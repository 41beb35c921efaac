#include "driver/port/baremetal/semihosting.h"

#include <stdint.h>

#define SYS_WRITE0 0x04
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT 0x20026u

static void request(uint64_t operation, const void* parameter) {
  register uint64_t x0 __asm("x0") = operation;
  register const void* x1 __asm("x1") = parameter;
  __asm volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
}

void presil_semihosting_write(const char* text) {
  request(SYS_WRITE0, text);
}

void presil_semihosting_exit(int status) {
  const uint64_t block[2] = {APPLICATION_EXIT, (uint64_t)(uint32_t)status};
  for (;;) request(SYS_EXIT_EXTENDED, block);
}
