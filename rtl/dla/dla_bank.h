// Printed from rtl/dla/dla.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <cstdint>

#include "rtl/dla/dla.h"
#include "rtl/common/register_bank.h"
#include "rtl/common/queue_bank.h"

namespace presil::dla {

// DLA counters. Where the cycles went: in each cycle exactly one of run .. idle and the waits counts, so that their sum is cycles. What is read is the last snapshot; it is taken of all counters in one cycle. Waits have addresses for 32 kinds of engines; a kind that this presil lacks has no counter.
class CountersView : public RegisterView {
 public:
  using RegisterView::RegisterView;

  // control: Takes and clears snapshots.
  bool control_snapshot() const { return bool(get_bits(PRESIL_DLA_COUNTERS_REG_CONTROL, 0, 1, 32)); }
  void set_control_snapshot(bool value) { set_bits(PRESIL_DLA_COUNTERS_REG_CONTROL, 0, 1, 32, uint64_t(value)); }
  bool control_clear() const { return bool(get_bits(PRESIL_DLA_COUNTERS_REG_CONTROL, 1, 1, 32)); }
  void set_control_clear(bool value) { set_bits(PRESIL_DLA_COUNTERS_REG_CONTROL, 1, 1, 32, uint64_t(value)); }

  // cycles: All cycles since clear.
  uint64_t cycles() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_CYCLES, 0, 64, 64)); }
  void set_cycles(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_CYCLES, 0, 64, 64, uint64_t(value)); }

  // run: A step fires in the operand stage.
  uint64_t run() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_RUN, 0, 64, 64)); }
  void set_run(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_RUN, 0, 64, 64, uint64_t(value)); }

  // stall_feature: No feature word: the reads of a step met in one bank.
  uint64_t stall_feature() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_STALL_FEATURE, 0, 64, 64)); }
  void set_stall_feature(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_STALL_FEATURE, 0, 64, 64, uint64_t(value)); }

  // stall_weights: The next weight set, parameter set or table is not complete.
  uint64_t stall_weights() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_STALL_WEIGHTS, 0, 64, 64)); }
  void set_stall_weights(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_STALL_WEIGHTS, 0, 64, 64, uint64_t(value)); }

  // stall_post: No room in the post FIFO: requantise, residual operand or output after it.
  uint64_t stall_post() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_STALL_POST, 0, 64, 64)); }
  void set_stall_post(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_STALL_POST, 0, 64, 64, uint64_t(value)); }

  // start: A command was offered, its features are fetched or loops reload.
  uint64_t start() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_START, 0, 64, 64)); }
  void set_start(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_START, 0, 64, 64, uint64_t(value)); }

  // fetch: The ring is not empty and no command is offered: entry or command being fetched, or the job's barrier.
  uint64_t fetch() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_FETCH, 0, 64, 64)); }
  void set_fetch(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_FETCH, 0, 64, 64, uint64_t(value)); }

  // idle: Nothing to do.
  uint64_t idle() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_IDLE, 0, 64, 64)); }
  void set_idle(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_IDLE, 0, 64, 64, uint64_t(value)); }

  // commands: Commands completed.
  uint64_t commands() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_COMMANDS, 0, 64, 64)); }
  void set_commands(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_COMMANDS, 0, 64, 64, uint64_t(value)); }

  // steps: Steps fired in the operand stage.
  uint64_t steps() const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_STEPS, 0, 64, 64)); }
  void set_steps(uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_STEPS, 0, 64, 64, uint64_t(value)); }

  // wait_in: Waits for wait_in, by engine that signalled (index as enum engine_e).
  uint64_t wait_in(unsigned i) const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_WAIT_IN(i), 0, 64, 64)); }
  void set_wait_in(unsigned i, uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_WAIT_IN(i), 0, 64, 64, uint64_t(value)); }

  // wait_weights: Waits for wait_weights, by engine that signalled.
  uint64_t wait_weights(unsigned i) const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS(i), 0, 64, 64)); }
  void set_wait_weights(unsigned i, uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS(i), 0, 64, 64, uint64_t(value)); }

  // wait_out: Waits for wait_out, by engine that signalled.
  uint64_t wait_out(unsigned i) const { return uint64_t(get_bits(PRESIL_DLA_COUNTERS_REG_WAIT_OUT(i), 0, 64, 64)); }
  void set_wait_out(unsigned i, uint64_t value) { set_bits(PRESIL_DLA_COUNTERS_REG_WAIT_OUT(i), 0, 64, 64, uint64_t(value)); }
};

