// Softmax and tables of int8 against the reference interpreter, every byte.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler_bridge/reference/fixed_functions.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

/// Of d = 0..255 steps below the largest, by the byte -d: in words in
/// compiler_bridge/reference/operators/softmax.cpp, whose functions these are.
TensorValue fixed_exponentials(float scale, float beta) {
  const double real =
      std::min(static_cast<double>(beta) * static_cast<double>(scale) * (1 << 26), 2147483647.0);
  const reference::Scale s = reference::to_scale(real);
  const auto lowest = static_cast<int32_t>(-((int64_t{31} << 26) >> s.shift));
  std::vector<int32_t> e(256, 0);
  for (int32_t d = 0; d > -256 && d >= lowest; --d)
    e[static_cast<uint8_t>(d)] = reference::exp_of_negative(reference::multiply(d, s), 5);
  return tensor_of(ir::DType::kInt32, {256}, e);
}

/// e of d = 0..255 steps below the largest, as the compiler makes it.
TensorValue exponentials(float scale, float beta) {
  std::vector<float> e(256);
  for (size_t d = 0; d < 256; ++d) {
    e[d] = static_cast<float>(std::exp(double{-scale * beta * static_cast<float>(d)}));
  }
  return tensor_of(ir::DType::kFloat32, {256}, e);
}

std::string softmax(Rig& rig, Random& random, bool tflite) {
  static const int64_t depths[] = {1,  2,   3,   4,   5,   6,   7,   8,   10,   16,   21,
                                   64, 100, 127, 128, 159, 160, 257, 511, 1001, 1024, 3000};
  const int64_t depth = depths[random() % 22];
  const int64_t most = depth == 2 ? 15000 : depth < 200 ? 150 : 40;
  const int64_t rows = 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
  const std::vector<int64_t> shape = {rows % 3 + 1, rows / 3 + 1, depth};
  const float scales[] = {0.003f, 0.0470588f, 0.125f, 0.33f, 1.7f, 11.0f};
  const float scale = scales[random() % 6], beta = random() % 2 != 0 ? 1.0f : 0.5f;
  const std::string text = "graph \"t\" " + std::string(tflite ? "tflite" : "xnnpack") +
                           " { input %x : " + type_of("int8", shape) + " q(" +
                           std::to_string(scale) +
                           ", 3) %y = softmax(%x) {beta=" + std::to_string(beta) +
                           "} : " + type_of("int8", shape) + " q(0.00390625, -128) output %y }";
  TensorValue x = random_bytes(random, shape);
  if (random() % 3 == 0) {  // values near one another
    for (auto& byte : x.data) byte = static_cast<uint8_t>(static_cast<int8_t>(byte) / 16);
  }
  const Example e(text, {x});
  Operand in{x, {}}, out{e.out[0], {}};
  if (random() % 2 != 0) in.strides = loose(random, shape), out.strides = loose(random, shape);
  const float s = e.input(0).quantization.scale();
  return difference(tflite ? rig.run("softmax_i8", {in, {fixed_exponentials(s, beta), {}}}, {out},
                                     presil_dsp_softmax_i8{})
                           : rig.run("softmax_table_i8", {in, {exponentials(s, beta), {}}}, {out},
                                     presil_dsp_softmax_table_i8{}),
                    e.out);
}

TEST(DspSoftmax, in_fixed_point_equals_the_interpreter_at_every_vlen) {
  sweep(128, [](Rig& rig, Random& random) { return softmax(rig, random, true); });
}

TEST(DspSoftmax, by_a_table_equals_the_interpreter_at_every_vlen) {
  sweep(64, [](Rig& rig, Random& random) { return softmax(rig, random, false); });
}

TEST(DspTable, equals_the_interpreter_at_every_vlen) {
  sweep(16, [](Rig& rig, Random& random) {
    const int64_t n = 1 + static_cast<int64_t>(random() % 700);
    const std::vector<int64_t> shape = {2, 3, n};
    const TensorValue x = random_bytes(random, shape), table = random_bytes(random, {256});
    const Example e("graph \"t\" tflite { input %x : " + type_of("int8", shape) +
                        " q(1, 0) const %t : int8[256] q(1, 0) = splat 0 %y = lut(%x, %t) : " +
                        type_of("int8", shape) + " q(1, 0) output %y }",
                    {x}, {{"t", table}});
    Operand in{x, {}}, out{e.out[0], {}};
    if (random() % 2 != 0) in.strides = loose(random, shape), out.strides = loose(random, shape);
    return difference(rig.run("table_i8", {in, {table, {}}}, {out}, presil_dsp_table_i8{}), e.out);
  });
}

TEST(DspKernel, what_does_not_fit_is_refused_with_a_code) {
  Rig rig;
  const TensorValue x{ir::DType::kInt8, {2, 2}, ir::Bytes(4)};
  const TensorValue f{ir::DType::kFloat32, {2, 2}, ir::Bytes(16)};
  const TensorValue table{ir::DType::kInt32, {256}, ir::Bytes(1024)};
  const TensorValue few{ir::DType::kInt32, {255}, ir::Bytes(1020)};
  const presil_dsp_softmax_i8 params{};
  const auto refused = [&](const std::vector<Operand>& in, const Operand& out) {
    return rig.run("softmax_i8", in, {out}, params).refused;
  };
  EXPECT_EQ(refused({{x, {}}, {table, {}}}, {x, {}}), PRESIL_DSP_DONE);
  EXPECT_EQ(refused({{f, {}}, {table, {}}}, {x, {}}), PRESIL_DSP_REFUSED_TYPE);
  EXPECT_EQ(refused({{x, {}}, {f, {}}}, {x, {}}), PRESIL_DSP_REFUSED_TYPE);
  EXPECT_EQ(refused({{x, {1, 2}}, {table, {}}}, {x, {}}), PRESIL_DSP_REFUSED_SHAPE);
  EXPECT_EQ(refused({{x, {}}, {few, {}}}, {x, {}}), PRESIL_DSP_REFUSED_SHAPE);
  EXPECT_EQ(refused({{x, {}}}, {x, {}}), PRESIL_DSP_REFUSED_COUNT);
  const presil_dsp_requantise scales{};
  EXPECT_EQ(rig.run("requantise", {{x, {}}}, {{x, {}}}, &scales, 8).refused,
            PRESIL_DSP_REFUSED_PARAMS);
}

}  // namespace
}  // namespace presil::dsp
