// Printed from rtl/dma/engine.yaml by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include "rtl/common/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

enum presil_dma_rule_number {
  PRESIL_DMA_R1_SRAM_SOURCE = 1, /* copy: src_space sram: src_region = 0 and src_base < 2^24 */
  PRESIL_DMA_R2_SRAM_DESTINATION = 2, /* copy, fill: dst_space sram: dst_region = 0 and dst_base < 2^24 */
  PRESIL_DMA_R3_ELEMENT = 3, /* copy: pack none: elem_bytes = 0; else elem_bytes >= 1 */
  PRESIL_DMA_R4_PATTERN = 4, /* copy: pattern = 0 unless pack is pad */
  PRESIL_DMA_R5_LENGTH = 5, /* copy, fill: S < 2^32 and D < 2^32 */
  PRESIL_DMA_R6_EQUAL_LENGTHS = 6, /* copy: pack none: S = D */
  PRESIL_DMA_R7_PAD = 7, /* copy: pack pad: S is a multiple of elem_bytes, and src_row_bytes of elem_bytes or elem_bytes of src_row_bytes; D = S / elem_bytes * P, and dst_row_bytes is a multiple of P or P of dst_row_bytes */
  PRESIL_DMA_R8_DROP = 8, /* copy: pack drop: S is a multiple of P, and src_row_bytes of P or P of src_row_bytes; D = S / P * elem_bytes, and dst_row_bytes is a multiple of elem_bytes or elem_bytes of dst_row_bytes */
};
#define PRESIL_DMA_RULES 8u

/* Rule n is at n - 1. */
static inline const presil_rule* presil_dma_rules(void) {
  static const presil_rule rules[] = {
      {1, "sram_source", "copy", "src_space sram: src_region = 0 and src_base < 2^24", "src_space sram: src_region = 0 and src_base < 2^24", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {2, "sram_destination", "copy, fill", "dst_space sram: dst_region = 0 and dst_base < 2^24", "dst_space sram: dst_region = 0 and dst_base < 2^24", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {3, "element", "copy", "pack none: elem_bytes = 0; else elem_bytes >= 1", "pack none: elem_bytes = 0; else elem_bytes >= 1", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {4, "pattern", "copy", "pattern = 0 unless pack is pad", "pattern = 0 unless pack is pad", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {5, "length", "copy, fill", "S < 2^32 and D < 2^32", "S < 2^32 and D < 2^32", PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH},
      {6, "equal_lengths", "copy", "pack none: S = D", "pack none: S = D", PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH},
      {7, "pad", "copy", "pack pad: S is a multiple of elem_bytes, and src_row_bytes of elem_bytes or elem_bytes of src_row_bytes; D = S / elem_bytes * P, and dst_row_bytes is a multiple of P or P of dst_row_bytes", "pack pad: S is a multiple of elem_bytes, and src_row_bytes of elem_bytes or elem_bytes of src_row_bytes; D = S / elem_bytes * P, and dst_row_bytes is a multiple of P or P of dst_row_bytes", PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH},
      {8, "drop", "copy", "pack drop: S is a multiple of P, and src_row_bytes of P or P of src_row_bytes; D = S / P * elem_bytes, and dst_row_bytes is a multiple of elem_bytes or elem_bytes of dst_row_bytes", "pack drop: S is a multiple of P, and src_row_bytes of P or P of src_row_bytes; D = S / P * elem_bytes, and dst_row_bytes is a multiple of elem_bytes or elem_bytes of dst_row_bytes", PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH},
  };
  return rules;
}

#ifdef __cplusplus
}
#endif
