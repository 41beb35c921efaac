// Printed from rtl/dsp/dsp.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <cstdint>

#include "rtl/dsp/dsp.h"
#include "rtl/common/register_bank.h"
#include "rtl/common/queue_bank.h"

namespace presil::dsp {

enum class TrapCause : uint8_t {
  kNone = 0,  // No program has trapped since trap_control.clear.
  kFetch = 1,  // No instruction there: pc outside the instruction memory.
  kIllegal = 2,  // An instruction that the DSP does not have, or a reserved encoding.
  kBreakpoint = 3,  // ebreak.
  kLoadMisaligned = 4,  // A load whose address is no multiple of its (element's) size.
  kLoadFault = 5,  // A load outside the regions that may be read, or a copy's source.
  kStoreMisaligned = 6,  // A store whose address is no multiple of its (element's) size.
  kStoreFault = 7,  // A store outside the regions that may be written, or a copy's destination.
  kWatchdog = 24,  // More than `watchdog` cycles since the first instruction.
  kStackGuard = 25,  // An access to the 64 bytes below the stack.
  kKernelRefused = 26,  // The function returned another value than 0: trap_code.
};

enum class Near : uint8_t {
  kNone = 0,  // The address is not in SRAM or DRAM, or the program has no region there.
  kInRegion = 1,  // In the region, which lacks the right; distance is from its first byte.
  kBelow = 2,  // Before the region; distance is to its first byte.
  kAbove = 3,  // After the region; distance is from its last byte.
};

// DSP counters. Where the cycles went: in each cycle exactly one of run .. idle and the waits counts, so that their sum is cycles. What is read is the last snapshot; it is taken of all counters in one cycle. Waits have addresses for 32 kinds of engines; a kind that this presil lacks has no counter.
class CountersView : public RegisterView {
 public:
  using RegisterView::RegisterView;

  // control: Takes and clears snapshots.
  bool control_snapshot() const { return bool(get_bits(PRESIL_DSP_COUNTERS_REG_CONTROL, 0, 1, 32)); }
  void set_control_snapshot(bool value) { set_bits(PRESIL_DSP_COUNTERS_REG_CONTROL, 0, 1, 32, uint64_t(value)); }
  bool control_clear() const { return bool(get_bits(PRESIL_DSP_COUNTERS_REG_CONTROL, 1, 1, 32)); }
  void set_control_clear(bool value) { set_bits(PRESIL_DSP_COUNTERS_REG_CONTROL, 1, 1, 32, uint64_t(value)); }

