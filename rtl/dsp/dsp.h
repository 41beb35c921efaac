// Printed from rtl/dsp/dsp.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include "rtl/common/field.h"
#include "rtl/common/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

enum presil_dsp_op {
  PRESIL_DSP_OP_NOP = 0, /* Waits, then signals; uses words 0 to 6 only. */
  PRESIL_DSP_OP_RUN = 1, /* Calls the function at `entry` of the resident image with an argument block and up to 16 regions. */
  PRESIL_DSP_OP_SELECT = 2, /* Copies an image into the instruction memory; it is resident until the next select. */
};

enum presil_dsp_on_trap {
  PRESIL_DSP_ON_TRAP_STOP = 0, /* The queue stops with error kernel_trap; signal is not sent. */
  PRESIL_DSP_ON_TRAP_GO_ON = 1, /* The trap registers are filled, signal is sent, the queue goes on: for tests of the block. */
};

enum presil_dsp_trap_cause {
  PRESIL_DSP_TRAP_CAUSE_NONE = 0, /* No program has trapped since trap_control.clear. */
  PRESIL_DSP_TRAP_CAUSE_FETCH = 1, /* No instruction there: pc outside the instruction memory. */
  PRESIL_DSP_TRAP_CAUSE_ILLEGAL = 2, /* An instruction that the DSP does not have, or a reserved encoding. */
  PRESIL_DSP_TRAP_CAUSE_BREAKPOINT = 3, /* ebreak. */
  PRESIL_DSP_TRAP_CAUSE_LOAD_MISALIGNED = 4, /* A load whose address is no multiple of its (element's) size. */
  PRESIL_DSP_TRAP_CAUSE_LOAD_FAULT = 5, /* A load outside the regions that may be read, or a copy's source. */
  PRESIL_DSP_TRAP_CAUSE_STORE_MISALIGNED = 6, /* A store whose address is no multiple of its (element's) size. */
  PRESIL_DSP_TRAP_CAUSE_STORE_FAULT = 7, /* A store outside the regions that may be written, or a copy's destination. */
  PRESIL_DSP_TRAP_CAUSE_WATCHDOG = 24, /* More than `watchdog` cycles since the first instruction. */
  PRESIL_DSP_TRAP_CAUSE_STACK_GUARD = 25, /* An access to the 64 bytes below the stack. */
  PRESIL_DSP_TRAP_CAUSE_KERNEL_REFUSED = 26, /* The function returned another value than 0: trap_code. */
};

enum presil_dsp_near {
  PRESIL_DSP_NEAR_NONE = 0, /* The address is not in SRAM or DRAM, or the program has no region there. */
  PRESIL_DSP_NEAR_IN_REGION = 1, /* In the region, which lacks the right; distance is from its first byte. */
  PRESIL_DSP_NEAR_BELOW = 2, /* In front of the region; distance is to its first byte. */
  PRESIL_DSP_NEAR_ABOVE = 3, /* Behind the region; distance is from its last byte. */
};

