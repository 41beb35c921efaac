// A loaded engine as a block of the SoC: what its plug-in gives for it, and how often it may be
// there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "models/base/refusal.h"
#include "sim/engine/loaded_engines.h"
#include "sim/platform/soc.h"

namespace presil {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// The library of fault_engine.cpp with this fault; its plug-in makes no model.
const EngineLibrary& load_fault(const char* fault) {
  setenv("ENGINE_FAULT", fault, 1);
  const fs::path root = fs::temp_directory_path() / ("block_" + std::to_string(getpid()));
  fs::create_directories(root);
  std::ofstream(root / "engine_fault.json")
      << R"({"engine": "fault", "folder": "/somewhere/mine", "library": ")" << ENGINE_FAULT
      << "\"}\n";
  const EngineLibrary& library = load_engine(root.string());
  fs::remove_all(root);
  return library;
}

std::string said_of(const SocConfig& config) {
  try {
    const platform::Soc soc(config);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(EngineBlock, OneThatMakesNoModelIsRefusedWhenTheSocIsMade) {
  load_fault("none");
  SocConfig config;
  config.engines["fault"].units = 1;
  EXPECT_THAT(said_of(config), HasSubstr("make returns nothing for this SoC, must return the "
                                         "engine's model"));
}

TEST(EngineBlock, MoreThanItsDescriptionSaysAreRefused) {
  load_fault("none");
  SocConfig config;
  config.engines["fault"].units = 2;
  EXPECT_EQ(said_of(config),
            "soc: engines.fault.units is 2, must be 0 to 1: instances.most of its engine.yaml; "
            "name fewer of them (/somewhere/mine/engine.yaml)");
}

TEST(EngineBlock, MoreThanATileHasQueuesForAreRefused) {
  load_fault("four");  // two queues each: 16 to 21, and 22 to 23, which no tile has
  SocConfig config;
  config.engines["fault"].units = 4;
  EXPECT_THAT(said_of(config), HasSubstr("engines.fault.units is 4, must be 0 to 3: a tile has 8 "
                                         "queues for engines outside"));
}

}  // namespace
}  // namespace presil
