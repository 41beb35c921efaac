// What is certainly done when a command begins, from waits and signals alone.
#pragma once

#include <optional>

#include "compiler_bridge/replay/streams.h"

namespace presil::replay {

/// By queue: how many of its commands have completed.
using Clock = std::array<uint32_t, PRESIL_QUEUES>;

/// A command in an order in which all can run, with what each of its units knows to be done.
struct Placed {
  const Command* command = nullptr;
  std::array<Clock, kGates> gates{};
};

struct Order {
  std::vector<Placed> commands;
  std::optional<std::string> stuck;  ///< a sentence: some command waits indefinitely
};

/// Every queue's commands begin and complete in order; a signal tells that its command and all
/// before it have completed. Of the DLA the three units wait each for itself, so the loader may run
/// ahead; what is written comes after what is read for it.
Order order_of(const Queues& queues);

}  // namespace presil::replay
