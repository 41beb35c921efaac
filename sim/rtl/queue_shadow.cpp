#include "sim/rtl/queue_shadow.h"

#include <utility>

namespace presil::rtl {

RecordedBursts::RecordedBursts(const std::string& block, Timeline& timeline, BurstPort& memory,
                               std::function<void(const Divergence&)> report)
    : m_memory(memory), m_match(block, "fetch", timeline, std::move(report)), m_model(m_match) {}

// The RTL's reads have one id, so they are answered in order.
void RecordedBursts::request(const Burst& burst, std::function<void(const BurstTimes&)> done) {
  m_match.rtl_asked(burst);
  m_memory.request(burst, [this, done = std::move(done)](const BurstTimes& times) {
    done(times);
    m_match.rtl_answered(times);
  });
}

QueueShadow::QueueShadow(const std::string& block, Timeline& timeline, CounterPort& counters,
                         const std::function<void(std::function<void(uint8_t id)>)>& watch,
                         std::function<void(const Divergence&)> report)
    : m_events(block, timeline, std::move(report)), m_counters(timeline, counters, m_events) {
  watch([this](uint8_t id) { m_counters.changed(id); });
}

}  // namespace presil::rtl
