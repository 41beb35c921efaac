// The same steps on every port, each in a program of its own; the table is driver/README.md's.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "compiler_bridge/reference/reference.h"
#include "tests/driver/loadable_maker.h"
#include "tests/ports/steps.h"
#include "tests/soc/platform_fixture.h"

namespace presil::driver {
namespace {

constexpr const char* kTable = "driver/README.md";

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Bytes>
void write(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
}

/// What a command prints.
std::string output_of(const std::string& command) {
  std::string text;
  std::array<char, 512> part;
  FILE* pipe = popen(("export SC_COPYRIGHT_MESSAGE=DISABLE; (" + command + ") 2>&1").c_str(), "r");
  while (pipe != nullptr && fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  if (pipe != nullptr) pclose(pipe);
  return text;
}

/// The networks: one that the mock can compute, whose engines compute nothing, and one for all.
class Ports : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder() = ::testing::TempDir() + "presil_ports_" + std::to_string(getpid()) + "/";
    std::filesystem::create_directory(folder());
    LoadableMaker m = four_queues();
    m.change_image = [offset = m.host[0].tensors_offset](std::vector<uint8_t>& image) {
      image[offset + offsetof(presil_host_tensor, region)] = PRESIL_REGION_INPUTS;
    };
    write(folder() + "mock.presil", m.finish());
    write(folder() + "mock.in", std::string(256, 'a'));
    write(folder() + "mock.out", std::string(256, 'b'));

    const tests::Subject& subject = tests::digits();
    const auto inputs = tests::random_inputs(subject.graph, 1);
    const auto outputs = reference::run(subject.graph, inputs);
    write(folder() + "soc.presil", subject.loadable);
    write(folder() + "soc.in", inputs.at(0).data);
    write(folder() + "soc.out", outputs.at(0).data);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder()); }
  static std::string& folder() {
    static std::string name;
    return name;
  }
  static std::string files(const std::string& of) {
    const std::string base = " " + folder() + of;
    return base + ".presil" + base + ".in" + base + ".out";
  }
  static std::string all_done() {
    std::string text;
    for (const char* step : port_step_names) text += std::string(step) + ": done\n";
    return text;
  }
  static std::string shared_name() { return "presil_ports_" + std::to_string(getpid()); }

  /// A port has done all steps, and driver/README.md's table says so. With PRESIL_WRITE=1 the row
  /// of what it has done is written there.
  static void expect_row(const std::string& port, const std::string& what,
                         const std::string& printed) {
    EXPECT_EQ(printed.substr(0, all_done().size()), all_done()) << printed;
    const std::string begin = "| `" + port + "` | ";
    std::string row = begin + what + " |";
    for (const char* step : port_step_names) {
      const bool done = printed.find(std::string(step) + ": done\n") != std::string::npos;
      row += done ? " done |" : " - |";
    }
    std::string table = text_of(kTable);
    const size_t at = table.find(begin);
    ASSERT_NE(at, std::string::npos) << kTable << " has no row that begins with " << begin;
    if (std::getenv("PRESIL_WRITE") != nullptr) {
      table.replace(at, table.find('\n', at) - at, row);
      write(kTable, table);
    }
    EXPECT_NE(table.find(row + "\n"), std::string::npos)
        << kTable << " does not have this row, PRESIL_WRITE=1 writes it:\n"
        << row;
  }
  static std::string firmware(const std::string& cpu, const std::string& core) {
    const std::string elf = folder() + cpu + ".elf";
    const std::string said = output_of(
        "/usr/bin/python3 driver/port/baremetal/firmware.py tests/ports/firmware.c "
        "tests/ports/steps.c -o " +
        elf + " --cpu " + cpu);
    EXPECT_EQ(said, "");
    return output_of(std::string(SOC) + " firmware " + cpu + " " + core + " " + elf + files("soc"));
  }
  static bool has_clang() { return std::system("command -v clang-19 ld.lld-19 > /dev/null") == 0; }
};

constexpr const char* kNoClang = "SKIPPED: firmware requires clang-19 and lld-19";

TEST_F(Ports, mock) {
  expect_row("mock", "registers and counters; engines that compute nothing",
             output_of(std::string(MOCK) + files("mock")));
}

TEST_F(Ports, model) {
  expect_row("model", "the SoC's models, in the program's process",
             output_of(std::string(SOC) + " model" + files("soc")));
}

#ifdef RTL
TEST_F(Ports, rtl) {
  expect_row("rtl", "the same with DLA, DMA and sync as Verilated RTL",
             output_of(std::string(RTL) + " rtl" + files("soc")));
}
#endif

TEST_F(Ports, remote) {
  const std::string serve = std::string(SOC) + " serve " + shared_name() + " & ";
  expect_row("remote", "the models in a process of their own, by shared memory",
             output_of(serve + REMOTE + " " + shared_name() + files("soc")));
}

/// Register accesses a second, the better of the two patterns; others may work on the machine.
double fastest(const std::string& said) {
  std::istringstream lines(said);
  double most = 0;
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) most = std::max(most, std::atof(line.c_str() + colon + 2));
  }
  return most;
}

TEST_F(Ports, remote_makes_100_000_register_accesses_a_second_on_a_busy_machine) {
  const std::string serve = std::string(SOC) + " serve " + shared_name() + " & ";
  double most = 0;
  for (int attempt = 0; attempt < 5 && most < 100'000; ++attempt) {
    most = std::max(most, fastest(output_of(serve + REMOTE + " " + shared_name() + " speed")));
  }
  EXPECT_GT(most, 100'000);
}

TEST_F(Ports, linux_uio) {
#if defined(__x86_64__)
  expect_row("linux_uio", "a fake device: the mock, reached by page faults and a socket",
             output_of(std::string(UIO) + files("mock")));
#else
  GTEST_SKIP() << "the fake device decodes instructions of x86-64";
#endif
}

TEST_F(Ports, m33) {
  if (!has_clang()) GTEST_SKIP() << kNoClang;
  expect_row("baremetal`, `m33", "firmware on a Cortex-M33",
             firmware("m33", "models/cpu/cores/cortex_m33.yaml"));
}

TEST_F(Ports, m4) {
  if (!has_clang()) GTEST_SKIP() << kNoClang;
  expect_row("baremetal`, `m4", "firmware on a Cortex-M4F",
             firmware("m4", "models/cpu/cores/cortex_m4.yaml"));
}

TEST_F(Ports, rv64) {
  if (!has_clang()) GTEST_SKIP() << kNoClang;
  expect_row("baremetal`, `rv64", "firmware on an RV64IMFC core",
             firmware("rv64", "models/rv64/cores/rv64.yaml"));
}

TEST_F(Ports, aarch64) {
#if defined(AARCH64)
  if (!has_clang()) GTEST_SKIP() << kNoClang;
  setenv("PRESIL_AARCH64", AARCH64, 1);
  expect_row("baremetal`, `aarch64", "firmware on an AArch64 core, by Unicorn",
             firmware("aarch64", "sim/host_cpu/cores/aarch64.yaml"));
#else
  GTEST_SKIP() << "SKIPPED: this build has no AArch64 core (package libunicorn-dev)";
#endif
}

TEST_F(Ports, a_name_that_nobody_serves_is_told) {
  const std::string said = output_of(std::string("timeout 30 ") + REMOTE + " presil_nobody_" +
                                     std::to_string(getpid()) + files("soc"));
  EXPECT_NE(said.find("cannot be reached"), std::string::npos) << said;
}

}  // namespace
}  // namespace presil::driver
