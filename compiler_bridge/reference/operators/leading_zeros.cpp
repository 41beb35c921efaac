// Zeros before the first one of 32 bits; 32 of 0 (TOSA 1.0, CLZ).
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void leading_zeros(const Case& c) {
  const std::vector<int64_t> x = integers(c, 0, true);
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t zeros = 32;
    for (int64_t rest = x[i]; rest != 0; rest >>= 1) --zeros;
    store(c, i, zeros);
  }
}

}  // namespace presil::reference::operators
