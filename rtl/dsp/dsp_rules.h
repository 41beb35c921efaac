// Printed from rtl/dsp/engine.yaml by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include "rtl/common/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

enum presil_dsp_rule_number {
  PRESIL_DSP_R1_ENTRY = 1, /* run: `entry` is in the instruction memory: `ITCM <= entry < ITCM + itcm.bytes` */
  PRESIL_DSP_R2_ON_TRAP = 2, /* run: on_trap is `stop`, or `capability.on_trap` is 1 */
  PRESIL_DSP_R3_IMAGE_FITS = 3, /* select: `image_bytes <= itcm.bytes` */
  PRESIL_DSP_R4_SRAM_IMAGE = 4, /* select: image_in_sram: image_region = 0 and image_offset < 2^24 */
  PRESIL_DSP_R5_COUNTERS = 5, /* all: each counter id is at most `sync_count` of the job */
  PRESIL_DSP_R6_ARGUMENTS = 6, /* run: argument block and region table lie in the SRAM window */
  PRESIL_DSP_R7_IMAGE_PLACE = 7, /* select: the image lies inside its region, or in the SRAM window */
  PRESIL_DSP_R8_RESIDENT = 8, /* run: an image with `image_crc` is resident, and `entry` is inside it */
  PRESIL_DSP_R9_IMAGE_CRC = 9, /* select: the bytes that were read have `image_crc`; else no image is resident */
  PRESIL_DSP_R10_REGION_ENTRY = 10, /* run: region table: reserved bits are 0, a space is 0 to 8, bytes and rights are not 0 */
  PRESIL_DSP_R11_REGION_PLACE = 11, /* run: each region lies in the SRAM window or inside the job's region, and that in DRAM */
};
#define PRESIL_DSP_RULES 11u

/* Rule n is at n - 1. */
static inline const presil_rule* presil_dsp_rules(void) {
  static const presil_rule rules[] = {
      {1, "entry", "run", "`entry` is in the instruction memory: `ITCM <= entry < ITCM + itcm.bytes`", "`entry` is in the instruction memory: `ITCM <= entry < ITCM + itcm.bytes`", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {2, "on_trap", "run", "on_trap is `stop`, or `capability.on_trap` is 1", "on_trap is `stop`, or `capability.on_trap` is 1", PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED},
      {3, "image_fits", "select", "`image_bytes <= itcm.bytes`", "`image_bytes <= itcm.bytes`", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {4, "sram_image", "select", "image_in_sram: image_region = 0 and image_offset < 2^24", "image_in_sram: image_region = 0 and image_offset < 2^24", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {5, "counters", "all", "each counter id is at most `sync_count` of the job", "each counter id is at most `sync_count` of the job", PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT},
      {6, "arguments", "run", "argument block and region table lie in the SRAM window", "argument block and region table lie in the SRAM window", PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE},
      {7, "image_place", "select", "the image lies inside its region, or in the SRAM window", "the image lies inside its region, or in the SRAM window", PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE},
      {8, "resident", "run", "an image with `image_crc` is resident, and `entry` is inside it", "an image with `image_crc` is resident, and `entry` is inside it", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {9, "image_crc", "select", "the bytes that were read have `image_crc`; else no image is resident", "the bytes that were read have `image_crc`; else no image is resident", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {10, "region_entry", "run", "region table: reserved bits are 0, a space is 0 to 8, bytes and rights are not 0", "region table: reserved bits are 0, a space is 0 to 8, bytes and rights are not 0", PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN},
      {11, "region_place", "run", "each region lies in the SRAM window or inside the job's region, and that in DRAM", "each region lies in the SRAM window or inside the job's region, and that in DRAM", PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE},
  };
  return rules;
}

#ifdef __cplusplus
}
#endif
