#include "sim/rtl/shadow_ports.h"

#include <utility>

namespace presil::rtl {

void ShadowCounters::when_met(uint8_t, uint8_t port, uint8_t id, uint32_t value,
                              std::function<void(Cycle)> then) {
  if (met(id, value)) {
    then(m_timeline.now());
  } else {
    m_asks[port] = {id, value, std::move(then)};
  }
}

void ShadowCounters::changed(uint8_t id) {
  for (Ask& ask : m_asks) {
    if (!ask.then || ask.id != id || !met(id, ask.value)) continue;
    const auto then = std::move(ask.then);
    ask = {};
    then(m_timeline.now());
  }
}

}  // namespace presil::rtl
