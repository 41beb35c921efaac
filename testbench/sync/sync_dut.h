// Sync as its bench sees it, one cycle at a time: models/sync or rtl/sync on the same links.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "models/soc/soc_config.h"
#include "rtl/soc/address_map.h"
#include "rtl/sync/sync.h"

namespace presil::testbench {

inline constexpr unsigned kSyncPorts = PRESIL_SYNC_WAIT_PORT_COUNT;

/// What comes in during a cycle.
struct SyncInputs {
  struct Signal {
    bool valid = false;
    uint8_t id = 0;
    uint16_t add = 0;
  };
  struct Wait {
    bool valid = false;
    uint8_t id = 0;
    uint32_t value = 0;
    bool operator==(const Wait& o) const {
      return valid == o.valid && id == o.id && value == o.value;
    }
  };
  struct Barrier {
    bool valid = false;
    uint8_t first = 1, count = 0;
    uint32_t value = 0;
  };
  /// Asked for in cycle t, it acts in t + 1; the registers show it, and the answer is there, in t
  /// + 2.
  struct Access {
    bool write = false;
    uint16_t offset = 0;
    uint32_t value = 0;
  };

  bool reset = false;
  std::array<Signal, PRESIL_LINKED_QUEUES> signals;
  std::array<Wait, kSyncPorts> waits;
  std::array<Barrier, PRESIL_LINKED_QUEUES> barriers;
  std::optional<Access> access;  ///< not in two cycles running
};

/// What it shows in that cycle.
struct SyncOutputs {
  struct Answer {
    uint32_t value = 0;  ///< of a read
    bool error = false;
    bool operator==(const Answer& o) const { return value == o.value && error == o.error; }
  };

  std::array<bool, kSyncPorts> met{};
  std::array<uint8_t, kSyncPorts> signaller{};
  std::array<bool, PRESIL_LINKED_QUEUES> barrier_met{};
  bool irq = false;
  std::optional<Answer> answer;
};

class SyncDut {
 public:
  virtual ~SyncDut() = default;
  virtual SyncOutputs cycle(const SyncInputs& inputs) = 0;
  /// What broke a rule of its own: a protocol checker's or an assertion's words; empty if nothing.
  virtual std::string complaints() const { return {}; }
};

class SyncModel : public SyncDut {
 public:
  virtual uint32_t counter(uint8_t id) const = 0;
  virtual uint32_t get(uint32_t offset) const = 0;  ///< a register, without its side effects
};

std::unique_ptr<SyncModel> make_sync_model(const SyncConfig& config);
/// RTL with the parameters of `edge` (64 counters, 8 slots), or with 16 and 2.
std::unique_ptr<SyncDut> make_sync_rtl(unsigned seed);
std::unique_ptr<SyncDut> make_small_sync_rtl(unsigned seed);

}  // namespace presil::testbench