/* DSP counters: offsets in bytes, fields as shift and mask in place. */
#define PRESIL_DSP_COUNTERS_SIZE 0x100u
#define PRESIL_DSP_COUNTERS_REG_CONTROL 0x0u
#define PRESIL_DSP_COUNTERS_CONTROL_SNAPSHOT_SHIFT 0u
#define PRESIL_DSP_COUNTERS_CONTROL_SNAPSHOT_MASK 0x1u
#define PRESIL_DSP_COUNTERS_CONTROL_CLEAR_SHIFT 1u
#define PRESIL_DSP_COUNTERS_CONTROL_CLEAR_MASK 0x2u
#define PRESIL_DSP_COUNTERS_REG_CYCLES 0x8u
#define PRESIL_DSP_COUNTERS_REG_CYCLES_HI 0xcu
#define PRESIL_DSP_COUNTERS_CYCLES_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_CYCLES_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_RUN 0x10u
#define PRESIL_DSP_COUNTERS_REG_RUN_HI 0x14u
#define PRESIL_DSP_COUNTERS_RUN_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_RUN_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_LOAD_USE 0x18u
#define PRESIL_DSP_COUNTERS_REG_LOAD_USE_HI 0x1cu
#define PRESIL_DSP_COUNTERS_LOAD_USE_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_LOAD_USE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_BRANCH 0x20u
#define PRESIL_DSP_COUNTERS_REG_BRANCH_HI 0x24u
#define PRESIL_DSP_COUNTERS_BRANCH_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_BRANCH_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_DIVIDE 0x28u
#define PRESIL_DSP_COUNTERS_REG_DIVIDE_HI 0x2cu
#define PRESIL_DSP_COUNTERS_DIVIDE_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_DIVIDE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_FAR_LOAD 0x30u
#define PRESIL_DSP_COUNTERS_REG_FAR_LOAD_HI 0x34u
#define PRESIL_DSP_COUNTERS_FAR_LOAD_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_FAR_LOAD_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_VECTOR_QUEUE 0x38u
#define PRESIL_DSP_COUNTERS_REG_VECTOR_QUEUE_HI 0x3cu
#define PRESIL_DSP_COUNTERS_VECTOR_QUEUE_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_VECTOR_QUEUE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_VECTOR_RESULT 0x40u
#define PRESIL_DSP_COUNTERS_REG_VECTOR_RESULT_HI 0x44u
#define PRESIL_DSP_COUNTERS_VECTOR_RESULT_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_VECTOR_RESULT_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_SRAM_BANK 0x48u
#define PRESIL_DSP_COUNTERS_REG_SRAM_BANK_HI 0x4cu
#define PRESIL_DSP_COUNTERS_SRAM_BANK_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_SRAM_BANK_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_OWN_DMA 0x50u
#define PRESIL_DSP_COUNTERS_REG_OWN_DMA_HI 0x54u
#define PRESIL_DSP_COUNTERS_OWN_DMA_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_OWN_DMA_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_START 0x58u
#define PRESIL_DSP_COUNTERS_REG_START_HI 0x5cu
#define PRESIL_DSP_COUNTERS_START_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_START_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_FETCH 0x60u
#define PRESIL_DSP_COUNTERS_REG_FETCH_HI 0x64u
#define PRESIL_DSP_COUNTERS_FETCH_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_FETCH_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_IDLE 0x68u
#define PRESIL_DSP_COUNTERS_REG_IDLE_HI 0x6cu
#define PRESIL_DSP_COUNTERS_IDLE_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_IDLE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_WAIT(i) (0x70u + 0x8u * (i))
#define PRESIL_DSP_COUNTERS_REG_WAIT_HI(i) (0x74u + 0x8u * (i))
#define PRESIL_DSP_COUNTERS_WAIT_COUNT 4u
#define PRESIL_DSP_COUNTERS_WAIT_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_WAIT_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_COMMANDS 0x90u
#define PRESIL_DSP_COUNTERS_REG_COMMANDS_HI 0x94u
#define PRESIL_DSP_COUNTERS_COMMANDS_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_COMMANDS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_INSTRUCTIONS 0x98u
#define PRESIL_DSP_COUNTERS_REG_INSTRUCTIONS_HI 0x9cu
#define PRESIL_DSP_COUNTERS_INSTRUCTIONS_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_INSTRUCTIONS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_ELEMENTS 0xa0u
#define PRESIL_DSP_COUNTERS_REG_ELEMENTS_HI 0xa4u
#define PRESIL_DSP_COUNTERS_ELEMENTS_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_ELEMENTS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_BYTES_READ 0xa8u
#define PRESIL_DSP_COUNTERS_REG_BYTES_READ_HI 0xacu
#define PRESIL_DSP_COUNTERS_BYTES_READ_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_BYTES_READ_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_COUNTERS_REG_BYTES_WRITTEN 0xb0u
#define PRESIL_DSP_COUNTERS_REG_BYTES_WRITTEN_HI 0xb4u
#define PRESIL_DSP_COUNTERS_BYTES_WRITTEN_VALUE_SHIFT 0u
#define PRESIL_DSP_COUNTERS_BYTES_WRITTEN_VALUE_MASK 0xffffffffffffffffull

