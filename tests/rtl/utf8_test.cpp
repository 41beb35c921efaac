// Names of files: what is text and what is not, by the examples of RFC 3629.
#include "models/base/utf8.h"

#include <gtest/gtest.h>

namespace presil {
namespace {

TEST(Utf8, characters_of_one_to_four_bytes_are_text) {
  for (const char* text :
       {"", "conv2d/1", "\x7f", "\xc2\x80", "gr\xc3\xbcn", "\xe2\x82\xac", "\xed\x9f\xbf",
        "\xee\x80\x80", "\xf0\x9f\x9a\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, what_is_cut_too_long_a_surrogate_or_too_large_is_not) {
  for (const char* bytes : {"\x80", "\xff", "a\xc3", "\xc3(", "\xe2\x82", "\xf0\x9f\x9a",
                            "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                            "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_FALSE(is_utf8(bytes)) << bytes;
  }
}

TEST(Utf8, nul_is_no_text) {
  EXPECT_FALSE(is_utf8(std::string_view("a\0b", 3)));
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
}

TEST(Utf8, other_bytes_and_control_characters_are_shown_as_question_marks) {
  EXPECT_EQ(printable("gr\xc3\xbcn"), "gr\xc3\xbcn");
  EXPECT_EQ(printable("a\nb\x1b[0m\x7f"), "a?b?[0m?");
  EXPECT_EQ(printable("\xff\xed\xa0\x80x\xc3"), "????x?");
}

}  // namespace
}  // namespace presil
