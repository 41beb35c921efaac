// The values that the DLA in RTL must write: those of models/dla/dla_core, computed from the words
// that it fetched and the SRAM as it was when its units started. Every word that the RTL writes is
// compared in its cycle: address, bytes, order.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "models/dla/dla_core.h"
#include "sim/rtl/fetched_commands.h"

namespace presil::rtl {

class DlaReference {
 public:
  /// @param report called with what differs
  DlaReference(const SocConfig& config, const uint8_t* sram,
               std::function<void(const Divergence&)> report);

  void fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
    m_fetched.fetched(address, bytes, count);
  }
  void dropped() { m_flights.clear(); }
  /// The queue goes on after an error or an abort: what it had fetched is fetched again.
  void restarted() { m_fetched.restarted(); }
  void offered(uint32_t index, Cycle cycle);
  void started(unsigned place);
  void written(uint32_t address, const uint8_t* bytes, Cycle cycle);
  void ended(uint32_t index, uint32_t tag, Cycle cycle);

 private:
  struct Word {
    uint32_t address;
    size_t from;    // in the results
    size_t access;  // its number: a port for each word, granted one by one
  };
  struct Flight {
    FetchedCommand fetched;
    dla::Command command;  // relocated
    bool computed = false;
    dla::Results results;
    std::vector<Word> order;  // in which they are written
    size_t next = 0;
  };

  static std::vector<Word> order_of(const dla::Command& command, unsigned macs_k);
  Divergence at(const Flight* flight, const char* stage, Cycle cycle) const;

  SocConfig m_config;
  const uint8_t* m_sram;
  std::function<void(const Divergence&)> m_report;
  dla::Core m_core;
  FetchedCommands m_fetched{dla::Command::kPitch};
  std::deque<Flight> m_flights;
};

}  // namespace presil::rtl
