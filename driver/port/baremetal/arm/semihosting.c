#include "driver/port/baremetal/semihosting.h"

#include <stdint.h>

#define SYS_WRITE0 0x04
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT 0x20026u

static void request(uint32_t operation, const void* parameter) {
  register uint32_t r0 __asm("r0") = operation;
  register const void* r1 __asm("r1") = parameter;
  __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void presil_semihosting_write(const char* text) {
  request(SYS_WRITE0, text);
}

void presil_semihosting_exit(int status) {
  const uint32_t block[2] = {APPLICATION_EXIT, (uint32_t)status};
  for (;;) request(SYS_EXIT_EXTENDED, block);
}
