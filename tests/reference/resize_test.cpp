// Images of many pixels to another size: no position passes the last one.
#include <gtest/gtest.h>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

/// Two images of `in` rows (columns where `across`), the last one 100, in `out`; the first is 0,
/// the second 50. What was read beyond an image would be of the next one.
Ints last_two(const std::string& flag, int in, int out, bool across) {
  const auto shape = [across](int n) {
    const std::string text = std::to_string(n);
    return across ? "int8[1,2," + text + ",1] q(1, 0)" : "int8[2," + text + ",1,1] q(1, 0)";
  };
  Ints x(static_cast<size_t>(in), 0);
  x.back() = 100;
  x.insert(x.end(), static_cast<size_t>(in), 50);
  const std::string to = across ? "int8[1,2," + std::to_string(out) + ",1] q(1, 0)" : shape(out);
  const Ints y =
      run_int8("tflite", {shape(in)}, "%y = resize_bilinear(%x0) {" + flag + "=true} : " + to, {x});
  const auto end = y.begin() + out;
  return Ints(end - 4, end);
}

// 1024 * 1225 / 2226 is 563.52, in whole steps 564: the last row is at 564 * 2226 / 1024 = 1226.04
// of 0 .. 1225. 1224.9375 is 93.75 and 1224.387 is 38.67.
TEST(ResizeBilinear, rounded_steps_between_corners_end_at_the_last_pixel) {
  for (const bool across : {false, true}) {
    EXPECT_EQ(last_two("align_corners", 1226, 2227, across), (Ints{39, 94, 100, 100})) << across;
  }
}

// 1024 * 1464 / 3000 is 499.71, in whole steps 500: 2999 * 500 + 250 - 512 is 1464.1 of 0 .. 1463;
// 1462.63 is 63.48.
TEST(ResizeBilinear, rounded_steps_between_centres_end_at_the_last_pixel) {
  for (const bool across : {false, true}) {
    EXPECT_EQ(last_two("half_pixel_centers", 1464, 3000, across), (Ints{63, 100, 100, 100}))
        << across;
  }
}

}  // namespace
}  // namespace presil::reference
