#include "compiler_bridge/emit/engine_codes.h"

#include "compiler_bridge/engine/joined.h"
#include "rtl/soc/engines.h"

namespace presil::emit {

namespace fb = presil::loadable;

fb::Engine code_of(const std::string& name) {
  for (const fb::Engine engine : fb::EnumValuesEngine()) {
    if (name == fb::EnumNameEngine(engine)) return engine;
  }
  const engine::Joined* outside = engine::find(name);
  return outside == nullptr ? fb::Engine_none : static_cast<fb::Engine>(outside->description->kind);
}

std::string engine_name(const fb::Loadable& l, fb::Engine code) {
  for (const fb::Engine engine : fb::EnumValuesEngine()) {
    if (code == engine) return fb::EnumNameEngine(engine);
  }
  if (l.engines() != nullptr) {
    for (const fb::OutsideEngine* engine : *l.engines()) {
      if (engine->kind() == static_cast<uint8_t>(code)) return engine->name()->str();
    }
  }
  const presil_engine_description* joined = presil_engine_description_of(code);
  return joined != nullptr ? joined->name : fb::EnumNameEngine(fb::Engine_none);
}

}  // namespace presil::emit
