// The values that an engine from outside must write in RTL: what its plug-in computes from the
// words that the RTL fetched and the SRAM as it was when it took the command, those before it
// having ended. Every word that the RTL writes is compared in its cycle; at the end, every word
// that the plug-in has changed must have been written. The order of words is the engine's own.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "sim/engine/engine_plugin.h"
#include "sim/rtl/queue_reference.h"

namespace presil::rtl {

class OutsideReference : public QueueReference {
 public:
  /// @param parameters of the engine, in the order of engine.yaml, outlives this;
  /// nullptr: commands are not checked by the engine's rules
  /// @param report called with what differs
  OutsideReference(const EnginePlugin& plugin, const uint64_t* parameters, const uint8_t* sram,
                   uint32_t sram_bytes, std::function<void(const Divergence&)> report);

  void dropped() override { m_flights.clear(); }
  void offered(uint32_t index, Cycle cycle) override;
  void started(unsigned place) override;
  void written(uint32_t address, const uint8_t* bytes, Cycle cycle) override;
  void ended(uint32_t index, uint32_t tag, Cycle cycle) override;

 private:
  struct Flight {
    FetchedCommand fetched;
    uint32_t tag = 0;
    bool started = false, computed = false;
  };
  /// Why the engine's model and the driver refuse it; empty: they do not.
  std::string refused(const FetchedCommand& command) const;
  void compute();
  Divergence at(const Flight* flight, const char* stage, Cycle cycle) const;

  const EnginePlugin& m_plugin;
  const uint64_t* m_parameters;
  const uint8_t* m_sram;
  const uint32_t m_bytes;
  std::deque<Flight> m_flights;
  // Of the oldest one.
  std::vector<uint8_t> m_results;   // the SRAM as it will be
  std::vector<uint32_t> m_changed;  // addresses of words that are not as they were
  std::vector<bool> m_written;      // word by word
};

}  // namespace presil::rtl
