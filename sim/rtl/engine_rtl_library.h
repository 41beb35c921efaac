// The library with the RTL of an engine from outside: opened, and looked at before anything of it
// is relied on. It stands beside the engine's own, which needs no Verilator.
#pragma once

#include <string>

#include "sim/rtl/engine_top.h"

namespace presil::rtl {

class EngineRtlLibrary {
 public:
  /// @param engine_file of the engine's own library: libengine_NAME.so
  /// @param folder      of the engine, for messages
  /// @param name        of the engine
  /// @param waveforms   the one that writes them, libengine_NAME_rtl_fst.so
  /// @throws Refusal where there is none, or one of another engine or version
  EngineRtlLibrary(const std::string& engine_file, std::string folder, std::string name,
                   bool waveforms = false);
  ~EngineRtlLibrary();
  EngineRtlLibrary(const EngineRtlLibrary&) = delete;
  EngineRtlLibrary& operator=(const EngineRtlLibrary&) = delete;

  const EngineRtl& rtl() const { return *m_rtl; }

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  void look_at(const EngineRtl* rtl) const;

  const std::string m_folder, m_name, m_file;
  void* m_handle = nullptr;
  const EngineRtl* m_rtl = nullptr;
};

}  // namespace presil::rtl
