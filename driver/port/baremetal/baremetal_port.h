/* The driver's port on a core of its own, without an operating system, a heap or a C library.
 *
 * A core sees the tile's registers and the DRAM through two windows. An address that no
 * window reaches is not accessed: `alloc` refuses, `read32` answers all ones. */
#ifndef PRESIL_BAREMETAL_PORT_H
#define PRESIL_BAREMETAL_PORT_H

#include <presil/port.h>

typedef struct presil_window {
  uint32_t base;   /* as the core sees it */
  uint64_t system; /* 40-bit address of its first byte */
  uint32_t bytes;
} presil_window;

typedef struct presil_baremetal {
  presil_window registers;
  presil_window memory;   /* buffers are taken from it, one after the other */
  uint32_t interrupt;     /* line of the core that the tile raises */
  uint32_t cycles_per_us; /* of the core's clock */
  uint32_t used;          /* bytes of `memory`; 0 at the beginning */
  uint64_t cycles;        /* since the port was made */
  uint64_t counted;       /* the core's counter, when it was last read */
} presil_baremetal;

/* @param state filled in but for the last three fields; lives as long as the port */
presil_port presil_baremetal_port(presil_baremetal* state);

#endif
