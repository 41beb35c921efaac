// Custom operators run where a kernel of the user is.
#include "tests/compiler/rules_check.h"

namespace presil::rules {
namespace {

TEST(RulesDspUser, a_custom_operator_wants_a_kernel) {
  const std::string graph = "input %x : " + int8({1, 9}) + "\n%y = custom(%x) {code=\"Magic\"";
  EXPECT_EQ(sentence(Engine::kDsp, graph + "} : " + int8({1, 9})),
            "dsp: no kernel is registered for custom operator Magic");
  EXPECT_EQ(sentence(Engine::kDsp, graph + ", kernel=\"magic\"} : " + int8({1, 9})), "");
  EXPECT_EQ(host(graph + "} : " + int8({1, 9})), "host: does not compute custom");
}

}  // namespace
}  // namespace presil::rules
