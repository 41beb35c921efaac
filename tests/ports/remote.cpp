// The steps in a process of their own: NAME LOADABLE INPUT EXPECTED. Or NAME `speed`: register
// accesses in a second.
#include <presil/remote.h>

#include <chrono>
#include <cstring>

#include "rtl/host/host.h"
#include "rtl/soc/address_map.h"
#include "tests/ports/files.h"

namespace {

/// Accesses a second: reads one by one, then as the driver does, a read after seven writes.
void measure(const presil_port* port) {
  using std::chrono::duration, std::chrono::steady_clock;
  const uint64_t address = PRESIL_TILE_BASE(0) + PRESIL_TILE_HOST + PRESIL_HOST_REG_IRQ_ENABLE;
  for (const unsigned writes : {0u, 7u}) {
    constexpr unsigned kTurns = 50'000;
    const auto begin = steady_clock::now();
    for (unsigned i = 0; i < kTurns; ++i) {
      for (unsigned w = 0; w < writes; ++w) port->write32(port->self, address, w);
      port->read32(port->self, address);
    }
    const double seconds = duration<double>(steady_clock::now() - begin).count();
    std::printf("%u writes before each read: %.0f accesses/s\n", writes,
                kTurns * (writes + 1) / seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  presil_remote* const remote = presil_remote_open(argv[1], 5'000);
  if (remote == nullptr) return std::fprintf(stderr, "%s\n", presil_remote_error()), 2;
  const presil_port* const port = presil_remote_port(remote);
  int code = 0;
  if (argc == 3 && std::strcmp(argv[2], "speed") == 0) {
    measure(port);
  } else {
    code = presil::driver::run_port_steps(port, presil::driver::PortFiles(argv + 2));
  }
  presil_remote_close(remote);
  return code;
}
