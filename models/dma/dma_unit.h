// The DMA of a tile as a plain object: channels, the AR port they share, the store engine with its
// W FIFO, registers, interrupt.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/dma/dma_channel.h"
#include "rtl/dma/dma_bank.h"

namespace presil::dma {

class DmaUnit : private SharedEngine {
 public:
  /// @param counters_of the links of each channel, by queue number
  DmaUnit(const SocConfig& config, Cycle period_ps, Timeline& timeline, noc::Fabric& crossbar,
          BytePort& sram, BytePort& system,
          const std::function<CounterPort&(uint8_t queue)>& counters_of);
  ~DmaUnit() override;

  Bank& bank() { return m_bank; }
  unsigned channels() const { return static_cast<unsigned>(m_channels.size()); }
  Channel& channel(unsigned index) { return *m_channels[index]; }
  const Channel& channel(unsigned index) const { return *m_channels[index]; }
  /// Of all channels together.
  void on_interrupt(InterruptLine line) { m_interrupt = std::move(line); }
  void on_command(const CommandObserver& observer);
  /// Time alone: no bytes are read or written.
  void leave_values();

 private:
  struct InFifo {
    unsigned words = 0;
    bool granted = false;
    Cycle w_last = 0;
  };
  void attach();
  void snapshot(unsigned index);
  void channel_line(unsigned index, bool level);

  void wake_takes(Cycle at) override;
  void wake_picks(Cycle at) override;
  void return_read_credit() override;
  uint64_t enter_write_fifo(unsigned words) override;
  void address_granted(uint64_t number, Cycle w_last) override;
  void request_division(unsigned channel) override;
  void leaves_division(unsigned channel) override;
  void plan_division(Cycle at);
  void give_take();
  void plan_take(Cycle earliest);
  void give_pick();
  Cycle write_fifo_free_at();

  Timeline& m_timeline;
  unsigned m_read_limit;
  Bank m_bank;
  std::vector<std::unique_ptr<Channel>> m_channels;
  InterruptLine m_interrupt;
  uint32_t m_lines = 0;  // of the channels

  unsigned m_reads = 0;  // outstanding, of all channels
  unsigned m_last_taker, m_last_picker;
  Cycle m_next_take = 0, m_engine_free = 0;
  Cycle m_take_wakes = Timeline::kNever, m_pick_wakes = Timeline::kNever;
  std::deque<InFifo> m_fifo;  // W bursts that have not left, oldest first
  uint64_t m_fifo_first = 1;  // number of m_fifo.front()
  unsigned m_addresses_waiting = 0;
  bool m_fifo_was_full = false;

  std::optional<unsigned> m_divides;  // channel
  uint32_t m_division_requests = 0;   // bit of a channel
  Cycle m_division_free = 0;
  uint32_t m_division = 0;  // what is scheduled for an earlier one does nothing
};

}  // namespace presil::dma
