// Printed from rtl/common/queue.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum presil_queue_state {
  PRESIL_QUEUE_STATE_IDLE = 0, /* Nothing to do: disabled, or head equals tail. */
  PRESIL_QUEUE_STATE_RUNNING = 1, /* A job is in progress and a command is offered or executing. */
  PRESIL_QUEUE_STATE_WAITING = 2, /* A job is in progress and its oldest command waits for a counter, or the job for its barrier. */
  PRESIL_QUEUE_STATE_ERROR = 3, /* A job was refused or failed; the error registers say which. Leaves by control.start. */
  PRESIL_QUEUE_STATE_STOPPED = 4, /* Stopped by control.stop or control.abort. Leaves by control.start. */
  PRESIL_QUEUE_STATE_DRAINING = 5, /* Stop or abort was written; outstanding work is finishing. */
};

enum presil_queue_error_code {
  PRESIL_QUEUE_ERROR_CODE_NONE = 0, /* No error. */
  PRESIL_QUEUE_ERROR_CODE_BAD_JOB = 1, /* A field of the job entry is out of its range or valid is 0 (error_word: word of the entry). */
  PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT = 2, /* The job names a context that the queue does not have, or counters outside its context's. */
  PRESIL_QUEUE_ERROR_CODE_BAD_VERSION = 3, /* isa_version of the command is not the one of this engine. */
  PRESIL_QUEUE_ERROR_CODE_BAD_OP = 4, /* The operation code is not defined. */
  PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS = 5, /* A reserved bit is 1. */
  PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE = 6, /* A field is outside its legal range, or not 0 although the operation does not use it. */
  PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED = 7, /* A code that the ISA defines and this configuration lacks; its capability bit reads 0. */
  PRESIL_QUEUE_ERROR_CODE_MISALIGNED = 8, /* An address or pitch is not a multiple of what its field demands. */
  PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN = 9, /* A rule between fields is broken; error_rule has its number, the block's README its text. */
  PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE = 10, /* An address is outside the SRAM window or past the limit of its region. */
  PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT = 11, /* A counter id is above sync_count of the job or outside the counters of its context. */
  PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH = 12, /* Source and destination of a DMA command differ in length, or an element is cut by a row end. */
  PRESIL_QUEUE_ERROR_CODE_BUS_ERROR = 13, /* SLVERR or DECERR on a data access; error_address has the address. */
  PRESIL_QUEUE_ERROR_CODE_FETCH_ERROR = 14, /* SLVERR or DECERR while a job entry or command was fetched; error_address has the address. */
  PRESIL_QUEUE_ERROR_CODE_RING_OVERRUN = 15, /* The doorbell put tail more than a ring ahead of head. */
  PRESIL_QUEUE_ERROR_CODE_KERNEL_TRAP = 16, /* A program of the DSP trapped or refused its work; the block's trap registers say why and where. */
  PRESIL_QUEUE_ERROR_CODE_MEMORY_ERROR = 17, /* A read met an error that ECC cannot correct; error_address has the word: SRAM or system address. */
  PRESIL_QUEUE_ERROR_CODE_CRC_MISMATCH = 18, /* A job entry or command does not have the CRC of its words (control.check): memory has changed since the driver wrote it. Nothing of it has run. */
};

