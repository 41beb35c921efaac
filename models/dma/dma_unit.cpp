#include "models/dma/dma_unit.h"

#include <algorithm>

#include "models/common/counter_snapshot.h"
#include "rtl/dma/dma_description.h"

namespace presil::dma {

DmaUnit::DmaUnit(const SocConfig& config, Cycle period_ps, Timeline& timeline,
                 noc::Fabric& crossbar, BytePort& sram, BytePort& system,
                 const std::function<CounterPort&(uint8_t queue)>& counters_of)
    : m_timeline(timeline),
      m_read_limit(config.dma.bursts_total),
      m_last_taker(config.dma.channels - 1),
      m_last_picker(config.dma.channels - 1) {
  for (unsigned i = 0; i < config.dma.channels; ++i) {
    CounterPort& counters = counters_of(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + i));
    m_channels.push_back(std::make_unique<Channel>(
        i, m_bank.channel(i),
        Surroundings{config, period_ps, timeline, crossbar, sram, system, counters},
        static_cast<SharedEngine&>(*this)));
    m_channels[i]->frontend().on_interrupt([this, i](bool level) { channel_line(i, level); });
  }
  m_bank.set_id_queues(static_cast<uint8_t>(config.dma.channels));
  m_bank.set_id_prefetch(static_cast<uint8_t>(config.dma.prefetch));
  m_bank.set_bursts_per_channel(static_cast<uint8_t>(config.dma.bursts_per_channel));
  m_bank.set_bursts_total(static_cast<uint8_t>(config.dma.bursts_total));
  m_bank.set_width_axi(static_cast<uint16_t>(config.noc.data_bytes));
  m_bank.set_sram_bytes(config.sram.bytes);
  attach();
}

DmaUnit::~DmaUnit() = default;

void DmaUnit::on_command(const CommandObserver& observer) {
  for (auto& channel : m_channels) channel->on_command(observer);
}

void DmaUnit::leave_values() {
  for (auto& channel : m_channels) channel->leave_values();
}

// ----------------------------------------------------------------------------------- registers

void DmaUnit::attach() {
  for (unsigned i = 0; i < channels(); ++i) {
    m_bank.counters(i).on_write(PRESIL_DMA_COUNTERS_REG_CONTROL,
                                [this, i](uint32_t, uint32_t written) {
                                  if (written & PRESIL_DMA_COUNTERS_CONTROL_SNAPSHOT_MASK)
                                    snapshot(i);
                                  if (written & PRESIL_DMA_COUNTERS_CONTROL_CLEAR_MASK)
                                    m_channels[i]->reset_statistics();
                                });
  }
  // Channels that are not there read 0 and ignore writes.
  const auto missing = [&](uint32_t offset, uint32_t base, uint32_t size) {
    return offset >= base + size * channels() && offset < base + size * PRESIL_DMA_CHANNEL_COUNT;
  };
  for (size_t i = 0; i < m_bank.word_count(); ++i) {
    const uint32_t offset = m_bank.word(i).offset;
    if (!missing(offset, PRESIL_DMA_REG_CHANNEL(0), PRESIL_QUEUE_SIZE) &&
        !missing(offset, PRESIL_DMA_REG_COUNTERS(0), PRESIL_DMA_COUNTERS_SIZE)) {
      continue;
    }
    m_bank.set(offset, 0);
    m_bank.on_write(offset, [this, offset](uint32_t, uint32_t) { m_bank.set(offset, 0); });
  }
}

void DmaUnit::snapshot(unsigned index) {
  const Channel& channel = *m_channels[index];
  const Attribution sum = channel.attribution();
  const uint64_t cycles = static_cast<uint64_t>(m_timeline.now() - channel.reset_at());
  static const CounterSnapshot causes(*presil_dma_description());
  causes.write(m_bank, sum, index);
  auto view = m_bank.counters(index);
  view.set_cycles(cycles);
  // The contract has no cause of its own for start-up: nothing moves yet, but the command works.
  view.set_run(static_cast<uint64_t>(sum[Cause::kRun] + sum[Cause::kStart]));
  view.set_idle(cycles - static_cast<uint64_t>(sum.total()));
  view.set_commands(channel.commands());
  view.set_bytes_read(channel.bytes_read());
  view.set_bytes_written(channel.bytes_written());
}

void DmaUnit::channel_line(unsigned index, bool level) {
  const uint32_t before = m_lines;
  m_lines = (m_lines & ~(1u << index)) | static_cast<uint32_t>(level) << index;
  if ((before != 0) != (m_lines != 0) && m_interrupt) m_interrupt(m_lines != 0);
}

// --------------------------------------------------------------- one take per cycle, round robin

void DmaUnit::wake_takes(Cycle at) {
  at = std::max(at, m_next_take);
  if (at >= m_take_wakes) return;
  m_take_wakes = at;
  m_timeline.at(at, Phase::kGrant, [this, at] {
    if (m_take_wakes != at) return;
    m_take_wakes = Timeline::kNever;
    give_take();
  });
}

