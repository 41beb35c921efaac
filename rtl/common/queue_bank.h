// Printed from rtl/common/queue.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <cstdint>

#include "rtl/common/queue.h"
#include "rtl/common/register_bank.h"

namespace presil::queue {

enum class State : uint8_t {
  kIdle = 0,  // Nothing to do: disabled, or head equals tail.
  kRunning = 1,  // A job is in progress and a command is offered or executing.
  kWaiting = 2,  // A job is in progress and its oldest command waits for a counter, or the job for its barrier.
  kError = 3,  // A job was refused or failed; the error registers say which. Leaves by control.start.
  kStopped = 4,  // Stopped by control.stop or control.abort. Leaves by control.start.
  kDraining = 5,  // Stop or abort was written; outstanding work is finishing.
};

enum class ErrorCode : uint8_t {
  kNone = 0,  // No error.
  kBadJob = 1,  // A field of the job entry is out of its range or valid is 0 (error_word: word of the entry).
  kBadContext = 2,  // The job names a context that the queue does not have, or counters outside its context's.
  kBadVersion = 3,  // isa_version of the command is not the one of this engine.
  kBadOp = 4,  // The operation code is not defined.
  kReservedBits = 5,  // A reserved bit is 1.
  kIllegalValue = 6,  // A field is outside its legal range, or not 0 although the operation does not use it.
  kUnsupported = 7,  // A code that the ISA defines and this configuration lacks; its capability bit reads 0.
  kMisaligned = 8,  // An address or pitch is not a multiple of what its field demands.
  kRuleBroken = 9,  // A rule between fields is broken; error_rule has its number, the block's README its text.
  kAddressRange = 10,  // An address is outside the SRAM window or past the limit of its region.
  kSyncLimit = 11,  // A counter id is above sync_count of the job or outside the counters of its context.
  kStreamLength = 12,  // Source and destination of a DMA command differ in length, or an element is cut by a row end.
  kBusError = 13,  // SLVERR or DECERR on a data access; error_address has the address.
  kFetchError = 14,  // SLVERR or DECERR while a job entry or command was fetched; error_address has the address.
  kRingOverrun = 15,  // The doorbell put tail more than a ring ahead of head.
  kKernelTrap = 16,  // A program of the DSP trapped or refused its work; the block's trap registers say why and where.
  kMemoryError = 17,  // A read met an error that ECC cannot correct; error_address has the word: SRAM or system address.
  kCrcMismatch = 18,  // A job entry or command does not have the CRC of its words (control.check): memory has changed since the driver wrote it. Nothing of it has run.
};

// Command queue. One job ring and what runs from it. Each queue of an engine has these registers.
class View : public RegisterView {
 public:
  using RegisterView::RegisterView;

  // control: Starts and stops the queue.
  bool control_enable() const { return bool(get_bits(PRESIL_QUEUE_REG_CONTROL, 0, 1, 32)); }
  void set_control_enable(bool value) { set_bits(PRESIL_QUEUE_REG_CONTROL, 0, 1, 32, uint64_t(value)); }
  bool control_start() const { return bool(get_bits(PRESIL_QUEUE_REG_CONTROL, 1, 1, 32)); }
  void set_control_start(bool value) { set_bits(PRESIL_QUEUE_REG_CONTROL, 1, 1, 32, uint64_t(value)); }
  bool control_stop() const { return bool(get_bits(PRESIL_QUEUE_REG_CONTROL, 2, 1, 32)); }
  void set_control_stop(bool value) { set_bits(PRESIL_QUEUE_REG_CONTROL, 2, 1, 32, uint64_t(value)); }
  bool control_abort() const { return bool(get_bits(PRESIL_QUEUE_REG_CONTROL, 3, 1, 32)); }
  void set_control_abort(bool value) { set_bits(PRESIL_QUEUE_REG_CONTROL, 3, 1, 32, uint64_t(value)); }
  bool control_check() const { return bool(get_bits(PRESIL_QUEUE_REG_CONTROL, 4, 1, 32)); }
  void set_control_check(bool value) { set_bits(PRESIL_QUEUE_REG_CONTROL, 4, 1, 32, uint64_t(value)); }

