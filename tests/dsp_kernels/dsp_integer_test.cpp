// Integers of one scale to those of another, alone and in pairs, against the reference interpreter.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler_bridge/reference/fixed_point.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;
using reference::round_even;
using reference::Scale;
using reference::to_scale;

int32_t bits_of(float x) {
  int32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
int64_t pick(Random& random, int64_t most) {
  return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
}
std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}
std::string quantized(const std::string& dtype, const Shape& shape, float scale, int32_t zero) {
  return type_of(dtype, shape) + " q(" + number(static_cast<double>(scale)) + ", " +
         std::to_string(zero) + ")";
}
float random_scale(Random& random) {
  return std::ldexp(1.0f + static_cast<float>(random() % 1000) / 1000.0f,
                    static_cast<int>(random() % 6) - 8);
}
int32_t random_zero(Random& random) {
  return static_cast<int32_t>(random() % 256) - 128;
}

/// What a compiler makes of three scales.
presil_dsp_pair_i8 params_of(const Example& e, const std::string& op, bool tflite) {
  const auto &qa = e.input(0).quantization, &qb = e.input(1).quantization,
             &qy = e.output().quantization;
  const double a = qa.scale(), b = qb.scale(), y = qy.scale();
  presil_dsp_pair_i8 p{};
  p.numerics = tflite ? 0 : 1;
  p.subtract = op == "sub";
  p.a_zero = qa.zero_point(), p.b_zero = qb.zero_point(), p.out_zero = qy.zero_point();
  p.act_min = -128, p.act_max = 127;
  const auto put = [](double value, int32_t& mult, int32_t& shift) {
    const Scale s = to_scale(value);
    mult = s.multiplier, shift = s.shift;
  };
  if (op == "mul") {
    put(a * b / y, p.out_mult, p.out_shift);
    if (!tflite) p.out_mult = bits_of(qa.scale() * qb.scale() / qy.scale()), p.out_shift = 0;
  } else if (tflite) {
    const double twice = 2 * std::max(a, b);
    put(a / twice, p.a_mult, p.a_shift);
    put(b / twice, p.b_mult, p.b_shift);
    put(twice / (1048576.0 * y), p.out_mult, p.out_shift);
  } else {
    const float ra = qa.scale() / qy.scale(), rb = qb.scale() / qy.scale();
    int exponent;
    std::frexp(std::max(ra, rb), &exponent);
    p.out_shift = 20 - (exponent - 1);
    p.a_mult = round_even(std::ldexp(ra, p.out_shift));
    p.b_mult = round_even(std::ldexp(rb, p.out_shift));
    const int32_t of_b = p.subtract != 0 ? -p.b_mult : p.b_mult;
    p.out_mult = (1 << (p.out_shift - 1)) - p.a_zero * p.a_mult - p.b_zero * of_b;
  }
  return p;
}

TEST(DspPair, sums_and_products_equal_the_interpreter_under_both_rules) {
  sweep(64, [](Rig& rig, Random& random) {
    static const char* ops[] = {"add", "sub", "mul"};
    const std::string op = ops[random() % 3];
    const bool tflite = random() % 2 != 0;
    const Shape shape = {pick(random, 3), pick(random, 5), pick(random, 200)};
    Shape a = shape, b = shape;
    switch (random() % 8) {  // one of them is broadcast, or none
      case 0:
        b = {1};
        break;
      case 1:
        b = {shape[2]};
        break;
      case 2:
        a[1] = 1, a[2] = 1;
        break;
      case 3:  // an element for each row
        (random() % 2 != 0 ? a : b)[2] = 1;
        break;
      case 4:  // a row for all, of each of the images
        (random() % 2 != 0 ? a : b)[1] = 1;
        break;
      default:
        break;
    }
    const Example e(
        std::string("graph \"t\" ") + (tflite ? "tflite" : "xnnpack") +
            " { input %a : " + quantized("int8", a, random_scale(random), random_zero(random)) +
            " input %b : " + quantized("int8", b, random_scale(random), random_zero(random)) +
            " %y = " + op + "(%a, %b) : " +
            quantized("int8", shape, random_scale(random) * 2, random_zero(random)) +
            " output %y }",
        {random_bytes(random, a), random_bytes(random, b)});
    auto in = e.operands(), out = e.results();
    if (random() % 2 != 0) in[0].strides = loose(random, a), out[0].strides = loose(random, shape);
    const auto p = params_of(e, op, tflite);
    return difference(rig.run(op == "mul" ? "mul_i8" : "add_i8", in, out, p), e.out);
  });
}

