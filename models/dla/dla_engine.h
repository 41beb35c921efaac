// The DLA as a plain object on its tile's timeline: queue, waits, values, time, registers. A few
// events per command; no clock. The sc_module around it is dla.h.
//
//   offered -> checked -> its waits asked, each port as soon as the command before is done with it
//   all waits met, and the command before scheduled -> its end is known
//   sequencer starts -> inputs are read, values computed
//   end -> values written, record made, counters moved, signal sent
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/common/bank_load.h"
#include "models/common/moved_time.h"
#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timeline.h"
#include "models/dla/dla_core.h"
#include "models/dla/dla_known.h"
#include "models/dla/dla_timing.h"
#include "rtl/dla/dla_bank.h"

namespace presil::dla {

class Engine {
 public:
  /// @param queue  enum presil_queue: which DLA of the tile it is
  /// @param fetch  what the queue reads jobs and commands through
  /// @param system bytes of the system address space, for the fetch
  /// @param sram   bytes of the tile's SRAM, from 0 to its size
  Engine(uint8_t queue, const SocConfig& config, Timeline& timeline, BurstPort& fetch,
         BytePort& system, BytePort& sram, CounterPort& counters);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Bank& bank() { return m_bank; }
  void on_interrupt(InterruptLine line) { m_frontend.on_interrupt(std::move(line)); }
  /// Called with the record of every command at its end.
  void observe(CommandObserver observer) { m_observer = std::move(observer); }
  QueueFrontend& frontend() { return m_frontend; }
  /// Time, registers and signals alone: no values are computed, the SRAM is not touched.
  void leave_values() { m_values = false; }

  /// Other requesters at the SRAM banks learn what a command takes of them when its time is known;
  /// it loses cycles to what other DLAs have announced.
  void announce_to(BankLoad& banks) { m_banks = &banks; }

  /// A transfer of the DMA has ended, which took these cycles.
  void moved(Cycle begin, Cycle end) { m_moved.moved(begin, end); }
  /// By tag the layer that a command belongs to, of the network whose jobs come next.
  void set_layers(std::shared_ptr<const std::vector<int>> layers) {
    m_layers = std::move(layers);
    m_layer.reset();
  }

  /// Where all cycles up to accounted() went; a command counts when it ends.
  const Attribution& cycles() const { return m_cycles; }
  Cycle accounted() const { return m_accounted; }

 private:
  static constexpr unsigned kWaits = 3;  // wait ports of sync: 0 weights, 1 in, 2 out
  struct InFlight {
    InFlight(uint32_t the_number, const Offer& offer, std::shared_ptr<KnownCommand> the_known)
        : number(the_number), job(offer.job), index(offer.index), known(std::move(the_known)) {
      arrival.offered = offer.at;
    }
    const Plan& plan() const { return known->plan; }
    const Command& command() const { return plan().command; }  // relocated

    uint32_t number;
    std::shared_ptr<const JobContext> job;
    uint32_t index;
    std::shared_ptr<KnownCommand> known;
    Arrival arrival;
    std::array<bool, kWaits> asked{}, met{};
    bool scheduled = false, taken = false;
    Pipeline before;  // what it found
    Schedule schedule;
    Results results;
    std::optional<uint64_t> bad;  ///< address that ECC cannot correct, among what it has read
  };

  void offered(const Offer& offer);
  /// @return nullptr where it has a fault, which is reported
  std::shared_ptr<KnownCommand> accepted(const Offer& offer);
  void progress();
  void ask(InFlight& flight, unsigned port);
  void met(uint32_t number, unsigned port, Cycle cycle);
  void schedule_front(InFlight& flight);
  Cycle setup_of(const InFlight& flight);
  void schedule_take(InFlight& flight);
  void compute(InFlight& flight);
  std::optional<uint64_t> read_error(const Command& command);
  void written(const Command& command);
  void end();
  void account(const CommandRecord& record);
  void stop_at(uint64_t address);
  void drop();
  void abort();
  InFlight* find(uint32_t number);
  /// Runs `what` in cycle `when` for this command, unless an abort comes before.
  template <class What>
  void at(Cycle when, const InFlight& flight, What what);

  void show_configuration();
  void snapshot();

  uint8_t m_queue;
  SocConfig m_config;
  Timeline& m_timeline;
  CounterPort& m_counters;
  BytePort& m_sram;
  Bank m_bank;
  QueueFrontend m_frontend;
  CommandObserver m_observer;
  BankLoad* m_banks = nullptr;
  MovedTime m_moved;
  std::shared_ptr<const std::vector<int>> m_layers;
  std::optional<std::pair<uint32_t, int>> m_layer;  ///< job and layer of the command before
  Core m_core;
  KnownCommands m_known;
  Pipeline m_pipeline;
  std::deque<InFlight> m_flights;  // at most two, oldest first
  bool m_values = true;
  uint32_t m_next_number = 0;    // of a command that is offered
  std::vector<Results> m_spare;  // memory of commands that have ended, for the next ones

  Attribution m_cycles;
  Cycle m_accounted = 0, m_idle = 0;
  uint64_t s_commands = 0, s_steps = 0;
};

}  // namespace presil::dla
