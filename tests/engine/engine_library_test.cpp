// What is said of a library that is no engine of this presil: folder, file, value, requirement.
// What is wrong is fault_engine.cpp's.
#include "sim/engine/engine_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace presil {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kFolder = "/somewhere/mine";

/// What opening, claiming numbers and estimating say; empty: nothing is wrong.
std::string said_of_file(const std::string& file, unsigned seconds = 20) {
  try {
    const EngineLibrary library(file, kFolder);
    EngineNumbers().claim(library);
    probe_estimates(library, {}, seconds);
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), StartsWith("engine: " + kFolder + ": " + file + ": "));
    return refusal.what();
  }
  return "";
}

std::string said_of(const char* fault, unsigned seconds = 20) {
  setenv("ENGINE_FAULT", fault, 1);
  std::string said = said_of_file(ENGINE_FAULT, seconds);
  unsetenv("ENGINE_FAULT");
  return said;
}

TEST(EngineLibrary, ASoundOneIsTakenAndItsEstimatesAreAsked) {
  const EngineLibrary library(ENGINE_FAULT, kFolder);
  EXPECT_STREQ(library.description().name, "fault");
  const Probe probe = probe_estimates(library, {});
  EXPECT_EQ(probe.tried, 500u);
  EXPECT_EQ(probe.estimated, 500u);
  EXPECT_EQ(said_of("none"), "");
}

TEST(EngineLibrary, WhatIsNoEngineIsRefused) {
  EXPECT_THAT(said_of_file("/somewhere/that_is_not_there.so"),
              AllOf(HasSubstr("cannot be opened"), HasSubstr("must be a shared library")));
  EXPECT_THAT(said_of_file(ENGINE_NONE),
              HasSubstr("has no function presil_engine_plugin, must define it"));
  EXPECT_THAT(said_of("no_plugin"),
              HasSubstr("presil_engine_plugin returns nothing, must return the plug-in"));
}

TEST(EngineLibrary, EachFunctionOfThePlugInMustBeThere) {
  const std::pair<const char*, const char*> missing[] = {{"no_driver", "driver"},
                                                         {"no_check", "driver"},
                                                         {"no_compute", "compute"},
                                                         {"no_estimate", "estimate"},
                                                         {"no_make", "make"}};
  for (const auto& [fault, part] : missing) {
    EXPECT_THAT(said_of(fault), HasSubstr(std::string("its plug-in has no ") + part +
                                          ", must have every member of EnginePlugin"))
        << fault;
  }
}

TEST(EngineLibrary, AnotherVersionIsRefused) {
  EXPECT_THAT(said_of("interface"),
              HasSubstr("interface is 5, must be 4, the version of this presil: build the engine"));
  EXPECT_THAT(said_of("printed_before"),
              HasSubstr("its description has interface 0, must have 4: print the contract again"));
}

TEST(EngineLibrary, WhatADescriptionLacksIsRefused) {
  EXPECT_THAT(said_of("no_description"), HasSubstr("its plug-in has no description, must have"));
  EXPECT_THAT(said_of("far_kind"), HasSubstr("kind is 32, must be at most 31: a tile has 32"));
  EXPECT_THAT(said_of("no_queues"), HasSubstr("queues is 0, must be at least 1"));
  EXPECT_THAT(said_of("no_instances"), HasSubstr("instances is 0, must be at least 1"));
  EXPECT_THAT(said_of("name"), HasSubstr("its description has no name, must have one"));
  for (const char* fault : {"no_format_function", "no_format", "no_operation"}) {
    EXPECT_THAT(said_of(fault), HasSubstr("has no format of commands with an operation"));
  }
  EXPECT_THAT(said_of("long_command"), HasSubstr("a command has 41 words, must have at most 40"));
}

TEST(EngineLibrary, NumbersOfPresilsEnginesAreRefused) {
  EXPECT_THAT(said_of("kind"), HasSubstr("claims kind 2, which presil's dma has; must be one that "
                                         "no engine has: kind in engine.yaml"));
  EXPECT_THAT(said_of("queue"), HasSubstr("claims queue 2, which presil's host has; must be one "
                                          "that no engine has: queues.first in engine.yaml"));
}

