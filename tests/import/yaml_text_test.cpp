// A text that is no YAML is a value with the place of its fault.
#include "models/base/yaml_text.h"

#include <gmock/gmock.h>

namespace presil {
namespace {

using testing::HasSubstr;

TEST(YamlText, a_document_is_its_root) {
  const YamlText read = parse_yaml("a: 1\n");
  EXPECT_TRUE(read.is_yaml());
  EXPECT_EQ(read.root["a"].Scalar(), "1");
  EXPECT_FALSE(read.more);
}

TEST(YamlText, a_fault_has_its_line) {
  const YamlText read = parse_yaml("a: 1\nb: [1,\n");
  EXPECT_FALSE(read.is_yaml());
  EXPECT_EQ(read.line, 3);
  EXPECT_THAT(read.wrong, HasSubstr("line 3, column 1: " + read.message));
}

TEST(YamlText, what_follows_the_first_document_is_looked_at_where_asked) {
  const std::string two = "a: 1\n---\nb: 2\n", damaged = "a: 1\n...\n%%%\n";
  EXPECT_FALSE(parse_yaml(two).more);
  EXPECT_TRUE(parse_yaml(two, true).more);
  EXPECT_FALSE(parse_yaml("a: 1\n", true).more);
  EXPECT_TRUE(parse_yaml(damaged).is_yaml());
}

}  // namespace
}  // namespace presil