/* DSP registers: offsets in bytes, fields as shift and mask in place. */
#define PRESIL_DSP_SIZE 0x2000u
#define PRESIL_DSP_REG_ID 0x0u
#define PRESIL_DSP_ID_ISA_VERSION_SHIFT 0u
#define PRESIL_DSP_ID_ISA_VERSION_MASK 0xffu
#define PRESIL_DSP_ID_QUEUES_SHIFT 8u
#define PRESIL_DSP_ID_QUEUES_MASK 0xff00u
#define PRESIL_DSP_ID_CONTEXTS_SHIFT 16u
#define PRESIL_DSP_ID_CONTEXTS_MASK 0xff0000u
#define PRESIL_DSP_ID_PREFETCH_SHIFT 24u
#define PRESIL_DSP_ID_PREFETCH_MASK 0xff000000u
#define PRESIL_DSP_REG_VECTOR 0x4u
#define PRESIL_DSP_VECTOR_VLEN_SHIFT 0u
#define PRESIL_DSP_VECTOR_VLEN_MASK 0xffffu
#define PRESIL_DSP_VECTOR_DLEN_SHIFT 16u
#define PRESIL_DSP_VECTOR_DLEN_MASK 0xffff0000u
#define PRESIL_DSP_REG_UNIT 0x8u
#define PRESIL_DSP_UNIT_ELEN_SHIFT 0u
#define PRESIL_DSP_UNIT_ELEN_MASK 0xffu
#define PRESIL_DSP_UNIT_ARITHMETIC_SEQUENCERS_SHIFT 8u
#define PRESIL_DSP_UNIT_ARITHMETIC_SEQUENCERS_MASK 0xff00u
#define PRESIL_DSP_UNIT_REGIONS_SHIFT 16u
#define PRESIL_DSP_UNIT_REGIONS_MASK 0xff0000u
#define PRESIL_DSP_UNIT_DMA_CHANNELS_SHIFT 24u
#define PRESIL_DSP_UNIT_DMA_CHANNELS_MASK 0xff000000u
#define PRESIL_DSP_REG_ITCM 0xcu
#define PRESIL_DSP_ITCM_BYTES_SHIFT 0u
#define PRESIL_DSP_ITCM_BYTES_MASK 0xffffffffu
#define PRESIL_DSP_REG_DTCM 0x10u
#define PRESIL_DSP_DTCM_BYTES_SHIFT 0u
#define PRESIL_DSP_DTCM_BYTES_MASK 0xffffffffu
#define PRESIL_DSP_REG_STACK 0x14u
#define PRESIL_DSP_STACK_BYTES_SHIFT 0u
#define PRESIL_DSP_STACK_BYTES_MASK 0xffffffffu
#define PRESIL_DSP_REG_CAPABILITY 0x18u
#define PRESIL_DSP_CAPABILITY_ON_TRAP_SHIFT 0u
#define PRESIL_DSP_CAPABILITY_ON_TRAP_MASK 0x1u
#define PRESIL_DSP_CAPABILITY_GATHER_BY_ELEMENT_SHIFT 1u
#define PRESIL_DSP_CAPABILITY_GATHER_BY_ELEMENT_MASK 0x2u
#define PRESIL_DSP_REG_SRAM 0x1cu
#define PRESIL_DSP_SRAM_BYTES_SHIFT 0u
#define PRESIL_DSP_SRAM_BYTES_MASK 0xffffffffu
#define PRESIL_DSP_REG_TRAP_CONTROL 0x300u
#define PRESIL_DSP_TRAP_CONTROL_CLEAR_SHIFT 0u
#define PRESIL_DSP_TRAP_CONTROL_CLEAR_MASK 0x1u
#define PRESIL_DSP_REG_TRAP 0x304u
#define PRESIL_DSP_TRAP_CAUSE_SHIFT 0u
#define PRESIL_DSP_TRAP_CAUSE_MASK 0xffu
#define PRESIL_DSP_TRAP_VSTART_SHIFT 16u
#define PRESIL_DSP_TRAP_VSTART_MASK 0xffff0000u
#define PRESIL_DSP_REG_TRAP_PC 0x308u
#define PRESIL_DSP_TRAP_PC_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_PC_VALUE_MASK 0xffffffffu
#define PRESIL_DSP_REG_TRAP_WORD 0x30cu
#define PRESIL_DSP_TRAP_WORD_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_WORD_VALUE_MASK 0xffffffffu
#define PRESIL_DSP_REG_TRAP_ADDRESS 0x310u
#define PRESIL_DSP_REG_TRAP_ADDRESS_HI 0x314u
#define PRESIL_DSP_TRAP_ADDRESS_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_ADDRESS_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_REG_TRAP_SP 0x318u
#define PRESIL_DSP_REG_TRAP_SP_HI 0x31cu
#define PRESIL_DSP_TRAP_SP_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_SP_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_REG_TRAP_CYCLE 0x320u
#define PRESIL_DSP_REG_TRAP_CYCLE_HI 0x324u
#define PRESIL_DSP_TRAP_CYCLE_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_CYCLE_VALUE_MASK 0xffffffffffffffffull
#define PRESIL_DSP_REG_TRAP_TAG 0x328u
#define PRESIL_DSP_TRAP_TAG_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_TAG_VALUE_MASK 0xffffffffu
#define PRESIL_DSP_REG_TRAP_COMMAND 0x32cu
#define PRESIL_DSP_TRAP_COMMAND_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_COMMAND_VALUE_MASK 0xffffffffu
#define PRESIL_DSP_REG_TRAP_CODE 0x330u
#define PRESIL_DSP_TRAP_CODE_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_CODE_VALUE_MASK 0xffffffffu
#define PRESIL_DSP_REG_TRAP_REGION 0x334u
#define PRESIL_DSP_TRAP_REGION_NEAR_SHIFT 0u
#define PRESIL_DSP_TRAP_REGION_NEAR_MASK 0x3u
#define PRESIL_DSP_TRAP_REGION_REGION_SHIFT 4u
#define PRESIL_DSP_TRAP_REGION_REGION_MASK 0xf0u
#define PRESIL_DSP_TRAP_REGION_TENSOR_SHIFT 16u
#define PRESIL_DSP_TRAP_REGION_TENSOR_MASK 0xffff0000u
#define PRESIL_DSP_REG_TRAP_DISTANCE 0x338u
#define PRESIL_DSP_TRAP_DISTANCE_VALUE_SHIFT 0u
#define PRESIL_DSP_TRAP_DISTANCE_VALUE_MASK 0xffffffffu
#define PRESIL_DSP_REG_IMAGE_CRC 0x340u
#define PRESIL_DSP_IMAGE_CRC_VALUE_SHIFT 0u
#define PRESIL_DSP_IMAGE_CRC_VALUE_MASK 0xffffffffu
#define PRESIL_DSP_REG_IMAGE_BYTES 0x344u
#define PRESIL_DSP_IMAGE_BYTES_VALUE_SHIFT 0u
#define PRESIL_DSP_IMAGE_BYTES_VALUE_MASK 0xffffffffu
#define PRESIL_DSP_REG_QUEUE 0x200u /* + PRESIL_QUEUE_REG_... */
#define PRESIL_DSP_REG_QUEUE_CONTROL 0x200u
#define PRESIL_DSP_REG_QUEUE_STATUS 0x204u
#define PRESIL_DSP_REG_QUEUE_RING_BASE 0x208u
#define PRESIL_DSP_REG_QUEUE_RING_SIZE_LOG2 0x210u
#define PRESIL_DSP_REG_QUEUE_HEAD 0x214u
#define PRESIL_DSP_REG_QUEUE_TAIL 0x218u
#define PRESIL_DSP_REG_QUEUE_IRQ_STATUS 0x21cu
#define PRESIL_DSP_REG_QUEUE_IRQ_ENABLE 0x220u
#define PRESIL_DSP_REG_QUEUE_CURRENT_JOB 0x224u
#define PRESIL_DSP_REG_QUEUE_CURRENT_COMMAND 0x228u
#define PRESIL_DSP_REG_QUEUE_ERROR 0x22cu
#define PRESIL_DSP_REG_QUEUE_ERROR_JOB_TAG 0x230u
#define PRESIL_DSP_REG_QUEUE_ERROR_COMMAND_INDEX 0x234u
#define PRESIL_DSP_REG_QUEUE_ERROR_ADDRESS 0x238u
#define PRESIL_DSP_REG_COUNTERS 0x1000u /* + PRESIL_DSP_COUNTERS_REG_... */
#define PRESIL_DSP_REG_COUNTERS_CONTROL 0x1000u
#define PRESIL_DSP_REG_COUNTERS_CYCLES 0x1008u
#define PRESIL_DSP_REG_COUNTERS_RUN 0x1010u
#define PRESIL_DSP_REG_COUNTERS_LOAD_USE 0x1018u
#define PRESIL_DSP_REG_COUNTERS_BRANCH 0x1020u
#define PRESIL_DSP_REG_COUNTERS_DIVIDE 0x1028u
#define PRESIL_DSP_REG_COUNTERS_FAR_LOAD 0x1030u
#define PRESIL_DSP_REG_COUNTERS_VECTOR_QUEUE 0x1038u
#define PRESIL_DSP_REG_COUNTERS_VECTOR_RESULT 0x1040u
#define PRESIL_DSP_REG_COUNTERS_SRAM_BANK 0x1048u
#define PRESIL_DSP_REG_COUNTERS_OWN_DMA 0x1050u
#define PRESIL_DSP_REG_COUNTERS_START 0x1058u
#define PRESIL_DSP_REG_COUNTERS_FETCH 0x1060u
#define PRESIL_DSP_REG_COUNTERS_IDLE 0x1068u
#define PRESIL_DSP_REG_COUNTERS_COMMANDS 0x1090u
#define PRESIL_DSP_REG_COUNTERS_INSTRUCTIONS 0x1098u
#define PRESIL_DSP_REG_COUNTERS_ELEMENTS 0x10a0u
#define PRESIL_DSP_REG_COUNTERS_BYTES_READ 0x10a8u
#define PRESIL_DSP_REG_COUNTERS_BYTES_WRITTEN 0x10b0u

