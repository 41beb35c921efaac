/* Registers of the histogram: offsets from PRESIL_TILE_USER. C11, for the driver's side too. */
#ifndef PRESIL_TESTBENCH_HISTOGRAM_REGISTERS_H
#define PRESIL_TESTBENCH_HISTOGRAM_REGISTERS_H

#define HISTOGRAM_ID 0x00u      /* HISTOGRAM_ID_VALUE */
#define HISTOGRAM_CONTROL 0x04u /* the doorbell: a write of 1 starts */
#define HISTOGRAM_STATUS 0x08u  /* a write clears done and failed */
#define HISTOGRAM_BYTES 0x0cu   /* a multiple of 16 */
#define HISTOGRAM_SOURCE 0x10u  /* address of the bytes, a multiple of 16; high word after it */
#define HISTOGRAM_TARGET 0x18u  /* of 256 counters of 32 bits, a multiple of 256; high word too */
#define HISTOGRAM_IRQ_ENABLE 0x20u
#define HISTOGRAM_CYCLES 0x24u /* of the last job, from its start to its end */

#define HISTOGRAM_ID_VALUE 0x48535447u
#define HISTOGRAM_BUSY 1u
#define HISTOGRAM_DONE 2u
#define HISTOGRAM_FAILED 4u

#define HISTOGRAM_COUNTERS 256u

#endif