TEST(DspPair, squared_differences_equal_the_interpreter) {
  sweep(64, [](Rig& rig, Random& random) {
    const Shape shape = {pick(random, 5), pick(random, 90), pick(random, 90)};
    Shape a_shape = shape, b_shape = shape;
    if (random() % 2 != 0) {  // one of them is shared along an axis
      (random() % 2 != 0 ? a_shape : b_shape)[random() % 3] = 1;
    }
    const auto input = [&](const Shape& of) {
      return quantized("int8", of, random_scale(random), random_zero(random));
    };
    const Example e(std::string("graph \"t\" ") + (random() % 2 != 0 ? "tflite" : "xnnpack") +
                        " { input %a : " + input(a_shape) + " input %b : " + input(b_shape) +
                        " %y = squared_difference(%a, %b) : " +
                        quantized("int8", shape, random_scale(random) * 2, random_zero(random)) +
                        " output %y }",
                    {random_bytes(random, a_shape), random_bytes(random, b_shape)});
    presil_dsp_pair_i8 p = params_of(e, "mul", true);
    const double a = e.input(0).quantization.scale(), b = e.input(1).quantization.scale(),
                 twice = 2 * std::max(a, b);
    const auto put = [](double value, int32_t& mult, int32_t& shift) {
      const Scale s = to_scale(value);
      mult = s.multiplier, shift = s.shift;
    };
    put(a / twice, p.a_mult, p.a_shift);
    put(b / twice, p.b_mult, p.b_shift);
    put(twice * twice / (16384.0 * e.output().quantization.scale()), p.out_mult, p.out_shift);
    auto in = e.operands();
    if (random() % 2 != 0) in[0].strides = loose(random, a_shape);
    return difference(rig.run("squared_difference_i8", in, e.results(), p), e.out);
  });
}

// Runs from 1 to beyond those that are written out, each element of which is the same: 5 - 3 = 2.
TEST(DspPair, shared_operands_of_any_run) {
  for (const int64_t run : {1, 2, 63, 64, 65, 1023, 1024, 1025, 5000}) {
    for (const bool column : {true, false}) {
      const Shape x = {7, run}, one = column ? Shape{7, 1} : Shape{run};
      const auto all = [](const Shape& shape, int8_t value) {
        size_t n = 1;
        for (const int64_t extent : shape) n *= static_cast<size_t>(extent);
        return tensor_of<int8_t>(ir::DType::kInt8, shape, std::vector<int8_t>(n, value));
      };
      Rig rig;
      // Scales of 1: each operand is a half of twice the larger one, the result times 2^-19.
      const presil_dsp_pair_i8 p{0, 1, 0, 0, 0, 1 << 30, 1 << 30, 1 << 30, 0, 0, -18, -128, 127};
      const Ran ran = rig.run("add_i8", {{all(x, 5), {}}, {all(one, 3), {}}}, {{all(x, 0), {}}}, p);
      ASSERT_EQ(ran.refused, 0) << ran.where;
      EXPECT_EQ(ran.out[0].data, all(x, 2).data) << run << column;
    }
  }
}

