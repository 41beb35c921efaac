// Between types: stored numbers as numbers of another type, and floats in whole steps where the
// quotient lies at half a step.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

std::string number(float x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(x));
  return text;
}

/// Of any exponent and mantissa within the powers of two.
float any_scale(Random& random, int low, int high) {
  const auto mantissa = static_cast<float>(random() % (1 << 23)) * 0x1p-23f;
  const int exponent = low + static_cast<int>(random() % static_cast<uint64_t>(high - low));
  return std::ldexp(1.0f + mantissa, exponent);
}

/// What is next to each half step: two floats on either side of where the quotient is.
std::vector<float> around_halves(float scale, int32_t least, int32_t most, int32_t by) {
  std::vector<float> x;
  for (int32_t step = least; step <= most; step += by) {
    auto at = static_cast<float>((step + 0.5) * static_cast<double>(scale));
    at = std::nextafter(std::nextafter(at, -INFINITY), -INFINITY);
    for (int i = 0; i < 5; ++i, at = std::nextafter(at, INFINITY)) x.push_back(at);
  }
  const float odd[] = {NAN,         -NAN,       INFINITY,   -INFINITY,     3e38f,   -3e38f,
                       1e30f,       -1e30f,     -0.0f,      1e-45f,        -1e-45f, 1e-38f,
                       0.0f,        1e-20f,     -1e-20f,    7e8f,          -7e8f,   1e6f,
                       -1000000.5f, 2147483648, 4294967296, -2147483649.0f};
  x.insert(x.end(), std::begin(odd), std::end(odd));
  for (const float v : odd) x.push_back(v * scale);
  return x;
}

std::string wrong_quantise(Rig& rig, const std::string& type, float scale, int32_t zero,
                           bool tflite, const std::vector<float>& values) {
  const Shape shape = {static_cast<int64_t>(values.size())};
  const TensorValue x = tensor_of(ir::DType::kFloat32, shape, values);
  const Example e(std::string("graph \"t\" ") + (tflite ? "tflite" : "xnnpack") + " { input %x : " +
                      type_of("float32", shape) + " %y = quantize(%x) : " + type_of(type, shape) +
                      " q(" + number(scale) + ", " + std::to_string(zero) + ") output %y }",
                  {x});
  const presil_dsp_quantise p{tflite ? 0u : 1u, e.output().quantization.scale(), zero};
  const std::string wrong = difference(rig.run("quantise", e.operands(), e.results(), p), e.out);
  return wrong.empty() ? "" : type + " of scale " + number(scale) + ": " + wrong;
}

TEST(DspConvert, quotients_at_half_a_step_round_as_the_interpreters_division) {
  sweep(120, [](Rig& rig, Random& random) {
    const float scale = any_scale(random, -20, 20);
    const bool tflite = random() % 4 != 0;
    switch (random() % 3) {
      case 0:
        return wrong_quantise(rig, "int8", scale, static_cast<int32_t>(random() % 256) - 128,
                              tflite, around_halves(scale, -260, 260, 1));
      case 1:
        return wrong_quantise(rig, "uint8", scale, static_cast<int32_t>(random() % 256), tflite,
                              around_halves(scale, -260, 260, 1));
      default:
        return wrong_quantise(rig, "int16", scale, 0, true,
                              around_halves(scale, -32770, 32770, 61));
    }
  });
}

// Where the quotient is made of products, and where it is divided.
TEST(DspConvert, scales_of_any_size_quantise_as_the_interpreter_does) {
  sweep(64, [](Rig& rig, Random& random) {
    const float scale = any_scale(random, -126, 126);
    return wrong_quantise(rig, "int8", scale, 5, random() % 2 != 0,
                          around_halves(scale, -140, 140, 1));
  });
}

// 1 / s is as far from its float as it gets where s is a little above a power of two.
TEST(DspConvert, reciprocals_far_from_a_float_make_no_difference) {
  Rig rig;
  for (const float scale : {0x1.000002p0f, 0x1.000006p-3f, 0x1.fffffep-1f, 0x1.6a09e6p-4f,
                            0x1.00000ap5f, 0x1.fffffcp-9f, 0.1f, 1.0f / 3, 0x1p-7f}) {
    EXPECT_EQ(wrong_quantise(rig, "int8", scale, 0, true, around_halves(scale, -140, 140, 1)), "");
    EXPECT_EQ(wrong_quantise(rig, "int16", scale, 0, true, around_halves(scale, -32770, 32770, 13)),
              "");
  }
}

struct Type {
  const char* name;
  ir::DType dtype;
};
constexpr Type kTypes[] = {{"int8", ir::DType::kInt8},       {"uint8", ir::DType::kUint8},
                           {"int16", ir::DType::kInt16},     {"int32", ir::DType::kInt32},
                           {"float32", ir::DType::kFloat32}, {"bool", ir::DType::kBool}};

TensorValue of(Random& random, const Type& type, const Shape& shape) {
  TensorValue x = type.dtype == ir::DType::kFloat32 ? random_floats(random, shape, -400, 400)
                                                    : random_bytes(random, shape, type.dtype);
  if (type.dtype == ir::DType::kBool) {
    for (uint8_t& byte : x.data) byte &= 1;
  }
  if (type.dtype != ir::DType::kFloat32) return x;
  auto* v = reinterpret_cast<float*>(x.data.data());
  const float odd[] = {NAN,    INFINITY, -INFINITY, 3e9f,      -3e9f,   0.0f,  -0.0f,
                       1e-40f, -0.75f,   40000.5f,  -40000.0f, 127.99f, 255.5f};
  for (size_t i = 0; i < x.data.size() / 4; ++i) {
    if (random() % 4 == 0) v[i] = odd[random() % 13];
  }
  return x;
}

TEST(DspConvert, casts_between_all_types_equal_the_interpreter) {
  sweep(288, [](Rig& rig, Random& random) {
    const Type &from = kTypes[random() % 6], &to = kTypes[random() % 6];
    const Shape shape = {1 + static_cast<int64_t>(random() % 3),
                         1 + static_cast<int64_t>(random() % 300)};
    const Example e("graph \"t\" tflite { input %x : " + type_of(from.name, shape) +
                        " %y = cast(%x) : " + type_of(to.name, shape) + " output %y }",
                    {of(random, from, shape)});
    auto in = e.operands(), out = e.results();
    if (random() % 2 != 0) in[0].strides = loose(random, shape);
    if (random() % 2 != 0) out[0].strides = loose(random, shape);
    const bool truth = from.dtype == ir::DType::kBool || to.dtype == ir::DType::kBool;
    const presil_dsp_cast p{truth ? 1u : 0u};
    const std::string wrong = difference(rig.run("cast", in, out, p), e.out);
    return wrong.empty() ? "" : std::string(from.name) + " to " + to.name + ": " + wrong;
  });
}

}  // namespace
}  // namespace presil::dsp