  // cycles: All cycles since clear.
  uint64_t cycles() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_CYCLES, 0, 64, 64)); }
  void set_cycles(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_CYCLES, 0, 64, 64, uint64_t(value)); }

  // run: The scalar core issues an instruction, or an image is copied.
  uint64_t run() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_RUN, 0, 64, 64)); }
  void set_run(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_RUN, 0, 64, 64, uint64_t(value)); }

  // load_use: A scalar instruction waits for a load from TCM.
  uint64_t load_use() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_LOAD_USE, 0, 64, 64)); }
  void set_load_use(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_LOAD_USE, 0, 64, 64, uint64_t(value)); }

  // branch: Refetch after a taken branch or jump.
  uint64_t branch() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_BRANCH, 0, 64, 64)); }
  void set_branch(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_BRANCH, 0, 64, 64, uint64_t(value)); }

  // divide: A scalar instruction waits for the divider, the multiplier or the float unit.
  uint64_t divide() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_DIVIDE, 0, 64, 64)); }
  void set_divide(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_DIVIDE, 0, 64, 64, uint64_t(value)); }

  // far_load: A scalar load waits for SRAM, DRAM or a register, beyond what TCM takes.
  uint64_t far_load() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_FAR_LOAD, 0, 64, 64)); }
  void set_far_load(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_FAR_LOAD, 0, 64, 64, uint64_t(value)); }

  // vector_queue: The queue to the vector unit is full.
  uint64_t vector_queue() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_VECTOR_QUEUE, 0, 64, 64)); }
  void set_vector_queue(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_VECTOR_QUEUE, 0, 64, 64, uint64_t(value)); }

  // vector_result: A scalar result of the vector unit, a fence or the end of the program is awaited.
  uint64_t vector_result() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_VECTOR_RESULT, 0, 64, 64)); }
  void set_vector_result(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_VECTOR_RESULT, 0, 64, 64, uint64_t(value)); }

  // sram_bank: An access to SRAM meets the DLA's in a bank.
  uint64_t sram_bank() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_SRAM_BANK, 0, 64, 64)); }
  void set_sram_bank(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_SRAM_BANK, 0, 64, 64, uint64_t(value)); }

  // own_dma: The program waits for a copy of its own DMA channel.
  uint64_t own_dma() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_OWN_DMA, 0, 64, 64)); }
  void set_own_dma(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_OWN_DMA, 0, 64, 64, uint64_t(value)); }

  // start: A command was offered or its waits were met, and no instruction has been issued: checks, region table, registers cleared; the way to the first byte of an image; the end.
  uint64_t start() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_START, 0, 64, 64)); }
  void set_start(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_START, 0, 64, 64, uint64_t(value)); }

  // fetch: The ring is not empty and no command is offered: entry or command being fetched, or the job's barrier.
  uint64_t fetch() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_FETCH, 0, 64, 64)); }
  void set_fetch(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_FETCH, 0, 64, 64, uint64_t(value)); }

  // idle: Nothing to do.
  uint64_t idle() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_IDLE, 0, 64, 64)); }
  void set_idle(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_IDLE, 0, 64, 64, uint64_t(value)); }

  // commands: Commands completed.
  uint64_t commands() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_COMMANDS, 0, 64, 64)); }
  void set_commands(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_COMMANDS, 0, 64, 64, uint64_t(value)); }

  // instructions: Instructions executed.
  uint64_t instructions() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_INSTRUCTIONS, 0, 64, 64)); }
  void set_instructions(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_INSTRUCTIONS, 0, 64, 64, uint64_t(value)); }

  // elements: Elements of vector instructions.
  uint64_t elements() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_ELEMENTS, 0, 64, 64)); }
  void set_elements(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_ELEMENTS, 0, 64, 64, uint64_t(value)); }

  // bytes_read: Bytes read over AXI: commands, job entries, images, copies.
  uint64_t bytes_read() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_BYTES_READ, 0, 64, 64)); }
  void set_bytes_read(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_BYTES_READ, 0, 64, 64, uint64_t(value)); }

  // bytes_written: Bytes written over AXI.
  uint64_t bytes_written() const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_BYTES_WRITTEN, 0, 64, 64)); }
  void set_bytes_written(uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_BYTES_WRITTEN, 0, 64, 64, uint64_t(value)); }

  // wait: Waits for wait0, wait1 or wait2, by engine that signalled (index as enum engine_e).
  uint64_t wait(unsigned i) const { return uint64_t(get_bits(PRESIL_DSP_COUNTERS_REG_WAIT(i), 0, 64, 64)); }
  void set_wait(unsigned i, uint64_t value) { set_bits(PRESIL_DSP_COUNTERS_REG_WAIT(i), 0, 64, 64, uint64_t(value)); }
};

// DSP registers. Capabilities at 0x000, the queue at 0x200, what trapped at 0x300, counters at 0x1000.
class View : public RegisterView {
 public:
  using RegisterView::RegisterView;

  // id: What this block is.
  uint8_t id_isa_version() const { return uint8_t(get_bits(PRESIL_DSP_REG_ID, 0, 8, 32)); }
  void set_id_isa_version(uint8_t value) { set_bits(PRESIL_DSP_REG_ID, 0, 8, 32, uint64_t(value)); }
  uint8_t id_queues() const { return uint8_t(get_bits(PRESIL_DSP_REG_ID, 8, 8, 32)); }
  void set_id_queues(uint8_t value) { set_bits(PRESIL_DSP_REG_ID, 8, 8, 32, uint64_t(value)); }
  uint8_t id_contexts() const { return uint8_t(get_bits(PRESIL_DSP_REG_ID, 16, 8, 32)); }
  void set_id_contexts(uint8_t value) { set_bits(PRESIL_DSP_REG_ID, 16, 8, 32, uint64_t(value)); }
  uint8_t id_prefetch() const { return uint8_t(get_bits(PRESIL_DSP_REG_ID, 24, 8, 32)); }
  void set_id_prefetch(uint8_t value) { set_bits(PRESIL_DSP_REG_ID, 24, 8, 32, uint64_t(value)); }

