/* Where things are in the 40-bit system address space; rtl/soc/README.md has the drawing. C11. */
#ifndef PRESIL_RTL_SOC_ADDRESS_MAP_H
#define PRESIL_RTL_SOC_ADDRESS_MAP_H

#include "rtl/soc/engine_kinds.h"

/* A tile's window is 64 MiB: tile t begins at t << 26 (8192 tiles below bit 39). */
#define PRESIL_TILE_SHIFT 26
#define PRESIL_TILE_BASE(tile) ((uint64_t)(tile) << PRESIL_TILE_SHIFT)

/* Offsets inside a tile; those of engines are in engine_kinds.h. */
#define PRESIL_TILE_SYNC 0x0030000u
#define PRESIL_TILE_USER 0x0050000u /* a block of the user's own, if there is one */
#define PRESIL_TILE_BLOCK_BYTES 0x0010000u
#define PRESIL_TILE_SRAM 0x1000000u /* 16 MiB window, 24-bit offsets */
#define PRESIL_TILE_SRAM_BYTES 0x1000000u

/* DRAM: everything with bit 39 set. */
#define PRESIL_DRAM_BASE 0x8000000000ull

/* Limits of one AXI burst: it never crosses a 256 B boundary. */
#define PRESIL_BURST_BYTES 256u

/* Regions of a job (job entry words 8 to 23), in the order every compiler uses. */
enum presil_region {
  PRESIL_REGION_CONSTANTS = 0, /* the loadable's image: streams, weights, tables */
  PRESIL_REGION_INPUTS = 1,
  PRESIL_REGION_OUTPUTS = 2,
  PRESIL_REGION_SCRATCH = 3, /* spilled tensors, operands and results of host tasks */
  PRESIL_REGIONS = 8
};

/* The user's block as a master of the crossbar; it has no queue. */
#define PRESIL_MASTER_USER PRESIL_QUEUES

/* Counters of a compiled network: queue q signals id 1 + q, relative to the job's sync_base. */
#define PRESIL_QUEUE_COUNTER(queue) (1u + (queue))

#endif
