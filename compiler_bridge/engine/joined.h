// Engines from outside that this process compiles for. sim/engine joins them when it loads them.
#pragma once

#include <deque>
#include <string>

#include "rtl/common/engine_description.h"

namespace presil {
struct SocConfig;
}

namespace presil::engine {

class EngineCompiler;
struct Instance;

struct Joined {
  std::string name;
  const presil_engine_description* description = nullptr;
  const EngineCompiler* compiler = nullptr;  ///< null: it computes no operators

  /// @pre the SoC has it
  Instance in(const SocConfig& soc) const;
  uint8_t queue(unsigned instance = 0) const {
    return static_cast<uint8_t>(presil_queue_of_instance(description, instance));
  }
};

/// Once each; the text of its layers is read from then on.
/// @param compiler  null: no operator is computed by it
void join(const presil_engine_description& description, const EngineCompiler* compiler);

/// In the order in which they joined; they stay where they are.
const std::deque<Joined>& joined();

/// Null: none has that name.
const Joined* find(const std::string& name);

/// The engine of a layer. @throws std::logic_error where there is none
const Joined& engine_of(const char* name);

}  // namespace presil::engine