  // vector: The vector unit.
  uint16_t vector_vlen() const { return uint16_t(get_bits(PRESIL_DSP_REG_VECTOR, 0, 16, 32)); }
  void set_vector_vlen(uint16_t value) { set_bits(PRESIL_DSP_REG_VECTOR, 0, 16, 32, uint64_t(value)); }
  uint16_t vector_dlen() const { return uint16_t(get_bits(PRESIL_DSP_REG_VECTOR, 16, 16, 32)); }
  void set_vector_dlen(uint16_t value) { set_bits(PRESIL_DSP_REG_VECTOR, 16, 16, 32, uint64_t(value)); }

  // unit: The vector unit, regions, copies.
  uint8_t unit_elen() const { return uint8_t(get_bits(PRESIL_DSP_REG_UNIT, 0, 8, 32)); }
  void set_unit_elen(uint8_t value) { set_bits(PRESIL_DSP_REG_UNIT, 0, 8, 32, uint64_t(value)); }
  uint8_t unit_arithmetic_sequencers() const { return uint8_t(get_bits(PRESIL_DSP_REG_UNIT, 8, 8, 32)); }
  void set_unit_arithmetic_sequencers(uint8_t value) { set_bits(PRESIL_DSP_REG_UNIT, 8, 8, 32, uint64_t(value)); }
  uint8_t unit_regions() const { return uint8_t(get_bits(PRESIL_DSP_REG_UNIT, 16, 8, 32)); }
  void set_unit_regions(uint8_t value) { set_bits(PRESIL_DSP_REG_UNIT, 16, 8, 32, uint64_t(value)); }
  uint8_t unit_dma_channels() const { return uint8_t(get_bits(PRESIL_DSP_REG_UNIT, 24, 8, 32)); }
  void set_unit_dma_channels(uint8_t value) { set_bits(PRESIL_DSP_REG_UNIT, 24, 8, 32, uint64_t(value)); }

  // itcm: Instruction memory.
  uint32_t itcm_bytes() const { return uint32_t(get_bits(PRESIL_DSP_REG_ITCM, 0, 32, 32)); }
  void set_itcm_bytes(uint32_t value) { set_bits(PRESIL_DSP_REG_ITCM, 0, 32, 32, uint64_t(value)); }

  // dtcm: Data memory.
  uint32_t dtcm_bytes() const { return uint32_t(get_bits(PRESIL_DSP_REG_DTCM, 0, 32, 32)); }
  void set_dtcm_bytes(uint32_t value) { set_bits(PRESIL_DSP_REG_DTCM, 0, 32, 32, uint64_t(value)); }

  // stack: Stack, at the top of the data memory; 64 bytes below it are the guard.
  uint32_t stack_bytes() const { return uint32_t(get_bits(PRESIL_DSP_REG_STACK, 0, 32, 32)); }
  void set_stack_bytes(uint32_t value) { set_bits(PRESIL_DSP_REG_STACK, 0, 32, 32, uint64_t(value)); }

  // capability: Optional features; a 0 means that what they name is refused, or not so.
  bool capability_on_trap() const { return bool(get_bits(PRESIL_DSP_REG_CAPABILITY, 0, 1, 32)); }
  void set_capability_on_trap(bool value) { set_bits(PRESIL_DSP_REG_CAPABILITY, 0, 1, 32, uint64_t(value)); }
  bool capability_gather_by_element() const { return bool(get_bits(PRESIL_DSP_REG_CAPABILITY, 1, 1, 32)); }
  void set_capability_gather_by_element(bool value) { set_bits(PRESIL_DSP_REG_CAPABILITY, 1, 1, 32, uint64_t(value)); }

