// pool_loadable OUT QUEUE KIND NAME < TEXT: the network of pool_network.h as a .presil file, for
// the SoC of this name and canonical text. For tests of what people see of a run.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "models/base/refusal.h"
#include "pool_network.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: pool_loadable OUT QUEUE KIND NAME < TEXT\n");
    return 2;
  }
  const auto queue = static_cast<uint8_t>(std::atoi(argv[2]));
  presil::SocConfig config;
  config.name = argv[4];
  try {
    for (std::string line; std::getline(std::cin, line);) {
      const size_t equals = line.find('=');
      presil::set_parameter(config, line.substr(0, equals), line.substr(equals + 1));
    }
  } catch (const presil::Refusal& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return 2;
  }
  using namespace presil::pool::test;
  presil::driver::LoadableMaker maker = network_of(largest(queue), queue, config);
  maker.soc_name = config.name;
  maker.layer_engines[0] = static_cast<uint8_t>(std::atoi(argv[3]));
  const std::vector<uint8_t> file = maker.finish();
  std::ofstream out(argv[1], std::ios::binary);
  out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  return out ? 0 : 1;
}
