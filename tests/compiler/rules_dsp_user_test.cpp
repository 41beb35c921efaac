// Custom operators run where a kernel of the user is.
#include "tests/compiler/rules_check.h"

namespace presil::rules {
namespace {

TEST(RulesDspUser, a_custom_operator_requires_a_kernel) {
  const std::string graph = "input %x : " + int8({1, 9}) + "\n%y = custom(%x) {code=\"Magic\"";
  EXPECT_EQ(sentence(Engine::kDsp, graph + "} : " + int8({1, 9})),
            "dsp: kernel of custom operator Magic is absent, must be registered");
  EXPECT_EQ(sentence(Engine::kDsp, graph + ", kernel=\"magic\"} : " + int8({1, 9})), "");
  EXPECT_EQ(host(graph + "} : " + int8({1, 9})), "host: does not compute custom");
}

}  // namespace
}  // namespace presil::rules
