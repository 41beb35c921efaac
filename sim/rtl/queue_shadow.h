// Lock-step of time of an engine with one queue: the engine of `models`, put on ports that replay
// what its RTL got: counters when the tile's show them, reads with the RTL's answers. What it
// signals and ends is compared.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "models/common/queue_frontend.h"
#include "rtl/common/register_bank.h"
#include "sim/rtl/burst_match.h"
#include "sim/rtl/queue_events.h"
#include "sim/rtl/shadow_ports.h"

namespace presil::rtl {

/// Reads of the RTL on their way to the memory, kept for the model.
class RecordedBursts : public BurstPort {
 public:
  /// @param block of a difference: the engine's name
  /// @param memory where the RTL's reads go
  /// @param report called where the model reads something else
  RecordedBursts(const std::string& block, Timeline& timeline, BurstPort& memory,
                 std::function<void(const Divergence&)> report);
  /// From the RTL.
  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override;
  BurstPort& model() { return m_model; }

 private:
  struct Model : BurstPort {
    explicit Model(BurstMatch& match) : match(match) {}
    void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
      match.model_asked(burst, std::move(done));
    }
    BurstMatch& match;
  };
  BurstPort& m_memory;
  BurstMatch m_match;
  Model m_model;
};

class QueueShadow {
 public:
  virtual ~QueueShadow() = default;
  QueueShadow(const QueueShadow&) = delete;
  QueueShadow& operator=(const QueueShadow&) = delete;

  virtual RegisterBank& bank() = 0;
  virtual queue::State state() = 0;
  virtual void on_interrupt(InterruptLine line) = 0;
  void observe(CommandObserver observer) { m_events.observe(std::move(observer)); }

  // ---- what the RTL does
  void ended(const CommandRecord& record) { m_events.rtl_ended(record); }
  void signalled(uint8_t id, uint16_t add, Cycle cycle) { m_events.rtl_signalled(id, add, cycle); }
  void dropped() { m_events.dropped(); }
  /// Nothing goes on: tells the command that the model has ended and the RTL has not.
  void report_unmatched() { m_events.report_unmatched(); }

 protected:
  /// @param counters the engine's links to sync; only looked at
  /// @param watch is given what to call when a counter changes
  QueueShadow(const std::string& block, Timeline& timeline, CounterPort& counters,
              const std::function<void(std::function<void(uint8_t id)>)>& watch,
              std::function<void(const Divergence&)> report);
  /// For the model: its counters, and whom it tells of a command that has ended.
  CounterPort& counters() { return m_counters; }
  CommandObserver model_ended() {
    return [this](const CommandRecord& record) { m_events.model_ended(record); };
  }

 private:
  QueueEvents m_events;
  ShadowCounters m_counters;
};

}  // namespace presil::rtl
