// What becomes bytes for the DLA and what its sums become, by hand; whole operators in many shapes
// are compared with the interpreter in tests/compiler/compile_byte_product_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_rig.h"

namespace presil::dsp {
namespace {

using D = ir::DType;
using Shape = std::vector<int64_t>;

constexpr float kNone = NAN;
constexpr unsigned kWidths[] = {128, 512, 1024};

Config of_width(unsigned vlen) {
  Config config;
  config.vlen = vlen, config.dlen = vlen / 2;
  return config;
}

template <class T>
Operand given(D dtype, const Shape& shape, const std::vector<T>& values) {
  return {tensor_of<T>(dtype, shape, values), {}};
}
Operand result(D dtype, const Shape& shape) {
  return {{dtype, shape, {}}, {}};
}

template <class T, class Params>
std::vector<std::vector<T>> of(unsigned vlen, const char* kernel, const std::vector<Operand>& in,
                               const std::vector<Operand>& out, const Params& params) {
  Rig rig(of_width(vlen));
  const Ran ran = rig.run(kernel, in, out, params);
  EXPECT_EQ(ran.refused, 0) << kernel;
  std::vector<std::vector<T>> all;
  for (const TensorValue& value : ran.out) {
    all.emplace_back(value.data.size() / sizeof(T));
    std::memcpy(all.back().data(), value.data.data(), value.data.size());
  }
  return all;
}

TEST(DspBytes, ranges_have_0_and_what_is_no_number_is_left_out) {
  const Operand x = given<float>(D::kFloat32, {2, 3}, {1, kNone, 3, -2, -1, -4});
  for (const unsigned vlen : kWidths) {
    const auto each = of<float>(vlen, "dynamic_range", {x}, {result(D::kFloat32, {2, 2})},
                                presil_dsp_dynamic_range{0});
    EXPECT_EQ(each.at(0), (std::vector<float>{0, 3, -4, 0}));
    const auto all = of<float>(vlen, "dynamic_range", {x}, {result(D::kFloat32, {2, 2})},
                               presil_dsp_dynamic_range{1});
    EXPECT_EQ(all.at(0), (std::vector<float>{-4, 3, -4, 3}));
  }
}

presil_dsp_dynamic_steps steps_of(float low, float high, uint32_t input) {
  const auto made = of<presil_dsp_dynamic_steps>(
      512, "dynamic_scale", {given<float>(D::kFloat32, {1, 2}, {low, high})},
      {result(D::kFloat32, {1, 4})}, presil_dsp_dynamic_scale{input});
  return made.at(0).at(0);
}

TEST(DspBytes, steps_of_a_range) {
  // 127 steps of the larger one, 2
  EXPECT_EQ(steps_of(-2, 1, PRESIL_DSP_SYMMETRIC).inverse, 63.5f);
  EXPECT_EQ(steps_of(-2, 1, PRESIL_DSP_SYMMETRIC).step, 2.0f / 127.0f);
  EXPECT_EQ(steps_of(-2, 1, PRESIL_DSP_SYMMETRIC).zero, 0);
  for (const uint32_t input : {PRESIL_DSP_ASYMMETRIC, PRESIL_DSP_QD8}) {
    EXPECT_EQ(steps_of(0, 255, input).step, 1.0f);
    EXPECT_EQ(steps_of(0, 255, input).zero, -128);
    EXPECT_EQ(steps_of(-255, 0, input).zero, 127);
    EXPECT_EQ(steps_of(-510, 0, input).inverse, 0.5f);
    EXPECT_EQ(steps_of(0, 0, input).step, 1.0f);
    EXPECT_EQ(steps_of(0, 0, input).zero, input == PRESIL_DSP_QD8 ? 127 : 0);  // -1 is not above 0
  }
  EXPECT_EQ(steps_of(-1, 4, PRESIL_DSP_ASYMMETRIC).zero, -77);  // -128 + 51
}

std::vector<int8_t> bytes_of(unsigned vlen, uint32_t input, const std::vector<float>& x) {
  const presil_dsp_dynamic_steps steps{1.0f, 1.0f, input == PRESIL_DSP_SYMMETRIC ? 0 : -100, 0};
  const auto n = static_cast<int64_t>(x.size());
  TensorValue scales{D::kFloat32, {1, 4}, ir::Bytes(sizeof steps)};
  std::memcpy(scales.data.data(), &steps, sizeof steps);
  return of<int8_t>(vlen, "dynamic_bytes", {given<float>(D::kFloat32, {1, 1, n}, x), {scales, {}}},
                    {result(D::kInt8, {1, 1, n})}, presil_dsp_dynamic_bytes{input, 0, 0})
      .at(0);
}

TEST(DspBytes, halves_go_away_from_zero_or_to_even) {
  const float near = std::nextafter(0.5f, 0.0f);  // and a half is 1 in float32
  const std::vector<float> x = {0.5f, 1.5f, -2.5f, near, -near, 1.25f, kNone, 300.0f, -300.0f};
  for (const unsigned vlen : kWidths) {
    EXPECT_EQ(bytes_of(vlen, PRESIL_DSP_SYMMETRIC, x),
              (std::vector<int8_t>{1, 2, -3, 1, -1, 1, 0, 127, -127}));
    EXPECT_EQ(bytes_of(vlen, PRESIL_DSP_ASYMMETRIC, x),
              (std::vector<int8_t>{-99, -98, -103, -99, -101, -99, -100, 127, -128}));
    EXPECT_EQ(bytes_of(vlen, PRESIL_DSP_QD8, x),
              (std::vector<int8_t>{-100, -98, -102, -100, -100, -99, -100, 127, -128}));
  }
}

TEST(DspBytes, int16_is_its_upper_byte_and_the_lower_one_less_128) {
  const Operand x = given<int16_t>(D::kInt16, {1, 1, 4}, {0x1234, -1, -32768, 255});
  const Operand y = result(D::kInt8, {1, 1, 4});
  for (const unsigned vlen : kWidths) {
    const auto made = of<int8_t>(vlen, "wide_bytes", {x}, {y, y}, 0);
    EXPECT_EQ(made.at(0), (std::vector<int8_t>{0x12, -1, -128, 0}));
    EXPECT_EQ(made.at(1), (std::vector<int8_t>{0x34 - 128, 127, -128, 127}));
  }
}

/// Of one pixel.
Operand sums(std::vector<int32_t> values) {
  values.resize(16, 0);
  TensorValue bytes{D::kInt8, {1, 4, 16}, ir::Bytes(64)};
  std::memcpy(bytes.data.data(), values.data(), 64);
  return {bytes, {}};
}

TEST(DspBytes, sums_of_int16_are_scaled_with_one_rounding) {
  // (256 * 3 + 2 + bias 30) * m / 2^n: 800 * 16384 / 2^15 = 400; -1 / 2, halves up: 0
  const int64_t bias[] = {30, 0};
  const int64_t m = 16384, half = 1 << 14;
  std::vector<int32_t> terms(4 * 16, 0);
  for (size_t k = 0; k < 2; ++k) {
    terms[k] = static_cast<int32_t>(m);
    terms[16 + k] = static_cast<int32_t>(bias[k] * m + half);
    terms[48 + k] = 15;
  }
  for (const unsigned vlen : kWidths) {
    for (const uint32_t rule : {PRESIL_DSP_WIDE, PRESIL_DSP_WIDE_WITHIN_WORDS}) {
      const auto y =
          of<int16_t>(vlen, "wide_result",
                      {sums({3, -1}), sums({2, 255}), given<int32_t>(D::kInt32, {4, 16}, terms)},
                      {result(D::kInt16, {1, 1, 2})}, presil_dsp_wide_result{rule, -32768, 32767});
      EXPECT_EQ(y.at(0), (std::vector<int16_t>{400, 0}));
    }
  }
}

TEST(DspBytes, sums_less_the_zero_point_become_floats) {
  // (10 - 2 * 3) * 0.25 * 0.5 + 1 = 1.5, within 0 and 1.25
  const presil_dsp_dynamic_steps steps{2.0f, 0.5f, 2, 0};
  TensorValue scales{D::kFloat32, {1, 4}, ir::Bytes(sizeof steps)};
  std::memcpy(scales.data.data(), &steps, sizeof steps);
  const float of_weights = 0.25f, bias = 1.0f;
  std::vector<int32_t> terms(3 * 16, 0);
  terms[0] = 3;
  std::memcpy(&terms[16], &of_weights, 4), std::memcpy(&terms[32], &bias, 4);
  for (const unsigned vlen : kWidths) {
    for (uint32_t order = PRESIL_DSP_BOTH_SCALES; order <= PRESIL_DSP_FUSED; ++order) {
      for (const float most : {INFINITY, 1.25f}) {
        const auto y = of<float>(
            vlen, "dynamic_result",
            {sums({10}), {scales, {}}, given<int32_t>(D::kInt32, {3, 16}, terms)},
            {result(D::kFloat32, {1, 1, 1})}, presil_dsp_dynamic_result{order, 0.0f, most});
        EXPECT_EQ(y.at(0), (std::vector<float>{std::min(1.5f, most)}));
      }
    }
  }
}

}  // namespace
}  // namespace presil::dsp