// Ratios above a half have squares beyond 32 bits: no compiler makes them.
TEST(DspPair, squared_differences_of_larger_ratios_are_refused) {
  const TensorValue x = tensor_of<int8_t>(ir::DType::kInt8, {2}, {1, 2});
  const auto refused = [&](int32_t multiplier, int32_t shift) {
    Rig rig;
    const presil_dsp_pair_i8 p{0,       0,     0, 0,  0,    multiplier, 1 << 30,
                               1 << 30, shift, 0, -8, -128, 127};
    return rig.run("squared_difference_i8", {{x, {}}, {x, {}}}, {{x, {}}}, p).refused;
  };
  EXPECT_EQ(refused(1 << 30, 0), 0);
  EXPECT_EQ(refused(INT32_MAX, -1), 0);
  EXPECT_EQ(refused((1 << 30) + 1, 0), PRESIL_DSP_REFUSED_PARAMS);
  EXPECT_EQ(refused(1 << 30, 1), PRESIL_DSP_REFUSED_PARAMS);
}

TEST(DspPair, slopes_below_zero_equal_the_interpreter_under_both_rules) {
  sweep(96, [](Rig& rig, Random& random) {
    const bool tflite = random() % 2 != 0;
    const Shape shape = {pick(random, 5), pick(random, 9), pick(random, 80)};
    Shape alpha = shape;
    if (random() % 2 != 0) alpha = {1, 1, shape[2]};
    if (random() % 4 == 0) alpha = {1, 1, 1};
    const Example e(
        std::string("graph \"t\" ") + (tflite ? "tflite" : "xnnpack") +
            " { input %x : " + quantized("int8", shape, random_scale(random), random_zero(random)) +
            " input %a : " + quantized("int8", alpha, random_scale(random), random_zero(random)) +
            " %y = prelu(%x, %a) : " +
            quantized("int8", shape, random_scale(random), random_zero(random)) + " output %y }",
        {random_bytes(random, shape), random_bytes(random, alpha)});
    const auto &qx = e.input(0).quantization, &qa = e.input(1).quantization,
               &qy = e.output().quantization;
    const double x = qx.scale(), a = qa.scale(), y = qy.scale();
    const float quotient = qx.scale() / qy.scale(), product = qx.scale() * qa.scale() / qy.scale();
    const Scale above = to_scale(tflite ? x / y : static_cast<double>(quotient)),
                below = to_scale(tflite ? x * a / y : static_cast<double>(product));
    const presil_dsp_pair_i8 p{0,
                               0,
                               qx.zero_point(),
                               qa.zero_point(),
                               qy.zero_point(),
                               above.multiplier,
                               0,
                               below.multiplier,
                               above.shift,
                               0,
                               below.shift,
                               -128,
                               127};
    auto in = e.operands();
    if (random() % 2 != 0) in[0].strides = loose(random, shape);
    return difference(rig.run("prelu_i8", in, e.results(), p), e.out);
  });
}

TEST(DspPair, the_larger_and_the_smaller_equal_the_interpreter) {
  sweep(16, [](Rig& rig, Random& random) {
    const Shape shape = {pick(random, 5), pick(random, 700)};
    const Shape b = random() % 2 != 0 ? shape : Shape{1};
    const presil_dsp_larger_i8 p{static_cast<uint32_t>(random() % 2)};
    const Example e("graph \"t\" tflite { input %a : " + quantized("int8", shape, 0.5f, 3) +
                        " input %b : " + quantized("int8", b, 0.5f, 3) +
                        " %y = " + (p.smaller != 0 ? "minimum" : "maximum") +
                        "(%a, %b) : " + quantized("int8", shape, 0.5f, 3) + " output %y }",
                    {random_bytes(random, shape), random_bytes(random, b)});
    auto in = e.operands();
    if (random() % 2 != 0) in[0].strides = loose(random, shape);
    return difference(rig.run("larger_i8", in, e.results(), p), e.out);
  });
}

