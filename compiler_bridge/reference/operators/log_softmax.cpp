// The logarithm of the softmax over the last axis.
#include "compiler_bridge/reference/float32.h"

namespace presil::reference::operators {

void log_softmax(const Case& c) {
  log_softmax_float(c);
}

}  // namespace presil::reference::operators
