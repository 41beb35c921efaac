// y = saturate(apply_scale(x - in_zero, multiplier, shift) + out_zero), by channel of the last axis
// or all alike (TOSA 1.0, RESCALE). Values of y outside its type are the nearest inside.
#include "compiler_bridge/reference/apply_scale.h"
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void rescale(const Case& c) {
  const auto& a = c.attributes<ir::Rescale>();
  const std::vector<int64_t> x = integers(c, 0, a.in_unsigned);
  const std::vector<int64_t> multiplier = integers(c, 1), shift = integers(c, 2);
  const size_t bytes = ir::size_of(c.out().dtype);
  const int64_t least = least_of(bytes, a.out_unsigned), most = most_of(bytes, a.out_unsigned);
  const int64_t in_zero = a.in_zero, out_zero = a.out_zero;
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t m = multiplier.size() == 1 ? 0 : i % multiplier.size();
    const size_t s = shift.size() == 1 ? 0 : i % shift.size();
    const int64_t scaled = apply_scale(x[i] - in_zero, static_cast<int32_t>(multiplier[m]),
                                       static_cast<int>(shift[s]), a.round_twice);
    store(c, i, limited(scaled + out_zero, least, most));
  }
}

}  // namespace presil::reference::operators
