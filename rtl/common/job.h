// Printed from rtl/common/job.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include "rtl/common/field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Job ring entry. Tells a queue which stream to run and on what: command addresses are (region, offset), counters and wait values relative; the entry carries the bases, so a stream is never patched. */
#define PRESIL_JOB_ENTRY_WORDS 32u
#define PRESIL_JOB_ENTRY_BYTES 128u
#define PRESIL_JOB_ENTRY_PITCH 128u
#define PRESIL_JOB_ISA_VERSION 1u

/* Largest legal values of fields that hold numbers. */
#define PRESIL_JOB_ENTRY_CONTEXT_MAX 255u
#define PRESIL_JOB_ENTRY_TAG_MAX 4294967295u
#define PRESIL_JOB_ENTRY_STREAM_ADDRESS_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_COMMAND_COUNT_MAX 16777215u
#define PRESIL_JOB_ENTRY_SYNC_BASE_MAX 255u
#define PRESIL_JOB_ENTRY_SYNC_COUNT_MAX 255u
#define PRESIL_JOB_ENTRY_VALUE_BASE_MAX 2147483647
#define PRESIL_JOB_ENTRY_SRAM_BASE_MAX 16777215u
#define PRESIL_JOB_ENTRY_REGION_BASE0_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_REGION_BASE1_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_REGION_BASE2_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_REGION_BASE3_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_REGION_BASE4_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_REGION_BASE5_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_REGION_BASE6_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_REGION_BASE7_MAX 1099511627775ull
#define PRESIL_JOB_ENTRY_REGION_LIMIT0_MAX 65535u
#define PRESIL_JOB_ENTRY_REGION_LIMIT1_MAX 65535u
#define PRESIL_JOB_ENTRY_REGION_LIMIT2_MAX 65535u
#define PRESIL_JOB_ENTRY_REGION_LIMIT3_MAX 65535u
#define PRESIL_JOB_ENTRY_REGION_LIMIT4_MAX 65535u
#define PRESIL_JOB_ENTRY_REGION_LIMIT5_MAX 65535u
#define PRESIL_JOB_ENTRY_REGION_LIMIT6_MAX 65535u
#define PRESIL_JOB_ENTRY_REGION_LIMIT7_MAX 65535u
#define PRESIL_JOB_ENTRY_CRC_MAX 4294967295u

enum presil_job_entry_field {
  PRESIL_JOB_ENTRY_VALID,
  PRESIL_JOB_ENTRY_IRQ_AT_END,
  PRESIL_JOB_ENTRY_STOP_ON_ERROR,
  PRESIL_JOB_ENTRY_BARRIER,
  PRESIL_JOB_ENTRY_CONTEXT,
  PRESIL_JOB_ENTRY_ISA_VERSION,
  PRESIL_JOB_ENTRY_TAG,
  PRESIL_JOB_ENTRY_STREAM_ADDRESS,
  PRESIL_JOB_ENTRY_COMMAND_COUNT,
  PRESIL_JOB_ENTRY_SYNC_BASE,
  PRESIL_JOB_ENTRY_SYNC_COUNT,
  PRESIL_JOB_ENTRY_VALUE_BASE,
  PRESIL_JOB_ENTRY_SRAM_BASE,
  PRESIL_JOB_ENTRY_REGION_BASE0,
  PRESIL_JOB_ENTRY_REGION_BASE1,
  PRESIL_JOB_ENTRY_REGION_BASE2,
  PRESIL_JOB_ENTRY_REGION_BASE3,
  PRESIL_JOB_ENTRY_REGION_BASE4,
  PRESIL_JOB_ENTRY_REGION_BASE5,
  PRESIL_JOB_ENTRY_REGION_BASE6,
  PRESIL_JOB_ENTRY_REGION_BASE7,
  PRESIL_JOB_ENTRY_REGION_LIMIT0,
  PRESIL_JOB_ENTRY_REGION_LIMIT1,
  PRESIL_JOB_ENTRY_REGION_LIMIT2,
  PRESIL_JOB_ENTRY_REGION_LIMIT3,
  PRESIL_JOB_ENTRY_REGION_LIMIT4,
  PRESIL_JOB_ENTRY_REGION_LIMIT5,
  PRESIL_JOB_ENTRY_REGION_LIMIT6,
  PRESIL_JOB_ENTRY_REGION_LIMIT7,
  PRESIL_JOB_ENTRY_CRC,
  PRESIL_JOB_ENTRY_FIELDS
};

