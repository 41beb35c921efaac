// Where the built library of an engine is. presil_add_engine leaves engine_<name>.json beside it
// and in the project's build folder: the engine's name, its folder, its library.
#pragma once

#include <string>
#include <vector>

namespace presil {

struct BuiltEngine {
  std::string name;
  std::string folder;   ///< with its engine.yaml
  std::string library;  ///< the file
  std::string note;     ///< engine_<name>.json
};

/// @param place the engine's folder (built in `build` inside it, or in one of `builds`), a build
///     folder, or the engine_<name>.json itself
/// @param builds further build folders to look in
/// @throws Refusal where there is none, more than one, or one whose library is not there
BuiltEngine find_engine(const std::string& place, const std::vector<std::string>& builds = {});

}  // namespace presil
