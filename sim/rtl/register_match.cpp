#include "sim/rtl/register_match.h"

#include <cstdio>

#include "rtl/common/queue.h"

namespace presil::rtl {
namespace {

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

std::string error_text(bool error) {
  return error ? "answers an error" : "answers";
}

std::string line_text(bool high) {
  return high ? "line is high" : "line is low";
}

}  // namespace

bool follows_time(uint32_t offset_in_queue) {
  switch (offset_in_queue) {
    case PRESIL_QUEUE_REG_STATUS:
    case PRESIL_QUEUE_REG_HEAD:
    case PRESIL_QUEUE_REG_IRQ_STATUS:
    case PRESIL_QUEUE_REG_CURRENT_JOB:
    case PRESIL_QUEUE_REG_CURRENT_COMMAND:
    case PRESIL_QUEUE_REG_ERROR:
    case PRESIL_QUEUE_REG_ERROR_JOB_TAG:
    case PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX:
    case PRESIL_QUEUE_REG_ERROR_ADDRESS:
    case PRESIL_QUEUE_REG_ERROR_ADDRESS + 4:
      return true;
    default:
      return false;
  }
}

bool works(queue::State state) {
  return state == queue::State::kRunning || state == queue::State::kWaiting ||
         state == queue::State::kDraining;
}

bool answers_differ(const AnswerPair& answers, Divergence& difference) {
  difference.stage = "register";
  if (answers.model_error != answers.rtl_error) {
    difference.model = error_text(answers.model_error);
    difference.rtl = error_text(answers.rtl_error);
    return true;
  }
  if (answers.write || answers.rtl_error || !answers.comparable || answers.model == answers.rtl) {
    return false;
  }
  difference.model = hex(answers.model);
  difference.rtl = hex(answers.rtl);
  return true;
}

bool lines_differ(bool model, bool rtl, Divergence& difference) {
  difference.stage = "interrupt";
  difference.model = line_text(model);
  difference.rtl = line_text(rtl);
  return model != rtl;
}

}  // namespace presil::rtl
