// libpresil.so exports what driver/symbols.txt lists, which the headers declare, and nothing else.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace presil::driver {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Symbols, of_the_library_are_those_of_the_list) {
  std::string exported;
  std::array<char, 512> part;
  FILE* pipe = popen("nm -D --defined-only " LIBRARY " | awk '{ print $3 }' | LC_ALL=C sort", "r");
  ASSERT_NE(pipe, nullptr);
  while (fgets(part.data(), part.size(), pipe) != nullptr) exported += part.data();
  pclose(pipe);
  EXPECT_EQ(words_of(exported), words_of(text_of("driver/symbols.txt")));
}

TEST(Symbols, of_the_list_are_declared_in_a_header) {
  std::string headers;
  for (const char* name : {"presil", "remote", "linux_uio"})
    headers += text_of("driver/include/presil/" + std::string(name) + ".h");
  for (const std::string& symbol : words_of(text_of("driver/symbols.txt")))
    EXPECT_NE(headers.find(symbol + "("), std::string::npos) << symbol;
}

}  // namespace
}  // namespace presil::driver
