// A SoC without engines for tests of the driver: registers, memory, sync counters, interrupt lines
// and a clock that moves only in wait and spend. It records what the driver writes.
//
// Registers are the contract's banks, so an access that hardware would answer with a bus error is
// counted here. What an engine would do is up to the test: on_doorbell, at, signal, fail.
// MockEngine walks streams by their waits and signals.
#pragma once

#include <presil/port.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rtl/dla/dla_bank.h"
#include "rtl/dma/dma_bank.h"
#include "rtl/dsp/dsp_bank.h"
#include "rtl/host/host_bank.h"
#include "rtl/soc/address_map.h"
#include "rtl/sync/sync_bank.h"

namespace presil::driver {

class MockPort {
 public:
  /// @param tile  whose registers it reaches
  /// @param same  a port with the same memory, of another tile; nullptr: none
  explicit MockPort(unsigned tile = 0, const MockPort* same = nullptr);
  MockPort(const MockPort&) = delete;
  MockPort& operator=(const MockPort&) = delete;

  const presil_port* port() const { return &m_port; }

  // The hardware side, for tests to set up and look at.
  dla::Bank dla;
  dma::Bank dma;
  dsp::Bank dsp;  ///< there where host.engines says so
  sync::Bank sync;
  host::Bank host;
  queue::View queue(unsigned number);

  uint64_t now_ns = 0;
  /// Runs `action` when a wait or a task reaches that time.
  void at(uint64_t time_ns, std::function<void()> action) {
    m_events.emplace(time_ns, std::move(action));
  }
  /// Called with the queue's number when its doorbell is rung.
  std::function<void(unsigned)> on_doorbell;
  /// Called with the queue's number when abort is written; default: it stops at once.
  std::function<void(unsigned)> on_abort;

  uint32_t count(unsigned id) const { return sync.get(PRESIL_SYNC_REG_COUNT(id)); }
  void signal(unsigned id, uint32_t add);
  /// A queue stops with an error.
  void fail(unsigned number, queue::ErrorCode code, uint32_t command, uint32_t job,
            unsigned rule = 0);

  /// Memory that the driver has allocated, by system address; nullptr outside.
  uint8_t* bytes_at(uint64_t address, size_t bytes);
  size_t allocations() const { return m_memory->blocks.size(); }
  /// Memory of the caller, which engines see from this address on.
  void lend(uint64_t address, uint8_t* bytes, size_t size);
  /// Allocations that may still succeed.
  size_t allocations_left = SIZE_MAX;

  struct Write {
    uint64_t address;
    uint32_t value;
  };
  std::vector<Write> writes;       ///< registers, in order
  std::vector<std::string> trace;  ///< "clean", "invalidate", "spend nms", "wait 4", "signal 3+1"
  std::vector<presil_task> tasks;  ///< as spent
  unsigned bus_errors = 0;         ///< register accesses that hardware would refuse
  uint64_t task_ns = 1000;         ///< what a task takes
  unsigned resets = 0;             ///< by the driver
  bool powered = true;

 private:
  RegisterBank* bank_of(uint64_t address, uint32_t& offset);
  uint32_t read32(uint64_t address);
  void write32(uint64_t address, uint32_t value);
  int alloc(size_t bytes, size_t align, presil_memory* memory);
  presil_wait_result wait(uint64_t timeout_ns);
  bool line_up();
  bool run_next_event(uint64_t until_ns);
  void compare_slots();

  int reset();

  std::mutex m_mutex;
  struct Lent {
    uint64_t address = 0;
    uint8_t* bytes = nullptr;
    size_t size = 0;
  };
  Lent m_lent;
  struct Memory {
    std::map<uint64_t, std::vector<uint8_t>> blocks;
    uint64_t next_address = PRESIL_DRAM_BASE;
  };
  unsigned m_tile;
  std::shared_ptr<Memory> m_memory;
  std::multimap<uint64_t, std::function<void()>> m_events;
  presil_port m_port{};
};

}  // namespace presil::driver