/* DSP command. 64 bytes. Words 0 to 6 have the DLA's meaning and positions. */
#define PRESIL_DSP_COMMAND_WORDS 16u
#define PRESIL_DSP_COMMAND_BYTES 64u
#define PRESIL_DSP_COMMAND_PITCH 64u
#define PRESIL_DSP_ISA_VERSION 1u

enum presil_dsp_command_field {
  PRESIL_DSP_COMMAND_OP,
  PRESIL_DSP_COMMAND_FENCE,
  PRESIL_DSP_COMMAND_IRQ,
  PRESIL_DSP_COMMAND_ON_TRAP,
  PRESIL_DSP_COMMAND_ISA_VERSION,
  PRESIL_DSP_COMMAND_TAG,
  PRESIL_DSP_COMMAND_WAIT0,
  PRESIL_DSP_COMMAND_WAIT1,
  PRESIL_DSP_COMMAND_WAIT2,
  PRESIL_DSP_COMMAND_SIGNAL,
  PRESIL_DSP_COMMAND_WAIT0_VALUE,
  PRESIL_DSP_COMMAND_WAIT1_VALUE,
  PRESIL_DSP_COMMAND_WAIT2_VALUE,
  PRESIL_DSP_COMMAND_SIGNAL_ADD,
  PRESIL_DSP_COMMAND_REGION_COUNT,
  PRESIL_DSP_COMMAND_ENTRY,
  PRESIL_DSP_COMMAND_ARGS_BASE,
  PRESIL_DSP_COMMAND_ARGS_BYTES,
  PRESIL_DSP_COMMAND_WATCHDOG,
  PRESIL_DSP_COMMAND_REGIONS_BASE,
  PRESIL_DSP_COMMAND_IMAGE_OFFSET,
  PRESIL_DSP_COMMAND_IMAGE_BYTES,
  PRESIL_DSP_COMMAND_IMAGE_REGION,
  PRESIL_DSP_COMMAND_IMAGE_IN_SRAM,
  PRESIL_DSP_COMMAND_IMAGE_CRC,
  PRESIL_DSP_COMMAND_FIELDS
};

