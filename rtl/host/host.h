// Printed from rtl/host/host.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include "rtl/common/field.h"
#include "rtl/common/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

enum presil_host_op {
  PRESIL_HOST_OP_NOP = 0, /* Waits, then signals; uses words 0 to 6 only. */
  PRESIL_HOST_OP_RUN = 1, /* Runs a kernel of the driver on tensors. */
};

/* Host registers: offsets in bytes, fields as shift and mask in place. */
#define PRESIL_HOST_SIZE 0x1000u
#define PRESIL_HOST_REG_ID 0x0u
#define PRESIL_HOST_ID_ISA_VERSION_SHIFT 0u
#define PRESIL_HOST_ID_ISA_VERSION_MASK 0xffu
#define PRESIL_HOST_ID_MOST_INSTANCES_SHIFT 8u
#define PRESIL_HOST_ID_MOST_INSTANCES_MASK 0xff00u
#define PRESIL_HOST_ID_TILE_SHIFT 16u
#define PRESIL_HOST_ID_TILE_MASK 0xffff0000u
#define PRESIL_HOST_REG_ENGINES 0x4u
#define PRESIL_HOST_ENGINES_KINDS_SHIFT 0u
#define PRESIL_HOST_ENGINES_KINDS_MASK 0xffffffffu
#define PRESIL_HOST_REG_CLOCK 0x8u
#define PRESIL_HOST_CLOCK_KHZ_SHIFT 0u
#define PRESIL_HOST_CLOCK_KHZ_MASK 0xffffffffu
#define PRESIL_HOST_REG_SRAM 0xcu
#define PRESIL_HOST_SRAM_BYTES_SHIFT 0u
#define PRESIL_HOST_SRAM_BYTES_MASK 0xffffffffu
#define PRESIL_HOST_REG_TIME 0x10u
#define PRESIL_HOST_REG_TIME_HI 0x14u
#define PRESIL_HOST_TIME_CYCLES_SHIFT 0u
#define PRESIL_HOST_TIME_CYCLES_MASK 0xffffffffffffffffull
#define PRESIL_HOST_REG_DRAM 0x18u
#define PRESIL_HOST_REG_DRAM_HI 0x1cu
#define PRESIL_HOST_DRAM_BYTES_SHIFT 0u
#define PRESIL_HOST_DRAM_BYTES_MASK 0xffffffffffffffffull
#define PRESIL_HOST_REG_IRQ_PENDING 0x20u
#define PRESIL_HOST_IRQ_PENDING_SYNC_SHIFT 0u
#define PRESIL_HOST_IRQ_PENDING_SYNC_MASK 0x1u
#define PRESIL_HOST_IRQ_PENDING_USER_SHIFT 1u
#define PRESIL_HOST_IRQ_PENDING_USER_MASK 0x2u
#define PRESIL_HOST_IRQ_PENDING_ENGINES_SHIFT 2u
#define PRESIL_HOST_IRQ_PENDING_ENGINES_MASK 0xfffffffcu
#define PRESIL_HOST_REG_IRQ_ENABLE 0x24u
#define PRESIL_HOST_IRQ_ENABLE_SYNC_SHIFT 0u
#define PRESIL_HOST_IRQ_ENABLE_SYNC_MASK 0x1u
#define PRESIL_HOST_IRQ_ENABLE_USER_SHIFT 1u
#define PRESIL_HOST_IRQ_ENABLE_USER_MASK 0x2u
#define PRESIL_HOST_IRQ_ENABLE_ENGINES_SHIFT 2u
#define PRESIL_HOST_IRQ_ENABLE_ENGINES_MASK 0xfffffffcu
#define PRESIL_HOST_REG_TILES 0x28u
#define PRESIL_HOST_TILES_COUNT_SHIFT 0u
#define PRESIL_HOST_TILES_COUNT_MASK 0xffffu
#define PRESIL_HOST_REG_CONFIG_HASH(i) (0x40u + 0x4u * (i))
#define PRESIL_HOST_CONFIG_HASH_COUNT 8u
#define PRESIL_HOST_CONFIG_HASH_VALUE_SHIFT 0u
#define PRESIL_HOST_CONFIG_HASH_VALUE_MASK 0xffffffffu
#define PRESIL_HOST_REG_INSTANCES(i) (0x60u + 0x4u * (i))
#define PRESIL_HOST_INSTANCES_COUNT 8u
#define PRESIL_HOST_INSTANCES_OF_KINDS_SHIFT 0u
#define PRESIL_HOST_INSTANCES_OF_KINDS_MASK 0xffffffffu

/* Host task. 64 bytes. The driver walks these in order; engines cannot tell a task from a command of an engine. */
#define PRESIL_HOST_COMMAND_WORDS 16u
#define PRESIL_HOST_COMMAND_BYTES 64u
#define PRESIL_HOST_COMMAND_PITCH 64u
#define PRESIL_HOST_ISA_VERSION 1u

