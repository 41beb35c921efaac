// The steps on the port for Linux, at a fake device: LOADABLE INPUT EXPECTED.
#include "tests/ports/fake_uio.h"
#include "tests/ports/files.h"

int main(int, char** argv) {
  presil::driver::FakeUio fake;
  const presil_uio_config config = fake.config();
  presil_uio* const uio = presil_uio_open(&config);
  if (uio == nullptr) return std::fprintf(stderr, "%s\n", presil_uio_error()), 2;
  fake.trap(uio);
  const int code =
      presil::driver::run_port_steps(presil_uio_port(uio), presil::driver::PortFiles(argv + 1));
  std::printf("register accesses: %s, interrupts: %s\n", fake.accesses() > 100 ? "many" : "few",
              fake.interrupts() > 0 ? "some" : "none");
  presil_uio_close(uio);
  return code;
}
