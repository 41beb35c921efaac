// What computes an operator.
#pragma once

#include <cstdint>
#include <string>

namespace presil::placement {

/// An op that no engine needs to touch, the DLA, the DMA, the DSP, the ARM; further ones are
/// engines from outside, by name.
enum class Engine : uint8_t { kNone, kDla, kDma, kDsp, kHost };
inline constexpr Engine kEngines[] = {Engine::kNone, Engine::kDla, Engine::kDma, Engine::kDsp,
                                      Engine::kHost};
const char* to_string(Engine engine);

/// Of a name that is new it makes an engine from outside: a program that reads a compiled network
/// need not have loaded it.
Engine engine_named(const std::string& name);

inline bool is_outside(Engine engine) {
  return engine > Engine::kHost;
}

}  // namespace presil::placement
