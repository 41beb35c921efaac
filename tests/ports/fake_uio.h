// A UIO device without hardware: a page fault at its registers is an access of the mock's, and its
// interrupt is a socket. x86-64 and Linux only.
#pragma once

#include <presil/linux_uio.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "driver/port/mock/mock_engine.h"

namespace presil::driver {

class FakeUio {
 public:
  static constexpr size_t kRegisterBytes = size_t{1} << PRESIL_TILE_SHIFT, kMemoryBytes = 64 << 20;

  FakeUio();
  ~FakeUio();
  FakeUio(const FakeUio&) = delete;
  FakeUio& operator=(const FakeUio&) = delete;

  /// What a program opens.
  presil_uio_config config() const;
  /// Registers are trapped from now on; the port has been opened.
  void trap(presil_uio* uio);
  uint64_t accesses() const { return m_accesses; }
  uint64_t interrupts() const { return m_interrupts; }

  // ---- of the signal handler
  uint8_t* begin() const { return m_begin; }
  uint32_t read(uint64_t offset);
  void write(uint64_t offset, uint32_t value);

 private:
  void work();

  std::recursive_mutex m_mutex;
  MockPort m_mock;
  MockEngines m_engines{m_mock};
  int m_registers_fd, m_memory_fd, m_line[2]{};
  uint8_t* m_begin = nullptr;
  std::atomic<bool> m_ends{false};
  std::atomic<uint64_t> m_accesses{0}, m_interrupts{0};
  std::thread m_thread;
};

}  // namespace presil::driver
