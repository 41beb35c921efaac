// The board of driver/example: the mock, whose engines compute nothing.
#include <presil/mock.h>

extern "C" const presil_port* board_port(void) {
  static presil_mock* const mock = presil_mock_open();
  return presil_mock_port(mock);
}