void DmaUnit::give_take() {
  if (m_reads >= m_read_limit) return;  // woken when a credit comes back
  const Cycle now = m_timeline.now();
  for (unsigned i = 1; i <= channels(); ++i) {
    const unsigned c = (m_last_taker + i) % channels();
    if (m_channels[c]->take_at() > now) continue;
    m_last_taker = c;
    m_next_take = now + 1;
    ++m_reads;
    m_channels[c]->take();
    break;
  }
  plan_take(now + 1);
}

void DmaUnit::plan_take(Cycle earliest) {
  if (m_reads >= m_read_limit) return;
  Cycle next = Timeline::kNever;
  for (const auto& channel : m_channels) next = std::min(next, channel->take_at());
  if (next != Timeline::kNever) wake_takes(std::max(next, earliest));
}

void DmaUnit::return_read_credit() {
  --m_reads;
  plan_take(m_timeline.now());
}

// --------------------------------------------------------------------- one division after another

void DmaUnit::request_division(unsigned channel) {
  m_division_requests |= 1u << channel;
  if (!m_divides) plan_division(std::max(m_division_free, m_timeline.now()));
}

void DmaUnit::leaves_division(unsigned channel) {
  m_division_requests &= ~(1u << channel);
  if (m_divides != channel) return;
  m_divides.reset();
  m_division_free = m_timeline.now() + 2;
  plan_division(m_division_free);
}

// Of several requests the highest channel gets it.
void DmaUnit::plan_division(Cycle at) {
  m_timeline.at(at, Phase::kGrant, [this, number = ++m_division] {
    if (number != m_division || m_division_requests == 0) return;
    unsigned channel = channels() - 1;
    while ((m_division_requests >> channel & 1) == 0) --channel;
    m_division_requests &= ~(1u << channel);
    m_divides = channel;
    m_division_free = m_timeline.now() + cycles_pack_check;
    m_timeline.at(m_division_free, Phase::kEngine, [this, number, channel] {
      if (number != m_division) return;
      m_divides.reset();
      plan_division(m_timeline.now());
      m_channels[channel]->divided();
    });
  });
}

// ------------------------------------------------------------------------------ the store engine

void DmaUnit::wake_picks(Cycle at) {
  at = std::max(at, m_engine_free);
  if (at >= m_pick_wakes) return;
  m_pick_wakes = at;
  m_timeline.at(at, Phase::kGrant, [this, at] {
    if (m_pick_wakes != at) return;
    m_pick_wakes = Timeline::kNever;
    give_pick();
  });
}

uint64_t DmaUnit::enter_write_fifo(unsigned words) {
  m_fifo.push_back({words, false, 0});
  ++m_addresses_waiting;
  return m_fifo_first + m_fifo.size() - 1;
}

void DmaUnit::address_granted(uint64_t number, Cycle w_last) {
  InFifo& burst = m_fifo[number - m_fifo_first];
  burst.granted = true;
  burst.w_last = w_last;
  --m_addresses_waiting;
  wake_picks(m_timeline.now() + 1);
}

// The cycle in which 16 words are free: what newer bursts have left of the other 16 must hold what
// an older one has still to send, at a word per cycle. kNever while that is not known.
Cycle DmaUnit::write_fifo_free_at() {
  const Cycle now = m_timeline.now();
  while (!m_fifo.empty() && m_fifo.front().granted && m_fifo.front().w_last < now) {
    m_fifo.pop_front();
    ++m_fifo_first;
  }
  if (m_addresses_waiting >= kAddressesWaiting) return Timeline::kNever;
  const unsigned room = kWriteFifoWords - kFreeWords;
  unsigned words = 0;
  for (auto burst = m_fifo.rbegin(); burst != m_fifo.rend(); ++burst) {
    if (words + burst->words > room) {
      return burst->granted ? burst->w_last + 1 - static_cast<Cycle>(room - words)
                            : Timeline::kNever;
    }
    words += burst->words;
  }
  return now;
}

void DmaUnit::give_pick() {
  const Cycle now = m_timeline.now();
  if (now < m_engine_free) {
    wake_picks(m_engine_free);
    return;
  }
  const Cycle fifo_at = write_fifo_free_at();
  for (unsigned i = 1; i <= channels(); ++i) {
    const unsigned c = (m_last_picker + i) % channels();
    Channel& channel = *m_channels[c];
    if (channel.pick_at() > now) continue;
    if (channel.pick_needs_write_fifo() && fifo_at > now) {
      m_fifo_was_full = true;
      continue;
    }
    m_last_picker = c;
    m_engine_free = channel.pick(m_fifo_was_full);
    m_fifo_was_full = false;
    break;
  }
  Cycle next = Timeline::kNever;
  for (const auto& channel : m_channels) {
    Cycle at = channel->pick_at();
    if (at != Timeline::kNever && channel->pick_needs_write_fifo() && at <= now) {
      const Cycle free_at = write_fifo_free_at();
      at = free_at == Timeline::kNever ? free_at : std::max(at, free_at);
    }
    next = std::min(next, at);
  }
  if (next != Timeline::kNever) wake_picks(std::max(next, now + 1));
}

}  // namespace presil::dma
