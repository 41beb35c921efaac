// The program that driver/README.md shows is the one that is built, and it runs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/driver/loadable_maker.h"

namespace presil::driver {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class Example : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  template <class Bytes>
  void write(const char* name, const Bytes& bytes) {
    std::ofstream(folder + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  }
  int run() {
    // It exits without freeing its memory, which a leak checker would report on the same stream.
    const std::string command = std::string("ASAN_OPTIONS=detect_leaks=0 ") + EXAMPLE + " " +
                                folder + "net " + folder + "in " + folder + "out 2> " + folder +
                                "err";
    return std::system(command.c_str()) / 256;
  }

  std::string folder = ::testing::TempDir() + "presil_example_" + std::to_string(getpid()) + "/";
};

// The host alone: the input through the table y = x + 1.
LoadableMaker host_only() {
  LoadableMaker m = four_queues();
  m.dla.clear();
  m.dma[0].clear();
  m.dma[1].clear();
  m.host[0].wait0 = 0;
  m.host[0].wait0_value = 0;
  m.change_image = [offset = m.host[0].tensors_offset](std::vector<uint8_t>& image) {
    image[offset + offsetof(presil_host_tensor, region)] = PRESIL_REGION_INPUTS;
  };
  return m;
}

TEST_F(Example, runs_a_loadable) {
  write("net", host_only().finish());
  write("in", std::string(256, 'a'));
  ASSERT_EQ(run(), 0) << text_of(folder + "err");
  EXPECT_EQ(text_of(folder + "out"), std::string(256, 'b'));
}

TEST_F(Example, ends_with_the_drivers_sentence) {
  write("net", std::string("no loadable at all"));
  write("in", std::string(256, 'a'));
  EXPECT_EQ(run(), 2);
  EXPECT_EQ(text_of(folder + "err"),
            "driver: the loadable is refused: it does not begin as a .presil file does\n");
}

TEST(ExampleText, is_in_the_readme_and_short) {
  const std::string program = text_of("driver/example/run_loadable.c");
  EXPECT_NE(text_of("driver/README.md").find("```c\n" + program + "```"), std::string::npos)
      << "driver/README.md shows another program than driver/example/run_loadable.c";
  EXPECT_LT(std::count(program.begin(), program.end(), '\n'), 60);
}

}  // namespace
}  // namespace presil::driver
