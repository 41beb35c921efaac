// The largest whole number that is at most a / b; int32, int64 or float32. By 0, which LiteRT
// refuses as it runs, 0.
#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/float32.h"

namespace presil::reference::operators {

void floor_div(const Case& c) {
  if (c.floats()) return floor_div_float(c);
  for_each_whole_pair(c, [](int64_t a, int64_t b) -> int64_t {
    if (b == 0) return 0;
    if (b == -1) return static_cast<int64_t>(-static_cast<uint64_t>(a));  // the lowest one wraps
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  });
}

}  // namespace presil::reference::operators
