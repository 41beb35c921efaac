// One hardware queue, from its doorbell to the commands that it offers to an engine: registers
// (rtl/common/queue.rdl), job ring, fetch and prefetch, checks of the job entry, errors,
// interrupts. Plain C++. An engine owns one and does this:
//
//   m_frontend.on_offer([this](const Offer& offer) { ... });  // a command has become the oldest
//   m_frontend.take();          // it has its copy: the next command may be offered
//   m_frontend.complete(irq);   // the oldest one taken has ended: in order, at kernel time
//   m_frontend.fail(*offer.job, offer.index, {code, rule, word, address});  // the queue stops
//
// Timing: doorbell in cycle t. AR of the job entry at t, its last beat at t + e, AR of the first
// command at t + e + 1, its last beat c later, offered one cycle after that:
//   cycles_doorbell_to_offer = (e + 1) + (c + 1), and before it the 8 of the host's store.
// `edge`, idle DRAM with open rows (a closed one: 19 more), DMA (8 beats of 16 B in two atoms of 64
// B): request 4, latency 40, second atom 5, response 4, further beats 3: e = c = 56, so 57 + 57 =
// 114, and 122 with the store. DLA (10 beats, three atoms; c = 4 + 40 + 10 + 4 + 1 = 59): 57 + 60 =
// 117, and 125 with the store. The next command is offered one cycle after take(), if its words are
// there.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "models/common/attribution.h"
#include "models/common/ports.h"
#include "models/common/timeline.h"
#include "rtl/common/job_entry.h"
#include "rtl/common/queue_bank.h"
#include "rtl/soc/address_map.h"

namespace presil {

/// A level-sensitive interrupt: called when the line changes.
using InterruptLine = std::function<void(bool level)>;

/// What a job's ring entry says, and how commands are relocated by it.
struct JobContext {
  JobEntry entry;
  Cycle doorbell = 0;  ///< when the job entered the ring

  /// Counter of the tile for an id of the stream; 0, none, stays 0.
  uint8_t counter(uint8_t id) const {
    return id == 0 ? 0 : static_cast<uint8_t>(id + entry.sync_base);
  }
  /// May the stream use this id?
  bool counter_legal(uint8_t id) const { return id <= entry.sync_count; }
  uint32_t value(int32_t relative) const {
    return static_cast<uint32_t>(relative) + static_cast<uint32_t>(entry.value_base);
  }
  /// System address of `bytes` bytes at `offset` of a region; nothing where they pass its limit.
  std::optional<uint64_t> system_address(unsigned region, uint64_t offset, uint64_t bytes) const {
    const uint64_t limit = static_cast<uint64_t>(entry.region_limit[region]) << 12;
    if (offset > limit || bytes > limit - offset) return std::nullopt;
    return entry.region_base[region] + offset;
  }
  uint64_t sram_address(uint32_t offset) const { return uint64_t{entry.sram_base} + offset; }
  /// The signaller of the counter of this id: queue q signals id 1 + q (rtl/soc/address_map.h).
  static Signaller signaller_of(uint8_t id);
};

/// A command that an engine may take.
struct Offer {
  const uint32_t* words = nullptr;  ///< valid until take()
  std::shared_ptr<const JobContext> job;
  uint32_t index = 0;  ///< in its stream
  bool last = false;   ///< of its job
  Cycle fetched = 0;   ///< the words came into the queue
  Cycle at = 0;        ///< it is offered: now
};

struct QueueError {
  presil_queue_error_code code = PRESIL_QUEUE_ERROR_CODE_NONE;
  uint8_t rule = 0;
  uint8_t word = 0;
  uint64_t address = 0;
};

class QueueFrontend {
 public:
  struct Shape {
    uint8_t queue = 0;           ///< enum presil_queue; also the master of its fetches
    unsigned command_words = 0;  ///< of an entry
    unsigned pitch_bytes = 0;    ///< from entry to entry in a stream
    unsigned prefetch = 0;       ///< commands held or under way beyond the offered one
    uint8_t isa_version = 1;
    const presil_field* crc = nullptr;  ///< of its commands; nullptr: they have none
  };

  /// @param registers the queue's block in the engine's bank: this object hooks and fills it
  QueueFrontend(const Shape& shape, queue::View registers, Timeline& timeline,
                BurstPort& fetch_port, BytePort& system, CounterPort& counters);
  QueueFrontend(const QueueFrontend&) = delete;
  QueueFrontend& operator=(const QueueFrontend&) = delete;

  void on_offer(std::function<void(const Offer&)> offer) { m_on_offer = std::move(offer); }
  /// The engine issues no further burst, drops outstanding data, sends no signal; then calls
  /// aborted().
  void on_abort(std::function<void()> abort) { m_on_abort = std::move(abort); }
  void on_interrupt(InterruptLine line) { m_interrupt = std::move(line); }