  // sram: The SRAM window that commands may address.
  uint32_t sram_bytes() const { return uint32_t(get_bits(PRESIL_DSP_REG_SRAM, 0, 32, 32)); }
  void set_sram_bytes(uint32_t value) { set_bits(PRESIL_DSP_REG_SRAM, 0, 32, 32, uint64_t(value)); }

  // trap_control: Clears what trapped. control.start of the queue does not.
  bool trap_control_clear() const { return bool(get_bits(PRESIL_DSP_REG_TRAP_CONTROL, 0, 1, 32)); }
  void set_trap_control_clear(bool value) { set_bits(PRESIL_DSP_REG_TRAP_CONTROL, 0, 1, 32, uint64_t(value)); }

  // trap: The first program that trapped since clear.
  TrapCause trap_cause() const { return TrapCause(get_bits(PRESIL_DSP_REG_TRAP, 0, 8, 32)); }
  void set_trap_cause(TrapCause value) { set_bits(PRESIL_DSP_REG_TRAP, 0, 8, 32, uint64_t(value)); }
  uint16_t trap_vstart() const { return uint16_t(get_bits(PRESIL_DSP_REG_TRAP, 16, 16, 32)); }
  void set_trap_vstart(uint16_t value) { set_bits(PRESIL_DSP_REG_TRAP, 16, 16, 32, uint64_t(value)); }

  // trap_pc: Where it ended.
  uint32_t trap_pc() const { return uint32_t(get_bits(PRESIL_DSP_REG_TRAP_PC, 0, 32, 32)); }
  void set_trap_pc(uint32_t value) { set_bits(PRESIL_DSP_REG_TRAP_PC, 0, 32, 32, uint64_t(value)); }

  // trap_word: The instruction.
  uint32_t trap_word() const { return uint32_t(get_bits(PRESIL_DSP_REG_TRAP_WORD, 0, 32, 32)); }
  void set_trap_word(uint32_t value) { set_bits(PRESIL_DSP_REG_TRAP_WORD, 0, 32, 32, uint64_t(value)); }

  // trap_address: The access that was refused.
  uint64_t trap_address() const { return uint64_t(get_bits(PRESIL_DSP_REG_TRAP_ADDRESS, 0, 64, 64)); }
  void set_trap_address(uint64_t value) { set_bits(PRESIL_DSP_REG_TRAP_ADDRESS, 0, 64, 64, uint64_t(value)); }

  // trap_sp: The stack.
  uint64_t trap_sp() const { return uint64_t(get_bits(PRESIL_DSP_REG_TRAP_SP, 0, 64, 64)); }
  void set_trap_sp(uint64_t value) { set_bits(PRESIL_DSP_REG_TRAP_SP, 0, 64, 64, uint64_t(value)); }

  // trap_cycle: When.
  uint64_t trap_cycle() const { return uint64_t(get_bits(PRESIL_DSP_REG_TRAP_CYCLE, 0, 64, 64)); }
  void set_trap_cycle(uint64_t value) { set_bits(PRESIL_DSP_REG_TRAP_CYCLE, 0, 64, 64, uint64_t(value)); }

  // trap_tag: The command.
  uint32_t trap_tag() const { return uint32_t(get_bits(PRESIL_DSP_REG_TRAP_TAG, 0, 32, 32)); }
  void set_trap_tag(uint32_t value) { set_bits(PRESIL_DSP_REG_TRAP_TAG, 0, 32, 32, uint64_t(value)); }

  // trap_command: The command.
  uint32_t trap_command() const { return uint32_t(get_bits(PRESIL_DSP_REG_TRAP_COMMAND, 0, 32, 32)); }
  void set_trap_command(uint32_t value) { set_bits(PRESIL_DSP_REG_TRAP_COMMAND, 0, 32, 32, uint64_t(value)); }

  // trap_code: What the function returned (kernel_refused).
  uint32_t trap_code() const { return uint32_t(get_bits(PRESIL_DSP_REG_TRAP_CODE, 0, 32, 32)); }
  void set_trap_code(uint32_t value) { set_bits(PRESIL_DSP_REG_TRAP_CODE, 0, 32, 32, uint64_t(value)); }

