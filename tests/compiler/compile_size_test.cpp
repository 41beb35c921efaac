// Time and memory of the compiler are linear in the size of the network: from the file to the
// loadable, in a process of its own, by its CPU time and the most memory it held.
//
// PRESIL_ALL=1: up to 10,000 operators and 200 MB, the figures of
// compiler_bridge/compile/README.md.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "compiler_bridge/compile/compile.h"
#include "compiler_bridge/import/tflite.h"
#include "tests/compiler/size_network.h"

namespace presil::tests {
namespace {

namespace fs = std::filesystem;

bool all() {
  return std::getenv("PRESIL_ALL") != nullptr;
}

struct Used {
  double seconds = 0;
  double megabytes = 0;
};

/// Runs `work` in a process of its own.
Used in_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  EXPECT_EQ(status, 0);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), double(usage.ru_maxrss) * 1024e-6};
}

ir::Graph imported(const fs::path& path) {
  std::vector<uint8_t> bytes(fs::file_size(path));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
  return import::import_tflite(bytes, "size");
}

Used compile_file(const fs::path& path) {
  return in_child([&] {
    const ir::Graph graph = imported(path);
    if (compile::compile(graph, SocConfig{}).loadable.empty()) _exit(1);
  });
}

struct Network {
  int ops, channels;
  bool as_unsigned = false;
};

/// Per network: CPU time and memory, with a line of figures.
std::vector<Used> measured(const std::vector<Network>& networks, std::vector<double>* file_mb) {
  const fs::path path = fs::temp_directory_path() / ("presil_size_" + std::to_string(getpid()));
  std::vector<Used> all;
  for (const Network& network : networks) {
    in_child([&] { write_size_network(path, network.ops, network.channels, network.as_unsigned); });
    const double mb = double(fs::file_size(path)) / 1e6;
    all.push_back(compile_file(path));
    if (file_mb != nullptr) file_mb->push_back(mb);
    std::printf("%d operators, a file of %.1f MB: %.2f s, %.0f MB\n", network.ops, mb,
                all.back().seconds, all.back().megabytes);
  }
  fs::remove(path);
  return all;
}

/// Twice linear, and what a process takes that does nothing.
void expect_linear_time(bool as_unsigned) {
  std::vector<Network> networks = {{100, 16, as_unsigned}, {1000, 16, as_unsigned}};
  if (all()) {
    networks.insert(networks.begin(), {10, 16, as_unsigned});
    networks.push_back({10000, 16, as_unsigned});
  }
  const std::vector<Used> used = measured(networks, nullptr);
  for (size_t i = 1; i < used.size(); ++i) {
    EXPECT_LT(used[i].seconds, 20 * used[i - 1].seconds + 0.5);
  }
}

TEST(CompileSize, ten_times_the_operators_take_about_ten_times_the_time) {
  expect_linear_time(false);
}

TEST(CompileSize, and_so_they_do_of_uint8_where_one_in_five_makes_an_output) {
  expect_linear_time(true);
}

TEST(CompileSize, memory_is_less_than_four_times_the_file_and_200_mb) {
  std::vector<Network> networks = {{20, 512}};
  if (all()) networks = {{30, 1024 + 416}, {60, 1024 + 416}, {120, 1024 + 416}, {240, 1024 + 416}};
  std::vector<double> mb;
  const std::vector<Used> used = measured(networks, &mb);
  for (size_t i = 0; i < used.size(); ++i) {
    EXPECT_LT(used[i].megabytes, 4 * mb[i] + 200);
    if (i == 0) continue;
    EXPECT_LT(used[i].seconds, 4 * used[i - 1].seconds + 0.5);
  }
}

}  // namespace
}  // namespace presil::tests
