// Logarithms and powers, whose definition is in double: in double by integers and in pairs of
// floats, both on the host, and as kernels.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler_bridge/reference/float_functions.h"
#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/near_power.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/soft_functions.h"
#include "tests/dsp_kernels/dsp_rig.h"

namespace presil::dsp {
namespace {

float any_of_all(Random& random) {
  return as_float(static_cast<uint32_t>(random()));
}
bool same(float a, float b) {
  return as_bits(a) == as_bits(b) || (std::isnan(a) && std::isnan(b));
}

TEST(DspSoftFunctions, logarithms_and_powers_in_double_are_the_interpreters) {
  static const float special[] = {0,           -0.0f,   1,     -1,   INFINITY,  -INFINITY,
                                  NAN,         2,       -2,    0.5f, 0x1p-149f, 0x1p-126f,
                                  16777215.0f, 8388609, 1e30f, 3};
  Random random(3);
  for (int i = 0; i < 200000; ++i) {
    const float x = random() % 8 == 0 ? special[random() % 16] : any_of_all(random);
    float e = random() % 2 == 0 ? any_of_all(random) : static_cast<float>(random() % 401) / 8 - 25;
    if (random() % 8 == 0) e = special[random() % 16];
    ASSERT_TRUE(same(log_of(x), static_cast<float>(reference::natural_log(x)))) << x;
    ASSERT_TRUE(same(power_of(x, e), reference::power_of(x, e))) << x << " ^ " << e;
  }
}

/// One lane: which is certain is the interpreter's, and of usual numbers most are.
TEST(DspNearFunctions, what_is_certain_is_the_interpreters) {
  Random random(4);
  int open_logs = 0, open_powers = 0, open_cubes = 0;
  constexpr int kTimes = 400000;
  for (int i = 0; i < kTimes; ++i) {
    const bool usual = i % 2 == 0;
    const float x = usual ? std::exp2(static_cast<float>(random() % (1 << 23)) * 0x1p-18f - 16)
                          : any_of_all(random);
    const float e = usual ? static_cast<float>(random() % 6001) / 1000 - 3 : any_of_all(random);
    float high, low, log, y, cube;
    near_log(x, high, low, 1);
    const bool open_log = log_from(x, high, low, log, 1);
    const bool open_power = power_from(x, e, high, low, y, 1);
    const bool open_cube = whole_power(x, 3, cube, 1);
    ASSERT_TRUE(open_log || same(log, static_cast<float>(reference::natural_log(x)))) << x;
    ASSERT_TRUE(open_power || same(y, reference::power_of(x, e))) << x << " ^ " << e;
    ASSERT_TRUE(open_cube || same(cube, reference::power_of(x, 3))) << x << " ^ 3";
    if (usual) open_logs += open_log, open_powers += open_power, open_cubes += open_cube;
  }
  EXPECT_LT(open_logs, kTimes / 2 / 4096);  // of 2^-38 to both sides, in steps of 2^-24 or more
  EXPECT_LT(open_powers, kTimes / 2 / 500);
  EXPECT_LT(open_cubes, kTimes / 2 / 5000);
}

TensorValue row_of(const std::vector<float>& values) {
  return tensor_of<float>(ir::DType::kFloat32, {static_cast<int64_t>(values.size())}, values);
}
std::vector<float> floats_of(const TensorValue& t) {
  std::vector<float> values(t.data.size() / 4);
  std::memcpy(values.data(), t.data.data(), t.data.size());
  return values;
}

TEST(DspPowers, logarithms_and_powers_by_hand) {
  Rig rig;
  const TensorValue x = row_of({1, 0, 0x1p-149f, INFINITY, 8});
  const Ran log = rig.run("function_f32", {{x, {}}}, {{x, {}}},
                          presil_dsp_function_f32{PRESIL_DSP_LOG, 0, 0, 0});
  ASSERT_EQ(log.refused, 0);
  // -149 ln 2 and 3 ln 2
  EXPECT_EQ(floats_of(log.out[0]),
            (std::vector<float>{0, -INFINITY, -103.27893f, INFINITY, 2.0794415f}));
  const TensorValue a = row_of({2, -2, 9, 0, NAN, -INFINITY, 0, 10, 10, 2, -1}),
                    b = row_of({10, 3, 0.5f, -1, 0, 3, 0.5f, 39, -46, -149, INFINITY});
  const Ran pow = rig.run("pair_f32", {{a, {}}, {b, {}}}, {{a, {}}},
                          presil_dsp_pair_f32{PRESIL_DSP_POW, -INFINITY, INFINITY});
  ASSERT_EQ(pow.refused, 0);
  EXPECT_EQ(floats_of(pow.out[0]), (std::vector<float>{1024, -8, 3, INFINITY, 1, -INFINITY, 0,
                                                       INFINITY, 0, 0x1p-149f, 1}));
}

// Of denormal numbers nothing is certain: the watchdog waits for as many.
TEST(DspPowers, what_is_computed_in_double_takes_no_longer_than_its_cost) {
  constexpr int64_t kElements = 256;
  Random random(1);
  const TensorValue x = random_floats(random, {kElements}, 1e-40f, 1e-39f),
                    by = random_floats(random, {kElements}, 0.1f, 0.9f);
  const uint64_t most = presil_dsp_cycles_elements(1, kElements, PRESIL_DSP_DOUBLE_F32);
  Rig rig;
  const Ran log = rig.run("function_f32", {{x, {}}}, {{x, {}}},
                          presil_dsp_function_f32{PRESIL_DSP_LOG, 0, 0, 0});
  const Ran pow = rig.run("pair_f32", {{x, {}}, {by, {}}}, {{x, {}}},
                          presil_dsp_pair_f32{PRESIL_DSP_POW, -INFINITY, INFINITY});
  EXPECT_LT(log.cycles, most / 2) << log.cycles;
  EXPECT_LT(pow.cycles, most);
  EXPECT_GT(pow.cycles, most / 2);
}

}  // namespace
}  // namespace presil::dsp