  // trap_region: The region nearest to trap_address, in the same memory.
  Near trap_region_near() const { return Near(get_bits(PRESIL_DSP_REG_TRAP_REGION, 0, 2, 32)); }
  void set_trap_region_near(Near value) { set_bits(PRESIL_DSP_REG_TRAP_REGION, 0, 2, 32, uint64_t(value)); }
  uint8_t trap_region_region() const { return uint8_t(get_bits(PRESIL_DSP_REG_TRAP_REGION, 4, 4, 32)); }
  void set_trap_region_region(uint8_t value) { set_bits(PRESIL_DSP_REG_TRAP_REGION, 4, 4, 32, uint64_t(value)); }
  uint16_t trap_region_tensor() const { return uint16_t(get_bits(PRESIL_DSP_REG_TRAP_REGION, 16, 16, 32)); }
  void set_trap_region_tensor(uint16_t value) { set_bits(PRESIL_DSP_REG_TRAP_REGION, 16, 16, 32, uint64_t(value)); }

  // trap_distance: How far.
  uint32_t trap_distance() const { return uint32_t(get_bits(PRESIL_DSP_REG_TRAP_DISTANCE, 0, 32, 32)); }
  void set_trap_distance(uint32_t value) { set_bits(PRESIL_DSP_REG_TRAP_DISTANCE, 0, 32, 32, uint64_t(value)); }

  // image_crc: The resident image.
  uint32_t image_crc() const { return uint32_t(get_bits(PRESIL_DSP_REG_IMAGE_CRC, 0, 32, 32)); }
  void set_image_crc(uint32_t value) { set_bits(PRESIL_DSP_REG_IMAGE_CRC, 0, 32, 32, uint64_t(value)); }

  // image_bytes: The resident image.
  uint32_t image_bytes() const { return uint32_t(get_bits(PRESIL_DSP_REG_IMAGE_BYTES, 0, 32, 32)); }
  void set_image_bytes(uint32_t value) { set_bits(PRESIL_DSP_REG_IMAGE_BYTES, 0, 32, 32, uint64_t(value)); }

  // program_pc: The program that runs.
  uint32_t program_pc() const { return uint32_t(get_bits(PRESIL_DSP_REG_PROGRAM_PC, 0, 32, 32)); }
  void set_program_pc(uint32_t value) { set_bits(PRESIL_DSP_REG_PROGRAM_PC, 0, 32, 32, uint64_t(value)); }

  queue::View queue() const { return queue::View(bank(), base() + PRESIL_DSP_REG_QUEUE); }

  CountersView counters() const { return CountersView(bank(), base() + PRESIL_DSP_REG_COUNTERS); }
};

