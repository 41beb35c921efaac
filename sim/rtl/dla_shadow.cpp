#include "sim/rtl/dla_shadow.h"

#include <utility>

namespace presil::rtl {

DlaShadow::DlaShadow(const SocConfig& config, Timeline& timeline, BurstPort& fetch,
                     BytePort& system, CounterPort& counters,
                     const std::function<void(std::function<void(uint8_t id)>)>& watch,
                     std::function<void(const Divergence&)> report)
    : QueueShadow("dla", timeline, counters, watch, std::move(report)),
      m_engine(PRESIL_QUEUE_DLA, config, timeline, fetch, system, m_sram, QueueShadow::counters()) {
  m_engine.leave_values();
  m_engine.observe(model_ended());
}

}  // namespace presil::rtl
