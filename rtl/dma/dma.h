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

/* DMA command. 128 bytes. Source and destination walk a row and four dimensions each; between them is a byte stream. */
#define PRESIL_DMA_COMMAND_WORDS 32u
#define PRESIL_DMA_COMMAND_BYTES 128u
#define PRESIL_DMA_COMMAND_PITCH 128u
#define PRESIL_DMA_ISA_VERSION 1u

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
