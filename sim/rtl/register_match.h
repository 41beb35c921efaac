// Registers of a block in lock-step: what RTL and model answer to one access in one cycle.
#pragma once

#include <cstdint>

#include "models/common/queue_frontend.h"
#include "sim/rtl/divergence.h"

namespace presil::rtl {

/// Registers of a queue that follow time: what RTL and model show in the same cycle may differ
/// while either has work, by the few cycles that they are apart.
bool follows_time(uint32_t offset_in_queue);

/// The queue has work.
bool works(queue::State state);

struct AnswerPair {
  bool write = false, model_error = false, rtl_error = false;
  uint32_t model = 0, rtl = 0;
  bool comparable = true;  ///< their values are; errors always
};

/// @param difference gets stage and what each of them says, where they differ
/// @return whether they do
bool answers_differ(const AnswerPair& answers, Divergence& difference);
/// The same of the interrupt line.
bool lines_differ(bool model, bool rtl, Divergence& difference);

}  // namespace presil::rtl
