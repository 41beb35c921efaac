// Engines from outside in the text of a SoC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/refusal.h"
#include "models/soc/soc_config.h"

namespace presil {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string refusal_of(const std::string& name, const std::string& value) {
  SocConfig config;
  try {
    set_parameter(config, name, value);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(EngineConfig, ASocWithoutEnginesHasNoLineOfThem) {
  SocConfig config;
  const std::string before = canonical_text(config);
  EXPECT_THAT(before, Not(HasSubstr("engines")));
  config.engines["toy"].units = 0;
  config.engines["toy"].parameters["width"] = 3;
  EXPECT_EQ(canonical_text(config), before);
}

TEST(EngineConfig, EachParameterIsALine) {
  SocConfig config;
  set_parameter(config, "engines.toy.width", "256");
  set_parameter(config, "engines.other.units", "1");
  EXPECT_EQ(config.engines.at("toy").units, 1u) << "one where it is named";
  EXPECT_EQ(config.engines.at("toy").parameters.at("width"), 256u);
  const std::string text = canonical_text(config);
  EXPECT_THAT(text, HasSubstr("\nengines.other.units=1\nengines.toy.units=1\n"
                              "engines.toy.width=256\nhost."));
  set_parameter(config, "engines.toy.width", "4294967296");
  EXPECT_THAT(canonical_text(config), HasSubstr("engines.toy.width=4294967296\n"));
}

TEST(EngineConfig, OneThatIsSwitchedOffIsNoPartOfTheHardwareAndIsNotForgotten) {
  SocConfig config;
  set_parameter(config, "engines.toy.units", "0");
  set_parameter(config, "engines.toy.width", "3");
  EXPECT_EQ(canonical_text(config), canonical_text(SocConfig()));
  EXPECT_THAT(complete_text(config), HasSubstr("\nengines.toy.units=0\nengines.toy.width=3\n"));
  EXPECT_EQ(complete_text(SocConfig()), canonical_text(SocConfig()));
}

TEST(EngineConfig, WhatCannotBeIsRefused) {
  EXPECT_THAT(refusal_of("engines.toy.units", "65"),
              HasSubstr("engines.toy.units is '65', must be a number from 0 to 64"));
  EXPECT_THAT(refusal_of("engines.toy.width", "1.5"), HasSubstr("must be a whole number"));
  EXPECT_THAT(refusal_of("engines.toy.width", "-1"), HasSubstr("must be a number from 0"));
  for (const char* name :
       {"engines.toy", "engines.Toy.units", "engines.toy.", "engines..units", "engines.toy.a.b"}) {
    EXPECT_THAT(refusal_of(name, "1"), HasSubstr("there is no parameter '" + std::string(name)))
        << name;
  }
}

}  // namespace
}  // namespace presil
