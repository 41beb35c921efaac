// The histogram in C++ as a block of the SoC: histogram_core, and in which cycles. Nothing of the
// Verilog is in here.
//
// Timing: a register access takes 3 cycles, a write acts in their middle. With Clear in cycle s:
//   the first read burst is asked for in s + 64, each further one in the cycle after the last beat
//   of the one before; a beat is taken when it is there, 16 cycles after the one before or later;
//   the first write burst 18 cycles after the last beat, each further one in the cycle after the
//   last beat of the one before; the end 2 cycles after the last answer.
#pragma once

#include "sim/platform/blocks.h"
#include "sim/platform/register_socket.h"
#include "testbench/example_block/histogram_core.h"

namespace presil::example {

class HistogramModel : public platform::Block {
 public:
  explicit HistogramModel(const platform::UserPlace& place);

  tlm::tlm_target_socket<>& registers() override { return m_registers.socket; }
  void on_interrupt(InterruptLine line) override { m_interrupt = std::move(line); }

 private:
  bool access(bool write, uint16_t offset, uint32_t& value);
  bool write(uint16_t offset, uint32_t value);
  bool read(uint16_t offset, uint32_t& value) const;
  void start(Cycle now);
  void ask_read(Cycle at);
  void take(uint64_t address, unsigned beats, const BurstTimes& times);
  void ask_write(Cycle at);
  void end(Cycle at);
  void at(Cycle when, void (HistogramModel::*then)(Cycle));
  void show();

  Timekeeper& m_timekeeper;
  BurstPort& m_port;
  BytePort& m_system;
  Cycle m_way;  // of a write's last beat to the slave, and of its answer back
  platform::RegisterSocket m_registers;
  InterruptLine m_interrupt;

  bool m_line = false, m_irq_enable = false, m_busy = false, m_done = false, m_failed = false;
  bool m_error = false;
  uint32_t m_bytes = 0, m_cycles = 0;
  uint64_t m_source = 0, m_target = 0;
  Cycle m_start = 0, m_answers = 0;  // the last answer
  uint64_t m_read = 0, m_left = 0;   // where the next burst begins, bytes to ask for
  unsigned m_written = 0;            // write bursts
  Histogram m_counts{};
};

}  // namespace presil::example
