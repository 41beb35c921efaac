// An EngineTop of a Verilated class with the ports of README.md, "Engines from outside". For the
// file that presil_add_engine prints, which includes what Verilator made of the engine first.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sim/rtl/engine_top.h"
#include "sim/rtl/verilated_block.h"

namespace presil::rtl {

/// `width` (up to 32) bits from bit `at` of a port, however wide.
inline uint32_t port_bits(uint64_t port, unsigned at, unsigned width) {
  return static_cast<uint32_t>(port >> at & ((uint64_t{1} << width) - 1));
}
template <std::size_t Words>
uint32_t port_bits(const VlWide<Words>& port, unsigned at, unsigned width) {
  uint64_t value = port[at / 32];
  if (at % 32 + width > 32) value |= uint64_t{port[at / 32 + 1]} << 32;
  return port_bits(value, at % 32, width);
}

/// @tparam Waits ports for the waits of a command; `KindBits` of engines_pkg
template <class Dut, unsigned Waits, unsigned KindBits>
class VerilatedEngineTop : public VerilatedBlock<EngineTop, Dut> {
 public:
  VerilatedEngineTop(const char* name, uint32_t seed) : VerilatedBlock<EngineTop, Dut>(name, seed) {
    this->reset();
  }

  void settle() override {
    drive_pins();
    this->low();
    sense_queue();
    sense_engine();
  }

  RegisterAccess register_access() const override {
    const Dut& d = this->dut();
    return {d.reg_write_o != 0, d.reg_read_o != 0, d.reg_error_o != 0, d.reg_rdata_o};
  }

  void edge() override { this->high(); }

 private:
  void drive_pins() {
    Dut& d = this->dut();
    const QueuePins::In& in = this->pins.in;
    this->drive(in.cfg);
    this->drive(in.r_valid, in.r);
    uint32_t met = 0, signallers = 0;
    for (unsigned i = 0; i < Waits; ++i) {
      met |= static_cast<uint32_t>(in.met[i]) << i;
      signallers |= static_cast<uint32_t>(in.signaller[i]) << KindBits * i;
    }
    d.wait_met_i = static_cast<std::decay_t<decltype(d.wait_met_i)>>(met);
    d.wait_signaller_i = static_cast<std::decay_t<decltype(d.wait_signaller_i)>>(signallers);
    d.barrier_met_i = in.barrier_met;
    d.sram_gnt_i = this->engine.in.sram_grant;
    std::memcpy(&d.sram_rdata_i[0], this->engine.in.sram_word, sizeof this->engine.in.sram_word);
  }

  void sense_queue() {
    const Dut& d = this->dut();
    QueuePins::Out& out = this->pins.out;
    this->sense(this->pins.in.cfg);
    out.irq = d.irq_o;
    out.ar_valid = d.ar_valid_o;
    out.ar_address = d.ar_addr_o;
    out.ar_beats = d.ar_len_o + 1u;
    out.r_ready = d.r_ready_o;
    for (unsigned i = 0; i < Waits; ++i) {
      out.wait[i] = d.wait_valid_o >> i & 1;
      if (!out.wait[i]) continue;
      out.wait_id[i] = static_cast<uint8_t>(port_bits(d.wait_id_o, 8 * i, 8));
      out.wait_value[i] = port_bits(d.wait_value_o, 32 * i, 32);
    }
    out.signal = d.signal_valid_o;
    out.signal_id = d.signal_id_o;
    out.signal_add = d.signal_add_o;
    out.barrier = d.barrier_valid_o;
    out.barrier_first = d.barrier_first_o;
    out.barrier_count = d.barrier_count_o;
    out.barrier_value = d.barrier_value_o;
    out.done = d.done_valid_o;
    out.done_index = d.done_index_o;
    out.done_tag = d.done_tag_o;
  }

  void sense_engine() {
    const Dut& d = this->dut();
    EnginePins::Out& out = this->engine.out;
    out.sram_request = d.sram_req_o;
    out.sram_write = d.sram_we_o;
    out.sram_address = d.sram_addr_o;
    if (out.sram_request && out.sram_write) {
      std::memcpy(out.sram_word, &d.sram_wdata_o[0], sizeof out.sram_word);
    }
    out.offered = d.offer_valid_o;
    out.taken = d.take_o;
    out.index = d.offer_index_o;
    out.aborted = d.abort_o;
    out.busy = d.busy_o;
    out.counter = d.counter_o;
  }
};

}  // namespace presil::rtl
