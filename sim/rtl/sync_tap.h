// What sync in RTL does, as the comparison hears it.
#pragma once

#include <cstdint>

#include "models/soc/soc_config.h"

namespace presil::rtl {

class SyncTap {
 public:
  virtual ~SyncTap() = default;
  /// A cycle has begun in which it may have changed.
  virtual void ticked() = 0;
  /// A register has been written or read; error: it answered SLVERR.
  virtual void accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle cycle) = 0;
};

}  // namespace presil::rtl
