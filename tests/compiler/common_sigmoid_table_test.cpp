#include <gtest/gtest.h>

#include <cmath>

#include "compiler_bridge/common/sigmoid_table.h"

namespace presil::common {
namespace {

TEST(SigmoidTable, has_the_points_of_tflite) {
  const auto table = sigmoid_table();
  EXPECT_EQ(table[0], 32768);
  EXPECT_EQ(table[1], 33451);
  EXPECT_EQ(table[29], 50464);
  EXPECT_EQ(table[64], 61279);
  EXPECT_EQ(table[128], 65221);
  EXPECT_EQ(table[254], 65534);
  EXPECT_EQ(table[255], 65535);
}

// Rounding is far from every half: no library's exp changes a point.
TEST(SigmoidTable, does_not_hang_on_the_last_bit_of_an_exponential) {
  for (int i = 0; i < 255; ++i) {
    const double s = 1 / (1 + std::exp(-i / 24.0));
    const double point = 65536 * (s - s * (1 - s) * (1 - 2 * s) / 9216);
    EXPECT_GT(std::fabs(point - std::floor(point) - 0.5), 1e-4) << i;
  }
}

}  // namespace
}  // namespace presil::common
