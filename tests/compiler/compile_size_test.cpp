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
#include "tests/import/tflite_file.h"

namespace presil::tests {
namespace {

namespace fs = std::filesystem;
namespace file = import::file;
using import::TfliteFile;

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
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), double(usage.ru_maxrss) / 1024};
}

/// y = conv2d(x): 1x1, `channels` to `channels`.
int conv(TfliteFile& f, int x, int channels) {
  std::vector<int8_t> weights(size_t(channels) * size_t(channels));
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<int8_t>(i * 31 % 251 - 125);
  const std::string name = "w" + std::to_string(f.graph().tensors.size());
  const int w = f.add_constant(name, {channels, 1, 1, channels}, file::TensorType_Int8, weights);
  const int y = f.add_tensor("c", f.tensor(x).shape);
  file::Conv2DT options;
  options.padding = file::Padding_Valid;
  options.stride_h = options.stride_w = options.dilation_h = options.dilation_w = 1;
  f.add_op(file::Builtin_CONV_2D, {x, w}, {y}).options.Set(std::move(options));
  return y;
}

template <class Options>
int of_two(TfliteFile& f, file::Builtin code, int a, int b, Options options) {
  const int y = f.add_tensor("y", f.tensor(a).shape);
  f.add_op(code, {a, b}, {y}).options.Set(std::move(options));
  return y;
}

/// Blocks of 5 operators: a convolution, SiLU in two, another convolution, the sum with the block's
/// input.
void write_network(const fs::path& path, int ops, int channels) {
  TfliteFile f;
  int x = f.add_tensor("x", {1, 4, 4, channels});
  f.graph().inputs = {x};
  for (int i = 0; i < ops; i += 5) {
    const int c = conv(f, x, channels);
    const int s = f.add_tensor("s", f.tensor(c).shape);
    f.tensor(s).quantization->scale = {1.0f / 256};
    f.tensor(s).quantization->zero_point = {-128};
    f.add_op(file::Builtin_LOGISTIC, {c}, {s});
    const int silu = of_two(f, file::Builtin_MUL, c, s, file::MulT{});
    x = of_two(f, file::Builtin_ADD, conv(f, silu, channels), x, file::AddT{});
  }
  f.graph().outputs = {x};
  const std::vector<uint8_t> bytes = f.bytes();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
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
};

/// Per network: CPU time and memory, with a line of figures.
std::vector<Used> measured(const std::vector<Network>& networks, std::vector<double>* file_mb) {
  const fs::path path = fs::temp_directory_path() / ("presil_size_" + std::to_string(getpid()));
  std::vector<Used> all;
  for (const Network& network : networks) {
    in_child([&] { write_network(path, network.ops, network.channels); });
    const double mb = double(fs::file_size(path)) / 1e6;
    all.push_back(compile_file(path));
    if (file_mb != nullptr) file_mb->push_back(mb);
    std::printf("%d operators, a file of %.1f MB: %.2f s, %.0f MB\n", network.ops, mb,
                all.back().seconds, all.back().megabytes);
  }
  fs::remove(path);
  return all;
}

TEST(CompileSize, ten_times_the_operators_take_about_ten_times_the_time) {
  std::vector<Network> networks = {{100, 16}, {1000, 16}};
  if (all()) networks = {{10, 16}, {100, 16}, {1000, 16}, {10000, 16}};
  const std::vector<Used> used = measured(networks, nullptr);
  for (size_t i = 1; i < used.size(); ++i) {
    // Twice linear, and what a process takes that does nothing.
    EXPECT_LT(used[i].seconds, 20 * used[i - 1].seconds + 0.5);
  }
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
