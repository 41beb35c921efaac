// random_layers FIRST COUNT FOLDER: writes layers FIRST, FIRST + 1, ... as
// FOLDER/NUMBER-KIND.tflite.
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "testbench/lockstep/layer_dice.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "random_layers FIRST COUNT FOLDER: requires three arguments, got " << argc - 1
              << '\n';
    return 2;
  }
  const auto first = static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10));
  const auto count = static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10));
  for (uint32_t number = first; number < first + count; ++number) {
    const presil::lockstep::Layer layer = presil::lockstep::random_layer(number);
    const std::string name =
        std::string(argv[3]) + "/" + std::to_string(number) + "-" + layer.kind + ".tflite";
    std::ofstream file(name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(layer.file.data()),
               static_cast<std::streamsize>(layer.file.size()));
    if (!file.good()) {
      std::cerr << "random_layers: cannot write '" << name << "'\n";
      return 1;
    }
  }
  return 0;
}