/* Command queue: offsets in bytes, fields as shift and mask in place. */
#define PRESIL_QUEUE_SIZE 0x100u
#define PRESIL_QUEUE_REG_CONTROL 0x0u
#define PRESIL_QUEUE_CONTROL_ENABLE_SHIFT 0u
#define PRESIL_QUEUE_CONTROL_ENABLE_MASK 0x1u
#define PRESIL_QUEUE_CONTROL_START_SHIFT 1u
#define PRESIL_QUEUE_CONTROL_START_MASK 0x2u
#define PRESIL_QUEUE_CONTROL_STOP_SHIFT 2u
#define PRESIL_QUEUE_CONTROL_STOP_MASK 0x4u
#define PRESIL_QUEUE_CONTROL_ABORT_SHIFT 3u
#define PRESIL_QUEUE_CONTROL_ABORT_MASK 0x8u
#define PRESIL_QUEUE_CONTROL_CHECK_SHIFT 4u
#define PRESIL_QUEUE_CONTROL_CHECK_MASK 0x10u
#define PRESIL_QUEUE_REG_STATUS 0x4u
#define PRESIL_QUEUE_STATUS_STATE_SHIFT 0u
#define PRESIL_QUEUE_STATUS_STATE_MASK 0xfu
#define PRESIL_QUEUE_REG_RING_BASE 0x8u
#define PRESIL_QUEUE_REG_RING_BASE_HI 0xcu
#define PRESIL_QUEUE_RING_BASE_VALUE_SHIFT 0u
#define PRESIL_QUEUE_RING_BASE_VALUE_MASK 0xffffffffffull
#define PRESIL_QUEUE_REG_RING_SIZE_LOG2 0x10u
#define PRESIL_QUEUE_RING_SIZE_LOG2_VALUE_SHIFT 0u
#define PRESIL_QUEUE_RING_SIZE_LOG2_VALUE_MASK 0xfu
#define PRESIL_QUEUE_REG_HEAD 0x14u
#define PRESIL_QUEUE_HEAD_VALUE_SHIFT 0u
#define PRESIL_QUEUE_HEAD_VALUE_MASK 0xffffu
#define PRESIL_QUEUE_REG_TAIL 0x18u
#define PRESIL_QUEUE_TAIL_VALUE_SHIFT 0u
#define PRESIL_QUEUE_TAIL_VALUE_MASK 0xffffu
#define PRESIL_QUEUE_REG_IRQ_STATUS 0x1cu
#define PRESIL_QUEUE_IRQ_STATUS_JOB_DONE_SHIFT 0u
#define PRESIL_QUEUE_IRQ_STATUS_JOB_DONE_MASK 0x1u
#define PRESIL_QUEUE_IRQ_STATUS_COMMAND_DONE_SHIFT 1u
#define PRESIL_QUEUE_IRQ_STATUS_COMMAND_DONE_MASK 0x2u
#define PRESIL_QUEUE_IRQ_STATUS_ERROR_SHIFT 2u
#define PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK 0x4u
#define PRESIL_QUEUE_IRQ_STATUS_STOPPED_SHIFT 3u
#define PRESIL_QUEUE_IRQ_STATUS_STOPPED_MASK 0x8u
#define PRESIL_QUEUE_REG_IRQ_ENABLE 0x20u
#define PRESIL_QUEUE_IRQ_ENABLE_JOB_DONE_SHIFT 0u
#define PRESIL_QUEUE_IRQ_ENABLE_JOB_DONE_MASK 0x1u
#define PRESIL_QUEUE_IRQ_ENABLE_COMMAND_DONE_SHIFT 1u
#define PRESIL_QUEUE_IRQ_ENABLE_COMMAND_DONE_MASK 0x2u
#define PRESIL_QUEUE_IRQ_ENABLE_ERROR_SHIFT 2u
#define PRESIL_QUEUE_IRQ_ENABLE_ERROR_MASK 0x4u
#define PRESIL_QUEUE_IRQ_ENABLE_STOPPED_SHIFT 3u
#define PRESIL_QUEUE_IRQ_ENABLE_STOPPED_MASK 0x8u
#define PRESIL_QUEUE_REG_CURRENT_JOB 0x24u
#define PRESIL_QUEUE_CURRENT_JOB_TAG_SHIFT 0u
#define PRESIL_QUEUE_CURRENT_JOB_TAG_MASK 0xffffffffu
#define PRESIL_QUEUE_REG_CURRENT_COMMAND 0x28u
#define PRESIL_QUEUE_CURRENT_COMMAND_INDEX_SHIFT 0u
#define PRESIL_QUEUE_CURRENT_COMMAND_INDEX_MASK 0xffffffffu
#define PRESIL_QUEUE_REG_ERROR 0x2cu
#define PRESIL_QUEUE_ERROR_CODE_SHIFT 0u
#define PRESIL_QUEUE_ERROR_CODE_MASK 0xffu
#define PRESIL_QUEUE_ERROR_RULE_SHIFT 8u
#define PRESIL_QUEUE_ERROR_RULE_MASK 0xff00u
#define PRESIL_QUEUE_ERROR_WORD_SHIFT 16u
#define PRESIL_QUEUE_ERROR_WORD_MASK 0xff0000u
#define PRESIL_QUEUE_REG_ERROR_JOB_TAG 0x30u
#define PRESIL_QUEUE_ERROR_JOB_TAG_VALUE_SHIFT 0u
#define PRESIL_QUEUE_ERROR_JOB_TAG_VALUE_MASK 0xffffffffu
#define PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX 0x34u
#define PRESIL_QUEUE_ERROR_COMMAND_INDEX_VALUE_SHIFT 0u
#define PRESIL_QUEUE_ERROR_COMMAND_INDEX_VALUE_MASK 0xffffffffu
#define PRESIL_QUEUE_REG_ERROR_ADDRESS 0x38u
#define PRESIL_QUEUE_REG_ERROR_ADDRESS_HI 0x3cu
#define PRESIL_QUEUE_ERROR_ADDRESS_VALUE_SHIFT 0u
#define PRESIL_QUEUE_ERROR_ADDRESS_VALUE_MASK 0xffffffffffull
#define PRESIL_QUEUE_REG_CONTEXT(i) (0x40u + 0x4u * (i))
#define PRESIL_QUEUE_CONTEXT_COUNT 4u
#define PRESIL_QUEUE_CONTEXT_SYNC_FIRST_SHIFT 0u
#define PRESIL_QUEUE_CONTEXT_SYNC_FIRST_MASK 0xffu
#define PRESIL_QUEUE_CONTEXT_SYNC_LAST_SHIFT 8u
#define PRESIL_QUEUE_CONTEXT_SYNC_LAST_MASK 0xff00u

#ifdef __cplusplus
}
#endif
