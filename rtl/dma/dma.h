// Printed from rtl/dma/dma.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include "rtl/common/field.h"
#include "rtl/common/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

enum presil_dma_op {
  PRESIL_DMA_OP_NOP = 0, /* Waits, then signals; uses words 0 to 6 only. */
  PRESIL_DMA_OP_COPY = 1, /* Reads the source rows as one byte stream and writes it to the destination rows. */
  PRESIL_DMA_OP_FILL = 2, /* Writes the pattern of word 7 to the destination rows; reads nothing. */
};

enum presil_dma_space {
  PRESIL_DMA_SPACE_SRAM = 0, /* The tile's SRAM: 24-bit offset plus sram_base of the job. */
  PRESIL_DMA_SPACE_SYSTEM = 1, /* A region of the job: 40-bit offset plus region_base. */
};

enum presil_dma_pack {
  PRESIL_DMA_PACK_NONE = 0, /* Bytes as they are. */
  PRESIL_DMA_PACK_PAD = 1, /* Cut the source stream into elements of elem_bytes, pad each with the pattern to a multiple of 16. */
  PRESIL_DMA_PACK_DROP = 2, /* The inverse: drop the padding of each element of elem_bytes. */
};

/* DMA channel counters: offsets in bytes, fields as shift and mask in place. */
#define PRESIL_DMA_COUNTERS_SIZE 0x200u
#define PRESIL_DMA_COUNTERS_REG_CONTROL 0x0u
#define PRESIL_DMA_COUNTERS_CONTROL_SNAPSHOT_SHIFT 0u
#define PRESIL_DMA_COUNTERS_CONTROL_SNAPSHOT_MASK 0x1u
#define PRESIL_DMA_COUNTERS_CONTROL_CLEAR_SHIFT 1u
#define PRESIL_DMA_COUNTERS_CONTROL_CLEAR_MASK 0x2u
#define PRESIL_DMA_COUNTERS_REG_CYCLES 0x8u
#define PRESIL_DMA_COUNTERS_REG_CYCLES_HI 0xcu
#define PRESIL_DMA_COUNTERS_CYCLES_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_CYCLES_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_RUN 0x10u
#define PRESIL_DMA_COUNTERS_REG_RUN_HI 0x14u
#define PRESIL_DMA_COUNTERS_RUN_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_RUN_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_READ_CREDIT 0x18u
#define PRESIL_DMA_COUNTERS_REG_READ_CREDIT_HI 0x1cu
#define PRESIL_DMA_COUNTERS_READ_CREDIT_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_READ_CREDIT_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_DRAM_ROW 0x20u
#define PRESIL_DMA_COUNTERS_REG_DRAM_ROW_HI 0x24u
#define PRESIL_DMA_COUNTERS_DRAM_ROW_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_DRAM_ROW_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_DRAM_TURNAROUND 0x28u
#define PRESIL_DMA_COUNTERS_REG_DRAM_TURNAROUND_HI 0x2cu
#define PRESIL_DMA_COUNTERS_DRAM_TURNAROUND_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_DRAM_TURNAROUND_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_DRAM_REFRESH 0x30u
#define PRESIL_DMA_COUNTERS_REG_DRAM_REFRESH_HI 0x34u
#define PRESIL_DMA_COUNTERS_DRAM_REFRESH_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_DRAM_REFRESH_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_DRAM_BUSY 0x38u
#define PRESIL_DMA_COUNTERS_REG_DRAM_BUSY_HI 0x3cu
#define PRESIL_DMA_COUNTERS_DRAM_BUSY_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_DRAM_BUSY_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_WRITE_QUEUE 0x40u
#define PRESIL_DMA_COUNTERS_REG_WRITE_QUEUE_HI 0x44u
#define PRESIL_DMA_COUNTERS_WRITE_QUEUE_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_WRITE_QUEUE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_SRAM_PORT 0x48u
#define PRESIL_DMA_COUNTERS_REG_SRAM_PORT_HI 0x4cu
#define PRESIL_DMA_COUNTERS_SRAM_PORT_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_SRAM_PORT_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_FETCH 0x50u
#define PRESIL_DMA_COUNTERS_REG_FETCH_HI 0x54u
#define PRESIL_DMA_COUNTERS_FETCH_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_FETCH_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_DRAIN 0x58u
#define PRESIL_DMA_COUNTERS_REG_DRAIN_HI 0x5cu
#define PRESIL_DMA_COUNTERS_DRAIN_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_DRAIN_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_IDLE 0x60u
#define PRESIL_DMA_COUNTERS_REG_IDLE_HI 0x64u
#define PRESIL_DMA_COUNTERS_IDLE_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_IDLE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_COMMANDS 0x68u
#define PRESIL_DMA_COUNTERS_REG_COMMANDS_HI 0x6cu
#define PRESIL_DMA_COUNTERS_COMMANDS_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_COMMANDS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_BYTES_READ 0x70u
#define PRESIL_DMA_COUNTERS_REG_BYTES_READ_HI 0x74u
#define PRESIL_DMA_COUNTERS_BYTES_READ_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_BYTES_READ_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_BYTES_WRITTEN 0x78u
#define PRESIL_DMA_COUNTERS_REG_BYTES_WRITTEN_HI 0x7cu
#define PRESIL_DMA_COUNTERS_BYTES_WRITTEN_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_BYTES_WRITTEN_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DMA_COUNTERS_REG_WAIT(i) (0x100u + 0x8u * (i))
#define PRESIL_DMA_COUNTERS_REG_WAIT_HI(i) (0x104u + 0x8u * (i))
#define PRESIL_DMA_COUNTERS_WAIT_COUNT 4u
#define PRESIL_DMA_COUNTERS_WAIT_VALUE_SHIFT 0u
#define PRESIL_DMA_COUNTERS_WAIT_VALUE_MASK 0xffffffffffffffffull

