#include "compiler_bridge/engine/joined.h"

#include <stdexcept>

#include "compiler_bridge/engine/engine_compiler.h"
#include "compiler_bridge/layer/text.h"

namespace presil::engine {
namespace {

std::deque<Joined>& all() {
  static std::deque<Joined> engines;
  return engines;
}

}  // namespace

Instance Joined::in(const SocConfig& soc) const {
  return {soc, soc.engines.at(name)};
}

void join(const presil_engine_description& description, const EngineCompiler* compiler) {
  all().push_back({description.name, &description, compiler});
  if (compiler == nullptr) return;
  layer::know_work(compiler->word(),
                   [compiler](layer::FieldReader& reader) { return compiler->read(reader); });
}

const std::deque<Joined>& joined() {
  return all();
}

const Joined* find(const std::string& name) {
  for (const Joined& engine : all()) {
    if (engine.name == name) return &engine;
  }
  return nullptr;
}

const Joined& engine_of(const char* name) {
  if (const Joined* engine = find(name)) return *engine;
  throw std::logic_error(std::string("no engine ") + name + " has joined");
}

}  // namespace presil::engine
