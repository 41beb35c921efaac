// Blocks in RTL for the SoC.
#include "sim/platform/blocks.h"
#include "sim/rtl/dla_block.h"

namespace presil::rtl {
namespace {

class Maker : public platform::RtlMaker {
 public:
  std::unique_ptr<platform::DlaBlock> dla(const platform::DlaPlace& place) const override {
    return std::make_unique<DlaBlock>(place);
  }
};

}  // namespace
}  // namespace presil::rtl

namespace presil::platform {

const RtlMaker* rtl_maker() {
  static const rtl::Maker maker;
  return &maker;
}

}  // namespace presil::platform
