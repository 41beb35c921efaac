// The values that the DLA in RTL must write: those of models/dla/dla_core, computed from the words
// that it fetched and the SRAM as it was when its units started. Every word that the RTL writes is
// compared in its cycle: address, bytes, order.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "models/dla/dla_core.h"
#include "sim/rtl/queue_reference.h"

namespace presil::rtl {

class DlaReference : public QueueReference {
 public:
  /// @param report called with what differs
  DlaReference(const SocConfig& config, const uint8_t* sram,
               std::function<void(const Divergence&)> report);

  void dropped() override { m_flights.clear(); }
  void offered(uint32_t index, Cycle cycle) override;
  void started(unsigned place) override;
  void written(uint32_t address, const uint8_t* bytes, Cycle cycle) override;
  void ended(uint32_t index, uint32_t tag, Cycle cycle) override;

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
  dla::Core m_core;
  std::deque<Flight> m_flights;
};

}  // namespace presil::rtl
