// Engines that compute nothing: they take job entries from memory, walk their streams, obey waits
// and signal. What they understand of an entry is what the driver wrote into it.
#pragma once

#include <array>
#include <cstdint>
#include <set>

#include "driver/port/mock/mock_port.h"
#include "rtl/common/job_entry.h"

namespace presil::driver {

class MockEngines {
 public:
  explicit MockEngines(MockPort& port);

  std::array<JobEntry, PRESIL_QUEUES> entries;  ///< the last one of each queue
  std::set<unsigned> silent;                    ///< queues that take a job and never move
  uint64_t command_ns = 100;

 private:
  struct Queue {
    unsigned life = 0;  ///< steps of an earlier one do nothing
    uint32_t next = 0;
  };
  void doorbell(unsigned number);
  void begin(unsigned number);
  void step_later(unsigned number);
  void step(unsigned number);

  MockPort& m_port;
  std::array<Queue, PRESIL_QUEUES> m_queues;
};

}  // namespace presil::driver
