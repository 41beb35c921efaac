#include "sim/engine/engine_library.h"

#include <dlfcn.h>

#include <utility>

namespace presil {
namespace {

constexpr const char* kEntry = "presil_engine_plugin";

std::string number(uint64_t value) {
  return std::to_string(value);
}

}  // namespace

EngineLibrary::EngineLibrary(std::string file, std::string folder)
    : m_file(std::move(file)),
      m_folder(std::move(folder)),
      m_handle(dlopen(m_file.c_str(), RTLD_NOW | RTLD_LOCAL)),
      m_plugin(nullptr) {
  if (m_handle == nullptr) {
    refuse(std::string("cannot be opened (") + dlerror() + "), must be a shared library");
  }
  try {
    look_at_plugin();
    m_plugin = reinterpret_cast<const EnginePlugin* (*)()>(dlsym(m_handle, kEntry))();
    look_at_description();
  } catch (...) {
    dlclose(m_handle);
    throw;
  }
}

EngineLibrary::~EngineLibrary() {
  dlclose(m_handle);
}

void EngineLibrary::refuse(const std::string& what) const {
  throw Refusal("engine", m_folder + ": " + m_file + ": " + what);
}

// The version comes first: of another one nothing else is known.
void EngineLibrary::look_at_plugin() const {
  void* const entry = dlsym(m_handle, kEntry);
  if (entry == nullptr) {
    refuse(std::string("has no function ") + kEntry +
           ", must define it (sim/engine/engine_plugin.h)");
  }
  const EnginePlugin* const plugin = reinterpret_cast<const EnginePlugin* (*)()>(entry)();
  if (plugin == nullptr) refuse(std::string(kEntry) + " returns nothing, must return the plug-in");
  if (plugin->interface != kEngineInterface) {
    refuse("interface is " + number(plugin->interface) + ", must be " + number(kEngineInterface) +
           ", the version of this presil: build the engine against it");
  }
  const std::pair<const char*, bool> parts[] = {
      {"description", plugin->description != nullptr},
      {"driver", plugin->driver != nullptr && plugin->driver->check != nullptr},
      {"compute", plugin->compute != nullptr},
      {"estimate", plugin->estimate != nullptr},
      {"make", plugin->make != nullptr}};
  for (const auto& [name, there] : parts) {
    if (!there) {
      refuse(std::string("its plug-in has no ") + name +
             ", must have every member of EnginePlugin (sim/engine/engine_plugin.h)");
    }
  }
}

void EngineLibrary::look_at_description() const {
  const presil_engine_description& d = description();
  if (d.interface != kEngineInterface) {
    refuse("its description has interface " + number(d.interface) + ", must have " +
           number(kEngineInterface) + ": print the contract again (run CMake)");
  }
  if (d.name == nullptr || d.meaning == nullptr) {
    refuse(std::string("its description has no ") + (d.name == nullptr ? "name" : "meaning") +
           ", must have one");
  }
  if (d.kind >= PRESIL_ENGINE_MOST_KINDS) {
    refuse("kind is " + number(d.kind) + ", must be at most " +
           number(PRESIL_ENGINE_MOST_KINDS - 1) + ": a tile has " +
           number(PRESIL_ENGINE_MOST_KINDS));
  }
  if (d.queues == 0) refuse("queues is 0, must be at least 1");
  if (d.instances == 0) refuse("instances is 0, must be at least 1");
  if (d.format == nullptr || d.format() == nullptr || d.format()->op_field < 0) {
    refuse("its description has no format of commands with an operation, must have one");
  }
  if (d.format()->word_count > PRESIL_MAX_COMMAND_WORDS) {
    refuse("a command has " + number(d.format()->word_count) + " words, must have at most " +
           number(PRESIL_MAX_COMMAND_WORDS));
  }
}

std::string instance_name(const presil_engine_description& engine, unsigned first_queue) {
  for (uint32_t i = 1; i < engine.instances; ++i) {
    if (presil_queue_of_instance(&engine, i) == first_queue) return engine.name + number(i);
  }
  return engine.name;
}

void EngineNumbers::claim(const EngineLibrary& library) {
  const presil_engine_description& d = library.description();
  const auto taken = [&](const std::string& what, const std::string& by, const std::string& key) {
    library.refuse("claims " + what + ", which " + by + " has; must be one that no engine has: " +
                   key + " in engine.yaml, then build it again");
  };
  if (d.kind < PRESIL_ENGINE_KINDS) {
    taken("kind " + number(d.kind),
          std::string("presil's ") + presil_engine_description_of(d.kind)->name, "kind");
  }
  if (d.first_queue < PRESIL_OWN_QUEUES) {
    taken("queue " + number(d.first_queue),
          std::string("presil's ") + presil_queue_name(d.first_queue), "queues.first");
  }
  if (d.instances > 1 && d.next_queue < PRESIL_OWN_QUEUES) {
    taken("queue " + number(d.next_queue),
          std::string("presil's ") + presil_queue_name(d.next_queue), "instances.first");
  }
  for (unsigned kind = 0; kind < PRESIL_ENGINE_KINDS; ++kind) {
    if (std::string(d.name) == presil_engine_description_of(kind)->name) {
      taken(std::string("name ") + d.name, "an engine of presil", "name");
    }
  }
  if (d.queues > PRESIL_QUEUES || d.first_queue > PRESIL_QUEUES - d.queues) {
    library.refuse("claims queue " + number(d.first_queue + d.queues - 1) + ", must be at most " +
                   number(PRESIL_QUEUES - 1) + ": a tile has " + number(PRESIL_OUTSIDE_QUEUES) +
                   " queues for engines outside; queues.first in engine.yaml, then build it again");
  }
  std::vector<std::pair<std::string, std::string>> claims = {
      {std::string("name ") + d.name, "name"}, {"kind " + number(d.kind), "kind"}};
  for (uint32_t i = 1; i < presil_joined_instances(&d); ++i) {
    claims.emplace_back(std::string("name ") + d.name + number(i), "name");
  }
  for (uint32_t i = 0; i < presil_joined_instances(&d) * d.queues; ++i) {
    const uint32_t queue = presil_queue_of_instance(&d, i / d.queues) + i % d.queues;
    claims.emplace_back("queue " + number(queue), i < d.queues ? "queues.first"
                                                               : "instances.first, or a smaller "
                                                                 "instances.most,");
  }
  for (const auto& [what, key] : claims) {
    const auto found = m_owners.find(what);
    if (found != m_owners.end()) taken(what, found->second, key);
  }
  for (const auto& claim : claims) m_owners[claim.first] = library.folder();
}

}  // namespace presil
