// The board of driver/example: the mock, whose engines compute nothing.
#include <presil/port.h>

#include "driver/port/mock/mock_engine.h"

extern "C" const presil_port* board_port(void) {
  static presil::driver::MockPort mock;
  static presil::driver::MockEngines engines(mock);
  return mock.port();
}