TEST(DspPair, a_fused_clamp_holds) {
  Rig rig;
  Random random(1);
  const Shape shape = {300};
  const Example e(
      "graph \"t\" tflite { input %a : int8[300] q(0.1, 3) input %b : int8[300] q(0.2, "
      "-5) %y = add(%a, %b) {act=relu6} : int8[300] q(0.05, -100) output %y }",
      {random_bytes(random, shape), random_bytes(random, shape)});
  auto p = params_of(e, "add", true);
  p.act_min = -100, p.act_max = -100 + 120;
  EXPECT_EQ(difference(rig.run("add_i8", e.operands(), e.results(), p), e.out), "");
}

TEST(DspQuantise, floats_become_the_interpreters_integers) {
  sweep(48, [](Rig& rig, Random& random) {
    const bool tflite = random() % 2 != 0;
    static const char* types[] = {"int8", "uint8", "int16"};
    const std::string type = types[random() % (tflite ? 3 : 2)];
    const Shape shape = {pick(random, 3), pick(random, 150)};
    TensorValue x = random_floats(random, shape, -20, 20);
    auto* v = reinterpret_cast<float*>(x.data.data());
    const float scale = 0.125f;
    for (int64_t i = 0; i < shape[0] * shape[1]; ++i) {
      const float odd[] = {NAN, INFINITY, -INFINITY, 3e9f, -3e9f, -0.0f};
      if (random() % 8 == 0) v[i] = odd[random() % 6];
      if (random() % 4 == 0) v[i] = std::floor(v[i]) + scale / 2;  // halves
    }
    const int32_t zero = type == "int16" ? 0 : type == "uint8" ? 100 : -7;
    const Example e(std::string("graph \"t\" ") + (tflite ? "tflite" : "xnnpack") +
                        " { input %x : " + type_of("float32", shape) + " %y = quantize(%x) : " +
                        quantized(type, shape, scale, zero) + " output %y }",
                    {x});
    auto in = e.operands(), out = e.results();
    if (random() % 2 != 0) in[0].strides = loose(random, shape);
    const presil_dsp_quantise p{tflite ? 0u : 1u, scale, zero};
    return difference(rig.run("quantise", in, out, p), e.out);
  });
}

TEST(DspQuantise, integers_become_the_interpreters_floats_and_integers) {
  sweep(48, [](Rig& rig, Random& random) {
    static const char* types[] = {"int8", "int16"};
    const size_t kind = random() % 2;
    const std::string type = types[kind];
    const Shape shape = {pick(random, 3), pick(random, 150)};
    const float scale = random_scale(random);
    const int32_t zero = kind == 0 ? random_zero(random) : 0;
    const TensorValue x =
        random_bytes(random, shape, kind == 0 ? ir::DType::kInt8 : ir::DType::kInt16);
    const std::string input =
        "graph \"t\" tflite { input %x : " + quantized(type, shape, scale, zero);
    const Example real(
        input + " %y = dequantize(%x) : " + type_of("float32", shape) + " output %y }", {x});
    std::string wrong =
        difference(rig.run("dequantise", real.operands(), real.results(),
                           presil_dsp_quantise{0, real.input(0).quantization.scale(), zero}),
                   real.out);
    if (!wrong.empty()) return "dequantise " + type + ": " + wrong;
    const Example e(input + " %y = quantize(%x) : " +
                        quantized(type, shape, random_scale(random), kind == 0 ? 5 : 0) +
                        " output %y }",
                    {x});
    const Scale s = to_scale(static_cast<double>(e.input(0).quantization.scale()) /
                             static_cast<double>(e.output().quantization.scale()));
    const presil_dsp_requantise p{0, s.multiplier, s.shift, zero,
                                  e.output().quantization.zero_point()};
    wrong = difference(rig.run("requantise", e.operands(), e.results(), p), e.out);
    return wrong.empty() ? "" : "requantise " + type + ": " + wrong;
  });
}

