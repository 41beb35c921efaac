#include "compiler_bridge/placement/engine.h"

#include <algorithm>
#include <deque>

namespace presil::placement {
namespace {

/// By number; they stay where they are.
std::deque<std::string>& names() {
  static std::deque<std::string> all = {"none", "dla", "dma", "dsp", "host"};
  return all;
}

}  // namespace

const char* to_string(Engine engine) {
  return names().at(static_cast<size_t>(engine)).c_str();
}

Engine engine_named(const std::string& name) {
  auto found = std::find(names().begin(), names().end(), name);
  if (found == names().end()) found = names().insert(names().end(), name);
  return static_cast<Engine>(found - names().begin());
}

}  // namespace presil::placement
