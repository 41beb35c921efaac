#include "sim/engine/find_engine.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/base/refusal.h"

namespace presil {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw Refusal("engine", place + ": " + what);
}

std::string resolved(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(path, error);
  return error ? path.string() : found.string();
}

BuiltEngine read_note(const std::string& place, const fs::path& note) {
  std::ifstream file(note);
  try {
    const auto said = nlohmann::json::parse(file);
    return {said.at("engine"), resolved(said.at("folder").get<std::string>()),
            resolved(said.at("library").get<std::string>()), resolved(note)};
  } catch (const nlohmann::json::exception&) {
    refuse(place, note.string() +
                      ": says no engine, folder and library, must be as presil_add_engine writes "
                      "it; run CMake of the engine again");
  }
}

/// The engines that this build folder names, in the order of their names.
std::vector<BuiltEngine> notes_in(const std::string& place, const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("engine_", 0) == 0 && entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<BuiltEngine> found;
  for (const fs::path& file : files) found.push_back(read_note(place, file));
  return found;
}

BuiltEngine only_one(const std::string& place, const std::vector<BuiltEngine>& found) {
  if (found.size() > 1) {
    std::string notes;
    for (const BuiltEngine& e : found) notes += (notes.empty() ? "" : ", ") + e.note;
    refuse(place, "builds " + std::to_string(found.size()) +
                      " engines, must be one; name its engine_<name>.json: " + notes);
  }
  return found.front();
}

/// Of an engine's folder.
BuiltEngine built_from(const std::string& place, const std::vector<std::string>& builds) {
  std::vector<std::string> folders = {place, (fs::path(place) / "build").string()};
  folders.insert(folders.end(), builds.begin(), builds.end());
  for (const std::string& folder : folders) {
    for (const BuiltEngine& e : notes_in(place, folder)) {
      if (e.folder == resolved(place)) return e;
    }
  }
  refuse(place, "has an engine.yaml and no build, must have one: cmake -S " + place + " -B " +
                    place + "/build && cmake --build " + place +
                    "/build; or name the build folder");
}

BuiltEngine found_at(const std::string& place, const std::vector<std::string>& builds) {
  std::error_code error;
  if (fs::is_regular_file(place, error)) return read_note(place, place);
  if (!fs::is_directory(place, error)) {
    refuse(place,
           "is no folder, must be the folder of an engine (engine.yaml), or the one it is "
           "built in");
  }
  if (fs::is_regular_file(fs::path(place) / "engine.yaml", error)) {
    return built_from(place, builds);
  }
  const std::vector<BuiltEngine> found = notes_in(place, place);
  if (found.empty()) {
    refuse(place,
           "has no engine.yaml and no engine_<name>.json, must be the folder of an engine, "
           "or the one it is built in");
  }
  return only_one(place, found);
}

}  // namespace

BuiltEngine find_engine(const std::string& place, const std::vector<std::string>& builds) {
  BuiltEngine found = found_at(place, builds);
  std::error_code error;
  if (!fs::is_regular_file(found.library, error)) {
    refuse(found.folder, found.library + ": is not there, must be built: cmake --build " +
                             fs::path(found.note).parent_path().string());
  }
  return found;
}

}  // namespace presil