TEST(EngineLibrary, InstancesClaimTheirQueuesToo) {
  EXPECT_THAT(said_of("own_next"),
              HasSubstr("claims queue 10, which presil's dma7 has; must be one "
                        "that no engine has: instances.first in engine.yaml"));
  setenv("ENGINE_FAULT", "two", 1);  // queues 20, 21 and 18, 19
  const EngineLibrary first(ENGINE_FAULT, "/somewhere/first");
  unsetenv("ENGINE_FAULT");
  EngineNumbers numbers;
  numbers.claim(first);
  EXPECT_EQ(instance_name(first.description(), 20), "fault");
  EXPECT_EQ(instance_name(first.description(), 18), "fault1");
  const auto said = [&](const char* fault) -> std::string {
    setenv("ENGINE_FAULT", fault, 1);
    const EngineLibrary second(ENGINE_FAULT, kFolder);
    unsetenv("ENGINE_FAULT");
    try {
      numbers.claim(second);
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
    return "";
  };
  EXPECT_THAT(said("second_instance"),
              HasSubstr("claims queue 18, which /somewhere/first has; must be one that no engine "
                        "has: instances.first, or a smaller instances.most, in engine.yaml"));
  EXPECT_THAT(said("named_as_instance"), HasSubstr("claims name fault1, which /somewhere/first"));
}

TEST(EngineLibrary, AQueueThatATileHasNotIsRefused) {
  EXPECT_THAT(said_of("far_queue"),
              HasSubstr("claims queue 22, must be at most 21: a tile has 8 queues for engines "
                        "outside; queues.first in engine.yaml"));
}

TEST(EngineLibrary, NumbersOfAnotherLibraryAreRefused) {
  const EngineLibrary first(ENGINE_FAULT, "/somewhere/first");
  EngineNumbers numbers;
  numbers.claim(first);
  const auto said = [&](const char* fault) -> std::string {
    setenv("ENGINE_FAULT", fault, 1);
    const EngineLibrary second(ENGINE_FAULT, kFolder);
    unsetenv("ENGINE_FAULT");
    try {
      numbers.claim(second);
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
    return "";
  };
  EXPECT_THAT(said("none"), HasSubstr("claims name fault, which /somewhere/first has"));
  EXPECT_THAT(said("other_name"), HasSubstr("claims kind 9, which /somewhere/first has"));
  EXPECT_THAT(said("other_kind"), HasSubstr("claims queue 20, which /somewhere/first has; must be "
                                            "one that no engine has: queues.first in engine.yaml"));
}

TEST(EngineLibrary, AnEstimateThatGoesWrongIsRefusedWithItsCommand) {
  const auto of_go = [](const char* end) {
    return AllOf(HasSubstr("estimate of go {size "), HasSubstr(end),
                 HasSubstr("must return 1 cycle or more for each command that the check accepts"));
  };
  EXPECT_THAT(said_of("crash"), of_go("} ended with signal 11 (Segmentation fault), "));
  EXPECT_THAT(said_of("throw"), of_go("} threw \"no such size\", "));
  EXPECT_THAT(said_of("thrown_number"), of_go("} threw \"something that is no std::exception\", "));
  EXPECT_THAT(said_of("below_one"), of_go("} said 0, "));
  EXPECT_THAT(said_of("exit"), of_go("} ended the process, "));
  EXPECT_THAT(said_of("hang", 1), of_go("} has not returned after 1 s, "));
}

TEST(EngineLibrary, ACheckThatCrashesIsRefused) {
  EXPECT_THAT(said_of("check_crash"),
              AllOf(HasSubstr("driver check of go {size "), HasSubstr("ended with signal 11"),
                    HasSubstr("must accept or refuse each command whose fields are legal")));
}

}  // namespace
}  // namespace presil
