// Cycles of the kernels: against their bounds, and against what a compiler estimates.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

const std::vector<Measured>& all() {
  static const std::vector<Measured> list = measure_all();
  return list;
}

TEST(DspCost, cost_h_is_within_15_percent_of_every_kernel_of_1000_cycles) {
  for (const Measured& m : all()) {
    if (m.cycles < 1000) continue;
    const double ratio = static_cast<double>(m.estimate) / static_cast<double>(m.cycles);
    EXPECT_NEAR(ratio, 1.0, 0.15) << m.kernel << " " << m.shape << ": " << m.cycles
                                  << " cycles, cost.h says " << m.estimate;
  }
}

TEST(DspCost, large_tensors_take_at_most_half_as_long_again_as_the_bound) {
  for (const Measured& m : all()) {
    if (!m.gated) continue;
    const double each = static_cast<double>(m.cycles) / static_cast<double>(m.count);
    EXPECT_LE(each, 1.5 * m.bound) << m.kernel << " " << m.shape;
  }
}

TEST(DspCost, the_readme_shows_what_is_measured) {
  std::ifstream file("driver/kernels/dsp/README.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find(table_of(all())), std::string::npos)
      << "tests/bench/dsp_kernels.py puts the table in place";
}

}  // namespace
}  // namespace presil::dsp