static inline const struct presil_command_format* presil_dsp_command_format(void) {
  static const char* const op_codes[] = {"nop", "run", "select"};
  static const char* const on_trap_codes[] = {"stop", "go_on"};
  /* name, codes, min, max, legal_codes, used_by, multiple_of, word, lsb, width, is_signed, code_count, is_hex */
  static const struct presil_field fields[] = {
      {"op", op_codes, 0, 2, 0x7, 0x0, 1, 0, 0, 4, 0, 3, 0},
      {"fence", NULL, 0, 1, 0x0, 0x0, 1, 0, 20, 1, 0, 0, 0},
      {"irq", NULL, 0, 1, 0x0, 0x0, 1, 0, 21, 1, 0, 0, 0},
      {"on_trap", on_trap_codes, 0, 1, 0x3, 0x2, 1, 0, 22, 1, 0, 2, 0},
      {"isa_version", NULL, 1, 1, 0x0, 0x0, 1, 0, 24, 8, 0, 0, 0},
      {"tag", NULL, 0, 4294967295, 0x0, 0x0, 1, 1, 0, 32, 0, 0, 0},
      {"wait0", NULL, 0, 255, 0x0, 0x0, 1, 2, 0, 8, 0, 0, 0},
      {"wait1", NULL, 0, 255, 0x0, 0x0, 1, 2, 8, 8, 0, 0, 0},
      {"wait2", NULL, 0, 255, 0x0, 0x0, 1, 2, 16, 8, 0, 0, 0},
      {"signal", NULL, 0, 255, 0x0, 0x0, 1, 2, 24, 8, 0, 0, 0},
      {"wait0_value", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 3, 0, 32, 1, 0, 0},
      {"wait1_value", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 4, 0, 32, 1, 0, 0},
      {"wait2_value", NULL, -2147483648, 2147483647, 0x0, 0x0, 1, 5, 0, 32, 1, 0, 0},
      {"signal_add", NULL, 0, 65535, 0x0, 0x0, 1, 6, 0, 16, 0, 0, 0},
      {"region_count", NULL, 1, 16, 0x0, 0x2, 1, 6, 16, 5, 0, 0, 0},
      {"entry", NULL, 0, 4294967295, 0x0, 0x2, 2, 7, 0, 32, 0, 0, 1},
      {"args_base", NULL, 0, 16777215, 0x0, 0x2, 16, 8, 0, 24, 0, 0, 1},
      {"args_bytes", NULL, 16, 16777215, 0x0, 0x2, 16, 9, 0, 24, 0, 0, 0},
      {"watchdog", NULL, 1, 4294967295, 0x0, 0x2, 1, 10, 0, 32, 0, 0, 0},
      {"regions_base", NULL, 0, 16777215, 0x0, 0x2, 16, 11, 0, 24, 0, 0, 1},
      {"image_offset", NULL, 0, 4294967295, 0x0, 0x4, 16, 12, 0, 32, 0, 0, 1},
      {"image_bytes", NULL, 16, 4294967295, 0x0, 0x4, 16, 13, 0, 32, 0, 0, 0},
      {"image_region", NULL, 0, 7, 0x0, 0x4, 1, 14, 0, 3, 0, 0, 0},
      {"image_in_sram", NULL, 0, 1, 0x0, 0x4, 1, 14, 3, 1, 0, 0, 0},
      {"image_crc", NULL, 0, 4294967295, 0x0, 0x6, 1, 15, 0, 32, 0, 0, 1},
  };
  static const uint32_t reserved[] = {
0x008ffff0, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0xffe00000, 0x00000000,
0xff000000, 0xff000000, 0x00000000, 0xff000000, 0x00000000, 0x00000000, 0xfffffff0, 0x00000000,
  };
  static const struct presil_command_format format = {
      "dsp_command", fields, reserved, PRESIL_DSP_COMMAND_FIELDS, PRESIL_DSP_COMMAND_WORDS, PRESIL_DSP_COMMAND_PITCH,
      PRESIL_DSP_COMMAND_OP, PRESIL_DSP_COMMAND_ISA_VERSION};
  return &format;
}

static inline const struct presil_field* presil_dsp_command_fields(void) { return presil_dsp_command_format()->fields; }

#ifdef __cplusplus
}
#endif