/* DMA registers: offsets in bytes, fields as shift and mask in place. */
#define PRESIL_DMA_SIZE 0x2000u
#define PRESIL_DMA_REG_ID 0x0u
#define PRESIL_DMA_ID_ISA_VERSION_SHIFT 0u
#define PRESIL_DMA_ID_ISA_VERSION_MASK 0xffu
#define PRESIL_DMA_ID_QUEUES_SHIFT 8u
#define PRESIL_DMA_ID_QUEUES_MASK 0xff00u
#define PRESIL_DMA_ID_CONTEXTS_SHIFT 16u
#define PRESIL_DMA_ID_CONTEXTS_MASK 0xff0000u
#define PRESIL_DMA_ID_PREFETCH_SHIFT 24u
#define PRESIL_DMA_ID_PREFETCH_MASK 0xff000000u
#define PRESIL_DMA_REG_BURSTS 0x4u
#define PRESIL_DMA_BURSTS_BYTES_SHIFT 0u
#define PRESIL_DMA_BURSTS_BYTES_MASK 0xffffu
#define PRESIL_DMA_BURSTS_PER_CHANNEL_SHIFT 16u
#define PRESIL_DMA_BURSTS_PER_CHANNEL_MASK 0xff0000u
#define PRESIL_DMA_BURSTS_TOTAL_SHIFT 24u
#define PRESIL_DMA_BURSTS_TOTAL_MASK 0xff000000u
#define PRESIL_DMA_REG_WIDTH 0x8u
#define PRESIL_DMA_WIDTH_AXI_SHIFT 0u
#define PRESIL_DMA_WIDTH_AXI_MASK 0xffffu
#define PRESIL_DMA_WIDTH_SRAM_READ_PORTS_SHIFT 16u
#define PRESIL_DMA_WIDTH_SRAM_READ_PORTS_MASK 0xff0000u
#define PRESIL_DMA_WIDTH_SRAM_WRITE_PORTS_SHIFT 24u
#define PRESIL_DMA_WIDTH_SRAM_WRITE_PORTS_MASK 0xff000000u
#define PRESIL_DMA_REG_CAPABILITY 0xcu
#define PRESIL_DMA_CAPABILITY_MULTICAST_SHIFT 0u
#define PRESIL_DMA_CAPABILITY_MULTICAST_MASK 0x1u
#define PRESIL_DMA_REG_SRAM 0x10u
#define PRESIL_DMA_SRAM_BYTES_SHIFT 0u
#define PRESIL_DMA_SRAM_BYTES_MASK 0xffffffffu
#define PRESIL_DMA_REG_CHANNEL(i) (0x200u + 0x100u * (i)) /* + PRESIL_QUEUE_REG_... */
#define PRESIL_DMA_CHANNEL_COUNT 8u
#define PRESIL_DMA_REG_CHANNEL_CONTROL(i) (0x200u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_STATUS(i) (0x204u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_RING_BASE(i) (0x208u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_RING_SIZE_LOG2(i) (0x210u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_HEAD(i) (0x214u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_TAIL(i) (0x218u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_IRQ_STATUS(i) (0x21cu + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_IRQ_ENABLE(i) (0x220u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_CURRENT_JOB(i) (0x224u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_CURRENT_COMMAND(i) (0x228u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_ERROR(i) (0x22cu + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_ERROR_JOB_TAG(i) (0x230u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_ERROR_COMMAND_INDEX(i) (0x234u + 0x100u * (i))
#define PRESIL_DMA_REG_CHANNEL_ERROR_ADDRESS(i) (0x238u + 0x100u * (i))
#define PRESIL_DMA_REG_COUNTERS(i) (0x1000u + 0x200u * (i)) /* + PRESIL_DMA_COUNTERS_REG_... */
#define PRESIL_DMA_COUNTERS_COUNT 8u
#define PRESIL_DMA_REG_COUNTERS_CONTROL(i) (0x1000u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_CYCLES(i) (0x1008u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_RUN(i) (0x1010u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_READ_CREDIT(i) (0x1018u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_DRAM_ROW(i) (0x1020u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_DRAM_TURNAROUND(i) (0x1028u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_DRAM_REFRESH(i) (0x1030u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_DRAM_BUSY(i) (0x1038u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_WRITE_QUEUE(i) (0x1040u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_SRAM_PORT(i) (0x1048u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_FETCH(i) (0x1050u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_DRAIN(i) (0x1058u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_IDLE(i) (0x1060u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_COMMANDS(i) (0x1068u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_BYTES_READ(i) (0x1070u + 0x200u * (i))
#define PRESIL_DMA_REG_COUNTERS_BYTES_WRITTEN(i) (0x1078u + 0x200u * (i))

