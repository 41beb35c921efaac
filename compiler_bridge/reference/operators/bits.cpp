// Functions of two stored integers bit by bit; results keep their low bits. TOSA leaves shifts by
// less than 0 or more than the type's bits open: here a shift by its last six bits, of the value in
// 64, so that by 32 nothing of an int32 is left but its sign. The softmax that converters write out
// of more than 512 values shifts by up to 34, and means this.
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void bitwise_and(const Case& c) {
  for_each_integer_pair(c, [](int64_t a, int64_t b) { return a & b; });
}

void bitwise_or(const Case& c) {
  for_each_integer_pair(c, [](int64_t a, int64_t b) { return a | b; });
}

void bitwise_xor(const Case& c) {
  for_each_integer_pair(c, [](int64_t a, int64_t b) { return a ^ b; });
}

void shift_left(const Case& c) {
  for_each_integer_pair(c, [](int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) << (b & 63));
  });
}

void shift_right(const Case& c) {
  const bool round = c.attributes<ir::ShiftRight>().round;
  for_each_integer_pair(c, [round](int64_t a, int64_t b) {
    const int64_t by = b & 63;
    return (a >> by) + (round && by > 0 ? (a >> (by - 1)) & 1 : 0);
  });
}

void shift_right_logical(const Case& c) {
  const size_t bits = 8 * ir::size_of(c.out().dtype);
  for_each_integer_pair(c, [bits](int64_t a, int64_t b) {
    const uint64_t whole = static_cast<uint64_t>(a) & ((uint64_t{1} << bits) - 1);
    return static_cast<int64_t>(whole >> (b & 63));
  });
}

}  // namespace presil::reference::operators
