// An engine's built library: opened, and looked at before anything of it is relied on. Messages
// name the engine's folder, the library, the value and what is required.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/base/refusal.h"
#include "sim/engine/engine_plugin.h"

namespace presil {

class EngineLibrary {
 public:
  /// @param file   the shared library
  /// @param folder that it was built from: its engine.yaml is what a reader would edit
  /// @throws Refusal where it is no engine, or one of another version
  EngineLibrary(std::string file, std::string folder);
  ~EngineLibrary();
  EngineLibrary(const EngineLibrary&) = delete;
  EngineLibrary& operator=(const EngineLibrary&) = delete;

  const EnginePlugin& plugin() const { return *m_plugin; }
  const presil_engine_description& description() const { return *m_plugin->description; }
  const std::string& file() const { return m_file; }
  const std::string& folder() const { return m_folder; }
  /// A refusal that names folder and library.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  void look_at_plugin() const;
  void look_at_description() const;

  const std::string m_file, m_folder;
  void* m_handle;
  const EnginePlugin* m_plugin;
};

/// Of an instance, by its first queue in the tile: pool, pool1.
std::string instance_name(const presil_engine_description& engine, unsigned first_queue);

/// Which numbers are taken: presil's own engines have theirs, others as they are claimed.
class EngineNumbers {
 public:
  /// @throws Refusal where its kind, its name or one of its queues is another's
  void claim(const EngineLibrary& library);

 private:
  std::map<std::string, std::string> m_owners;  // "kind 4": the folder
};

/// What the estimate of a library said of small commands of each operation.
struct Probe {
  unsigned tried = 0;      ///< commands whose fields are legal
  unsigned estimated = 0;  ///< of these, those that the engine's check accepts
};

/// Calls check and estimate in a process of its own, so that what goes wrong there stays there.
/// @throws Refusal where one of them crashes, throws or takes too long, or an estimate is below 1
Probe probe_estimates(const EngineLibrary& library, const std::vector<uint64_t>& parameters,
                      unsigned seconds = 20);

}  // namespace presil