// DLA registers. Capabilities at 0x000, the queue at 0x200, counters at 0x1000.
class View : public RegisterView {
 public:
  using RegisterView::RegisterView;

  // id: What this block is.
  uint8_t id_isa_version() const { return uint8_t(get_bits(PRESIL_DLA_REG_ID, 0, 8, 32)); }
  void set_id_isa_version(uint8_t value) { set_bits(PRESIL_DLA_REG_ID, 0, 8, 32, uint64_t(value)); }
  uint8_t id_queues() const { return uint8_t(get_bits(PRESIL_DLA_REG_ID, 8, 8, 32)); }
  void set_id_queues(uint8_t value) { set_bits(PRESIL_DLA_REG_ID, 8, 8, 32, uint64_t(value)); }
  uint8_t id_contexts() const { return uint8_t(get_bits(PRESIL_DLA_REG_ID, 16, 8, 32)); }
  void set_id_contexts(uint8_t value) { set_bits(PRESIL_DLA_REG_ID, 16, 8, 32, uint64_t(value)); }
  uint8_t id_prefetch() const { return uint8_t(get_bits(PRESIL_DLA_REG_ID, 24, 8, 32)); }
  void set_id_prefetch(uint8_t value) { set_bits(PRESIL_DLA_REG_ID, 24, 8, 32, uint64_t(value)); }

  // array: Size of the array.
  uint16_t array_macs_k() const { return uint16_t(get_bits(PRESIL_DLA_REG_ARRAY, 0, 16, 32)); }
  void set_array_macs_k(uint16_t value) { set_bits(PRESIL_DLA_REG_ARRAY, 0, 16, 32, uint64_t(value)); }
  uint16_t array_macs_c() const { return uint16_t(get_bits(PRESIL_DLA_REG_ARRAY, 16, 16, 32)); }
  void set_array_macs_c(uint16_t value) { set_bits(PRESIL_DLA_REG_ARRAY, 16, 16, 32, uint64_t(value)); }

  // ports: SRAM ports of one word (16 bytes) per cycle.
  uint8_t ports_feat_ports() const { return uint8_t(get_bits(PRESIL_DLA_REG_PORTS, 0, 8, 32)); }
  void set_ports_feat_ports(uint8_t value) { set_bits(PRESIL_DLA_REG_PORTS, 0, 8, 32, uint64_t(value)); }
  uint8_t ports_weight_ports() const { return uint8_t(get_bits(PRESIL_DLA_REG_PORTS, 8, 8, 32)); }
  void set_ports_weight_ports(uint8_t value) { set_bits(PRESIL_DLA_REG_PORTS, 8, 8, 32, uint64_t(value)); }
  uint8_t ports_res_ports() const { return uint8_t(get_bits(PRESIL_DLA_REG_PORTS, 16, 8, 32)); }
  void set_ports_res_ports(uint8_t value) { set_bits(PRESIL_DLA_REG_PORTS, 16, 8, 32, uint64_t(value)); }
  uint8_t ports_out_ports() const { return uint8_t(get_bits(PRESIL_DLA_REG_PORTS, 24, 8, 32)); }
  void set_ports_out_ports(uint8_t value) { set_bits(PRESIL_DLA_REG_PORTS, 24, 8, 32, uint64_t(value)); }

  // lanes: Post-processing.
  uint16_t lanes_post_lanes() const { return uint16_t(get_bits(PRESIL_DLA_REG_LANES, 0, 16, 32)); }
  void set_lanes_post_lanes(uint16_t value) { set_bits(PRESIL_DLA_REG_LANES, 0, 16, 32, uint64_t(value)); }
  uint16_t lanes_ew_lanes() const { return uint16_t(get_bits(PRESIL_DLA_REG_LANES, 16, 16, 32)); }
  void set_lanes_ew_lanes(uint16_t value) { set_bits(PRESIL_DLA_REG_LANES, 16, 16, 32, uint64_t(value)); }

  // acc: Accumulators.
  uint16_t acc_depth() const { return uint16_t(get_bits(PRESIL_DLA_REG_ACC, 0, 16, 32)); }
  void set_acc_depth(uint16_t value) { set_bits(PRESIL_DLA_REG_ACC, 0, 16, 32, uint64_t(value)); }

