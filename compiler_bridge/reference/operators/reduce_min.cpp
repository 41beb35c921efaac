// The smallest stored value along some axes; x and y mean the same. The same under both rule sets
// (LiteRT's reduce_min).
#include <algorithm>
#include <limits>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/reduce.h"

namespace presil::reference::operators {

void reduce_min(const Case& c) {
  if (c.floats()) return reduce_min_float(c);
  for_type_of_x(c, [&](auto type) {
    using T = decltype(type);
    const auto results = reduced<T>(c, std::numeric_limits<T>::max(),
                                    [](T best, T x) { return x < best ? x : best; });
    std::copy(results.begin(), results.end(), c.write<T>());
  });
}

}  // namespace presil::reference::operators