/* Largest legal values of fields that hold numbers. */
#define PRESIL_HOST_COMMAND_TAG_MAX 4294967295u
#define PRESIL_HOST_COMMAND_WAIT0_MAX 255u
#define PRESIL_HOST_COMMAND_WAIT1_MAX 255u
#define PRESIL_HOST_COMMAND_SIGNAL_MAX 255u
#define PRESIL_HOST_COMMAND_WAIT0_VALUE_MAX 2147483647
#define PRESIL_HOST_COMMAND_WAIT1_VALUE_MAX 2147483647
#define PRESIL_HOST_COMMAND_SIGNAL_ADD_MAX 65535u
#define PRESIL_HOST_COMMAND_KERNEL_ID_MAX 65535u
#define PRESIL_HOST_COMMAND_TENSORS_OFFSET_MAX 4294967295u
#define PRESIL_HOST_COMMAND_TENSORS_BYTES_MAX 4294967295u
#define PRESIL_HOST_COMMAND_ATTRIBUTES_OFFSET_MAX 4294967295u
#define PRESIL_HOST_COMMAND_ATTRIBUTES_BYTES_MAX 4294967295u
#define PRESIL_HOST_COMMAND_CRC_MAX 4294967295u

enum presil_host_command_field {
  PRESIL_HOST_COMMAND_OP,
  PRESIL_HOST_COMMAND_FENCE,
  PRESIL_HOST_COMMAND_IRQ,
  PRESIL_HOST_COMMAND_ISA_VERSION,
  PRESIL_HOST_COMMAND_TAG,
  PRESIL_HOST_COMMAND_WAIT0,
  PRESIL_HOST_COMMAND_WAIT1,
  PRESIL_HOST_COMMAND_SIGNAL,
  PRESIL_HOST_COMMAND_WAIT0_VALUE,
  PRESIL_HOST_COMMAND_WAIT1_VALUE,
  PRESIL_HOST_COMMAND_SIGNAL_ADD,
  PRESIL_HOST_COMMAND_KERNEL_ID,
  PRESIL_HOST_COMMAND_TENSORS_OFFSET,
  PRESIL_HOST_COMMAND_TENSORS_BYTES,
  PRESIL_HOST_COMMAND_ATTRIBUTES_OFFSET,
  PRESIL_HOST_COMMAND_ATTRIBUTES_BYTES,
  PRESIL_HOST_COMMAND_CRC,
  PRESIL_HOST_COMMAND_FIELDS
};

static inline const struct presil_command_format* presil_host_command_format(void) {
  static const char* const op_codes[] = {"nop", "run"};
  /* name, codes, min, max, legal_codes, used_by, multiple_of, word, lsb, width, is_signed, code_count, is_hex */
  static const struct presil_field fields[] = {
      {"op", op_codes, 0, 1, 0x3, 0x0, 1, 0, 0, 4, 0, 2, 0},
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
      {"kernel_id", NULL, 0, 65535, 0x0, 0x2, 1, 7, 0, 16, 0, 0, 0},
      {"tensors_offset", NULL, 0, 4294967295, 0x0, 0x2, 64, 8, 0, 32, 0, 0, 1},
      {"tensors_bytes", NULL, 64, 4294967295, 0x0, 0x2, 64, 9, 0, 32, 0, 0, 0},
      {"attributes_offset", NULL, 0, 4294967295, 0x0, 0x2, 16, 10, 0, 32, 0, 0, 1},
      {"attributes_bytes", NULL, 0, 4294967295, 0x0, 0x2, 4, 11, 0, 32, 0, 0, 0},
      {"crc", NULL, 0, 4294967295, 0x0, 0x0, 1, 15, 0, 32, 0, 0, 1},
  };
  static const uint32_t reserved[] = {
0x00cffff0, 0x00000000, 0x00ff0000, 0x00000000, 0x00000000, 0xffffffff, 0xffff0000, 0xffff0000,
0x00000000, 0x00000000, 0x00000000, 0x00000000, 0xffffffff, 0xffffffff, 0xffffffff, 0x00000000,
  };
  static const struct presil_command_format format = {
      "host_command", fields, reserved, PRESIL_HOST_COMMAND_FIELDS, PRESIL_HOST_COMMAND_WORDS, PRESIL_HOST_COMMAND_PITCH,
      PRESIL_HOST_COMMAND_OP, PRESIL_HOST_COMMAND_ISA_VERSION};
  return &format;
}

static inline const struct presil_field* presil_host_command_fields(void) { return presil_host_command_format()->fields; }

#ifdef __cplusplus
}
#endif
