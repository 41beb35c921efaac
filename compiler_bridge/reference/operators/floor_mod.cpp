// a less b times floor_div of both: what is left has b's sign; int32, int64 or float32. By 0, which
// LiteRT refuses as it runs, 0.
#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/float32.h"

namespace presil::reference::operators {

void floor_mod(const Case& c) {
  if (c.floats()) return floor_mod_float(c);
  for_each_whole_pair(c, [](int64_t a, int64_t b) -> int64_t {
    if (b == 0 || b == -1) return 0;
    const int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  });
}

}  // namespace presil::reference::operators
