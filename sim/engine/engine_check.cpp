// presil_engine_check LIBRARY FOLDER [PARAMETER ...]: is the library an engine of this presil?
// Part of the build of every engine; exit 2: refused, one sentence.
#include <cstdio>
#include <cstdlib>

#include "sim/engine/engine_library.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: presil_engine_check LIBRARY FOLDER [PARAMETER ...]\n");
    return 2;
  }
  try {
    const presil::EngineLibrary library(argv[1], argv[2]);
    presil::EngineNumbers().claim(library);
    std::vector<uint64_t> parameters;
    for (int i = 3; i < argc; ++i) parameters.push_back(std::strtoull(argv[i], nullptr, 10));
    const presil::Probe probe = presil::probe_estimates(library, parameters);
    std::printf("engine %s: kind %u, queue %u, %u of %u small commands estimated\n",
                library.description().name, library.description().kind,
                library.description().first_queue, probe.estimated, probe.tried);
    return 0;
  } catch (const presil::Refusal& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return 2;
  }
}
