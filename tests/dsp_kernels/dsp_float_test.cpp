// Floats against the reference interpreter, every bit.
#include <gtest/gtest.h>

#include <cmath>

#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

int64_t pick(Random& random, int64_t most) {
  return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
}
/// Of all sizes, borders of the functions and what is no number among them.
TensorValue floats(Random& random, const Shape& shape, bool strange = true) {
  TensorValue t = random_floats(random, shape, -12, 12);
  auto* v = reinterpret_cast<float*>(t.data.data());
  for (size_t i = 0; i < t.data.size() / 4; ++i) {
    const float odd[] = {NAN,     INFINITY, -INFINITY, -0.0f,    0.0f, 88.7f, 88.73f, -87.3f,
                         -87.31f, 1e-40f,   0.171875f, 0.34375f, 5.0f, 10.0f, 1e30f,  8388609.0f};
    if (random() % 8 == 0) v[i] *= 10;
    if (random() % 8 == 0) v[i] *= 1e-3f;
    if (random() % 8 == 0) v[i] = std::floor(v[i]) + 0.5f;
    if (strange && random() % 8 == 0) v[i] = odd[random() % 16];
    if (strange && random() % 64 == 0) {
      const auto bits = static_cast<uint32_t>(random());
      std::memcpy(&v[i], &bits, 4);
    }
  }
  return t;
}

struct Function {
  const char* text;
  uint32_t number;
};
constexpr Function kFunctions[] = {{"relu", PRESIL_DSP_CLAMP},
                                   {"relu6", PRESIL_DSP_CLAMP},
                                   {"leaky_relu", PRESIL_DSP_LEAKY_RELU},
                                   {"hard_swish", PRESIL_DSP_HARD_SWISH},
                                   {"logistic", PRESIL_DSP_LOGISTIC},
                                   {"tanh", PRESIL_DSP_TANH},
                                   {"elu", PRESIL_DSP_ELU},
                                   {"gelu", PRESIL_DSP_GELU_TANH},
                                   {"exp", PRESIL_DSP_EXP},
                                   {"log", PRESIL_DSP_LOG},
                                   {"sqrt", PRESIL_DSP_SQRT},
                                   {"rsqrt", PRESIL_DSP_RSQRT},
                                   {"square", PRESIL_DSP_SQUARE},
                                   {"abs", PRESIL_DSP_ABS},
                                   {"neg", PRESIL_DSP_NEG},
                                   {"floor", PRESIL_DSP_FLOOR},
                                   {"ceil", PRESIL_DSP_CEIL},
                                   {"round", PRESIL_DSP_ROUND}};

TEST(DspFloat, functions_equal_the_interpreter_in_every_bit) {
  sweep(120, [](Rig& rig, Random& random) {
    const Function& f = kFunctions[random() % 18];
    const std::string name = f.text;
    const Shape shape = {pick(random, 3), pick(random, 200)};
    const std::string attributes = name == "leaky_relu" ? " {alpha=0.1}"
                                   : name == "gelu"     ? " {approximate=true}"
                                                        : "";
    const Example e("graph \"t\" tflite { input %x : " + type_of("float32", shape) +
                        " %y = " + name + "(%x)" + attributes + " : " + type_of("float32", shape) +
                        " output %y }",
                    {floats(random, shape)});
    presil_dsp_function_f32 p{f.number, 0.1f, 0.0f, name == "relu6" ? 6.0f : INFINITY};
    auto in = e.operands();
    if (random() % 2 != 0) in[0].strides = loose(random, shape);
    const std::string wrong = difference(rig.run("function_f32", in, e.results(), p), e.out);
    return wrong.empty() ? wrong : name + ": " + wrong;
  });
}

/// Its quotient is rounded right for the floats that come up, not for all (float_order.h).
TEST(DspFloat, tanh_equals_the_interpreter_at_one_in_4093_of_the_floats_to_10) {
  constexpr uint32_t kStep = 4093, kTen = 0x41200000;
  std::vector<float> x;
  for (uint32_t bits = 0; bits <= kTen; bits += kStep) {
    float v;
    std::memcpy(&v, &bits, 4);
    x.push_back(v);
  }
  const Shape shape = {static_cast<int64_t>(x.size())};
  const std::string type = type_of("float32", shape);
  const Example e(
      "graph \"t\" tflite { input %x : " + type + " %y = tanh(%x) : " + type + " output %y }",
      {tensor_of(ir::DType::kFloat32, shape, x)});
  Rig rig;
  const presil_dsp_function_f32 p{PRESIL_DSP_TANH, 0, 0, 0};
  EXPECT_EQ(difference(rig.run("function_f32", e.operands(), e.results(), p), e.out), "");
}

