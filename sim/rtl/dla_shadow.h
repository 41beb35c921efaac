// The model of the DLA as the shadow of its RTL: the engine of models/dla without values, connected
// to ports that give it what the RTL got. Its reads are the RTL's reads, answered with the same
// times; it sees the same counters in the same cycles, and its own signals and interrupts go
// nowhere but here, where they are compared.
#pragma once

#include <functional>
#include <utility>

#include "models/dla/dla_engine.h"
#include "sim/rtl/burst_match.h"
#include "sim/rtl/queue_events.h"
#include "sim/rtl/shadow_ports.h"

namespace presil::rtl {

/// Reads of the RTL on their way to the memory, kept for the model.
class RecordedBursts : public BurstPort {
 public:
  /// @param memory where the RTL's reads go
  /// @param report called where the model reads something else
  RecordedBursts(Timeline& timeline, BurstPort& memory,
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

class DlaShadow {
 public:
  /// @param counters the DLA's links to sync; only looked at
  /// @param watch is given what to call when a counter changes
  DlaShadow(const SocConfig& config, Timeline& timeline, BurstPort& fetch, BytePort& system,
            CounterPort& counters,
            const std::function<void(std::function<void(uint8_t id)>)>& watch,
            std::function<void(const Divergence&)> report);

  dla::Engine& engine() { return m_engine; }
  void observe(CommandObserver observer) { m_events.observe(std::move(observer)); }

  // ---- what the RTL does
  void ended(const CommandRecord& record) { m_events.rtl_ended(record); }
  void signalled(uint8_t id, uint16_t add, Cycle cycle) { m_events.rtl_signalled(id, add, cycle); }
  void dropped() { m_events.dropped(); }
  /// Nothing goes on: tells the command that the model has ended and the RTL has not.
  void report_unmatched() { m_events.report_unmatched(); }

 private:
  QueueEvents m_events;
  ShadowCounters m_counters;
  NoMemory m_sram;
  dla::Engine m_engine;
};

}  // namespace presil::rtl
