#include "sim/rtl/dla_shadow.h"

#include <utility>

namespace presil::rtl {

RecordedBursts::RecordedBursts(Timeline& timeline, BurstPort& memory,
                               std::function<void(const Divergence&)> report)
    : m_memory(memory), m_match("dla", "fetch", timeline, std::move(report)), m_model(m_match) {}

// The RTL's reads have one id, so they are answered in order.
void RecordedBursts::request(const Burst& burst, std::function<void(const BurstTimes&)> done) {
  m_match.rtl_asked(burst);
  m_memory.request(burst, [this, done = std::move(done)](const BurstTimes& times) {
    done(times);
    m_match.rtl_answered(times);
  });
}

DlaShadow::DlaShadow(const SocConfig& config, Timeline& timeline, BurstPort& fetch,
                     BytePort& system, CounterPort& counters,
                     const std::function<void(std::function<void(uint8_t id)>)>& watch,
                     std::function<void(const Divergence&)> report)
    : m_events("dla", timeline, std::move(report)),
      m_counters(timeline, counters, m_events),
      m_engine(PRESIL_QUEUE_DLA, config, timeline, fetch, system, m_sram, m_counters) {
  m_engine.leave_values();
  m_engine.observe([this](const CommandRecord& record) { m_events.model_ended(record); });
  watch([this](uint8_t id) { m_counters.changed(id); });
}

}  // namespace presil::rtl
