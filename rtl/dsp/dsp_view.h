/* What a program on the DSP sees: its address map, the region table, its own registers, the state
 * in which it begins. C11. rtl/dsp/README.md has the rules; commands and registers on the bus are
 * printed from dsp.rdl. */
#ifndef PRESIL_RTL_DSP_VIEW_H
#define PRESIL_RTL_DSP_VIEW_H

#include <stdint.h>

/* ------------------------------------------------------------------------------- address map */

/* Below 0x1000 nothing ever answers: a null pointer traps. */
#define PRESIL_DSP_ITCM 0x10000000u /* instruction memory: read, execute */
#define PRESIL_DSP_EXIT 0x10f00000u /* an ecall, where `ra` points at entry: execute */
#define PRESIL_DSP_DTCM 0x11000000u /* data memory: read, write; stack at its top */
#define PRESIL_DSP_SRAM 0x20000000u /* + SRAM address (24 bits, sram_base included) */
#define PRESIL_DSP_OWN 0x30000000u  /* own registers */
/* DRAM: the SoC's own addresses, bit 39 set (rtl/soc/address_map.h). */

#define PRESIL_DSP_GUARD_BYTES 64u /* below the stack; an access traps with cause stack_guard */

/* -------------------------------------------------------------------------------- region table */

#define PRESIL_DSP_REGIONS 16u
#define PRESIL_DSP_REGION_BYTES 16u

/* Word 2 of an entry. */
#define PRESIL_DSP_REGION_SPACE_MASK 0x0000000fu
#define PRESIL_DSP_REGION_SPACE_SRAM                           \
  8u /* offset + sram_base of the job; 0..7: region of the job \
      */
#define PRESIL_DSP_REGION_READ 0x00000100u
#define PRESIL_DSP_REGION_WRITE 0x00000200u
#define PRESIL_DSP_REGION_TENSOR_SHIFT 16
#define PRESIL_DSP_REGION_NO_TENSOR 0xffffu
#define PRESIL_DSP_REGION_RESERVED 0x0000fcf0u /* bits of word 2 that must be 0 */

/* 16 bytes, little-endian, in SRAM: bytes that the program may touch. */
struct presil_dsp_region {
  uint32_t offset;   /* in its space, any byte */
  uint32_t bytes;    /* at least 1 */
  uint32_t what;     /* space [3:0], read [8], write [9], tensor of the loadable [31:16] */
  uint32_t reserved; /* 0 */
};

/* -------------------------------------------------------------------------------- own registers */

/* Offsets from PRESIL_DSP_OWN. Accesses of a register's own size, else the program traps. */
#define PRESIL_DSP_OWN_BYTES 0x200u
#define PRESIL_DSP_OWN_DMA_SOURCE 0x00u             /* u64, address in the program's view */
#define PRESIL_DSP_OWN_DMA_DESTINATION 0x08u        /* u64 */
#define PRESIL_DSP_OWN_DMA_ROW_BYTES 0x10u          /* u32 */
#define PRESIL_DSP_OWN_DMA_ROWS 0x14u               /* u32 */
#define PRESIL_DSP_OWN_DMA_SOURCE_STRIDE 0x18u      /* i32, from row to row */
#define PRESIL_DSP_OWN_DMA_DESTINATION_STRIDE 0x1cu /* i32 */
#define PRESIL_DSP_OWN_DMA_START 0x20u /* u32: any store starts a copy; a load gives its ticket */
#define PRESIL_DSP_OWN_DMA_WAIT 0x24u  /* u32: a store of a ticket ends when that copy has ended */
#define PRESIL_DSP_OWN_DMA_DONE 0x28u  /* u32: the ticket of the last copy that has ended */
#define PRESIL_DSP_OWN_CYCLE 0x30u     /* u64: cycles since the first instruction, as `rdcycle` */
#define PRESIL_DSP_OWN_ARGS 0x38u      /* u64: the argument block, as a0 at entry */
#define PRESIL_DSP_OWN_REGION_COUNT 0x40u /* u32: regions of this command */
#define PRESIL_DSP_OWN_REGION_BASE(k)                                                             \
  (0x100u + 8u * (k))                                     /* u64: first byte of region k; 0: none \
                                                           */
#define PRESIL_DSP_OWN_REGION_SIZE(k) (0x180u + 8u * (k)) /* u64: its bytes; 0: none */

#endif
