// What the programs of the ports are given on their command lines: LOADABLE INPUT EXPECTED.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/ports/steps.h"

namespace presil::driver {

inline std::vector<uint8_t> bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "'%s' cannot be read\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

struct PortFiles {
  explicit PortFiles(char** paths)
      : loadable(bytes_of_file(paths[0])),
        input(bytes_of_file(paths[1])),
        expected(bytes_of_file(paths[2])) {}
  std::vector<uint8_t> loadable, input, expected;
};

/// Runs the steps and prints one line for each. @return the program's exit code
inline int run_port_steps(const presil_port* port, const PortFiles& files,
                          const char* stamp = nullptr) {
  using Words = std::vector<std::max_align_t>;
  Words device(presil_device_bytes() / sizeof(std::max_align_t) + 1);
  Words network(presil_network_bytes() / sizeof(std::max_align_t) + 1);
  const auto size = [](const Words& s) { return s.size() * sizeof(std::max_align_t); };
  const port_world world = {port,
                            stamp,
                            device.data(),
                            network.data(),
                            size(device),
                            size(network),
                            files.loadable.data(),
                            files.loadable.size(),
                            files.input.data(),
                            files.expected.data(),
                            10'000'000'000};
  unsigned done = 0;
  const char* const wrong = port_steps(&world, &done);
  for (unsigned i = 0; i < done; ++i) std::printf("%s: done\n", port_step_names[i]);
  if (wrong != nullptr) std::printf("%s: %s\n", port_step_names[done], wrong);
  return wrong != nullptr;
}

}  // namespace presil::driver
