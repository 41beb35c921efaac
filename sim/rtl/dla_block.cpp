#include "sim/rtl/dla_block.h"

#include <utility>

#include "rtl/dla/dla.h"
#include "sim/rtl/dla_reference.h"
#include "sim/rtl/dla_rtl.h"
#include "sim/rtl/dla_shadow.h"

namespace presil::rtl {

DlaBlock::DlaBlock(const platform::DlaPlace& place)
    : QueueBlock("dla", {PRESIL_DLA_REG_QUEUE, PRESIL_DLA_REG_COUNTERS, PRESIL_DLA_SIZE}) {
  Timeline& timeline = place.timekeeper.timeline();
  std::unique_ptr<Model> model;
  if (place.kinds.dla == platform::BlockKind::kLockstep) {
    model.reset(new Model{{"dla", timeline, place.fetch, reporter()}, nullptr, nullptr});
    model->reference = std::make_unique<DlaReference>(
        place.config, place.sram.bytes_at(0, place.config.sram.bytes), reporter());
    model->shadow =
        std::make_unique<DlaShadow>(place.config, timeline, model->bursts.model(), place.system,
                                    place.counters, place.watch, reporter());
  }
  BurstPort& fetch = model != nullptr ? static_cast<BurstPort&>(model->bursts) : place.fetch;
  auto rtl = std::make_unique<DlaRtl>(place.config, place.timekeeper, fetch, place.system,
                                      place.sram, place.counters, options_of(place.kinds));
  begin(std::move(rtl), std::move(model));
}

}  // namespace presil::rtl