namespace detail {
// name, offset, reset, readable, writable, w1c, pulse
inline constexpr RegisterWord kDspWords[] = {
    {"id", 0x0, 0x2040101, 0xffffffff, 0x0, 0x0, 0x0},
    {"vector", 0x4, 0x1000200, 0xffffffff, 0x0, 0x0, 0x0},
    {"unit", 0x8, 0x1100140, 0xffffffff, 0x0, 0x0, 0x0},
    {"itcm", 0xc, 0x10000, 0xffffffff, 0x0, 0x0, 0x0},
    {"dtcm", 0x10, 0x20000, 0xffffffff, 0x0, 0x0, 0x0},
    {"stack", 0x14, 0x2000, 0xffffffff, 0x0, 0x0, 0x0},
    {"capability", 0x18, 0x0, 0x3, 0x0, 0x0, 0x0},
    {"sram", 0x1c, 0x100000, 0xffffffff, 0x0, 0x0, 0x0},
    {"queue.control", 0x200, 0x0, 0x11, 0x1f, 0x0, 0xe},
    {"queue.status", 0x204, 0x0, 0xf, 0x0, 0x0, 0x0},
    {"queue.ring_base", 0x208, 0x0, 0xffffffff, 0xffffffff, 0x0, 0x0},
    {"queue.ring_base.hi", 0x20c, 0x0, 0xff, 0xff, 0x0, 0x0},
    {"queue.ring_size_log2", 0x210, 0x2, 0xf, 0xf, 0x0, 0x0},
    {"queue.head", 0x214, 0x0, 0xffff, 0xffff, 0x0, 0x0},
    {"queue.tail", 0x218, 0x0, 0xffff, 0xffff, 0x0, 0x0},
    {"queue.irq_status", 0x21c, 0x0, 0xf, 0xf, 0xf, 0x0},
    {"queue.irq_enable", 0x220, 0x0, 0xf, 0xf, 0x0, 0x0},
    {"queue.current_job", 0x224, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"queue.current_command", 0x228, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"queue.error", 0x22c, 0x0, 0xffffff, 0x0, 0x0, 0x0},
    {"queue.error_job_tag", 0x230, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"queue.error_command_index", 0x234, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"queue.error_address", 0x238, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"queue.error_address.hi", 0x23c, 0x0, 0xff, 0x0, 0x0, 0x0},
    {"queue.context[0]", 0x240, 0x3f01, 0xffff, 0xffff, 0x0, 0x0},
    {"queue.context[1]", 0x244, 0x3f01, 0xffff, 0xffff, 0x0, 0x0},
    {"queue.context[2]", 0x248, 0x3f01, 0xffff, 0xffff, 0x0, 0x0},
    {"queue.context[3]", 0x24c, 0x3f01, 0xffff, 0xffff, 0x0, 0x0},
    {"trap_control", 0x300, 0x0, 0x0, 0x1, 0x0, 0x1},
    {"trap", 0x304, 0x0, 0xffff00ff, 0x0, 0x0, 0x0},
    {"trap_pc", 0x308, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_word", 0x30c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_address", 0x310, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_address.hi", 0x314, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_sp", 0x318, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_sp.hi", 0x31c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_cycle", 0x320, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_cycle.hi", 0x324, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_tag", 0x328, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_command", 0x32c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_code", 0x330, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"trap_region", 0x334, 0x0, 0xffff00f3, 0x0, 0x0, 0x0},
    {"trap_distance", 0x338, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"image_crc", 0x340, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"image_bytes", 0x344, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"program_pc", 0x348, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.control", 0x1000, 0x0, 0x0, 0x3, 0x0, 0x3},
    {"counters.cycles", 0x1008, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.cycles.hi", 0x100c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.run", 0x1010, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.run.hi", 0x1014, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.load_use", 0x1018, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.load_use.hi", 0x101c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.branch", 0x1020, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.branch.hi", 0x1024, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.divide", 0x1028, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.divide.hi", 0x102c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.far_load", 0x1030, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.far_load.hi", 0x1034, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.vector_queue", 0x1038, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.vector_queue.hi", 0x103c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.vector_result", 0x1040, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.vector_result.hi", 0x1044, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.sram_bank", 0x1048, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.sram_bank.hi", 0x104c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.own_dma", 0x1050, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.own_dma.hi", 0x1054, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.start", 0x1058, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.start.hi", 0x105c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.fetch", 0x1060, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.fetch.hi", 0x1064, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.idle", 0x1068, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.idle.hi", 0x106c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.commands", 0x1070, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.commands.hi", 0x1074, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.instructions", 0x1078, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.instructions.hi", 0x107c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.elements", 0x1080, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.elements.hi", 0x1084, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.bytes_read", 0x1088, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.bytes_read.hi", 0x108c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.bytes_written", 0x1090, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.bytes_written.hi", 0x1094, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait[0]", 0x1100, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait[0].hi", 0x1104, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait[1]", 0x1108, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait[1].hi", 0x110c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait[2]", 0x1110, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait[2].hi", 0x1114, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait[3]", 0x1118, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait[3].hi", 0x111c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
};
}  // namespace detail

// All registers of the block.
class Bank : public RegisterBank, public View {
 public:
  static constexpr uint32_t kSizeBytes = PRESIL_DSP_SIZE;

  Bank() : RegisterBank(detail::kDspWords, sizeof detail::kDspWords / sizeof detail::kDspWords[0], kSizeBytes), View(static_cast<RegisterBank&>(*this), 0) {}

  using RegisterBank::get;
  using RegisterBank::on_read;
  using RegisterBank::on_write;
  using RegisterBank::set;
};

}  // namespace presil::dsp
