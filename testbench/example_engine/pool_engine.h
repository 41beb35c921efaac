// The engine as a plain object on its tile's timeline: queue, waits, time, values, registers. An
// event per row of results; no clock. The sc_module around it is pool.h.
//
//   offered -> checked -> its waits asked for once the engine is free
//   waits met -> taken; each row of results asks when its words pass the port
//   end -> values computed, record made, signal sent
#pragma once

#include <array>
#include <optional>

#include "pool/pool_bank.h"
#include "pool_timing.h"
#include "sim/engine/engine_plugin.h"

namespace presil::pool {

class Engine : public EngineModel {
 public:
  /// @param contention by bank and cycle, where a bench knows them; nullptr: by the shares of
  /// EnginePlace::banks
  Engine(const EnginePlace& place, const Parameters& parameters, Contention* contention = nullptr);

  RegisterBank& registers() override { return m_bank; }
  void on_interrupt(InterruptLine line) override { m_frontend.on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_observer = std::move(observer); }
  Bank& bank() { return m_bank; }
  /// Where all cycles up to the last end went.
  const Attribution& cycles() const { return m_cycles; }

 private:
  static constexpr unsigned kWaits = 2;
  struct Waiting {  // the oldest command, not taken
    std::shared_ptr<const JobContext> job;
    uint32_t index = 0;
    Cycle offered = 0, asked = 0;
    Command command;
    std::array<std::optional<Cycle>, kWaits> met;
  };
  struct Running {
    Waiting from;
    Cycle taken;
    Timing timing;
  };

  void offered(const Offer& offer);
  void ask();
  void met(uint32_t number, unsigned port, Cycle cycle);
  void take_when_met();
  void take();
  void advance();
  void end();
  void account(CommandRecord& record, const Running& done);
  void abort();
  void snapshot();
  template <class What>
  void at(Cycle when, What what);

  const Parameters m_parameters;
  const uint8_t m_queue;
  Timeline& m_timeline;
  CounterPort& m_counters;
  BytePort& m_sram;
  std::optional<Shares> m_shares;
  Contention* m_contention;
  Bank m_bank;
  QueueFrontend m_frontend;
  CommandObserver m_observer;

  std::optional<Waiting> m_waiting;
  std::optional<Running> m_running;
  uint32_t m_life = 0;    // what was asked for in an earlier one is dropped: take, abort
  Cycle m_free = 0;       // a command can be taken from here on
  Cycle m_accounted = 0;  // the last end
  Cycle m_idle = 0;
  Attribution m_cycles;
  uint64_t s_commands = 0;
};

}  // namespace presil::pool