TEST(DspFloat, pairs_equal_the_interpreter_in_every_bit) {
  sweep(96, [](Rig& rig, Random& random) {
    static const Function pairs[] = {{"add", PRESIL_DSP_ADD},
                                     {"sub", PRESIL_DSP_SUB},
                                     {"mul", PRESIL_DSP_MUL},
                                     {"div", PRESIL_DSP_DIV},
                                     {"squared_difference", PRESIL_DSP_SQUARED_DIFFERENCE},
                                     {"prelu", PRESIL_DSP_PRELU},
                                     {"maximum", PRESIL_DSP_MAXIMUM},
                                     {"minimum", PRESIL_DSP_MINIMUM},
                                     {"pow", PRESIL_DSP_POW}};
    const Function& f = pairs[random() % 9];
    const std::string name = f.text;
    const Shape shape = {pick(random, 3), pick(random, 5), pick(random, 100)};
    Shape a = shape, b = shape;
    const uint64_t broadcast = random() % 6;
    if (broadcast == 0) b = {shape[1], 1};
    if (broadcast == 1 && f.number != PRESIL_DSP_PRELU) a = {1};
    if (broadcast == 2) b = {shape[2]};
    if (broadcast == 3 && f.number != PRESIL_DSP_PRELU) a = {shape[2]};
    const bool clamps = f.number <= PRESIL_DSP_DIV && random() % 2 != 0;
    const Example e("graph \"t\" tflite { input %a : " + type_of("float32", a) +
                        " input %b : " + type_of("float32", b) + " %y = " + name + "(%a, %b)" +
                        (clamps ? " {act=relu6}" : "") + " : " + type_of("float32", shape) +
                        " output %y }",
                    {floats(random, a), floats(random, b)});
    const presil_dsp_pair_f32 p{f.number, clamps ? 0.0f : -INFINITY, clamps ? 6.0f : INFINITY};
    const std::string wrong = difference(rig.run("pair_f32", e.operands(), e.results(), p), e.out);
    return wrong.empty() ? wrong : name + ": " + wrong;
  });
}

TEST(DspFloat, softmax_equals_the_interpreter_in_every_bit) {
  sweep(48, [](Rig& rig, Random& random) {
    const Shape shape = {pick(random, 3), pick(random, 8), pick(random, 300)};
    const Example e("graph \"t\" tflite { input %x : " + type_of("float32", shape) +
                        " %y = softmax(%x) {beta=0.5} : " + type_of("float32", shape) +
                        " output %y }",
                    {floats(random, shape, random() % 8 == 0)});
    auto in = e.operands(), out = e.results();
    if (random() % 2 != 0) in[0].strides = loose(random, shape);
    if (random() % 2 != 0) out[0].strides = loose(random, shape);
    return difference(rig.run("softmax_f32", in, out, presil_dsp_softmax_f32{0.5f}), e.out);
  });
}

TEST(DspFloat, layer_norm_equals_the_interpreter_in_every_bit) {
  sweep(48, [](Rig& rig, Random& random) {
    const int64_t depth = pick(random, 200);
    const Shape shape = {pick(random, 3), pick(random, 90), depth};
    const std::string row = " : " + type_of("float32", {depth});
    const Example e("graph \"t\" tflite { input %x : " + type_of("float32", shape) +
                        " input %gamma" + row + " input %beta" + row +
                        " %y = layer_norm(%x, %gamma, %beta) {epsilon=1e-6} : " +
                        type_of("float32", shape) + " output %y }",
                    {floats(random, shape, random() % 8 == 0), floats(random, {depth}),
                     floats(random, {depth})});
    auto in = e.operands(), out = e.results();
    if (random() % 2 != 0) in[0].strides = loose(random, shape);
    if (random() % 2 != 0) out[0].strides = loose(random, shape);
    return difference(rig.run("layer_norm_f32", in, out, presil_dsp_layer_norm_f32{1e-6f}), e.out);
  });
}

TEST(DspFloat, powers_to_a_small_whole_exponent_equal_the_interpreter_in_every_bit) {
  sweep(48, [](Rig& rig, Random& random) {
    const Shape shape = {pick(random, 3), pick(random, 200)};
    const auto exponent = static_cast<float>(random() % 7) - 1;
    const Example e(
        "graph \"t\" tflite { input %a : " + type_of("float32", shape) +
            " input %b : float32[1] %y = pow(%a, %b) : " + type_of("float32", shape) +
            " output %y }",
        {floats(random, shape), tensor_of<float>(ir::DType::kFloat32, {1}, {exponent})});
    const presil_dsp_pair_f32 p{PRESIL_DSP_POW, -INFINITY, INFINITY};
    auto in = e.operands();
    if (random() % 2 != 0) in[0].strides = loose(random, shape);
    return difference(rig.run("pair_f32", in, e.results(), p), e.out);
  });
}

}  // namespace
}  // namespace presil::dsp
