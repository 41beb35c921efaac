/* Software for the histogram: nothing but the driver's port, as on silicon. C11. */
#ifndef PRESIL_TESTBENCH_HISTOGRAM_DRIVER_H
#define PRESIL_TESTBENCH_HISTOGRAM_DRIVER_H

#include <presil/port.h>

#include "testbench/example_block/histogram_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct histogram_result {
  const char* error; /* NULL: done */
  uint32_t status, cycles;
  uint64_t ns; /* from the doorbell to the driver after the interrupt */
} histogram_result;

/* Counts `bytes` bytes, a multiple of 16. `source` and `counts` are from the port's alloc; the
 * latter holds HISTOGRAM_COUNTERS words, at a multiple of 256. */
histogram_result histogram_run(const presil_port* port, const presil_memory* source, uint32_t bytes,
                               const presil_memory* counts);

#ifdef __cplusplus
}
#endif
#endif
