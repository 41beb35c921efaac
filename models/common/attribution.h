// Where an engine's cycles went: each cycle of an engine belongs to exactly one cause, so that
// run + all stalls + idle = total. Names are those of run.json.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "models/soc/soc_config.h"

namespace presil {

/// Who would have to signal for a wait to end.
enum class Signaller : uint8_t { kDla, kDsp, kHost, kDma };
inline constexpr size_t kSignallers = 4;

/// Waits come in groups of four, in the order of Signaller.
enum class Cause : uint8_t {
  kRun,
  // DLA operand stage
  kFeatureBank,
  kWeights,
  kPost,
  kStart,  ///< fill after an offer or a met wait, reload, drain
  // DMA channel
  kReadCredit,
  kDramRow,
  kDramTurnaround,
  kDramRefresh,
  kDramBusy,
  kWriteQueue,
  kSramPort,
  kDrain,
  // DSP
  kLoadUse,       ///< a scalar instruction waits for a load from TCM
  kBranch,        ///< refetch
  kDivide,        ///< divider, multiplier, scalar float unit
  kFarLoad,       ///< a scalar load from SRAM, DRAM, registers
  kVectorQueue,   ///< the queue to the vector unit is full
  kVectorResult,  ///< a scalar result of the vector unit, a fence, the end
  kSramBank,      ///< an access meets the DLA's in a bank
  kOwnDma,        ///< a copy of the program's own channel
  // every queue
  kFetch,  ///< ring not empty, nothing offered
  kWait,   // + Signaller: host commands, DMA channels
  kWaitIn = kWait + kSignallers,
  kWaitWeights = kWaitIn + kSignallers,
  kWaitOut = kWaitWeights + kSignallers,
  kCount = kWaitOut + kSignallers
};

/// The cause of a wait for `signaller`; `group` is kWait, kWaitIn, kWaitWeights or kWaitOut.
constexpr Cause wait_for(Cause group, Signaller signaller) {
  return static_cast<Cause>(static_cast<unsigned>(group) + static_cast<unsigned>(signaller));
}

/// "run", "feature_bank", "wait_in:dma", ...
std::string name_of(Cause cause);

/// Cycles per cause.
class Attribution {
 public:
  void add(Cause cause, Cycle cycles) { m_cycles[static_cast<size_t>(cause)] += cycles; }
  Cycle operator[](Cause cause) const { return m_cycles[static_cast<size_t>(cause)]; }
  Cycle busy() const { return (*this)[Cause::kRun]; }
  Cycle total() const;
  Attribution& operator+=(const Attribution& other);
  Attribution operator-(const Attribution& other) const;

 private:
  std::array<Cycle, static_cast<size_t>(Cause::kCount)> m_cycles{};
};

}  // namespace presil