TEST(DspDepthwise, of_any_window_equals_the_interpreter_under_both_rules) {
  sweep(64, [](Rig& rig, Random& random) {
    const bool tflite = random() % 2 != 0;
    const int64_t kh = pick(random, 20), kw = pick(random, 6), c = pick(random, 90);
    const int64_t stride = pick(random, 3), dilation = pick(random, 2), oh = pick(random, 3),
                  ow = pick(random, 4);
    const int64_t pad_top = static_cast<int64_t>(random() % 3) % kh,
                  pad_left = static_cast<int64_t>(random() % 3) % kw;
    const Shape x = {1, (oh - 1) * stride + (kh - 1) * dilation + 1 - pad_top,
                     (ow - 1) * stride + (kw - 1) * dilation + 1 - pad_left, c};
    const Shape w = {1, kh, kw, c}, y = {1, oh, ow, c};
    if (x[1] < 1 || x[2] < 1) return std::string();
    const auto field = [](const char* name, int64_t value) {
      return std::string(name) + "=" + std::to_string(value);
    };
    const std::string attributes = field("stride_h", stride) + ", " + field("stride_w", stride) +
                                   ", " + field("dilation_h", dilation) + ", " +
                                   field("dilation_w", dilation) + ", " +
                                   field("pad_top", pad_top) + ", " + field("pad_left", pad_left);
    const TensorValue filter = random_bytes(random, w);
    const TensorValue bias = tensor_of<int32_t>(
        ir::DType::kInt32, {c}, std::vector<int32_t>(static_cast<size_t>(c), -1234));
    const Example e(
        std::string("graph \"t\" ") + (tflite ? "tflite" : "xnnpack") +
            " { input %x : " + quantized("int8", x, random_scale(random), random_zero(random)) +
            " const %w : " + quantized("int8", w, random_scale(random), 0) +
            " = random 1 const %b : int32[" + std::to_string(c) +
            "] = random 1 %y = depthwise_conv2d(%x, %w, %b) {" + attributes + "} : " +
            quantized("int8", y, random_scale(random) * 4, random_zero(random)) + " output %y }",
        {random_bytes(random, x)}, {{"w", filter}, {"b", bias}});
    const ir::TensorId of_w = e.graph.ops.front().input(1);
    const auto &qx = e.input(0).quantization, &qw = e.graph.tensor(of_w).quantization,
               &qy = e.output().quantization;
    const Scale scale = to_scale(static_cast<double>(qx.scale()) * static_cast<double>(qw.scale()) /
                                 static_cast<double>(qy.scale()));
    const int32_t of_row[4] = {
        -1234, tflite ? scale.multiplier : bits_of(qx.scale() * qw.scale() / qy.scale()),
        tflite ? std::max(scale.shift, 0) : 0, tflite ? std::max(-scale.shift, 0) : 0};
    std::vector<int32_t> terms;
    for (const int32_t term : of_row) terms.insert(terms.end(), static_cast<size_t>(c), term);
    presil_dsp_depthwise_i8 p{};
    p.window.stride_h = p.window.stride_w = static_cast<uint32_t>(stride);
    p.window.dilation_h = p.window.dilation_w = static_cast<uint32_t>(dilation);
    p.window.pad_top = static_cast<int32_t>(pad_top);
    p.window.pad_left = static_cast<int32_t>(pad_left);
    p.rule = tflite ? 0 : 1;
    p.in_zero = qx.zero_point(), p.out_zero = qy.zero_point(), p.act_min = -128, p.act_max = 127;
    std::vector<Operand> in = e.operands();
    in.push_back({filter, {}});
    in.push_back({tensor_of<int32_t>(ir::DType::kInt32, {4, c}, terms), {}});
    return difference(rig.run("depthwise_conv2d_i8", in, e.results(), p), e.out);
  });
}

}  // namespace
}  // namespace presil::dsp
