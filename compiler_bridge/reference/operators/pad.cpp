// x inside a border of the stored value `value`.
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void pad(const Case& c) {
  const auto& a = c.attributes<ir::Pad>();
  const size_t size = ir::size_of(c.out().dtype);
  const auto& shape = c.in().shape;
  const auto strides = strides_of(shape);
  // Little-endian: the low bytes of a 64-bit value are the value of any integer type, and the bits
  // of a float.
  const int64_t value = a.value;
  uint8_t* to = c.write<uint8_t>();
  for_each_index(c.out().shape, [&](std::vector<int64_t> index) {
    bool inside = true;
    for (size_t i = 0; i < index.size(); ++i) {
      index[i] -= a.before[i];
      inside = inside && index[i] >= 0 && index[i] < shape[i];
    }
    const uint8_t* from =
        c.read<uint8_t>() + (inside ? offset(index, strides) : 0) * static_cast<int64_t>(size);
    std::memcpy(to, inside ? static_cast<const void*>(from) : &value, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
