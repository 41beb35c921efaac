// Puts the commands of one engine's layers into the program.
#pragma once

#include "compiler_bridge/layer/work.h"

namespace presil::plan {

class EngineScheduler {
 public:
  virtual ~EngineScheduler() = default;
  /// Of the step that is under way.
  virtual void add(const layer::Work& work) = 0;
};

}  // namespace presil::plan
