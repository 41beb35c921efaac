// The whole DLA as a device under test, in its world: a memory with ring and streams on a read
// port with random latencies and gaps, the tile's SRAM, and sync. Two of them: the model
// (models/dla, Engine) and the RTL (rtl/dla, top dla). A bench gives both the same jobs and the
// same signals from outside, and compares what they did.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/common/timeline.h"
#include "models/soc/soc_config.h"
#include "models/sync/sync_unit.h"
#include "rtl/dla/dla_command.h"

namespace presil::dla::bench {

/// How long reads of ring and stream take; the same for the n-th read of both.
struct Pace {
  uint32_t seed = 1;
  unsigned latency_min = 20, latency_max = 60;
  unsigned gap = 4;    ///< cycles without a beat among those of a burst, at most
  unsigned error = 0;  ///< one of `error` bursts fails; 0: none
};

struct Ended {
  uint32_t index = 0, tag = 0;
  Cycle offered = 0, end = 0;
};

struct Word {
  uint32_t address = 0;
  unsigned command = 0;  ///< how many had ended before it was written
};

class Dut {
 public:
  virtual ~Dut() = default;
  virtual const char* name() const = 0;

  /// One cycle.
  virtual void step() = 0;
  virtual Cycle now() const = 0;
  /// In the next cycle; acts in the one after it. One at a time.
  virtual void write(uint32_t offset, uint32_t value) = 0;
  /// Takes three cycles. @return false: SLVERR
  virtual bool read(uint32_t offset, uint32_t& value) = 0;
  virtual bool irq() const = 0;
  /// Whether the last write was refused with SLVERR.
  virtual bool refused() const = 0;
  /// Another queue signals.
  virtual void signal(Cycle when, uint8_t id, uint16_t add) = 0;
  virtual uint32_t counter(uint8_t id) const = 0;

  uint8_t sync_base = 0;  ///< of the job that runs: signals of a counter use its id there
  std::vector<uint8_t> memory, sram;
  std::vector<Ended> ended;
  std::vector<Word> words;  ///< RTL: written, in order
};

inline constexpr uint64_t kMemoryBase = 0x80000000;
inline constexpr size_t kMemoryBytes = 1 << 16;

std::unique_ptr<Dut> make_model(const SocConfig& config, const Pace& pace);
/// `config` as the RTL is built. `seed` is that of what reset leaves alone.
std::unique_ptr<Dut> make_rtl(const SocConfig& config, const Pace& pace, uint32_t seed);
/// The parameters of the RTL, as its registers say them; of the SoC the DLA and the bytes of SRAM.
SocConfig built_as();

/// When the beats of the n-th read come: in order of the requests, one AR a cycle, one beat a
/// cycle.
class ReadTimes {
 public:
  explicit ReadTimes(const Pace& pace) : m_pace(pace), m_state(pace.seed | 1) {}
  struct Times {
    Cycle first = 0, last = 0;
    std::vector<Cycle> beats;
    bool error = false;
  };
  Times next(Cycle at, unsigned beats);

 private:
  uint32_t random();
  Pace m_pace;
  uint32_t m_state;
  Cycle m_asked = -1, m_free = 0;
};

}  // namespace presil::dla::bench
