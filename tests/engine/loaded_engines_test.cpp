// Engines loaded into a process: where they are found, what is refused before they are opened here,
// and what is known of them afterwards.
#include "sim/engine/loaded_engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "models/base/refusal.h"
#include "sim/engine/try_engine.h"

namespace presil {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A folder with an engine.yaml, and build folders as presil_add_engine leaves them.
class LoadedEngines : public testing::Test {
 protected:
  LoadedEngines() : root(fs::temp_directory_path() / ("engines_" + std::to_string(getpid()))) {
    fs::create_directories(root / "mine");
    std::ofstream(root / "mine" / "engine.yaml") << "interface: 4\n";
  }
  ~LoadedEngines() override {
    fs::remove_all(root);
    unsetenv("ENGINE_FAULT");
  }

  std::string at(const char* place) const { return (root / place).string(); }
  void put_note(const char* file, const std::string& folder, const std::string& library) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << R"({"engine": "fault", "folder": ")" << folder
                               << R"(", "library": ")" << library << "\"}\n";
  }
  template <class What>
  static std::string said(What what) {
    try {
      what();
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
    return "";
  }
  std::string said_of(const char* place) const {
    return said([&] { find_engine(at(place)); });
  }

  const fs::path root;
};

TEST_F(LoadedEngines, AnEngineIsFoundByItsFolderItsBuildOrItsNote) {
  put_note("mine/build/engine_fault.json", at("mine"), ENGINE_FAULT);
  for (const char* place : {"mine", "mine/build", "mine/build/engine_fault.json"}) {
    const BuiltEngine found = find_engine(at(place));
    EXPECT_EQ(found.name, "fault") << place;
    EXPECT_EQ(found.folder, at("mine")) << place;
    EXPECT_EQ(found.library, ENGINE_FAULT) << place;
    EXPECT_EQ(found.note, at("mine/build/engine_fault.json")) << place;
  }
}

TEST_F(LoadedEngines, AFolderIsFoundInFurtherBuildsToo) {
  put_note("elsewhere/engine_fault.json", at("mine"), ENGINE_FAULT);
  put_note("elsewhere/engine_other.json", at("other"), ENGINE_FAULT);
  EXPECT_THAT(said_of("mine"), HasSubstr("has an engine.yaml and no build, must have one: cmake"));
  EXPECT_EQ(find_engine(at("mine"), {at("elsewhere")}).note, at("elsewhere/engine_fault.json"));
}

TEST_F(LoadedEngines, WhereThereIsNoneIsSaid) {
  EXPECT_THAT(said_of("nowhere"), AllOf(StartsWith("engine: " + at("nowhere") + ": is no folder"),
                                        HasSubstr("must be the folder of an engine")));
  fs::create_directories(root / "empty");
  EXPECT_THAT(said_of("empty"), HasSubstr("has no engine.yaml and no engine_<name>.json"));
  put_note("two/engine_a.json", at("a"), ENGINE_FAULT);
  put_note("two/engine_b.json", at("b"), ENGINE_FAULT);
  EXPECT_THAT(said_of("two"),
              HasSubstr("builds 2 engines, must be one; name its engine_<name>.json: " +
                        at("two/engine_a.json") + ", " + at("two/engine_b.json")));
  put_note("mine/build/engine_fault.json", at("mine"), at("mine/build/libgone.so"));
  EXPECT_THAT(said_of("mine"), HasSubstr("libgone.so: is not there, must be built: cmake --build " +
                                         at("mine/build")));
  std::ofstream(root / "mine/build/engine_fault.json") << "no JSON";
  EXPECT_THAT(said_of("mine/build"), HasSubstr("says no engine, folder and library"));
}

TEST_F(LoadedEngines, WhatIsWrongIsFoundInAnotherProcess) {
  const BuiltEngine built = {"fault", "/somewhere/mine", ENGINE_FAULT, ""};
  const auto with = [&](const char* fault, unsigned seconds = 60) {
    setenv("ENGINE_FAULT", fault, 1);
    return said([&] { try_engine(built, seconds); });
  };
  const std::string begin = std::string("engine: /somewhere/mine: ") + ENGINE_FAULT + ": ";
  EXPECT_EQ(with("none"), "");
  EXPECT_EQ(with("open_crash"),
            begin +
                "ends the process that opens it with signal 11 (Segmentation fault), must return "
                "from its initialisers and from presil_engine_plugin");
  EXPECT_THAT(with("open_hang", 1), HasSubstr("has not been opened after 1 s, must return"));
  EXPECT_THAT(with("interface"), StartsWith(begin + "interface is 5, must be 4, the version"));
  EXPECT_THAT(with("crash"), HasSubstr("estimate of go {size "));
  EXPECT_THAT(with("queue"), HasSubstr("claims queue 2, which presil's host has"));
}

TEST_F(LoadedEngines, WhatIsLoadedIsKnownByNameAndNumber) {
  put_note("mine/build/engine_fault.json", at("mine"), ENGINE_FAULT);
  const EngineLibrary& library = load_engine(at("mine"));
  EXPECT_EQ(&load_engine(at("mine/build")), &library);
  EXPECT_EQ(loaded_engine("fault"), &library);
  EXPECT_EQ(loaded_engine("other"), nullptr);
  ASSERT_EQ(loaded_engines().size(), 1u);
  EXPECT_EQ(loaded_engines()[0].built.folder, at("mine"));
  EXPECT_EQ(presil_kind_of_queue(21), 9u);
  EXPECT_STREQ(presil_queue_name(21), "fault1");
  EXPECT_EQ(presil_engine_driver_of(20), library.plugin().driver);

  // A copy of the library is another engine of the same name.
  fs::copy_file(ENGINE_FAULT, root / "libcopy.so");
  put_note("copy/engine_fault.json", at("copy"), at("libcopy.so"));
  EXPECT_THAT(said([&] { load_engine(at("copy")); }),
              HasSubstr("claims name fault, which " + at("mine") + " has"));
}

TEST_F(LoadedEngines, AnEngineWithoutRegistersOfAQueueCannotBeRun) {
  setenv("ENGINE_FAULT", "no_registers", 1);
  put_note("mine/build/engine_fault.json", at("mine"), ENGINE_FAULT);
  EXPECT_THAT(said([&] { load_engine(at("mine")); }), HasSubstr("has no registers of a queue"));
  EXPECT_EQ(loaded_engine("fault"), nullptr);
  EXPECT_EQ(presil_kind_of_queue(20), PRESIL_ENGINE_NONE);
}

}  // namespace
}  // namespace presil