/* DMA command. 128 bytes. Source and destination walk a row and four dimensions each; between them is a byte stream. */
#define PRESIL_DMA_COMMAND_WORDS 32u
#define PRESIL_DMA_COMMAND_BYTES 128u
#define PRESIL_DMA_COMMAND_PITCH 128u
#define PRESIL_DMA_ISA_VERSION 1u

/* Largest legal values of fields that hold numbers. */
#define PRESIL_DMA_COMMAND_SRC_REGION_MAX 7u
#define PRESIL_DMA_COMMAND_DST_REGION_MAX 7u
#define PRESIL_DMA_COMMAND_TAG_MAX 4294967295u
#define PRESIL_DMA_COMMAND_WAIT0_MAX 255u
#define PRESIL_DMA_COMMAND_WAIT1_MAX 255u
#define PRESIL_DMA_COMMAND_SIGNAL_MAX 255u
#define PRESIL_DMA_COMMAND_WAIT0_VALUE_MAX 2147483647
#define PRESIL_DMA_COMMAND_WAIT1_VALUE_MAX 2147483647
#define PRESIL_DMA_COMMAND_SIGNAL_ADD_MAX 65535u
#define PRESIL_DMA_COMMAND_ELEM_BYTES_MAX 4095u
#define PRESIL_DMA_COMMAND_PATTERN_MAX 4294967295u
#define PRESIL_DMA_COMMAND_SRC_BASE_MAX 1099511627775ull
#define PRESIL_DMA_COMMAND_SRC_ROW_BYTES_MAX 16777215u
#define PRESIL_DMA_COMMAND_SRC_N1_MAX 65535u
#define PRESIL_DMA_COMMAND_SRC_N2_MAX 65535u
#define PRESIL_DMA_COMMAND_SRC_N3_MAX 65535u
#define PRESIL_DMA_COMMAND_SRC_N4_MAX 65535u
#define PRESIL_DMA_COMMAND_SRC_STRIDE1_MAX 2147483647
#define PRESIL_DMA_COMMAND_SRC_STRIDE2_MAX 2147483647
#define PRESIL_DMA_COMMAND_SRC_STRIDE3_MAX 2147483647
#define PRESIL_DMA_COMMAND_SRC_STRIDE4_MAX 2147483647
#define PRESIL_DMA_COMMAND_DST_BASE_MAX 1099511627775ull
#define PRESIL_DMA_COMMAND_DST_ROW_BYTES_MAX 16777215u
#define PRESIL_DMA_COMMAND_DST_N1_MAX 65535u
#define PRESIL_DMA_COMMAND_DST_N2_MAX 65535u
#define PRESIL_DMA_COMMAND_DST_N3_MAX 65535u
#define PRESIL_DMA_COMMAND_DST_N4_MAX 65535u
#define PRESIL_DMA_COMMAND_DST_STRIDE1_MAX 2147483647
#define PRESIL_DMA_COMMAND_DST_STRIDE2_MAX 2147483647
#define PRESIL_DMA_COMMAND_DST_STRIDE3_MAX 2147483647
#define PRESIL_DMA_COMMAND_DST_STRIDE4_MAX 2147483647
#define PRESIL_DMA_COMMAND_DST_TILE_MASK_MAX 0u