  // status: What the queue does now.
  State status_state() const { return State(get_bits(PRESIL_QUEUE_REG_STATUS, 0, 4, 32)); }
  void set_status_state(State value) { set_bits(PRESIL_QUEUE_REG_STATUS, 0, 4, 32, uint64_t(value)); }

  // ring_base: Where the ring is. Taken when head equals tail.
  uint64_t ring_base() const { return uint64_t(get_bits(PRESIL_QUEUE_REG_RING_BASE, 0, 40, 64)); }
  void set_ring_base(uint64_t value) { set_bits(PRESIL_QUEUE_REG_RING_BASE, 0, 40, 64, uint64_t(value)); }

  // ring_size_log2: Size of the ring.
  uint8_t ring_size_log2() const { return uint8_t(get_bits(PRESIL_QUEUE_REG_RING_SIZE_LOG2, 0, 4, 32)); }
  void set_ring_size_log2(uint8_t value) { set_bits(PRESIL_QUEUE_REG_RING_SIZE_LOG2, 0, 4, 32, uint64_t(value)); }

  // head: Jobs taken from the ring: advances when a job's last command has completed.
  uint16_t head() const { return uint16_t(get_bits(PRESIL_QUEUE_REG_HEAD, 0, 16, 32)); }
  void set_head(uint16_t value) { set_bits(PRESIL_QUEUE_REG_HEAD, 0, 16, 32, uint64_t(value)); }

  // tail: The doorbell: jobs put into the ring.
  uint16_t tail() const { return uint16_t(get_bits(PRESIL_QUEUE_REG_TAIL, 0, 16, 32)); }
  void set_tail(uint16_t value) { set_bits(PRESIL_QUEUE_REG_TAIL, 0, 16, 32, uint64_t(value)); }

  // irq_status: Events that have happened; write 1 to clear.
  bool irq_status_job_done() const { return bool(get_bits(PRESIL_QUEUE_REG_IRQ_STATUS, 0, 1, 32)); }
  void set_irq_status_job_done(bool value) { set_bits(PRESIL_QUEUE_REG_IRQ_STATUS, 0, 1, 32, uint64_t(value)); }
  bool irq_status_command_done() const { return bool(get_bits(PRESIL_QUEUE_REG_IRQ_STATUS, 1, 1, 32)); }
  void set_irq_status_command_done(bool value) { set_bits(PRESIL_QUEUE_REG_IRQ_STATUS, 1, 1, 32, uint64_t(value)); }
  bool irq_status_error() const { return bool(get_bits(PRESIL_QUEUE_REG_IRQ_STATUS, 2, 1, 32)); }
  void set_irq_status_error(bool value) { set_bits(PRESIL_QUEUE_REG_IRQ_STATUS, 2, 1, 32, uint64_t(value)); }
  bool irq_status_stopped() const { return bool(get_bits(PRESIL_QUEUE_REG_IRQ_STATUS, 3, 1, 32)); }
  void set_irq_status_stopped(bool value) { set_bits(PRESIL_QUEUE_REG_IRQ_STATUS, 3, 1, 32, uint64_t(value)); }

  // irq_enable: Which events drive the interrupt line, a level.
  bool irq_enable_job_done() const { return bool(get_bits(PRESIL_QUEUE_REG_IRQ_ENABLE, 0, 1, 32)); }
  void set_irq_enable_job_done(bool value) { set_bits(PRESIL_QUEUE_REG_IRQ_ENABLE, 0, 1, 32, uint64_t(value)); }
  bool irq_enable_command_done() const { return bool(get_bits(PRESIL_QUEUE_REG_IRQ_ENABLE, 1, 1, 32)); }
  void set_irq_enable_command_done(bool value) { set_bits(PRESIL_QUEUE_REG_IRQ_ENABLE, 1, 1, 32, uint64_t(value)); }
  bool irq_enable_error() const { return bool(get_bits(PRESIL_QUEUE_REG_IRQ_ENABLE, 2, 1, 32)); }
  void set_irq_enable_error(bool value) { set_bits(PRESIL_QUEUE_REG_IRQ_ENABLE, 2, 1, 32, uint64_t(value)); }
  bool irq_enable_stopped() const { return bool(get_bits(PRESIL_QUEUE_REG_IRQ_ENABLE, 3, 1, 32)); }
  void set_irq_enable_stopped(bool value) { set_bits(PRESIL_QUEUE_REG_IRQ_ENABLE, 3, 1, 32, uint64_t(value)); }

