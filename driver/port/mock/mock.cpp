// The mock in C, for programs outside this project.
#include <presil/mock.h>

#include <new>

#include "driver/port/mock/mock_engine.h"

struct presil_mock {
  presil::driver::MockPort port;
  presil::driver::MockEngines engines{port};
};

presil_mock* presil_mock_open() {
  try {
    return new presil_mock;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

const presil_port* presil_mock_port(presil_mock* mock) {
  return mock->port.port();
}

void presil_mock_close(presil_mock* mock) {
  delete mock;
}
