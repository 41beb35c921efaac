// The model of the DLA as the shadow of its RTL: the engine of models/dla without values, behind
// ports that give it what the RTL got. Its reads are the RTL's reads, answered with the same times;
// it sees the same counters in the same cycles, and its own signals and interrupts go nowhere but
// here, where they are compared.
#pragma once

#include <array>
#include <deque>
#include <functional>

#include "models/dla/dla_engine.h"
#include "sim/rtl/divergence.h"

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
  class Model : public BurstPort {
   public:
    explicit Model(RecordedBursts& bursts) : m_bursts(bursts) {}
    void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override;

   private:
    RecordedBursts& m_bursts;
  };
  /// One read, of whoever asked for it first.
  struct Read {
    Burst rtl, model;
    bool by_rtl = false, by_model = false, answered = false;
    BurstTimes times;
    std::function<void(const BurstTimes&)> model_done;
  };
  Read& read(uint64_t number);
  void progress();

  Timeline& m_timeline;
  BurstPort& m_memory;
  std::function<void(const Divergence&)> m_report;
  Model m_model;
  std::deque<Read> m_reads;
  uint64_t m_first = 0;  // number of m_reads.front()
  uint64_t m_rtl = 0, m_by_model = 0;
};

class DlaShadow {
 public:
  /// @param counters the DLA's links to sync; only looked at
  /// @param watch hands over what to call when a counter changes
  DlaShadow(const SocConfig& config, Timeline& timeline, BurstPort& fetch, BytePort& system,
            CounterPort& counters,
            const std::function<void(std::function<void(uint8_t id)>)>& watch,
            std::function<void(const Divergence&)> report);

  dla::Engine& engine() { return m_engine; }
  void observe(CommandObserver observer) { m_observer = std::move(observer); }

  // ---- what the RTL does
  void ended(const CommandRecord& record);
  void signalled(uint8_t id, uint16_t add, Cycle cycle);
  void dropped();
  /// Nothing goes on: tells the command that the model has ended and the RTL has not.
  void look_behind();

 private:
  struct Signal {
    uint8_t id;
    uint16_t add;
    Cycle cycle;
    uint64_t command;  // its number among those that have ended
    CommandRecord record;
  };
  class Counters : public CounterPort {
   public:
    Counters(DlaShadow& shadow, CounterPort& counters) : m_shadow(shadow), m_counters(counters) {}
    bool met(uint8_t id, uint32_t value) const override { return m_counters.met(id, value); }
    void when_met(uint8_t queue, uint8_t port, uint8_t id, uint32_t value,
                  std::function<void(Cycle)> then) override;
    void withdraw(uint8_t queue, uint8_t port) override;
    void signal(Cycle when, uint8_t id, uint16_t add) override;
    void changed(uint8_t id);

   private:
    struct Ask {
      uint8_t id = 0;
      uint32_t value = 0;
      std::function<void(Cycle)> then;
    };
    DlaShadow& m_shadow;
    CounterPort& m_counters;
    std::array<Ask, 4> m_asks;
  };
  struct NoMemory : BytePort {
    uint8_t* bytes_at(uint64_t, size_t) override { return nullptr; }
  };
  void compare_signals();
  void expect_signals(uint64_t commands);
  void report(const char* stage, const std::string& model, const std::string& rtl,
              Cycle model_cycle, Cycle rtl_cycle, const CommandRecord* command = nullptr);
  void compare_ends();

  Timeline& m_timeline;
  std::function<void(const Divergence&)> m_report;
  Counters m_counters;
  NoMemory m_sram;
  dla::Engine m_engine;
  CommandObserver m_observer;
  std::deque<Signal> m_model_signals, m_rtl_signals;
  std::deque<CommandRecord> m_model_ends, m_rtl_ends;
  uint64_t m_model_ended = 0, m_rtl_ended = 0;
  CommandRecord m_model_last, m_rtl_last;
};

}  // namespace presil::rtl
