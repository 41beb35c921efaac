// The DSP as a plain object on its tile's timeline: queue, waits, images, programs, time,
// registers. The sc_module around it is dsp.h.
//
//   offered -> checked -> its waits asked
//   waits met, the command before ended -> taken: select copies, run loads its regions
//   first instruction -> the program runs ahead of the timeline up to the next event of anybody
//   else it ended, its copies too -> record made, counters moved, signal sent
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "models/common/bank_load.h"
#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timeline.h"
#include "models/dsp/dsp_check.h"
#include "models/dsp/dsp_program.h"
#include "rtl/dsp/dsp_bank.h"

namespace presil::dsp {

// From the start of a command (its waits met, the one before ended).
constexpr Cycle cycles_start_to_complete = 2;  ///< nop: copy 1, check 1
constexpr Cycle cycles_start_to_image = 2;     ///< select: the same, then the first address
constexpr Cycle cycles_image_to_complete = 1;  ///< its CRC compared
/// run: copy 1, check 1, (region table: 1 a region), registers cleared 8, fetch 4.
constexpr Cycle cycles_start_to_regions = 2, cycles_regions_to_instruction = 12;
/// From the last instruction, store and copy to the signal.
constexpr Cycle cycles_return_to_complete = 2;

/// A program of a command.
struct ProgramStart {
  uint32_t tag = 0, index = 0, entry = 0, image_crc = 0;
  Cycle origin = 0;  ///< of its first instruction
};
/// Observes programs: profiles, traces.
class ProgramWatch {
 public:
  virtual ~ProgramWatch() = default;
  /// Before its first instruction; may set the core's tracer, and whether it has a profile.
  virtual void begins(const ProgramStart& start, Core& core) = 0;
  /// It has returned (before its signal is sent), or has trapped. One that is aborted is not told.
  virtual void ends(const ProgramStart& start, const Core& core) = 0;
};

class Engine : private OwnChannel, private SramBanks {
 public:
  /// @param port   into the crossbar, as master PRESIL_QUEUE_DSP: fetches, images, copies
  /// @param system bytes of the system address space
  /// @param sram   bytes of the tile's SRAM, from 0 to its size
  /// @param banks  what masters that the SRAM answers first take of it
  Engine(const SocConfig& config, Timeline& timeline, BurstPort& port, BytePort& system,
         BytePort& sram, CounterPort& counters, BankLoad& banks);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Bank& bank() { return m_bank; }
  void on_interrupt(InterruptLine line) { m_frontend.on_interrupt(std::move(line)); }
  /// Called with the record of every command at its end.
  void observe(CommandObserver observer) { m_observer = std::move(observer); }
  /// nullptr: none. Changes no cycle.
  void watch_programs(ProgramWatch* watch) { m_watch = watch; }
  QueueFrontend& frontend() { return m_frontend; }
  /// For tests of the block: capability.on_trap.
  void let_traps_go_on() {
    m_limits.on_trap = true;
    m_bank.set_capability_on_trap(true);
  }

 private:
  using Cause = presil::Cause;  // of cycles, not of stops
  static constexpr unsigned kWaits = 3;
  struct Work {
    Command command;
    std::shared_ptr<const JobContext> job;
    uint32_t index = 0;
    Cycle offered = 0, start = 0;
    Cycle cursor = 0;            // waits are marked up to here
    std::vector<Segment> waits;  // without gaps
    Attribution cycles;          // from `start` on
    uint64_t sram_read = 0, sram_written = 0, dram_read = 0, dram_written = 0;
    Actions actions;

    void mark(Cause cause, Cycle to);
  };

  // ---- of commands
  void offered(const Offer& offer);
  void ask(uint8_t port, uint8_t id, int32_t value);
  void try_begin();
  void select();
  void selected(const Copier::Ended& ended);
  void load_regions();
  std::optional<QueueError> region_of(const uint32_t* words, uint64_t at, Region& region) const;
  std::optional<uint64_t> read_error() const;
  void first_instruction();
  void step();
  void ended();
  void trapped();
  void returned(Cycle at);
  void end();
  void fail(const QueueError& error);
  void abort();
  /// Runs `what` in cycle `when`, unless the command is gone by then.
  template <class What>
  void at(Cycle when, What what);

  // ---- of the program's own channel
  bool full() const override { return m_copier.full(); }
  uint32_t start(Copy copy, uint64_t cycle) override;
  uint32_t started() const override { return m_started; }
  uint32_t done() const override { return m_done; }
  void copied(const Copier::Ended& ended);
  // ---- of its SRAM port
  uint64_t lost(uint64_t cycle, uint64_t words) override {
    return m_banks.lost(m_origin + static_cast<Cycle>(cycle), words);
  }

  // ---- of registers and accounts
  void show_configuration();
  void show_image(uint32_t crc);
  void show_trap(const Work& work, const Trap& trap);
  void account_program(Work& work);
  CommandRecord record_of(const Work& work, Cycle end) const;
  void account(const CommandRecord& record);
  void snapshot();
  Cycle now() const { return m_timeline.now(); }

  const SocConfig m_config;
  Timeline& m_timeline;
  BytePort& m_system;
  BytePort& m_sram;
  CounterPort& m_counters;
  Bank m_bank;
  QueueFrontend m_frontend;
  CommandObserver m_observer;
  ProgramWatch* m_watch = nullptr;
  BankLoad& m_banks;
  Copier m_copier;
  Program m_program;
  Limits m_limits;

  std::unique_ptr<Work> m_next;    // offered: waits
  unsigned m_waits = 0;            // of its counters, not met
  std::unique_ptr<Work> m_active;  // works
  uint32_t m_life = 0;             // events of commands that were dropped do nothing
  bool m_halting = false;          // copies drain, nothing begins

  // The program that runs.
  ProgramStart m_start;
  Cycle m_origin = 0;  // of its cycle 0
  bool m_running = false, m_waiting = false, m_returned = false;
  Cycle m_returned_at = 0;
  uint32_t m_started = 0, m_done = 0;  // copies
  std::optional<QueueError> m_copy_error;
  uint32_t m_resident_crc = 0;
  std::vector<uint8_t> m_image;   // on its way
  std::vector<Region> m_regions;  // of the program that begins

  Attribution m_cycles;
  Cycle m_accounted = 0, m_idle = 0;
  uint64_t s_commands = 0, s_instructions = 0, s_elements = 0, m_fetched_before = 0;
};

}  // namespace presil::dsp
