// Blocks in RTL for the SoC.
#include "sim/platform/blocks.h"
#include "sim/rtl/dla_block.h"
#include "sim/rtl/dma_block.h"
#include "sim/rtl/outside_block.h"
#include "sim/rtl/sync_block.h"

namespace presil::rtl {
namespace {

#ifdef PRESIL_FST
constexpr bool kWaveforms = true;
#else
constexpr bool kWaveforms = false;
#endif

class Maker : public platform::RtlMaker {
 public:
  std::unique_ptr<platform::SyncBlock> sync(const platform::SyncPlace& place) const override {
    return std::make_unique<SyncBlock>(place, make_sync_top(place.kinds.seed));
  }
  std::unique_ptr<platform::Block> dla(const platform::DlaPlace& place) const override {
    return std::make_unique<DlaBlock>(place);
  }
  std::unique_ptr<platform::Block> dma(const platform::DmaPlace& place) const override {
    return std::make_unique<DmaBlock>(place);
  }
  std::unique_ptr<platform::Block> outside(const platform::EngineBlockPlace& place,
                                           platform::BlockKind kind) const override {
    return make_outside(place, kind, kWaveforms);
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