  // ---- from the engine, at the kernel time of what it tells
  void take();
  /// The oldest command that was taken has ended, values in memory. Before its signal is sent.
  void complete(bool irq);
  /// The oldest command waits for a counter, or no longer: state waiting or running.
  void waiting(bool waits) { m_waiting = waits; }
  /// The command is refused or met an error; its signal is not sent. The queue stops.
  void fail(const JobContext& job, uint32_t index, const QueueError& error);
  void aborted();

  // ---- for the tile
  /// The queue is as after power-on, once what it has under way has come back.
  void reset();
  /// Its engine's clock stands: no command begins. Registers answer; an abort does not end where
  /// `deaf`.
  void stand(bool stands, bool deaf);

  // ---- for reports
  queue::State state() const;
  uint8_t queue() const { return m_shape.queue; }
  /// The oldest command that has not completed; no job: there is none.
  struct Oldest {
    std::shared_ptr<const JobContext> job;
    uint32_t index = 0;
    bool begun = false;  ///< the engine has taken it
  };
  Oldest oldest() const;
  bool stands() const { return m_stands; }
  uint64_t ring_base() const { return m_registers.ring_base(); }
  /// Jobs in the ring that have not completed.
  unsigned jobs() const { return static_cast<uint16_t>(m_registers.tail() - m_registers.head()); }
  /// Nothing is offered although there are jobs: since the doorbell of the job that comes next.
  std::optional<Cycle> fetching_since() const {
    if (m_offered || !m_taken.empty() || m_doorbells.empty() || m_mode != Mode::kRun ||
        !m_registers.control_enable()) {
      return {};
    }
    return m_doorbells.front();
  }
  uint64_t fetched_bytes() const { return s_fetched_bytes; }

 private:
  struct Entry {  // a place of the prefetch buffer: requested, then filled
    std::shared_ptr<const JobContext> job;
    uint32_t index = 0;
    bool filled = false;
    Cycle fetched = 0;
    std::optional<QueueError> error;
    std::array<uint32_t, 64> words{};
  };
  struct Taken {
    std::shared_ptr<const JobContext> job;
    uint32_t index = 0;
  };
  enum class Mode : uint8_t { kRun, kStopping, kAborting, kStopped, kFailing, kFailed };

  void attach();
  void doorbell(uint16_t before, uint16_t tail);
  void move_head(uint16_t before, uint16_t head);
  void control(uint32_t written);
  void start();
  void restart();

  void fetch();
  void request_job();
  void request_command();
  void job_arrived(uint64_t address, const BurstTimes& times);
  void command_arrived(uint32_t place, const BurstTimes& times);
  std::optional<QueueError> check(const JobEntry& entry, const uint32_t* words) const;
  std::optional<QueueError> check_command(const uint32_t* words, uint64_t address) const;
  void abort();
  void to_reset_values();

  void schedule_offer();
  void offer();
  bool barrier_holds(const JobContext& job);

  void stop_with(uint32_t job_tag, uint32_t index, const QueueError& error);
  void settle();
  void raise(uint32_t irq_bits);
  void update_line();

  Shape m_shape;
  Timeline& m_timeline;
  BurstPort& m_port;
  BytePort& m_system;
  CounterPort& m_counters;
  std::function<void(const Offer&)> m_on_offer;
  std::function<void()> m_on_abort;
  InterruptLine m_interrupt;

  queue::View m_registers;
  Mode m_mode = Mode::kRun;
  uint64_t m_ring_base = 0;  // in use since the ring was last empty
  unsigned m_ring_entries = 4;
  bool m_line = false;
  bool m_waiting = false;
  bool m_stands = false, m_deaf = false, m_resets = false;

  // fetch
  uint32_t m_epoch = 0;           // answers to requests of an earlier life are dropped
  std::deque<Cycle> m_doorbells;  // of the jobs from head to tail
  uint16_t m_next_job = 0;        // ring position to fetch next
  bool m_job_under_way = false;
  bool m_fetch_blocked = false;             // a bad entry or read error ends the fetching
  std::shared_ptr<const JobContext> m_job;  // its commands are being fetched
  uint32_t m_next_command = 0;
  unsigned m_reads = 0;  // outstanding, those of an earlier life among them
  std::deque<Entry> m_buffer;
  uint32_t m_front_place = 0;  // running number of m_buffer.front()

  // offer and engine
  bool m_offered = false, m_offer_scheduled = false;
  Cycle m_taken_at = -1;
  std::deque<Taken> m_taken;
  uint64_t s_fetched_bytes = 0;
};

}  // namespace presil
