#include "sim/platform/blocks.h"

namespace presil::platform {

const RtlMaker* rtl_maker() {
  return nullptr;
}

}  // namespace presil::platform
