/* What the simulation asks of the driver as firmware, and what it answers: a block of registers and
 * a structure in the firmware's memory. C11 and C++17; sim/host_cpu/README.md. */
#ifndef PRESIL_HOST_CPU_EXCHANGE_H
#define PRESIL_HOST_CPU_EXCHANGE_H

#include <stdint.h>

/* The address space of the core, besides flash and RAM (driver/port/baremetal/link.ld). */
#define PRESIL_CPU_TILE 0x40000000u    /* registers of the tile, 64 MiB */
#define PRESIL_CPU_CONTROL 0x50000000u /* the registers below */
#define PRESIL_CPU_WINDOW 0x60000000u  /* into DRAM */
#define PRESIL_CPU_MOST_WINDOW 0x40000000u
#define PRESIL_CPU_INTERRUPT 0 /* line of the tile's host block */

enum presil_cpu_register {
  PRESIL_CPU_REQUEST = 0x00,  /* read: the next request; the core stands until there is one */
  PRESIL_CPU_DONE = 0x04,     /* write: presil_status of the request */
  PRESIL_CPU_EXCHANGE = 0x08, /* write: address of the structure below */
  PRESIL_CPU_REMAP = 0x0c,    /* write: system address / 4096 of the window's first byte */
  PRESIL_CPU_TAG = 0x10,      /* write: tag of what the next one tells */
  PRESIL_CPU_STATE = 0x14,    /* write: presil_host_state, counter id << 8: for records */
  PRESIL_CPU_PHASE = 0x18,    /* write: presil_cpu_phase that begins, of an inference */
  PRESIL_CPU_CONTROL_BYTES = 0x1c
};

enum presil_cpu_phase {
  PRESIL_CPU_COPIES_INPUT = 0,
  PRESIL_CPU_DRIVER = 1, /* from the submission to the end of the wait */
  PRESIL_CPU_COPIES_OUTPUT = 2,
  PRESIL_CPU_INFERRED = 3
};

enum presil_cpu_request {
  PRESIL_CPU_OPEN = 1,
  PRESIL_CPU_LOAD = 2,
  PRESIL_CPU_RUN = 3,
  PRESIL_CPU_CANCEL = 4 /* the job that has not ended in time */
};

#define PRESIL_CPU_EDGES 16
#define PRESIL_CPU_REGIONS 8
#define PRESIL_CPU_KERNEL_WORDS 8

typedef struct presil_cpu_edge {
  uint64_t address; /* of the system */
  uint64_t bytes;
} presil_cpu_edge;

typedef struct presil_cpu_exchange {
  /* of the simulation */
  uint64_t timeout_ns;
  uint32_t window_bytes; /* of the window: what the firmware may give out as buffers */
  uint32_t cycles_per_us;
  uint32_t loadable, loadable_bytes; /* as the core sees it */
  /* The program's own buffers of inputs and outputs, as the core sees them. */
  uint32_t given[PRESIL_CPU_EDGES], taken[PRESIL_CPU_EDGES];
  char stamp[68]; /* of the SoC: SHA-256 in hexadecimal digits */
  /* of the firmware */
  uint32_t kernels[PRESIL_CPU_KERNEL_WORDS]; /* bit k: it has kernel k of the host */
  uint32_t inputs, outputs;
  presil_cpu_edge input[PRESIL_CPU_EDGES], output[PRESIL_CPU_EDGES];
  uint64_t region[PRESIL_CPU_REGIONS]; /* system addresses, 0: not used */
  char error[1024];                    /* of a request that was not done */
} presil_cpu_exchange;

#endif
