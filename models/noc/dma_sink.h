// The DMA's SRAM write port as it is booked ahead: by bursts of reads, as soon as the DRAM has
// decided when they come; and by pieces of local copies. A piece does not wait for all that is
// booked: as in rtl/dma/dma_sram_write.sv it gets its turn between two bursts when the loads rest,
// or when it has waited for long, and what is booked from there on comes so much later.
#pragma once

#include <deque>

#include "models/soc/soc_config.h"

namespace presil::noc {

class DmaSink {
 public:
  static constexpr Cycle cycles_load_to_local = 10;   ///< last word of a load, 8 cycles without one
  static constexpr Cycle cycles_local_patience = 36;  ///< first wish to a turn between two bursts

  /// From here on nothing is booked.
  Cycle free() const { return m_free; }
  /// What is booked at `now` for the words of a read burst.
  void book(Cycle first, Cycle last, Cycle now);
  /// A piece of a local copy: `cycles` at the port, from `earliest` on. @return its first
  Cycle reserve(Cycle earliest, unsigned cycles);
  /// Nothing else before `until`.
  void hold(Cycle until);

 private:
  struct Booked {
    Cycle first, last;
  };
  Cycle turn(Cycle earliest) const;

  std::deque<Booked> m_bursts;  // one after another
  Cycle m_free = 0;
};

}  // namespace presil::noc
