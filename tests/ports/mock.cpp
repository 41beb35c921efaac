// The steps on the mock: LOADABLE INPUT EXPECTED.
#include <presil/mock.h>

#include "tests/ports/files.h"

int main(int, char** argv) {
  presil_mock* const mock = presil_mock_open();
  const int code =
      presil::driver::run_port_steps(presil_mock_port(mock), presil::driver::PortFiles(argv + 1));
  presil_mock_close(mock);
  return code;
}
