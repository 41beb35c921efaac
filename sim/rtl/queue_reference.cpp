#include "sim/rtl/queue_reference.h"

namespace presil::rtl {

Divergence QueueReference::at(const FetchedCommand* command, uint32_t tag, const char* stage,
                              Cycle cycle) const {
  Divergence d;
  d.block = m_block;
  d.stage = stage;
  d.rtl_cycle = cycle;
  if (command == nullptr) return d;
  command->name(d);
  d.tag = tag;
  return d;
}

std::optional<FetchedCommand> QueueReference::take(uint32_t index, Cycle cycle) {
  auto fetched = m_fetched.offered(index);
  if (fetched) return fetched;
  Divergence d = at(nullptr, 0, "offer", cycle);
  d.model = "no command " + std::to_string(index) + " has been fetched";
  d.rtl = "command " + std::to_string(index) + " is offered";
  report(d);
  return fetched;
}

bool QueueReference::ends_another(const FetchedCommand& oldest, uint32_t oldest_tag, uint32_t index,
                                  uint32_t tag, Cycle cycle) const {
  if (index == oldest.index && tag == oldest_tag) return false;
  Divergence d = at(&oldest, oldest_tag, "end", cycle);
  d.model = "command " + std::to_string(oldest.index) + " ends";
  d.rtl = "command " + std::to_string(index) + " ends";
  report(d);
  return true;
}

}  // namespace presil::rtl
