// The DLA in RTL as a block of the SoC.
#pragma once

#include "sim/rtl/queue_block.h"

namespace presil::rtl {

class DlaBlock : public QueueBlock {
 public:
  explicit DlaBlock(const platform::DlaPlace& place);
};

}  // namespace presil::rtl
