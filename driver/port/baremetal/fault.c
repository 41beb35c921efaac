/* What a fault's handler tells, on every core. */
#include "driver/port/baremetal/core.h"
#include "driver/port/baremetal/semihosting.h"

#define DIGITS (2 * (int)sizeof(uintptr_t))

void presil_core_fault(const uintptr_t words[4], unsigned number) {
  char text[8 + 4 * (2 * sizeof(uintptr_t) + 1)] = "fault: ", *at = text + 7;
  for (int i = 0; i < 4; ++i) {
    for (int digit = DIGITS - 1; digit >= 0; --digit)
      *at++ = "0123456789abcdef"[words[i] >> 4 * digit & 15];
    *at++ = ' ';
  }
  at[-1] = 0;
  presil_semihosting_write(text);
  presil_semihosting_exit((int)(128 + number));
}
