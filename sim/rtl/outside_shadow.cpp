#include "sim/rtl/outside_shadow.h"

#include <algorithm>
#include <utility>

#include "rtl/common/queue.h"

namespace presil::rtl {
namespace {

EnginePlace shadow_of(const EnginePlace& place, BytePort& sram, CounterPort& counters) {
  return {place.timeline, place.fetch,      place.system,    sram, counters, place.banks,
          place.queue,    place.sram_bytes, place.parameters};
}

}  // namespace

uint8_t* ScratchSram::bytes_at(uint64_t address, size_t bytes) {
  const uint8_t* from = m_sram.bytes_at(address, bytes);
  if (from == nullptr || address + bytes > m_bytes.size()) return nullptr;
  std::copy_n(from, bytes, &m_bytes[address]);
  return &m_bytes[address];
}

OutsideShadow::OutsideShadow(const EnginePlugin& plugin, const EnginePlace& place,
                             const std::function<void(std::function<void(uint8_t id)>)>& watch,
                             std::function<void(const Divergence&)> report)
    : QueueShadow(plugin.description->name, place.timeline, place.counters, watch,
                  std::move(report)),
      m_status(plugin.description->queue_offset + PRESIL_QUEUE_REG_STATUS),
      m_sram(place.sram, place.sram_bytes),
      m_engine(plugin.make(shadow_of(place, m_sram, counters()))) {
  m_engine->observe(model_ended());
}

queue::State OutsideShadow::state() {
  uint32_t status = 0;
  bank().read(m_status, status);
  return static_cast<queue::State>((status & PRESIL_QUEUE_STATUS_STATE_MASK) >>
                                   PRESIL_QUEUE_STATUS_STATE_SHIFT);
}

}  // namespace presil::rtl
