// size_network FILE OPERATORS CHANNELS: for tests/python/compile_memory_test.py.
#include <cstdio>
#include <cstdlib>

#include "tests/compiler/size_network.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: size_network FILE OPERATORS CHANNELS\n");
    return 2;
  }
  presil::tests::write_size_network(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  return 0;
}
