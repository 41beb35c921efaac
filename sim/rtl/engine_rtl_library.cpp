#include "sim/rtl/engine_rtl_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <utility>

#include "models/base/refusal.h"

namespace presil::rtl {
namespace {

/// "libengine_pool.so": "libengine_pool_rtl.so".
std::string beside(const std::string& engine_file, bool waveforms) {
  const size_t dot = engine_file.rfind('.');
  return engine_file.substr(0, dot) + (waveforms ? "_rtl_fst" : "_rtl") + engine_file.substr(dot);
}

}  // namespace

EngineRtlLibrary::EngineRtlLibrary(const std::string& engine_file, std::string folder,
                                   std::string name, bool waveforms)
    : m_folder(std::move(folder)), m_name(std::move(name)), m_file(beside(engine_file, waveforms)) {
  if (access(m_file.c_str(), R_OK) != 0) {
    const std::string target = "engine_" + m_name + (waveforms ? "_rtl_fst" : "_rtl");
    refuse(
        "is not there, must be: the engine's RTL as built from `rtl:` of its engine.yaml; run "
        "with --block " +
        m_name + "=model, or build the target " + target +
        " (there is none without `rtl:`, or without the Debian package verilator)");
  }
  m_handle = dlopen(m_file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (m_handle == nullptr) refuse(std::string("cannot be opened: ") + dlerror());
  using Function = const EngineRtl* (*)();
  const auto function = reinterpret_cast<Function>(dlsym(m_handle, "presil_engine_rtl"));
  if (function == nullptr) refuse("has no function presil_engine_rtl, must be built by presil");
  m_rtl = function();
  look_at(m_rtl);
}

// What it has made lives as long as the process: it stays open.
EngineRtlLibrary::~EngineRtlLibrary() = default;

void EngineRtlLibrary::refuse(const std::string& what) const {
  throw Refusal("block", m_name + " in RTL: " + m_file + " (engine " + m_folder + ") " + what);
}

void EngineRtlLibrary::look_at(const EngineRtl* rtl) const {
  if (rtl->interface != kEngineRtlInterface) {
    refuse("is of version " + std::to_string(rtl->interface) + ", must be " +
           std::to_string(kEngineRtlInterface) + "; build it again with this presil");
  }
  if (rtl->name != m_name) {
    refuse(std::string("is the RTL of engine ") + rtl->name + ", must be that of " + m_name);
  }
}

}  // namespace presil::rtl