  // capability: Optional features; a 0 means that the codes are refused as unsupported.
  bool capability_int16() const { return bool(get_bits(PRESIL_DLA_REG_CAPABILITY, 0, 1, 32)); }
  void set_capability_int16(bool value) { set_bits(PRESIL_DLA_REG_CAPABILITY, 0, 1, 32, uint64_t(value)); }
  bool capability_int4() const { return bool(get_bits(PRESIL_DLA_REG_CAPABILITY, 1, 1, 32)); }
  void set_capability_int4(bool value) { set_bits(PRESIL_DLA_REG_CAPABILITY, 1, 1, 32, uint64_t(value)); }
  bool capability_int2() const { return bool(get_bits(PRESIL_DLA_REG_CAPABILITY, 2, 1, 32)); }
  void set_capability_int2(bool value) { set_bits(PRESIL_DLA_REG_CAPABILITY, 2, 1, 32, uint64_t(value)); }
  bool capability_rule_mul_add_shift() const { return bool(get_bits(PRESIL_DLA_REG_CAPABILITY, 3, 1, 32)); }
  void set_capability_rule_mul_add_shift(bool value) { set_bits(PRESIL_DLA_REG_CAPABILITY, 3, 1, 32, uint64_t(value)); }

  // sram: The SRAM window that commands may address.
  uint32_t sram_bytes() const { return uint32_t(get_bits(PRESIL_DLA_REG_SRAM, 0, 32, 32)); }
  void set_sram_bytes(uint32_t value) { set_bits(PRESIL_DLA_REG_SRAM, 0, 32, 32, uint64_t(value)); }

  queue::View queue() const { return queue::View(bank(), base() + PRESIL_DLA_REG_QUEUE); }

  CountersView counters() const { return CountersView(bank(), base() + PRESIL_DLA_REG_COUNTERS); }
};

namespace detail {
// name, offset, reset, readable, writable, w1c, pulse
inline constexpr RegisterWord kDlaWords[] = {
    {"id", 0x0, 0x2040101, 0xffffffff, 0x0, 0x0, 0x0},
    {"array", 0x4, 0x100010, 0xffffffff, 0x0, 0x0, 0x0},
    {"ports", 0x8, 0x1010104, 0xffffffff, 0x0, 0x0, 0x0},
    {"lanes", 0xc, 0x80010, 0xffffffff, 0x0, 0x0, 0x0},
    {"acc", 0x10, 0x80, 0xffff, 0x0, 0x0, 0x0},
    {"capability", 0x14, 0x0, 0xf, 0x0, 0x0, 0x0},
    {"sram", 0x18, 0x100000, 0xffffffff, 0x0, 0x0, 0x0},
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
    {"counters.control", 0x1000, 0x0, 0x0, 0x3, 0x0, 0x3},
    {"counters.cycles", 0x1008, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.cycles.hi", 0x100c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.run", 0x1010, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.run.hi", 0x1014, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.stall_feature", 0x1018, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.stall_feature.hi", 0x101c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.stall_weights", 0x1020, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.stall_weights.hi", 0x1024, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.stall_post", 0x1028, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.stall_post.hi", 0x102c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.start", 0x1030, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.start.hi", 0x1034, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.fetch", 0x1038, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.fetch.hi", 0x103c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.idle", 0x1040, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.idle.hi", 0x1044, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.commands", 0x1048, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.commands.hi", 0x104c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.steps", 0x1050, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.steps.hi", 0x1054, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_in[0]", 0x1100, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_in[0].hi", 0x1104, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_in[1]", 0x1108, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_in[1].hi", 0x110c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_in[2]", 0x1110, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_in[2].hi", 0x1114, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_in[3]", 0x1118, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_in[3].hi", 0x111c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_weights[0]", 0x1200, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_weights[0].hi", 0x1204, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_weights[1]", 0x1208, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_weights[1].hi", 0x120c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_weights[2]", 0x1210, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_weights[2].hi", 0x1214, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_weights[3]", 0x1218, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_weights[3].hi", 0x121c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_out[0]", 0x1300, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_out[0].hi", 0x1304, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_out[1]", 0x1308, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_out[1].hi", 0x130c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_out[2]", 0x1310, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_out[2].hi", 0x1314, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_out[3]", 0x1318, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"counters.wait_out[3].hi", 0x131c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
};
}  // namespace detail

// All registers of the block.
class Bank : public RegisterBank, public View {
 public:
  static constexpr uint32_t kSizeBytes = PRESIL_DLA_SIZE;

  Bank() : RegisterBank(detail::kDlaWords, sizeof detail::kDlaWords / sizeof detail::kDlaWords[0], kSizeBytes), View(static_cast<RegisterBank&>(*this), 0) {}

  using RegisterBank::get;
  using RegisterBank::on_read;
  using RegisterBank::on_write;
  using RegisterBank::set;
};

}  // namespace presil::dla
