// What client and server of the remote port share: a ring of requests, one answer, two doorbells,
// and the memory of all buffers after it.
//
// Requests are taken in their order. Those without an answer (writes, spend, observe, release)
// are posted: the client goes on at once and stops only where the ring is full.
#pragma once

#include <sched.h>

#include <atomic>
#include <boost/date_time/posix_time/posix_time_types.hpp>
#include <boost/interprocess/sync/interprocess_semaphore.hpp>
#include <cstdint>

namespace presil::remote {

enum class Do : uint32_t {
  kWrite,
  kRead,
  kAlloc,
  kRelease,
  kClean,
  kInvalidate,
  kWait,
  kSpend,
  kNow,
  kObserve,
  kReset,
  kClose
};

struct Request {
  Do what;
  uint32_t number;  ///< value, kernel, state
  uint64_t a, b, c;
  char name[48];  ///< of a kernel
};

struct Answer {
  int64_t status;
  uint64_t value, offset;
};

constexpr uint32_t kMagic = 0x50524d31;  // "PRM1": this layout
constexpr uint64_t kRequests = 1024;

/// One side sleeps until the other has something; it looks for a while before it sleeps.
class Doorbell {
 public:
  void ring() {
    if (m_sleeps.exchange(false)) m_semaphore.post();
  }
  /// @return false: not within so many milliseconds
  template <class Ready>
  bool wait(Ready&& ready, unsigned timeout_ms) {
    constexpr int kLooks = 300, kTurns = 300;
    for (int i = 0; i < kLooks; ++i) {
      if (ready()) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    for (int i = 0; i < kTurns; ++i) {
      if (ready()) return true;
      sched_yield();
    }
    m_sleeps = true;
    bool rung = ready();
    if (!rung) {
      using boost::posix_time::microsec_clock;
      const auto until =
          microsec_clock::universal_time() + boost::posix_time::milliseconds(timeout_ms);
      rung = m_semaphore.timed_wait(until);
    }
    m_sleeps = false;
    return rung || ready();
  }

 private:
  std::atomic<bool> m_sleeps{false};
  boost::interprocess::interprocess_semaphore m_semaphore{0};
};

struct Channel {
  std::atomic<uint32_t> magic{0};             ///< last: all else is there
  std::atomic<int32_t> server{0}, client{0};  ///< process ids
  uint64_t memory_offset = 0, memory_bytes = 0;

  alignas(64) std::atomic<uint64_t> asked{0};  ///< requests put in so far
  alignas(64) std::atomic<uint64_t> taken{0};  ///< and done
  alignas(64) std::atomic<uint64_t> answers{0};
  Answer answer{};
  Doorbell to_server, to_client;
  Request requests[kRequests];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free, "shared between processes");

}  // namespace presil::remote
