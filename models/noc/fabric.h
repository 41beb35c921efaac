// What the masters of a tile ask their bursts of: the crossbar, or what stands for it.
#pragma once

#include <functional>

#include "models/common/ports.h"
#include "rtl/soc/address_map.h"

namespace presil::noc {

/// A write as the DMA asks for it: AW and data are two things.
struct WriteBurst {
  Burst burst;               ///< `at`: earliest cycle of AW
  Cycle data_first = 0;      ///< the first W beat can leave
  unsigned data_cycles = 0;  ///< the data take at least this many cycles (0: one per beat)
  bool sent_later = false;   ///< the last beat is told by sent(); w_last and b are not known before
};

struct WriteTimes {
  Cycle aw = 0, w_first = 0, w_last = 0, b = 0;
  bool error = false;
  uint32_t token = 0;  ///< for sent(); kNobody: no slave waits for the data
  static constexpr uint32_t kNobody = 0xffffffff;
};

class Fabric {
 public:
  /// Inputs: the fetch unit of queue q is input q, then the DMA's data port, then the user's block.
  static constexpr unsigned kDmaData = PRESIL_QUEUES;
  static constexpr unsigned kUser = PRESIL_QUEUES + 1;
  static constexpr unsigned kInputs = PRESIL_QUEUES + 2;

  using ReadDone = std::function<void(const BurstTimes&)>;
  using WriteDone = std::function<void(const WriteTimes&)>;

  virtual ~Fabric() = default;
  virtual BurstPort& port(unsigned input) = 0;
  /// AR in burst.at >= now. `done` when the slave has decided, before the first beat.
  virtual void read(unsigned input, const Burst& burst, ReadDone done) = 0;
  /// `done` in the cycle of the AW grant; W data of an input leave in the order of its AWs.
  virtual void write(unsigned input, const WriteBurst& write, WriteDone done) = 0;
  /// The DMA's R sink is its SRAM write port: a piece of a local copy reserves it like a burst.
  /// @param next as of DmaSink::reserve
  /// @return first cycle
  virtual Cycle reserve_dma_sink(Cycle earliest, unsigned cycles, unsigned next) = 0;
  /// When the last word of a read burst of the DMA leaves its stream, by BurstTimes::booking: local
  /// copies may have come before it since; `otherwise` where it has gone.
  virtual Cycle gone(uint32_t booking, Cycle otherwise) const = 0;
};

}  // namespace presil::noc
