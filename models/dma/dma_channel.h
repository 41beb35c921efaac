// One DMA channel: takes commands from its queue, waits for counters, issues bursts when the engine
// gives it a turn, completes in order, and knows where each of its cycles went.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/dma/dma_move.h"
#include "models/dma/dma_stream_walk.h"
#include "models/dma/dma_timing.h"
#include "models/noc/fabric.h"

namespace presil::dma {

/// What the channels share: the AR port with its credits, the store engine with its W FIFO.
class SharedEngine {
 public:
  virtual ~SharedEngine() = default;
  /// A channel may be ready to take (pick) from cycle `at` on.
  virtual void wake_takes(Cycle at) = 0;
  virtual void wake_picks(Cycle at) = 0;
  virtual void return_read_credit() = 0;
  /// A burst enters the W FIFO; @return its number
  virtual uint64_t enter_write_fifo(unsigned words) = 0;
  virtual void address_granted(uint64_t number, Cycle w_last) = 0;
  /// A channel's lengths are to be divided, by what channels share: divided() answers.
  virtual void request_division(unsigned channel) = 0;
  virtual void leaves_division(unsigned channel) = 0;
};

/// What a channel and the others live in.
struct Surroundings {
  const SocConfig& config;
  Cycle period_ps;
  Timeline& timeline;
  noc::Fabric& crossbar;
  BytePort& sram;
  BytePort& system;
  CounterPort& counters;  ///< the channel's own links
};

class Channel {
 public:
  Channel(unsigned index, queue::View registers, const Surroundings& around, SharedEngine& engine);

  void on_command(CommandObserver observer) { m_observer = std::move(observer); }
  /// Time alone: no bytes are read or written.
  void leave_values() { m_values = false; }
  QueueFrontend& frontend() { return m_frontend; }

  /// The command on offer has whole elements.
  void divided();

  // ---- turns, given by the engine
  /// Earliest cycle of the next take (pick); kNever while there is none, or no credit.
  Cycle take_at() const;
  Cycle pick_at() const;
  bool pick_needs_write_fifo() const { return m_active && m_active->path != Path::kLocal; }
  void take();
  /// @param fifo_was_full it had to wait for the W FIFO, not for another channel
  /// @return cycle from which the engine is free again
  Cycle pick(bool fifo_was_full);

  // ---- for counters and reports
  Cycle reset_at() const { return m_reset_at; }
  /// Cycles since reset_at by cause; what is left is idle.
  Attribution attribution() const;
  uint64_t commands() const { return s_commands; }
  uint64_t bytes_read() const {
    return s_bytes_read + m_frontend.fetched_bytes() - m_fetched_before;
  }
  uint64_t bytes_written() const { return s_bytes_written; }
  void reset_statistics();

 private:
  struct Issued {  // a piece whose answer is awaited; answers come in order
    Piece piece;
    uint64_t number = 0;  // in the W FIFO
    Cycle asked = 0, delay = 0;
    bool fifo_was_full = false;
  };
  struct Arrival {  // a burst read that is answered
    Piece piece;
    bool error = false;
  };
  struct Work {
    Command command;
    std::shared_ptr<const JobContext> job;
    uint32_t index = 0;
    Cycle offered = 0, fetched = 0, judged = 0, start = 0;
    Path path = Path::kNone;
    Side source, destination;
    std::vector<uint8_t> stream;
    std::optional<PieceWalk> reads, writes;
    std::optional<MoveBuffer> moved;  // between them (kMove)
    std::optional<StreamWalk> walk;   // in the store engine
    std::vector<Issued> awaited;
    std::deque<Arrival> arrivals;  // reads that are answered (kMove)
    Cycle first_at = 0;            // first take or pick, at the earliest
    Cycle done_at = 0;
    unsigned outstanding = 0;
    bool issued = false, finishing = false, began = false;
    std::optional<QueueError> error;
    uint64_t read_bytes = 0, written_bytes = 0;  // over AXI
    Cycle cursor = 0;                            // accounted from `offered` up to here
    std::vector<Segment> segments;

    void mark(Cause cause, Cycle to, bool dram_paced = false);
  };
  enum class Halt : uint8_t { kNo, kError, kAbort };

  void offered(const Offer& offer);
  void ask(uint8_t port, uint8_t id, int32_t value);
  void try_begin();
  void begin(Cycle first_at);
  void issued_all(Cycle next_first_at);

  void read_answered(Work& work, const BurstTimes& times);
  void read_arrived(Work& work, const Piece& piece, bool error);
  void await_words(Work& work, const Arrival& read, Cycle gone, uint32_t booking);
  void move_on(Work& work);
  Cycle pick_write(Work& work, bool fifo_was_full);
  Cycle pick_local(Work& work);
  void address_granted(Work& work, const noc::WriteTimes& times);
  void write_answered(Work& work, uint64_t address, bool error);

  void check_front();
  void finish();
  CommandRecord record_of(Work& work, Cycle end) const;
  void account(const CommandRecord& record, Attribution& sum) const;
  void fail(Work& work, uint64_t address,
            presil_queue_error_code code = PRESIL_QUEUE_ERROR_CODE_BUS_ERROR);
  void abort();
  void settle_halt();
  Cycle now() const { return m_around.timeline.now(); }

  Surroundings m_around;
  SharedEngine& m_engine;
  uint8_t m_queue;
  QueueFrontend m_frontend;
  CommandObserver m_observer;
  bool m_values = true;

  std::shared_ptr<Work> m_next;               // offered: waits
  unsigned m_waits = 0;                       // of its counters, not met
  std::shared_ptr<Work> m_active;             // issues bursts
  std::deque<std::shared_ptr<Work>> m_works;  // in flight, oldest first
  std::vector<std::vector<uint8_t>> m_spare;  // memory of streams that have been written
  Path m_last_path = Path::kNone;
  Cycle m_next_first_at = 0;  // by the previous command's last take or pick
  Cycle m_take_at = 0, m_pick_at = 0;
  unsigned m_reads = 0, m_writes = 0;  // outstanding
  Cycle m_last_end = -1;
  Halt m_halt = Halt::kNo;
  uint32_t m_life = 0;  // events of commands that were dropped do nothing

  Cycle m_reset_at = 0;
  Attribution m_attribution;
  uint64_t m_fetched_before = 0;
  uint64_t s_commands = 0, s_bytes_read = 0, s_bytes_written = 0;
};

}  // namespace presil::dma