enum presil_dma_command_field {
  PRESIL_DMA_COMMAND_OP,
  PRESIL_DMA_COMMAND_SRC_SPACE,
  PRESIL_DMA_COMMAND_DST_SPACE,
  PRESIL_DMA_COMMAND_SRC_REGION,
  PRESIL_DMA_COMMAND_DST_REGION,
  PRESIL_DMA_COMMAND_XOR80,
  PRESIL_DMA_COMMAND_PACK,
  PRESIL_DMA_COMMAND_FENCE,
  PRESIL_DMA_COMMAND_IRQ,
  PRESIL_DMA_COMMAND_ISA_VERSION,
  PRESIL_DMA_COMMAND_TAG,
  PRESIL_DMA_COMMAND_WAIT0,
  PRESIL_DMA_COMMAND_WAIT1,
  PRESIL_DMA_COMMAND_SIGNAL,
  PRESIL_DMA_COMMAND_WAIT0_VALUE,
  PRESIL_DMA_COMMAND_WAIT1_VALUE,
  PRESIL_DMA_COMMAND_SIGNAL_ADD,
  PRESIL_DMA_COMMAND_ELEM_BYTES,
  PRESIL_DMA_COMMAND_PATTERN,
  PRESIL_DMA_COMMAND_SRC_BASE,
  PRESIL_DMA_COMMAND_SRC_ROW_BYTES,
  PRESIL_DMA_COMMAND_SRC_N1,
  PRESIL_DMA_COMMAND_SRC_N2,
  PRESIL_DMA_COMMAND_SRC_N3,
  PRESIL_DMA_COMMAND_SRC_N4,
  PRESIL_DMA_COMMAND_SRC_STRIDE1,
  PRESIL_DMA_COMMAND_SRC_STRIDE2,
  PRESIL_DMA_COMMAND_SRC_STRIDE3,
  PRESIL_DMA_COMMAND_SRC_STRIDE4,
  PRESIL_DMA_COMMAND_DST_BASE,
  PRESIL_DMA_COMMAND_DST_ROW_BYTES,
  PRESIL_DMA_COMMAND_DST_N1,
  PRESIL_DMA_COMMAND_DST_N2,
  PRESIL_DMA_COMMAND_DST_N3,
  PRESIL_DMA_COMMAND_DST_N4,
  PRESIL_DMA_COMMAND_DST_STRIDE1,
  PRESIL_DMA_COMMAND_DST_STRIDE2,
  PRESIL_DMA_COMMAND_DST_STRIDE3,
  PRESIL_DMA_COMMAND_DST_STRIDE4,
  PRESIL_DMA_COMMAND_DST_TILE_MASK,
  PRESIL_DMA_COMMAND_FIELDS
};