static inline const struct presil_command_format* presil_job_entry_format(void) {
  /* name, codes, min, max, legal_codes, used_by, multiple_of, word, lsb, width, is_signed, code_count, is_hex */
  static const struct presil_field fields[] = {
      {"valid", NULL, 1, 1, 0x0, 0x0, 1, 0, 0, 1, 0, 0, 0},
      {"irq_at_end", NULL, 0, 1, 0x0, 0x0, 1, 0, 1, 1, 0, 0, 0},
      {"stop_on_error", NULL, 1, 1, 0x0, 0x0, 1, 0, 2, 1, 0, 0, 0},
      {"barrier", NULL, 0, 1, 0x0, 0x0, 1, 0, 3, 1, 0, 0, 0},
      {"context", NULL, 0, 255, 0x0, 0x0, 1, 0, 8, 8, 0, 0, 0},
      {"isa_version", NULL, 1, 1, 0x0, 0x0, 1, 0, 24, 8, 0, 0, 0},
      {"tag", NULL, 0, 4294967295, 0x0, 0x0, 1, 1, 0, 32, 0, 0, 0},
      {"stream_address", NULL, 0, 1099511627775, 0x0, 0x0, 256, 2, 0, 40, 0, 0, 1},
      {"command_count", NULL, 1, 16777215, 0x0, 0x0, 1, 4, 0, 32, 0, 0, 0},
      {"sync_base", NULL, 0, 255, 0x0, 0x0, 1, 5, 0, 8, 0, 0, 0},
      {"sync_count", NULL, 0, 255, 0x0, 0x0, 1, 5, 8, 8, 0, 0, 0},
      {"value_base", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 6, 0, 32, 1, 0, 0},
      {"sram_base", NULL, 0, 16777215, 0x0, 0x0, 16, 7, 0, 24, 0, 0, 1},
      {"region_base0", NULL, 0, 1099511627775, 0x0, 0x0, 1, 8, 0, 40, 0, 0, 1},
      {"region_base1", NULL, 0, 1099511627775, 0x0, 0x0, 1, 10, 0, 40, 0, 0, 1},
      {"region_base2", NULL, 0, 1099511627775, 0x0, 0x0, 1, 12, 0, 40, 0, 0, 1},
      {"region_base3", NULL, 0, 1099511627775, 0x0, 0x0, 1, 14, 0, 40, 0, 0, 1},
      {"region_base4", NULL, 0, 1099511627775, 0x0, 0x0, 1, 16, 0, 40, 0, 0, 1},
      {"region_base5", NULL, 0, 1099511627775, 0x0, 0x0, 1, 18, 0, 40, 0, 0, 1},
      {"region_base6", NULL, 0, 1099511627775, 0x0, 0x0, 1, 20, 0, 40, 0, 0, 1},
      {"region_base7", NULL, 0, 1099511627775, 0x0, 0x0, 1, 22, 0, 40, 0, 0, 1},
      {"region_limit0", NULL, 0, 65535, 0x0, 0x0, 1, 24, 0, 16, 0, 0, 0},
      {"region_limit1", NULL, 0, 65535, 0x0, 0x0, 1, 24, 16, 16, 0, 0, 0},
      {"region_limit2", NULL, 0, 65535, 0x0, 0x0, 1, 25, 0, 16, 0, 0, 0},
      {"region_limit3", NULL, 0, 65535, 0x0, 0x0, 1, 25, 16, 16, 0, 0, 0},
      {"region_limit4", NULL, 0, 65535, 0x0, 0x0, 1, 26, 0, 16, 0, 0, 0},
      {"region_limit5", NULL, 0, 65535, 0x0, 0x0, 1, 26, 16, 16, 0, 0, 0},
      {"region_limit6", NULL, 0, 65535, 0x0, 0x0, 1, 27, 0, 16, 0, 0, 0},
      {"region_limit7", NULL, 0, 65535, 0x0, 0x0, 1, 27, 16, 16, 0, 0, 0},
      {"crc", NULL, 0, 4294967295, 0x0, 0x0, 1, 31, 0, 32, 0, 0, 1},
  };
  static const uint32_t reserved[] = {
0x00ff00f0, 0x00000000, 0x00000000, 0xffffff00, 0x00000000, 0xffff0000, 0x00000000, 0xff000000,
0x00000000, 0xffffff00, 0x00000000, 0xffffff00, 0x00000000, 0xffffff00, 0x00000000, 0xffffff00,
0x00000000, 0xffffff00, 0x00000000, 0xffffff00, 0x00000000, 0xffffff00, 0x00000000, 0xffffff00,
0x00000000, 0x00000000, 0x00000000, 0x00000000, 0xffffffff, 0xffffffff, 0xffffffff, 0x00000000,
  };
  static const struct presil_command_format format = {
      "job_entry", fields, reserved, PRESIL_JOB_ENTRY_FIELDS, PRESIL_JOB_ENTRY_WORDS, PRESIL_JOB_ENTRY_PITCH,
      -1, PRESIL_JOB_ENTRY_ISA_VERSION};
  return &format;
}

static inline const struct presil_field* presil_job_entry_fields(void) { return presil_job_entry_format()->fields; }

#ifdef __cplusplus
}
#endif