  // current_job: Where the queue is: for progress and hang reports.
  uint32_t current_job_tag() const { return uint32_t(get_bits(PRESIL_QUEUE_REG_CURRENT_JOB, 0, 32, 32)); }
  void set_current_job_tag(uint32_t value) { set_bits(PRESIL_QUEUE_REG_CURRENT_JOB, 0, 32, 32, uint64_t(value)); }

  // current_command: Where the queue is: for progress and hang reports.
  uint32_t current_command_index() const { return uint32_t(get_bits(PRESIL_QUEUE_REG_CURRENT_COMMAND, 0, 32, 32)); }
  void set_current_command_index(uint32_t value) { set_bits(PRESIL_QUEUE_REG_CURRENT_COMMAND, 0, 32, 32, uint64_t(value)); }

  // error: The first error since start.
  ErrorCode error_code() const { return ErrorCode(get_bits(PRESIL_QUEUE_REG_ERROR, 0, 8, 32)); }
  void set_error_code(ErrorCode value) { set_bits(PRESIL_QUEUE_REG_ERROR, 0, 8, 32, uint64_t(value)); }
  uint8_t error_rule() const { return uint8_t(get_bits(PRESIL_QUEUE_REG_ERROR, 8, 8, 32)); }
  void set_error_rule(uint8_t value) { set_bits(PRESIL_QUEUE_REG_ERROR, 8, 8, 32, uint64_t(value)); }
  uint8_t error_word() const { return uint8_t(get_bits(PRESIL_QUEUE_REG_ERROR, 16, 8, 32)); }
  void set_error_word(uint8_t value) { set_bits(PRESIL_QUEUE_REG_ERROR, 16, 8, 32, uint64_t(value)); }

  // error_job_tag: The first error since start.
  uint32_t error_job_tag() const { return uint32_t(get_bits(PRESIL_QUEUE_REG_ERROR_JOB_TAG, 0, 32, 32)); }
  void set_error_job_tag(uint32_t value) { set_bits(PRESIL_QUEUE_REG_ERROR_JOB_TAG, 0, 32, 32, uint64_t(value)); }

  // error_command_index: The first error since start.
  uint32_t error_command_index() const { return uint32_t(get_bits(PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX, 0, 32, 32)); }
  void set_error_command_index(uint32_t value) { set_bits(PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX, 0, 32, 32, uint64_t(value)); }

  // error_address: The first error since start.
  uint64_t error_address() const { return uint64_t(get_bits(PRESIL_QUEUE_REG_ERROR_ADDRESS, 0, 40, 64)); }
  void set_error_address(uint64_t value) { set_bits(PRESIL_QUEUE_REG_ERROR_ADDRESS, 0, 40, 64, uint64_t(value)); }

  // context: Counters that jobs of context i may use; owned by the kernel driver.
  uint8_t context_sync_first(unsigned i) const { return uint8_t(get_bits(PRESIL_QUEUE_REG_CONTEXT(i), 0, 8, 32)); }
  void set_context_sync_first(unsigned i, uint8_t value) { set_bits(PRESIL_QUEUE_REG_CONTEXT(i), 0, 8, 32, uint64_t(value)); }
  uint8_t context_sync_last(unsigned i) const { return uint8_t(get_bits(PRESIL_QUEUE_REG_CONTEXT(i), 8, 8, 32)); }
  void set_context_sync_last(unsigned i, uint8_t value) { set_bits(PRESIL_QUEUE_REG_CONTEXT(i), 8, 8, 32, uint64_t(value)); }
};

}  // namespace presil::queue
