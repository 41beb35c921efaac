/* What differs from core to core: its counter, its sleep, its barrier (arm/, rv64/, aarch64/). */
#ifndef PRESIL_BAREMETAL_CORE_H
#define PRESIL_BAREMETAL_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/port/baremetal/baremetal_port.h"

/* Cycles since the core's counter was last asked; the first time since it was started. */
uint64_t presil_core_passed(presil_baremetal* b);
void presil_core_start(presil_baremetal* b);

/* Interrupts are masked from here on and the line is enabled: no handler runs, but sleep ends. */
void presil_core_watch(const presil_baremetal* b);
bool presil_core_line_is_up(const presil_baremetal* b);
/* Sleeps until the line is up or so many microseconds have passed; may end before. */
void presil_core_wait(const presil_baremetal* b, uint64_t us);

/* All accesses before it are complete. */
void presil_core_complete(void);

/* "fault: " and four numbers, then the program ends with status 128 + `number`. */
_Noreturn void presil_core_fault(const uintptr_t words[4], unsigned number);

#endif