static inline const struct presil_command_format* presil_dma_command_format(void) {
  static const char* const op_codes[] = {"nop", "copy", "fill"};
  static const char* const space_codes[] = {"sram", "system"};
  static const char* const pack_codes[] = {"none", "pad", "drop"};
  /* name, codes, min, max, legal_codes, used_by, multiple_of, word, lsb, width, is_signed, code_count, is_hex */
  static const struct presil_field fields[] = {
      {"op", op_codes, 0, 2, 0x7, 0x0, 1, 0, 0, 4, 0, 3, 0},
      {"src_space", space_codes, 0, 1, 0x3, 0x2, 1, 0, 4, 1, 0, 2, 0},
      {"dst_space", space_codes, 0, 1, 0x3, 0x6, 1, 0, 5, 1, 0, 2, 0},
      {"src_region", NULL, 0, 7, 0x0, 0x2, 1, 0, 6, 3, 0, 0, 0},
      {"dst_region", NULL, 0, 7, 0x0, 0x6, 1, 0, 9, 3, 0, 0, 0},
      {"xor80", NULL, 0, 1, 0x0, 0x2, 1, 0, 12, 1, 0, 0, 0},
      {"pack", pack_codes, 0, 2, 0x7, 0x2, 1, 0, 13, 2, 0, 3, 0},
      {"fence", NULL, 0, 1, 0x0, 0x0, 1, 0, 20, 1, 0, 0, 0},
      {"irq", NULL, 0, 1, 0x0, 0x0, 1, 0, 21, 1, 0, 0, 0},
      {"isa_version", NULL, 1, 1, 0x0, 0x0, 1, 0, 24, 8, 0, 0, 0},
      {"tag", NULL, 0, 4294967295, 0x0, 0x0, 1, 1, 0, 32, 0, 0, 0},
      {"wait0", NULL, 0, 255, 0x0, 0x0, 1, 2, 0, 8, 0, 0, 0},
      {"wait1", NULL, 0, 255, 0x0, 0x0, 1, 2, 8, 8, 0, 0, 0},
      {"signal", NULL, 0, 255, 0x0, 0x0, 1, 2, 24, 8, 0, 0, 0},
      {"wait0_value", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 3, 0, 32, 1, 0, 0},
      {"wait1_value", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 4, 0, 32, 1, 0, 0},
      {"signal_add", NULL, 0, 65535, 0x0, 0x0, 1, 6, 0, 16, 0, 0, 0},
      {"elem_bytes", NULL, 0, 4095, 0x0, 0x2, 1, 6, 16, 12, 0, 0, 0},
      {"pattern", NULL, 0, 4294967295, 0x0, 0x6, 1, 7, 0, 32, 0, 0, 1},
      {"src_base", NULL, 0, 1099511627775, 0x0, 0x2, 1, 8, 0, 40, 0, 0, 1},
      {"src_row_bytes", NULL, 1, 16777215, 0x0, 0x2, 1, 9, 8, 24, 0, 0, 0},
      {"src_n1", NULL, 1, 65535, 0x0, 0x2, 1, 10, 0, 16, 0, 0, 0},
      {"src_n2", NULL, 1, 65535, 0x0, 0x2, 1, 10, 16, 16, 0, 0, 0},
      {"src_n3", NULL, 1, 65535, 0x0, 0x2, 1, 11, 0, 16, 0, 0, 0},
      {"src_n4", NULL, 1, 65535, 0x0, 0x2, 1, 11, 16, 16, 0, 0, 0},
      {"src_stride1", NULL, -2147483648, 2147483647, 0x0, 0x2, 1, 12, 0, 32, 1, 0, 0},
      {"src_stride2", NULL, -2147483648, 2147483647, 0x0, 0x2, 1, 13, 0, 32, 1, 0, 0},
      {"src_stride3", NULL, -2147483648, 2147483647, 0x0, 0x2, 1, 14, 0, 32, 1, 0, 0},
      {"src_stride4", NULL, -2147483648, 2147483647, 0x0, 0x2, 1, 15, 0, 32, 1, 0, 0},
      {"dst_base", NULL, 0, 1099511627775, 0x0, 0x6, 1, 16, 0, 40, 0, 0, 1},
      {"dst_row_bytes", NULL, 1, 16777215, 0x0, 0x6, 1, 17, 8, 24, 0, 0, 0},
      {"dst_n1", NULL, 1, 65535, 0x0, 0x6, 1, 18, 0, 16, 0, 0, 0},
      {"dst_n2", NULL, 1, 65535, 0x0, 0x6, 1, 18, 16, 16, 0, 0, 0},
      {"dst_n3", NULL, 1, 65535, 0x0, 0x6, 1, 19, 0, 16, 0, 0, 0},
      {"dst_n4", NULL, 1, 65535, 0x0, 0x6, 1, 19, 16, 16, 0, 0, 0},
      {"dst_stride1", NULL, -2147483648, 2147483647, 0x0, 0x6, 1, 20, 0, 32, 1, 0, 0},
      {"dst_stride2", NULL, -2147483648, 2147483647, 0x0, 0x6, 1, 21, 0, 32, 1, 0, 0},
      {"dst_stride3", NULL, -2147483648, 2147483647, 0x0, 0x6, 1, 22, 0, 32, 1, 0, 0},
      {"dst_stride4", NULL, -2147483648, 2147483647, 0x0, 0x6, 1, 23, 0, 32, 1, 0, 0},
      {"dst_tile_mask", NULL, 0, 0, 0x0, 0x6, 1, 24, 0, 32, 0, 0, 1},
  };
  static const uint32_t reserved[] = {
0x00cf8000, 0x00000000, 0x00ff0000, 0x00000000, 0x00000000, 0xffffffff, 0xf0000000, 0x00000000,
0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
0x00000000, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
  };
  static const struct presil_command_format format = {
      "dma_command", fields, reserved, PRESIL_DMA_COMMAND_FIELDS, PRESIL_DMA_COMMAND_WORDS, PRESIL_DMA_COMMAND_PITCH,
      PRESIL_DMA_COMMAND_OP, PRESIL_DMA_COMMAND_ISA_VERSION};
  return &format;
}

static inline const struct presil_field* presil_dma_command_fields(void) { return presil_dma_command_format()->fields; }

#ifdef __cplusplus
}
#endif
